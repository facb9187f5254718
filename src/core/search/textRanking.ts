import { createTermCounter, questionTerms } from './terms';

/** How quickly repeated words lose weight, and how much long texts are penalised: the usual values of BM25. */
const saturation = 1.2;
const lengthWeight = 0.75;
/** A name is worth more than a mention: a word in the path counts as this many occurrences. */
const pathWeight = 3;

export interface ScoredText<T> {
  readonly item: T;
  /** Above 0; comparable only between texts of one question. */
  readonly score: number;
}

/** Ranks texts by the words they share with a question, where rare words count more (BM25). */
export interface TextRanking<T> {
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
export function createTextRanking<T>(question: string, mostKept = 5000): TextRanking<T> {
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
      if (entries.length >= mostKept * 2) entries = [...best(mostKept)];
    },
    best: (most) => best(most).map(({ item, score }) => ({ item, score })),
  };
}
