/**
 * Returns the ids most similar to `wanted`, best first: by edit distance of the whole id or of its last part, ignoring case. Ids
 * that share too little are left out, so the result may be empty. Never includes `wanted` itself.
 */
export function nearestIds(wanted: string, ids: readonly string[], limit = 3): readonly string[] {
  const target = wanted.trim().toLowerCase();
  if (target === '') return [];
  const targetName = lastPart(target);
  return ids
    .filter((id) => id !== wanted)
    .map((id) => {
      const lower = id.toLowerCase();
      const whole = editDistance(target, lower) / Math.max(target.length, lower.length);
      const name = lastPart(lower);
      const named = editDistance(targetName, name) / Math.max(targetName.length, name.length);
      const isWithin = name.includes(targetName) || targetName.includes(name);
      const within = isWithin && Math.min(name.length, targetName.length) > 2 ? farEnough / 2 : 1;
      // The vendor is what people leave out or get wrong, so an equal name counts nearly as much as an equal id.
      return { id, score: Math.min(whole, named + nameOnlyCost, within), whole };
    })
    .filter(({ score }) => score < farEnough)
    .toSorted((a, b) => a.score - b.score || a.whole - b.whole)
    .slice(0, limit)
    .map(({ id }) => id);
}

/** Ids that differ in this share of their characters or more do not count as similar. */
const farEnough = 0.5;
const nameOnlyCost = 0.05;

function lastPart(id: string): string {
  return id.slice(id.lastIndexOf('/') + 1) || id;
}

/** Counts insertions, deletions, replacements and swaps of neighbours (optimal string alignment). */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1];
      let cost = Math.min(last[column]! + 1, current[column - 1]! + 1, last[column - 1]! + (same ? 0 : 1));
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      if (swapped) cost = Math.min(cost, beforeLast[column - 2]! + 1);
      current.push(cost);
    }
    [beforeLast, last] = [last, current];
  }
  return last[b.length]!;
}
