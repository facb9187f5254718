/**
 * How long the bar of each score is, 0 to 1. Scores of most models are of that range already; where any is not (the logits of some),
 * the bars go from the least to the greatest.
 */
export function scoreParts(scores: readonly number[]): readonly number[] {
  const least = scores.reduce((one, other) => Math.min(one, other), Number.POSITIVE_INFINITY);
  const most = scores.reduce((one, other) => Math.max(one, other), Number.NEGATIVE_INFINITY);
  if (least >= 0 && most <= 1) return scores;
  return scores.map((score) => (most > least ? (score - least) / (most - least) : 1));
}
