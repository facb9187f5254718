/**
 * Returns the length of each score's bar, 0 to 1. Most models score in that range; if any score is outside of it (some models
 * return logits), the bars span from the lowest score to the highest.
 */
export function scoreParts(scores: readonly number[]): readonly number[] {
  const least = scores.reduce((one, other) => Math.min(one, other), Number.POSITIVE_INFINITY);
  const most = scores.reduce((one, other) => Math.max(one, other), Number.NEGATIVE_INFINITY);
  if (least >= 0 && most <= 1) return scores;
  return scores.map((score) => (most > least ? (score - least) / (most - least) : 1));
}
