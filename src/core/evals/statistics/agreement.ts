export interface Agreement {
  /** Undefined if both raters use one and the same label throughout. */
  readonly kappa?: number;
  readonly agreement: number;
  /** Without weights only (Fleiss, Cohen and Everitt 1969). */
  readonly standardError?: number;
  /** Share of the first rater's most frequent label: what a constant answer would reach. */
  readonly baseRate: number;
}

/**
 * Cohen's kappa of two raters (Cohen 1960; weighted: Cohen 1968). `table[i][j]` counts items that the first rater labels i and the second
 * one j. Weights use the order of labels. Undefined without items.
 */
export function cohenKappa(
  table: readonly (readonly number[])[],
  weights?: 'linear' | 'quadratic',
): Agreement | undefined {
  const size = table.length;
  const at = (row: number, column: number) => table[row]?.[column] ?? 0;
  const labels = Array.from({ length: size }, (_, index) => index);
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  const n = sum(labels.map((row) => sum(table[row] ?? [])));
  if (n === 0) return undefined;
  const rows = labels.map((row) => sum(labels.map((column) => at(row, column))) / n);
  const columns = labels.map((column) => sum(labels.map((row) => at(row, column))) / n);
  const distance = (row: number, column: number) =>
    weights === undefined ? Number(row !== column) : Math.abs(row - column) ** (weights === 'linear' ? 1 : 2);
  const over = (cell: (row: number, column: number) => number) =>
    sum(labels.map((row) => sum(labels.map((column) => cell(row, column)))));
  const observed = over((row, column) => (distance(row, column) * at(row, column)) / n);
  const expected = over((row, column) => distance(row, column) * (rows[row] ?? 0) * (columns[column] ?? 0));
  const agreement = sum(labels.map((label) => at(label, label))) / n;
  const baseRate = rows.reduce((most, share) => Math.max(most, share), 0);
  if (expected === 0) return { agreement, baseRate };
  const kappa = 1 - observed / expected;
  if (weights !== undefined) return { kappa, agreement, baseRate };
  const chance = 1 - expected;
  const rest = 1 - kappa;
  const diagonal = sum(labels.map((i) => (at(i, i) / n) * (1 - ((rows[i] ?? 0) + (columns[i] ?? 0)) * rest) ** 2));
  const beside = over((row, column) =>
    row === column ? 0 : (at(row, column) / n) * ((columns[row] ?? 0) + (rows[column] ?? 0)) ** 2,
  );
  const variance = (diagonal + rest ** 2 * beside - (kappa - chance * rest) ** 2) / (expected ** 2 * n);
  return {
    kappa,
    agreement,
    baseRate, // Rounding leaves a variance of about 1e-17 if one rater is constant.
    standardError: variance < 1e-15 ? 0 : Math.sqrt(variance),
  };
}

/**
 * Krippendorff's alpha (Krippendorff 2011): one list of ratings per rater over the same units, `undefined` if not rated. Units with fewer
 * than two ratings drop out. `alpha` is undefined if the ratings do not vary.
 */
export function krippendorffAlpha(
  ratings: readonly (readonly (number | undefined)[])[],
  level: 'nominal' | 'ordinal',
): { readonly alpha?: number; readonly pairableValues: number } {
  const units = ratings.reduce((most, { length }) => Math.max(most, length), 0);
  const rated = Array.from({ length: units }, (_, unit) =>
    ratings.flatMap((one) => (one[unit] === undefined ? [] : [one[unit]])),
  ).filter(({ length }) => length > 1);
  const values = [...new Set(rated.flat())].toSorted((x, y) => x - y);
  const indexOf = new Map(values.map((value, index) => [value, index]));
  const totals = values.map(() => 0);
  for (const value of rated.flat()) totals[indexOf.get(value) ?? 0]!++;
  const n = rated.reduce((sum, { length }) => sum + length, 0);
  const ranks = values.map(
    (_, index) => totals.slice(0, index).reduce((sum, count) => sum + count, 0) + totals[index]! / 2,
  );
  const distance = (x: number, y: number) =>
    x === y ? 0 : level === 'nominal' ? 1 : ((ranks[x] ?? 0) - (ranks[y] ?? 0)) ** 2;
  let observed = 0;
  for (const unit of rated) {
    const counts = new Map<number, number>();
    for (const value of unit) counts.set(indexOf.get(value)!, (counts.get(indexOf.get(value)!) ?? 0) + 1);
    for (const [x, countX] of counts)
      for (const [y, countY] of counts) observed += (countX * countY * distance(x, y)) / (unit.length - 1);
  }
  let expected = 0;
  for (const [x, countX] of totals.entries())
    for (const [y, countY] of totals.entries()) expected += (countX * countY * distance(x, y)) / (n - 1);
  return { pairableValues: n, ...(expected > 0 && { alpha: 1 - observed / expected }) };
}

/** How a judge's verdicts compare with human labels of the same answers. */
export interface JudgeCounts {
  readonly truePass: number;
  readonly falseFail: number;
  readonly trueFail: number;
  readonly falsePass: number;
}

export interface CorrectedRate {
  readonly sensitivity?: number;
  readonly specificity?: number;
  /** Undefined for a judge that is not better than chance. */
  readonly rate?: number;
  readonly unclipped?: number;
  readonly standardError?: number;
}

/** Pass rate corrected for the judge's errors, standard error by the delta method (Rogan and Gladen 1978). */
export function correctedRate(
  passed: number,
  n: number,
  { truePass, falseFail, trueFail, falsePass }: JudgeCounts,
): CorrectedRate {
  const [positives, negatives] = [truePass + falseFail, trueFail + falsePass];
  const sensitivity = positives === 0 ? undefined : truePass / positives;
  const specificity = negatives === 0 ? undefined : trueFail / negatives;
  const known = {
    ...(sensitivity !== undefined && { sensitivity }),
    ...(specificity !== undefined && { specificity }),
  };
  if (sensitivity === undefined || specificity === undefined || n === 0) return known;
  const gain = sensitivity + specificity - 1;
  // Sums of fractions such as 0.4 + 0.6 miss 1 by the last digit.
  if (gain <= 1e-12) return known;
  const share = passed / n;
  const unclipped = (share + specificity - 1) / gain;
  const rate = Math.min(1, Math.max(0, unclipped));
  const variance =
    (share * (1 - share)) / n +
    (rate ** 2 * sensitivity * (1 - sensitivity)) / positives +
    ((1 - rate) ** 2 * specificity * (1 - specificity)) / negatives;
  return { ...known, rate, unclipped, standardError: Math.sqrt(variance) / gain };
}
