/** How quickly repeated words lose weight, and how much long texts are penalised: the usual values of BM25. */
const saturation = 1.2;
const lengthWeight = 0.75;
/** A name is worth more than a mention: a word in the path counts as this many occurrences. */
const pathWeight = 3;

interface ScoredText<T> {
  readonly item: T;
  /** Above 0; comparable only between texts of one question. */
  readonly score: number;
}

/** Ranks texts by the words they share with a question, where rare words count more (BM25). */
interface TextRanking<T> {
  /** Terms of the question without stop words; not for display, because they are stemmed. */
  readonly terms: readonly string[];
  /** The number of texts that contain a term, up to the limit. */
  readonly found: number;
  /** The words of `path` count together with the text. */
  add(item: T, text: string, path: string): void;
  /** Returns the best texts, best first. */
  best(most: number): readonly ScoredText<T>[];
}

interface Entry<T> {
  readonly item: T;
  readonly counts: ReadonlyMap<string, number>;
  readonly length: number;
  readonly at: number;
}

/** `mostKept` bounds the memory: beyond it, the texts that currently score worst are dropped. */
export function createTextRanking<T>(question: string, maxResults = 5000): TextRanking<T> {
  const terms = questionTerms(question);
  const countIn = createTermCounter(terms);
  const having = new Map<string, number>();
  let entries: Entry<T>[] = [];
  let texts = 0;
  let length = 0;
  let lastPath: { readonly path: string; readonly counts: ReadonlyMap<string, number> } | undefined;

  const scoreOf = ({ counts, length: own }: Entry<T>): number => {
    const relative = 1 - lengthWeight + lengthWeight * (own / (length / texts));
    return [...counts].reduce((sum, [term, count]) => {
      const those = having.get(term) ?? 0;
      const rarity = Math.log(1 + (texts - those + 0.5) / (those + 0.5));
      return sum + (rarity * count * (saturation + 1)) / (count + saturation * relative);
    }, 0);
  };
  const best = (most: number): readonly (Entry<T> & { readonly score: number })[] =>
    entries
      .map((entry) => ({ ...entry, score: scoreOf(entry) }))
      .toSorted((one, other) => other.score - one.score || one.at - other.at)
      .slice(0, most);

  return {
    terms,
    get found() {
      return entries.length;
    },
    add(item, text, path) {
      texts += 1;
      length += text.length;
      if (lastPath?.path !== path) lastPath = { path, counts: countIn(path) };
      const counts = new Map(countIn(text));
      for (const [term, count] of lastPath.counts) counts.set(term, (counts.get(term) ?? 0) + count * pathWeight);
      if (counts.size === 0) return;
      for (const term of counts.keys()) having.set(term, (having.get(term) ?? 0) + 1);
      entries.push({ item, counts, length: text.length, at: texts });
      if (entries.length >= maxResults * 2) entries = [...best(maxResults)];
    },
    best: (most) => best(most).map(({ item, score }) => ({ item, score })),
  };
}

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
 * Yields the terms by which texts are compared: words in lowercase and without their endings, including those within compound names, and
 * for scripts without spaces, every pair of characters.
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

/** Returns the distinct terms of a question, without stop words unless there are no others. */
export function questionTerms(question: string): readonly string[] {
  const all = [...new Set(termsOf(question))];
  const stops = new Set([...stopWords].map(stemOf));
  const telling = all.filter((term) => !stops.has(term));
  return telling.length > 0 ? telling : all;
}

/** Counts the occurrences of fixed terms in a text. */
type TermCounter = (text: string) => ReadonlyMap<string, number>;

/** Examines only words that might be one of the terms, because a text is large and most of it is about something else. */
export function createTermCounter(terms: readonly string[]): TermCounter {
  if (terms.length === 0) return () => new Map();
  const words = new Set(terms);
  // A stem may have another ending in the text: `retry` must match `retries`.
  const starts = terms.map((term) => (term.length > 3 ? term.replace(/y$/, '') : term));
  const candidate = new RegExp(starts.join('|'), starts.every((start) => /^\w+$/.test(start)) ? 'gi' : 'giu');
  return (text) => {
    const counts = new Map<string, number>();
    candidate.lastIndex = 0;
    for (let found = candidate.exec(text); found; found = candidate.exec(text)) {
      const end = endOfWord(text, candidate.lastIndex);
      for (const term of termsOf(text.slice(startOfWord(text, found.index), end))) {
        if (words.has(term)) counts.set(term, (counts.get(term) ?? 0) + 1);
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

/** Surrogates count as letters. If they aren't, the word is merely longer. */
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

interface FocusLine {
  /** Line number within the text, from 0. */
  readonly line: number;
  readonly text: string;
}

/** Returns a function that finds the line with the most of the question's words; without any, the first line with a letter or digit. */
export function createFocus(question: string): (text: string) => FocusLine {
  const countIn = createTermCounter(questionTerms(question));
  return (text) => {
    const lines = text.split(/\r\n|\n|\r/);
    const counts = lines.map((line) => countIn(line).size);
    const most = counts.reduce((most, one) => Math.max(most, one), -Infinity);
    const line =
      most > 0
        ? counts.indexOf(most)
        : Math.max(
            0,
            lines.findIndex((one) => /[\p{L}\p{N}]/u.test(one)),
          );
    return { line, text: lines[line]! };
  };
}
