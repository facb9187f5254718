/** Words that say nothing of what a question is about. */
const stopWords: ReadonlySet<string> = new Set(
  (
    'a about all also am an and any are as at be been but by can could did do does for from get gets had has have how i if in ' +
    'into is it its let me my no not of on or our please should show so some tell than that the their them then there these ' +
    'they this those to us was we were what when where which who whose why will with would you your find file files code'
  ).split(' '),
);

const words =
  /(?<ideographs>[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Thai}]+)|(?<word>[\p{L}\p{M}\p{N}]+)/gu;
/** Where a name of several words, such as `readWholeFile` or `HTTPServer`, is parted. */
const humps = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})|(?<=\p{L})(?=\p{N})|(?<=\p{N})(?=\p{L})/gu;

/**
 * What texts are compared by: words in small letters and without their endings, those within names too; of scripts without
 * spaces every two characters.
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

/** The terms of a question, each once; those that say nothing only where there are no others. */
export function questionTerms(question: string): readonly string[] {
  const all = [...new Set(termsOf(question))];
  const stops = new Set([...stopWords].map(stemOf));
  const telling = all.filter((term) => !stops.has(term));
  return telling.length > 0 ? telling : all;
}

/** Counts some terms in a text. */
export type TermCounter = (text: string) => ReadonlyMap<string, number>;

/** Reads only the words that may be one of the terms: a text is large, and most of it is about something else. */
export function createTermCounter(terms: readonly string[]): TermCounter {
  if (terms.length === 0) return () => new Map();
  const wanted = new Set(terms);
  // What an ending was taken from may have another one in the text: `retry` stands for `retries`.
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

/** Halves of characters beyond 16 bits count as letters: where they are none, a word is only read for longer. */
function isOfWord(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (code < 0x80) return (code >= 0x30 && code <= 0x39) || ((code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a);
  return (code >= 0xd800 && code <= 0xdfff) || /[\p{L}\p{M}\p{N}]/u.test(text[at]!);
}

/** English endings only, and not the shortest words: enough for `retries`, `retried` and `retry` to be one. */
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
