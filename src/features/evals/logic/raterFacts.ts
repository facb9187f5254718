import * as l10n from '@vscode/l10n';
import type { PlannedRow } from '../../../core/evals/evalPlan';
import { answerHash } from '../../../core/evals/run/humanLabels';
import type { HumanLabel, RatingScale } from '../../../core/evals/run/humanLabels';
import { cohenKappa, krippendorffAlpha } from '../../../core/evals/statistics/agreement';
import type { Preference } from '../../../core/evals/statistics/judges';
import { numberFormat } from '../../../protocol/formats';
import type { EvalReviewResult } from '../../../protocol/evalResults';
import type { EvalNumbers } from './evalNumbers';

export const preferences: readonly Preference[] = ['first', 'second', 'tie'];

/** Two bad answers are as good as each other. */
export function preferenceIn({ choice }: HumanLabel): Preference {
  return choice === 'bad' ? 'tie' : choice;
}

/** Whether the answer of the first (0) or second variant (1) was rated as passed. */
export function isPassed({ choice }: HumanLabel, place: number): boolean {
  return choice === 'tie' || choice === (place === 0 ? 'first' : 'second');
}

export function twoDigits({ language }: EvalNumbers, value: number | undefined): string {
  return value === undefined ? l10n.t('undefined') : numberFormat(language, { maximumFractionDigits: 2 }).format(value);
}

/**
 * How far everyone who rated two answers by one scale agrees: of two raters Cohen's kappa, of more, or of points, Krippendorff's alpha.
 * Empty with fewer than two raters. Labels of other answers than those in `items` don't count.
 */
export function raterFacts(
  items: readonly { readonly row: PlannedRow; readonly answers: readonly [string, string] }[],
  labels: readonly HumanLabel[],
  { scale, numbers }: { readonly scale: RatingScale; readonly numbers: EvalNumbers },
): EvalReviewResult['facts'] {
  const hashes = new Map(items.map(({ row, answers }) => [row.hash, answers.map(answerHash).join(' ')]));
  const byRater = new Map<string, Map<string, HumanLabel>>();
  for (const label of labels) {
    if (hashes.get(label.row) !== label.answers.join(' ')) continue;
    const name = label.rater ?? '';
    const own = byRater.get(name) ?? new Map<string, HumanLabel>();
    byRater.set(name, own.set(label.row, label));
  }
  if (byRater.size < 2) return [];
  // Both responses of a row are rated, but a preference is one rating.
  const places = scale === 'better' ? [0] : [0, 1];
  const ratings = [...byRater.values()].map((own) =>
    items.flatMap(({ row }) => places.map((place) => valueOf(own.get(row.hash), scale, place))),
  );
  const name = l10n.t('Agreement among {0} raters', numbers.count(byRater.size));
  const [one = [], other = []] = ratings;
  if (ratings.length > 2 || scale === 'points') {
    const { alpha, pairableValues } = krippendorffAlpha(ratings, scale === 'points' ? 'ordinal' : 'nominal');
    const text = l10n.t(
      "Krippendorff's α: {0}, ratings: {1}",
      twoDigits(numbers, alpha),
      numbers.count(pairableValues),
    );
    return pairableValues === 0 ? [] : [{ name, value: text }];
  }
  const pairs = one.flatMap((value, at) => {
    const second = other[at];
    return value === undefined || second === undefined ? [] : [[value, second] as const];
  });
  const table = preferences.map((_, row) =>
    preferences.map((__, column) => pairs.filter(([a, b]) => a === row && b === column).length),
  );
  const found = cohenKappa(table);
  if (!found) return [];
  const { agreement, kappa } = found;
  const value = l10n.t(
    "{0}, Cohen's κ: {1}, ratings: {2}",
    numbers.percent(agreement),
    twoDigits(numbers, kappa),
    numbers.count(pairs.length),
  );
  return [{ name, value }];
}

function valueOf(label: HumanLabel | undefined, scale: RatingScale, place: number): number | undefined {
  if (!label) return undefined;
  if (scale === 'points') return label.values?.[place];
  return scale === 'pass' ? Number(isPassed(label, place)) : preferences.indexOf(preferenceIn(label));
}
