import { topMembers } from './limits';

/** So many lines at the start of a file tell what it is. */
export const linesLookedAt = 50;
/** Members of a request stand at its beginning, whatever is in it. */
const charactersLookedAt = 4096;

/**
 * Whether lines look like requests of a batch, even where they are no JSON yet: two of a request's members in one of them. A
 * file of answers has `custom_id` too, and `response` or `error` beside it.
 */
export function looksLikeBatch(lines: Iterable<string>): boolean {
  for (const line of lines) {
    const start = line.slice(0, charactersLookedAt);
    if (/"(response|error)"\s*:/.test(start) && !/"body"\s*:\s*\{\s*"(model|messages)"/.test(start)) continue;
    const found = topMembers.filter((name) => new RegExp(`"${name}"\\s*:`).test(start));
    if (found.length >= 2) return true;
  }
  return false;
}
