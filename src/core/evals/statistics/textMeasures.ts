import { distance } from 'fastest-levenshtein';
import { porterStem } from './porterStem';

export interface Overlap {
  readonly precision: number;
  readonly recall: number;
  readonly f1: number;
}

/** `ascii`: runs of a–z and 0–9. `unicode`: runs of letters and digits, and each CJK character alone. Both in lower case. */
export type Tokenizer = 'ascii' | 'unicode';

const cjk = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]`;
const tokens: Readonly<Record<Tokenizer, RegExp>> = {
  ascii: /[a-z0-9]+/g,
  unicode: new RegExp(String.raw`${cjk}|(?:(?!${cjk})[\p{L}\p{N}])+`, 'gu'),
};

const cjkPattern = new RegExp(cjk, 'u');

/** More tokens or characters are not compared, since the time grows with their product. */
const mostCompared = 20_000;

/** ROUGE-L: longest common subsequence of tokens (Lin 2004). All 0 if one side is empty. */
export function rougeL(reference: string, output: string, tokenizer: Tokenizer): Overlap & { readonly common: number } {
  const tokensOf = (text: string) => (text.toLowerCase().match(tokens[tokenizer]) ?? []).slice(0, mostCompared);
  const [expected, got] = [tokensOf(reference), tokensOf(output)];
  const common = longestCommon(expected, got);
  return { common, ...overlap(common, got.length, expected.length) };
}

/** The words of a text for n-grams. Texts without CJK characters are split at spaces, so punctuation belongs to its word. */
function gramWords(text: string): readonly string[] {
  const plain = text.toLowerCase().trim();
  const words = cjkPattern.test(plain) ? (plain.match(tokens.unicode) ?? []) : plain === '' ? [] : plain.split(/\s+/);
  return words.slice(0, mostCompared);
}

/** Each n-gram with how often it occurs. */
function gramsOf(words: readonly string[], n: number): Map<string, number> {
  const counts = new Map<string, number>();
  for (let start = 0; start + n <= words.length; start++) {
    const gram = words.slice(start, start + n).join('\n');
    counts.set(gram, (counts.get(gram) ?? 0) + 1);
  }
  return counts;
}

function commonGrams(left: ReadonlyMap<string, number>, right: ReadonlyMap<string, number>): number {
  let common = 0;
  for (const [gram, count] of left) common += Math.min(count, right.get(gram) ?? 0);
  return common;
}

/** ROUGE-N: clipped overlap of n-grams (Lin 2004). All 0 if one side has none. */
export function rougeN(reference: string, output: string, n: number): Overlap {
  // Equal to runs of a-z and 0-9 for English; Cyrillic and others would have no tokens otherwise.
  const tokensOf = (text: string) => (text.toLowerCase().match(tokens.unicode) ?? []).slice(0, mostCompared);
  const [expected, got] = [tokensOf(reference), tokensOf(output)];
  const common = commonGrams(gramsOf(got, n), gramsOf(expected, n));
  return overlap(common, Math.max(0, got.length - n + 1), Math.max(0, expected.length - n + 1));
}

const longestGram = 4;

/**
 * BLEU of one text, with n-grams of up to four words and without smoothing (Papineni et al. 2002). Counts are clipped by the most of any
 * reference, and the reference of the closest length decides the brevity penalty, the shorter one of two.
 */
export function bleu(references: readonly string[], output: string): number {
  const [got, expected] = [gramWords(output), references.map(gramWords)];
  let logs = 0;
  for (let n = 1; n <= longestGram; n++) {
    const most = new Map<string, number>();
    for (const words of expected)
      for (const [gram, count] of gramsOf(words, n)) most.set(gram, Math.max(count, most.get(gram) ?? 0));
    const common = commonGrams(gramsOf(got, n), most);
    if (common === 0) return 0;
    logs += Math.log(common / (got.length - n + 1)) / longestGram;
  }
  const distanceTo = (length: number) => Math.abs(length - got.length);
  const closest = expected
    .map(({ length }) => length)
    .reduce((best, one) => {
      const isCloser = distanceTo(one) < distanceTo(best);
      return isCloser || (distanceTo(one) === distanceTo(best) && one < best) ? one : best;
    });
  return Math.exp(logs + Math.min(0, 1 - closest / got.length));
}

/** GLEU: the lesser of precision and recall of all n-grams of up to four words, by the best reference (Wu et al. 2016). */
export function gleu(references: readonly string[], output: string): number {
  const got = gramWords(output);
  const count = (length: number) => {
    let sum = 0;
    for (let n = 1; n <= longestGram; n++) sum += Math.max(0, length - n + 1);
    return sum;
  };
  const scores = references.map((reference) => {
    const expected = gramWords(reference);
    let common = 0;
    for (let n = 1; n <= longestGram; n++) common += commonGrams(gramsOf(got, n), gramsOf(expected, n));
    return common === 0 ? 0 : common / Math.max(count(got.length), count(expected.length));
  });
  return scores.reduce((best, one) => Math.max(best, one), 0);
}

/** Weights of METEOR: of recall against precision, and of its penalty for words in another order. */
export interface MeteorWeights {
  readonly alpha?: number;
  readonly beta?: number;
  readonly gamma?: number;
}

/**
 * METEOR by the best reference, with equal words and equal stems but without synonyms (Banerjee and Lavie 2005; weights of Lavie and
 * Agarwal 2007). Each word is matched once, from the end of the text.
 */
export function meteor(references: readonly string[], output: string, weights: MeteorWeights = {}): number {
  const { alpha = 0.9, beta = 3, gamma = 0.5 } = weights;
  const wordsOf = (text: string) => gramWords(text).map((word) => word.replace(/(?<!\.)\.+$/, ''));
  const got = wordsOf(output);
  const scores = references.map((reference) => {
    const expected = wordsOf(reference);
    const places = matchedPlaces(got, expected);
    const matched = places.filter((place) => place !== undefined).length;
    if (matched === 0) return 0;
    const chunks = places.filter(
      (place, at) => place !== undefined && (at === 0 || places[at - 1] !== place - 1),
    ).length;
    const [precision, recall] = [matched / got.length, matched / expected.length];
    const mean = (precision * recall) / (alpha * precision + (1 - alpha) * recall);
    return mean * (1 - gamma * (chunks / matched) ** beta);
  });
  return scores.reduce((best, one) => Math.max(best, one), 0);
}

/** For each word, the place of the reference's word that it is matched with: an equal one, or else one with the same stem. */
function matchedPlaces(got: readonly string[], expected: readonly string[]): readonly (number | undefined)[] {
  const matched = got.map((): number | undefined => undefined);
  const taken = new Set<number>();
  for (const form of [(word: string) => word, porterStem]) {
    const places = new Map<string, number[]>();
    for (const [place, word] of expected.entries()) {
      if (taken.has(place)) continue;
      const key = form(word);
      const list = places.get(key);
      if (list) list.push(place);
      else places.set(key, [place]);
    }
    for (let at = got.length - 1; at >= 0; at--) {
      if (matched[at] !== undefined) continue;
      const place = places.get(form(got[at]!))?.pop();
      if (place === undefined) continue;
      matched[at] = place;
      taken.add(place);
    }
  }
  return matched;
}

function overlap(common: number, got: number, expected: number): Overlap {
  const precision = got === 0 ? 0 : common / got;
  const recall = expected === 0 ? 0 : common / expected;
  return { precision, recall, f1: common === 0 ? 0 : (2 * precision * recall) / (precision + recall) };
}

/** Length of the longest common subsequence, 32 places at a time (Crochemore, Iliopoulos, Pinzon and Reid 2001). */
function longestCommon(left: readonly string[], right: readonly string[]): number {
  const words = Math.ceil(left.length / 32);
  const places = new Map<string, Uint32Array>();
  for (const [index, token] of left.entries()) {
    const bits = places.get(token) ?? new Uint32Array(words);
    bits[index >> 5]! |= 1 << (index & 31);
    places.set(token, bits);
  }
  const state = new Uint32Array(words).fill(0xffffffff);
  for (const token of right) {
    const bits = places.get(token);
    if (!bits) continue;
    let carry = 0;
    for (let word = 0; word < words; word++) {
      const value = state[word]!;
      const matched = (value & bits[word]!) >>> 0;
      const sum = value + matched + carry;
      carry = sum > 0xffffffff ? 1 : 0;
      state[word] = sum | (value & ~bits[word]!);
    }
  }
  let common = 0;
  for (let index = 0; index < left.length; index++) if (!((state[index >> 5]! >>> (index & 31)) & 1)) common++;
  return common;
}

/** Edit distance in UTF-16 units, and similarity: 1 − distance / longer length, 1 for two empty texts (Levenshtein 1966). */
export function editDistance(a: string, b: string): { readonly distance: number; readonly similarity: number } {
  const [left, right] = [a.slice(0, mostCompared), b.slice(0, mostCompared)];
  const longer = Math.max(left.length, right.length);
  const edits = distance(left, right);
  return { distance: edits, similarity: longer === 0 ? 1 : 1 - edits / longer };
}

/** Overlap of words as in SQuAD 1.1 (Rajpurkar et al. 2016). Two texts without words agree. */
export function tokenF1(reference: string, output: string): Overlap {
  const [expected, got] = [squadWords(reference), squadWords(output)];
  if (expected.length === 0 && got.length === 0) return { precision: 1, recall: 1, f1: 1 };
  const left = new Map<string, number>();
  for (const word of expected) left.set(word, (left.get(word) ?? 0) + 1);
  let common = 0;
  for (const word of got) {
    const count = left.get(word) ?? 0;
    if (count > 0) common++;
    left.set(word, count - 1);
  }
  return overlap(common, got.length, expected.length);
}

function squadWords(text: string): readonly string[] {
  const plain = text.toLowerCase().replaceAll(/[!-/:-@[-`{-~]/g, '');
  return plain
    .replaceAll(/(?<![\p{L}\p{N}_])(?:a|an|the)(?![\p{L}\p{N}_])/gu, ' ')
    .split(/\s+/)
    .filter((word) => word !== '');
}

