/** Returns the system's code for a failed connection, e.g. `ENOTFOUND`, from anywhere in the chain of causes. */
export function systemCode(error: unknown): string | undefined {
  let cause: unknown = error;
  for (let depth = 0; cause instanceof Error && depth < 8; depth++) {
    if ('code' in cause && typeof cause.code === 'string') return cause.code;
    // Several addresses of one host that were tried in parallel fail together.
    cause = cause instanceof AggregateError ? cause.errors[0] : cause.cause;
  }
  return undefined;
}
