/** How sure a model was of a token, in steps. */
export const confidences = ['sure', 'likely', 'unsure', 'doubtful'] as const;
export type Confidence = (typeof confidences)[number];

/** The lowest probability of each step. */
export const confidenceFloors: Readonly<Record<Confidence, number>> = {
  sure: 0.9,
  likely: 0.5,
  unsure: 0.2,
  doubtful: 0,
};

/** Between 0 and 1. A service's rounding may exceed 1 slightly. */
export function probability(logprob: number): number {
  return Math.min(1, Math.max(0, Math.exp(logprob)));
}

/** `undefined` if the service reports none, e.g. for the first token of a prompt. */
export function confidenceOf(logprob: number | null): Confidence | undefined {
  if (logprob === null || Number.isNaN(logprob)) return undefined;
  const share = probability(logprob);
  return confidences.find((step) => share >= confidenceFloors[step]);
}

/** Whether a user may want to check the token. */
export function isUnsure(logprob: number | null): boolean {
  const confidence = confidenceOf(logprob);
  return confidence === 'unsure' || confidence === 'doubtful';
}
