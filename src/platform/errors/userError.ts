import type { WireAction } from '../../protocol/wire';

/** An error that the user can fix, localized where it was found. Shown unchanged, without reference to the log. */
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

/** Works across bundles, where `instanceof` may not. */
export function isUserError(error: unknown): error is UserError {
  return error instanceof Error && error.name === 'UserError' && 'detail' in error;
}
