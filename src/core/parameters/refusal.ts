/** A service's refusal of a request. */
export interface Refusal {
  /** The parameter as the service names it, possibly with a path into it. */
  readonly parameter?: string | undefined;
  readonly message: string;
}

/** Returns which sent parameter a refusal is about: the one it names, otherwise the first that its message mentions. */
export function refusedAmong<Name extends string>(
  refusal: Refusal,
  sent: readonly Name[],
  patternOf: (name: Name) => RegExp,
): Name | undefined {
  const named = refusal.parameter?.split(/[.[]/)[0];
  return sent.find((name) => name === named) ?? sent.find((name) => patternOf(name).test(refusal.message));
}
