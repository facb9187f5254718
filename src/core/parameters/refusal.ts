/** What a service said when it refused a request. */
export interface Refusal {
  /** As it names it, maybe with the way into it. */
  readonly parameter?: string | undefined;
  readonly message: string;
}

/** Which of the parameters that were sent a refusal is about: as it names it, else as its words say; of several the first. */
export function refusedAmong<Name extends string>(
  refusal: Refusal,
  sent: readonly Name[],
  wordsFor: Readonly<Record<Name, RegExp>>,
): Name | undefined {
  const named = refusal.parameter?.split(/[.[]/)[0];
  return sent.find((name) => name === named) ?? sent.find((name) => wordsFor[name].test(refusal.message));
}
