const cells = 5;

/** Returns a bar per score, fuller for better ones: on a scale from 0 to 1, extended if scores lie outside. */
export function barsOf(scores: readonly number[]): readonly string[] {
  const lowest = scores.reduce((least, score) => Math.min(least, score), 0);
  const highest = scores.reduce((most, score) => Math.max(most, score), 1);
  return scores.map((score) => {
    const full = Math.round(((score - lowest) / (highest - lowest)) * cells);
    return '▰'.repeat(full) + '▱'.repeat(cells - full);
  });
}
