/** Words that say nothing about the subject of a question. */
const stopWords: ReadonlySet<string> = new Set(
  (
    'a about all also am an and any are as at be been but by can could did do does for from get gets had has have how i if in ' +
    'into is it its let me my no not of on or our please should show so some tell than that the their them then there these ' +
    'they this those to us was we were what when where which who whose why will with would you your find file files code'
  ).split(' '),
);

const words =
  /(?<ideographs>[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Thai}]+)|(?<word>[\p{L}\p{M}\p{N}]+)/gu;
/** Word boundaries within a compound name such as `readWholeFile` or `HTTPServer`. */
const humps = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})|(?<=\p{L})(?=\p{N})|(?<=\p{N})(?=\p{L})/gu;

/**
 * Yields the terms by which texts are compared: words in lower case and without their endings, including those within compound
 * names; for scripts without spaces, every pair of characters.
 */
export function* termsOf(text: string): Generator<string> {
  for (const { groups, 0: found } of text.matchAll(words)) {
    if (groups?.['word'] === undefined) yield* pairsOf(found);
    else {
      const parts = found.split(humps);
      if (parts.length > 1) yield stemOf(found.toLowerCase());
      for (const part of parts) yield stemOf(part.toLowerCase());
    }
  }
}

/** Returns the distinct terms of a question; without stop words, unless there is nothing else. */
export function questionTerms(question: string): readonly string[] {
  const all = [...new Set(termsOf(question))];
  const stops = new Set([...stopWords].map(stemOf));
  const telling = all.filter((term) => !stops.has(term));
  return telling.length > 0 ? telling : all;
}

/** Counts the occurrences of fixed terms in a text. */
export type TermCounter = (text: string) => ReadonlyMap<string, number>;

/** Examines only words that may be one of the terms, because a text is large and most of it is about something else. */
export function createTermCounter(terms: readonly string[]): TermCounter {
  if (terms.length === 0) return () => new Map();
  const wanted = new Set(terms);
  // A stem may have another ending in the text: `retry` must match `retries`.
  const starts = terms.map((term) => (term.length > 3 ? term.replace(/y$/, '') : term));
  const candidate = new RegExp(starts.join('|'), starts.every((start) => /^\w+$/.test(start)) ? 'gi' : 'giu');
  return (text) => {
    const counts = new Map<string, number>();
    candidate.lastIndex = 0;
    for (let found = candidate.exec(text); found; found = candidate.exec(text)) {
      const end = endOfWord(text, candidate.lastIndex);
      for (const term of termsOf(text.slice(startOfWord(text, found.index), end))) {
        if (wanted.has(term)) counts.set(term, (counts.get(term) ?? 0) + 1);
      }
      candidate.lastIndex = end;
    }
    return counts;
  };
}

function startOfWord(text: string, from: number): number {
  let start = from;
  while (start > 0 && isOfWord(text, start - 1)) start -= 1;
  return start;
}

function endOfWord(text: string, from: number): number {
  let end = from;
  while (end < text.length && isOfWord(text, end)) end += 1;
  return end;
}

/** Surrogates count as letters: where they are not, the word read is merely longer. */
function isOfWord(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (code < 0x80) return (code >= 0x30 && code <= 0x39) || ((code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a);
  return (code >= 0xd800 && code <= 0xdfff) || /[\p{L}\p{M}\p{N}]/u.test(text[at]!);
}

/** Removes English endings only, and not from the shortest words: enough for `retries`, `retried` and `retry` to be equal. */
function stemOf(word: string): string {
  if (word.length < 4 || !/^[a-z]+$/.test(word)) return word;
  const bare = word.replace(/(?:ies|ied)$/, 'y').replace(/(?<=[^s])s$|(?<=[a-z]{3})(?:ing|ed)$/, '');
  return bare.length < 3 ? word : bare.replace(/(.)\1$/, '$1').replace(/(?<=[a-z]{3})e$/, '');
}

function* pairsOf(run: string): Generator<string> {
  const characters = Array.from(run);
  if (characters.length === 1) yield run;
  for (let at = 0; at + 1 < characters.length; at += 1) yield `${characters[at]}${characters[at + 1]}`;
}
