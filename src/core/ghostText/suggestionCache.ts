import { closersAfter } from './trim';
import type { CursorContext } from './cursorContext';

/** The rest of a suggestion, and how many characters after the cursor it replaces. */
export interface CachedSuggestion {
  readonly text: string;
  readonly replaces: number;
}

/** Remembers suggestions by position, so that typing along, undoing and returning cause no request. */
export interface SuggestionCache {
  /** `undefined`: unknown. Empty text: nothing should be suggested there. */
  find(scope: string, place: CursorContext): CachedSuggestion | undefined;
  /** `scope` covers everything else the suggestion depends on: the model, the language. Empty text is stored too. */
  add(scope: string, place: CursorContext, text: string): void;
  clear(): void;
}

interface Entry {
  readonly scope: string;
  readonly near: string;
  /** Whether `near` is the whole text before the cursor. */
  readonly isWhole: boolean;
  readonly after: string;
  readonly text: string;
}

/** How much text before the cursor identifies a position. */
const nearChars = 1000;
/** The suggestions of a few minutes' work; searching them takes less than a millisecond. */
const mostEntries = 100;

export function createSuggestionCache(capacity = mostEntries): SuggestionCache {
  /** Most recently used last. */
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

/** Returns the rest of an entry of which the beginning has been typed before the cursor. */
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

/** Returns the closing characters the editor has since added after the cursor; `undefined` if different text follows it now. */
function closersGained({ after }: Entry, place: CursorContext): string | undefined {
  if (place.after === after) return '';
  const gained = closersAfter(place).slice(0, place.after.length - after.length);
  return gained !== '' && place.after === gained + after ? gained : undefined;
}

/** Whether the characters occur in this order in the text, so that it can replace them. */
function isInOrder(signs: string, text: string): boolean {
  let at = 0;
  for (const sign of signs) {
    at = text.indexOf(sign, at) + 1;
    if (at === 0) return false;
  }
  return true;
}
