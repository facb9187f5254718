import { numberFormat } from '../../protocol/formats';

/** Scores nearer to 0 are written with an exponent, to three digits. */
const plainFrom = 1e-4;
const mostDecimals = 9;

/**
 * Formats a score with `least` to `most` decimals, and with more if it would otherwise look like 0 or 1: many rerankers return scores such
 * as 0.0000012 and 0.99998 for all documents, which differ only there.
 */
export function scoreText(
  score: number,
  language: string,
  [least, most]: readonly [least: number, most: number] = [2, 2],
): string {
  // There is a negative zero.
  const value = score === 0 ? 0 : score;
  const size = Math.abs(value);
  if (size > 0 && size < plainFrom)
    return numberFormat(language, { notation: 'scientific', maximumFractionDigits: 2 }).format(value);
  const distance = size < 1 ? Math.min(size, 1 - size) : size;
  const needed = distance > 0 ? Math.ceil(-Math.log10(distance)) + 1 : 0;
  const maximumFractionDigits = Math.min(mostDecimals, Math.max(most, needed));
  return numberFormat(language, { minimumFractionDigits: least, maximumFractionDigits }).format(value);
}

/**
 * Formats a score with two significant digits for a place of a few characters: one line such as `.87`, or two, of which the second is the
 * power of ten.
 */
export function shortScore(score: number, language: string): readonly string[] {
  const digits = { minimumSignificantDigits: 2, maximumSignificantDigits: 2, useGrouping: false };
  const size = Math.abs(score);
  if (size === 0 || (size >= 1e-3 && size < 1e4)) {
    const text = size === 0 ? '0' : numberFormat(language, digits).format(score);
    return [text.replace(/^(\D?)0(?=\D)/, '$1')];
  }
  const [value = '', power = ''] = score.toExponential(1).split('e');
  return [numberFormat(language, digits).format(Number(value)), `e${power.replace('+', '')}`];
}

/**
 * Returns the length of each score's bar, 0 to 1. Most models score in that range; if any score is outside of it (some models
 * return logits), the bars span from the lowest score to the highest.
 */
export function scoreParts(scores: readonly number[]): readonly number[] {
  const least = scores.reduce((one, other) => Math.min(one, other), Number.POSITIVE_INFINITY);
  const most = scores.reduce((one, other) => Math.max(one, other), Number.NEGATIVE_INFINITY);
  if (least >= 0 && most <= 1) return scores;
  return scores.map((score) => (most > least ? (score - least) / (most - least) : 1));
}
