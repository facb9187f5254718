/** An error in what the user provided that prevents creating a batch file. The message says what to do. */
export class MakingError extends Error {
  override readonly name = 'MakingError';
}

/** Works across bundles, where `instanceof` may not. */
export function isMakingError(error: unknown): error is MakingError {
  return error instanceof Error && error.name === 'MakingError';
}
