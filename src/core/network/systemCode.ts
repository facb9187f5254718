/** The system's own code for a failed connection, e.g. `ENOTFOUND`, wherever in the chain of causes it is. */
export function systemCode(error: unknown): string | undefined {
  let cause: unknown = error;
  for (let depth = 0; cause instanceof Error && depth < 8; depth++) {
    if ('code' in cause && typeof cause.code === 'string') return cause.code;
    // Several addresses of one host tried at once fail together.
    cause = cause instanceof AggregateError ? cause.errors[0] : cause.cause;
  }
  return undefined;
}
