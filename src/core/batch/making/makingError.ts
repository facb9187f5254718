/** Something in what a person gave that keeps a batch file from being made, in words that say what to do. */
export class MakingError extends Error {
  override readonly name = 'MakingError';
}

/** Holds across bundles, where `instanceof` may not. */
export function isMakingError(error: unknown): error is MakingError {
  return error instanceof Error && error.name === 'MakingError';
}
