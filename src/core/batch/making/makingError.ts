import type { ProblemCode } from '../problem';

/** An error in what the user provided that prevents creating a batch file. The message says what to do. */
export class MakingError extends Error {
  override readonly name = 'MakingError';

  /** `code`: that of the problem with the file, if a check would report it. */
  constructor(
    message: string,
    readonly code?: ProblemCode,
  ) {
    super(message);
  }
}

/** Works across bundles, where `instanceof` may not. */
export function isMakingError(error: unknown): error is MakingError {
  return error instanceof Error && error.name === 'MakingError';
}
