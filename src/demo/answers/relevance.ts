import { bm25, termsOf } from './bm25';

/** Groups of words with similar meanings, as a semantic model would treat them. */
const alike: readonly string[] = [
  'money refund pay payment paid charge cost price instalment',
  'back return restore undo',
  'parcel package delivery order shipment shipping',
  'password login account',
  'broken broke repair replace fault warranty',
  '退款 付款 支付 价格',
  '包裹 快递 订单 物流',
];
const groups = alike.map((words) => termsOf(words));

/** Returns the words that mean the same as those of the query. */
function widened(query: string): string {
  const terms = termsOf(query);
  return groups
    .filter((group) => terms.some((term) => group.includes(term)))
    .flat()
    .join(' ');
}

/** Returns the text's trigrams, as a model of word parts would see it. */
const pieces = (text: string): ReadonlySet<string> => {
  const letters = Array.from(text.toLowerCase().replace(/\s+/g, ' '));
  return new Set(letters.slice(0, -2).map((letter, at) => letter + (letters[at + 1] ?? '') + (letters[at + 2] ?? '')));
};

function overlap(query: string, text: string): number {
  const [queryPieces, there] = [pieces(query), pieces(text)];
  const shared = [...queryPieces].filter((piece) => there.has(piece)).length;
  return queryPieces.size === 0 || there.size === 0
    ? 0
    : shared / Math.sqrt(queryPieces.size * Math.sqrt(there.size) * 10);
}

const rounded = (score: number): number => Number(Math.min(1, Math.max(0, score)).toFixed(6));

/**
 * Returns the relevance of each text to the query, from 0 to 1, in the order of the texts. The models largely agree, but each scores as its
 * kind does: one by words (0 if none is shared), one within a narrow band, and one that also considers meaning and is confident.
 */
export function relevance(model: string, query: string, texts: readonly string[]): readonly number[] {
  const words = bm25(query, texts).map((score) => 1 - Math.exp(-score / 3));
  if (model.startsWith('BAAI/')) return words.map(rounded);
  if (model.startsWith('netease'))
    return words.map((score, at) => rounded(0.28 + 0.34 * score + 0.22 * Math.min(1, overlap(query, texts[at] ?? ''))));
  const meaning = bm25(widened(query), texts).map((score) => 1 - Math.exp(-score / 3));
  return words.map((score, at) => rounded(1 / (1 + Math.exp(5.2 - 9 * score - 4 * (meaning[at] ?? 0)))));
}
