import { distance } from 'fastest-levenshtein';

/**
 * Returns the IDs most similar to `unknownId`, best first: by edit distance of the complete ID or of its last part, ignoring case. Omits
 * IDs with too little in common, so the result can be empty. Never includes `unknownId` itself. Compares the first `mostCompared` IDs, and
 * no text that is too long for an ID, because both can come from a service or a file.
 */
export function nearestIds(unknownId: string, ids: readonly string[], limit = 3): readonly string[] {
  const target = unknownId.trim().toLowerCase();
  if (target === '' || target.length > longestCompared) return [];
  const targetName = lastPart(target);
  return ids
    .slice(0, mostCompared)
    .filter((id) => id !== unknownId && id.length <= longestCompared)
    .map((id) => {
      const lower = id.toLowerCase();
      const whole = edits(target, lower) / Math.max(target.length, lower.length);
      const name = lastPart(lower);
      const named = edits(targetName, name) / Math.max(targetName.length, name.length);
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

/** In UTF-16 units. The longest id of a model has half as many. */
const longestCompared = 200;
/** Services list a few hundred models. */
const mostCompared = 5000;
/** Ids that differ in this share of their characters or more do not count as similar. */
const farEnough = 0.5;
const nameOnlyCost = 0.05;

/** Counts the edits from one text to another. Two neighbours in each other's place are one, the most usual of all mistakes. */
function edits(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at++;
  const isSwapped = one[at] === other[at + 1] && one[at + 1] === other[at] && one.slice(at + 2) === other.slice(at + 2);
  return isSwapped && at + 1 < one.length ? 1 : distance(one, other);
}

function lastPart(id: string): string {
  return id.slice(id.lastIndexOf('/') + 1) || id;
}
