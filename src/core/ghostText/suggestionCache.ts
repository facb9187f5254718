import { closersAfter } from './trim';
import type { CursorContext } from './cursorContext';

/** What is still to be suggested, and how many signs after the cursor it brings with it. */
export interface CachedSuggestion {
  readonly text: string;
  readonly replaces: number;
}

/** What was suggested where, so that typing along, undoing and coming back ask for nothing. */
export interface SuggestionCache {
  /** `undefined`: not known. An empty text: nothing is to be suggested there. */
  find(scope: string, place: CursorContext): CachedSuggestion | undefined;
  /** `scope` is whatever else the suggestion depends on: the model, the language. An empty text is kept too. */
  add(scope: string, place: CursorContext, text: string): void;
  clear(): void;
}

interface Entry {
  readonly scope: string;
  readonly near: string;
  /** There is nothing before it. */
  readonly isWhole: boolean;
  readonly after: string;
  readonly text: string;
}

/** As much of what stands before the cursor tells one place from another. */
const nearChars = 1000;
/** Of a few minutes' work; looking through them takes less than a millisecond. */
const mostEntries = 100;

export function createSuggestionCache(capacity = mostEntries): SuggestionCache {
  /** The one used last at the end. */
  let entries: readonly Entry[] = [];
  const use = (entry: Entry) => {
    entries = [...entries.filter((other) => other !== entry), entry].slice(-capacity);
  };
  return {
    find(scope, place) {
      for (const entry of entries.toReversed()) {
        const found = entry.scope === scope ? restOf(entry, place) : undefined;
        if (!found) continue;
        use(entry);
        return found;
      }
      return undefined;
    },
    add(scope, { before, after }, text) {
      const near = before.slice(-nearChars);
      const isWhole = before.length <= nearChars;
      const isSame = (other: Entry) =>
        other.scope === scope && other.near === near && other.isWhole === isWhole && other.after === after;
      entries = entries.filter((other) => !isSame(other));
      use({ scope, near, isWhole, after, text });
    },
    clear: () => (entries = []),
  };
}

/** What is left of the entry where as much of it was typed as stands before the cursor. */
function restOf(entry: Entry, place: CursorContext): CachedSuggestion | undefined {
  const { text } = entry;
  const closers = closersGained(entry, place);
  if (closers === undefined) return undefined;
  for (let typed = 0; typed < Math.max(1, text.length); typed++) {
    if (!isTyped(entry, place.before, typed)) continue;
    const rest = text.slice(typed);
    return { text: rest, replaces: isInOrder(closers, rest) ? closers.length : 0 };
  }
  return undefined;
}

function isTyped({ near, isWhole, text }: Entry, before: string, typed: number): boolean {
  const at = before.length - typed;
  if (isWhole ? at !== near.length : at < near.length) return false;
  return before.endsWith(text.slice(0, typed)) && before.endsWith(near, at);
}

/** What the editor put after the cursor since then, closing what was typed. `undefined`: another text stands there now. */
function closersGained({ after }: Entry, place: CursorContext): string | undefined {
  if (place.after === after) return '';
  const gained = closersAfter(place).slice(0, place.after.length - after.length);
  return gained !== '' && place.after === gained + after ? gained : undefined;
}

/** Whether the signs come in the text one after the other, so that it can stand in their place. */
function isInOrder(signs: string, text: string): boolean {
  let at = 0;
  for (const sign of signs) {
    at = text.indexOf(sign, at) + 1;
    if (at === 0) return false;
  }
  return true;
}
