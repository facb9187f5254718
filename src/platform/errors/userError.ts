import type { WireAction } from '../../protocol/wire';

/** Something the person can mend, worded where it was found. Told as it is, without a look at the log. */
export class UserError extends Error {
  override readonly name = 'UserError';

  constructor(
    readonly title: string,
    readonly detail: string,
    readonly actions: readonly WireAction[] = [],
  ) {
    super(`${title}: ${detail}`);
  }
}

/** Holds across bundles, where `instanceof` may not. */
export function isUserError(error: unknown): error is UserError {
  return error instanceof Error && error.name === 'UserError' && 'detail' in error;
}
