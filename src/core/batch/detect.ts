import { topMembers } from './limits';

/** How many lines at the start of a file are enough to recognize it. */
export const linesLookedAt = 50;
/** Only this many characters of a line are searched, because a request's own properties come first, whatever they contain. */
const charactersLookedAt = 4096;

/**
 * Whether lines look like batch requests, even if they aren't valid JSON yet: one of them names two properties of a request, whose quotes a
 * spreadsheet might have doubled. Lines of a result file, which have `custom_id` next to `response` or `error`, don't count.
 */
export function looksLikeBatch(lines: Iterable<string>): boolean {
  for (const line of lines) {
    const start = line.slice(0, charactersLookedAt);
    if (/"(response|error)"\s*:/.test(start) && !/"body"\s*:\s*\{\s*"(model|messages)"/.test(start)) continue;
    const found = topMembers.filter((name) => new RegExp(`"${name}""?\\s*:`).test(start));
    if (found.length >= 2) return true;
  }
  return false;
}