export interface Classification {
  readonly labels: readonly string[];
  /** `matrix[i][j]`: rows with the expected label i and the predicted label j. */
  readonly matrix: readonly (readonly number[])[];
  /** Undefined without any answered row, like the constant baseline. */
  readonly accuracy?: number;
  /** By label. */
  readonly measures: readonly Overlap[];
  readonly macroF1: number;
  /** Accuracy of always answering the most frequent expected label. */
  readonly constantBaseline?: number;
  readonly missing: number;
}

/** Confusion matrix with its measures; undefined ratios are 0 and count in macro F1 (as in scikit-learn with `zero_division=0`). */
export function classify(
  order: readonly string[],
  expected: readonly string[],
  predicted: readonly (string | undefined)[],
): Classification {
  const pairs = expected.flatMap((label, index) => {
    const answer = predicted[index];
    return answer === undefined ? [] : [[label, answer] as const];
  });
  const labels = [...new Set([...order, ...pairs.flat()])];
  const place = new Map(labels.map((label, index) => [label, index]));
  const matrix = labels.map(() => labels.map(() => 0));
  for (const [label, answer] of pairs) matrix[place.get(label)!]![place.get(answer)!]!++;
  const rows = matrix.map((row) => row.reduce((sum, count) => sum + count, 0));
  const hits = labels.map((_, index) => matrix[index]![index]!);
  const measures = labels.map((_, index) =>
    overlap(
      hits[index]!,
      matrix.reduce((sum, row) => sum + row[index]!, 0),
      rows[index]!,
    ),
  );
  const n = pairs.length;
  return {
    labels,
    matrix,
    measures,
    macroF1: labels.length === 0 ? 0 : measures.reduce((sum, { f1 }) => sum + f1, 0) / labels.length,
    missing: expected.length - n,
    ...(n > 0 && {
      accuracy: hits.reduce((sum, count) => sum + count, 0) / n,
      constantBaseline: rows.reduce((most, count) => Math.max(most, count), 0) / n,
    }),
  };
}
