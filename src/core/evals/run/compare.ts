import type { GradedCell } from '../graders/gradeCell';
import type { MissingReason } from '../graders/score';
import { wilson, holm, mcNemar, pairedInterval } from '../statistics/passFail';
import type { Estimate } from '../statistics/passFail';
import { pairedRows } from '../statistics/power';
import { bcaInterval, percentileInterval, permutationP, resample } from '../statistics/resampling';

/** By row: the share of repeats that passed. Rows without any result are absent. */
export type RowValues = ReadonlyMap<string, number>;

export interface VariantResult {
  readonly passed: number;
  readonly failed: number;
  readonly missing: Readonly<Partial<Record<MissingReason, number>>>;
  readonly rate: Estimate | undefined;
  readonly values: RowValues;
  /** Share of the rows with several results whose repeats don't all agree. Undefined without repeats. */
  readonly flicker: Estimate | undefined;
}

/** `cantTell` is an answer too: `rowsNeeded` says what it would take. */
export type Verdict = 'better' | 'worse' | 'notWorse' | 'cantTell';

export interface Comparison {
  readonly verdict: Verdict;
  /** Rows that both have a result for. */
  readonly rows: number;
  /** Rows that only the second passes, and only the first. With repeats: rows with a higher or lower share. */
  readonly gained: number;
  readonly lost: number;
  readonly difference: number;
  readonly low: number;
  readonly high: number;
  readonly p: number;
  /** Fewer than 10 rows differ, so the interval is rough. */
  readonly isRough: boolean;
  /** Of all, if it cannot be told. */
  readonly rowsNeeded?: number;
}

/** What is measured before it is decided what it means. */
type Measured = Omit<Comparison, 'verdict' | 'rowsNeeded'>;

const alpha = 0.05;
const fewDiscordant = 10;
const usualDifference = 0.05;
/** Share of rows with different outcomes in a run that is too small to show its own. */
const usualDiscordance = 0.15;

/** Sums up the cells of one variant. */
export function summarize(cells: readonly GradedCell[]): VariantResult {
  const missing: Partial<Record<MissingReason, number>> = {};
  let [passed, failed] = [0, 0];
  for (const { result } of cells) {
    if ('missing' in result) missing[result.missing] = (missing[result.missing] ?? 0) + 1;
    else if (result.pass) passed++;
    else failed++;
  }
  const values = rowValues(cells);
  // Repeats of a row are not independent: with them, the interval counts rows.
  const shares = [...values.values()];
  const isRepeated = passed + failed > shares.length;
  const rate = isRepeated ? repeatedRate(shares) : wilson(passed, passed + failed);
  return { passed, failed, missing, rate, values, flicker: isRepeated ? flickerOf(cells, values) : undefined };
}

function flickerOf(cells: readonly GradedCell[], values: RowValues): Estimate | undefined {
  const counts = new Map<string, number>();
  for (const { row, result } of cells) if ('pass' in result) counts.set(row, (counts.get(row) ?? 0) + 1);
  const repeated = [...counts].filter(([, count]) => count > 1).map(([row]) => values.get(row) ?? 0);
  return wilson(repeated.filter((share) => share > 0 && share < 1).length, repeated.length);
}

/** Returns the share of repeats that passed, by row, from the cells of one variant. */
export function rowValues(cells: readonly GradedCell[]): RowValues {
  const sums = new Map<string, { passed: number; count: number }>();
  for (const { row, result } of cells) {
    if ('missing' in result) continue;
    const sum = sums.get(row) ?? { passed: 0, count: 0 };
    sums.set(row, { passed: sum.passed + Number(result.pass), count: sum.count + 1 });
  }
  return new Map(Array.from(sums, ([row, sum]) => [row, sum.passed / sum.count]));
}

/**
 * Sums up the cells of one variant for each grader, by the names of graders. Those of a row that share a name count as one, which passes if
 * all of them pass.
 */
export function summarizeGraders(cells: readonly GradedCell[]): ReadonlyMap<string, VariantResult> {
  const byName = new Map<string, GradedCell[]>();
  for (const cell of cells)
    for (const name of new Set(cell.scores.map((score) => score.name))) {
      const list = byName.get(name) ?? [];
      list.push({ ...cell, result: gradeNamed(cell, name) });
      byName.set(name, list);
    }
  return new Map(Array.from(byName, ([name, list]) => [name, summarize(list)]));
}

/** Returns what the graders of a name say of a cell that has them: missing if one is, unless another fails. */
export function gradeNamed({ scores }: GradedCell, name: string): GradedCell['result'] {
  const grades = scores.filter((score) => score.name === name).map(({ grade }) => grade);
  const failed = grades.find((grade) => 'pass' in grade && !grade.pass);
  return failed ?? grades.find((grade) => 'missing' in grade) ?? grades[0] ?? { missing: 'notGraded' };
}

function repeatedRate(shares: readonly number[]): Estimate | undefined {
  // Repeats that all agree say no more than one of them, and resamples of equal rows would have no width.
  if (shares.every((share) => share === 0 || share === 1))
    return wilson(shares.filter((share) => share === 1).length, shares.length);
  const drawn = resample(shares);
  const [low, high] = percentileInterval(drawn);
  return { estimate: drawn.difference, low, high };
}

/** Compares two variants on the same rows. Undefined if they share none. */
export function compare(
  first: RowValues,
  second: RowValues,
  options: {
    /** A difference that does not matter, as a share. Set if the question is whether the second is good enough. */
    readonly margin?: number;
    /** By row. Rows of one group are resampled together. */
    readonly groups?: ReadonlyMap<string, string>;
  } = {},
): Comparison | undefined {
  const rows = [...first.keys()].filter((row) => second.has(row));
  const n = rows.length;
  if (n === 0) return undefined;
  const differences = rows.map((row) => (second.get(row) ?? 0) - (first.get(row) ?? 0));
  const gained = differences.filter((one) => one > 0).length;
  const lost = differences.filter((one) => one < 0).length;
  const groups = options.groups && rows.map((row) => options.groups?.get(row) ?? row);
  const isBinary = differences.every((one) => one === 0 || Math.abs(one) === 1);
  const isGrouped = groups !== undefined && new Set(groups).size < n;
  const counts = { rows: n, gained, lost, isRough: gained + lost < fewDiscordant };
  let measured: Pick<Comparison, 'difference' | 'low' | 'high' | 'p'>;
  if (isBinary && !isGrouped) {
    const { estimate, low, high } = pairedInterval(n, gained, lost, alpha)!;
    measured = { difference: estimate, low, high, p: mcNemar(gained, lost).midP };
  } else {
    const drawn = resample(differences, isGrouped ? { groups } : {});
    const [low, high] = percentileInterval(drawn, alpha);
    const bca = isGrouped ? { low, high } : bcaInterval(drawn, alpha);
    const units = isGrouped ? sumsOf(differences, groups) : differences;
    measured = { difference: drawn.difference, low: bca.low, high: bca.high, p: permutationP(units) };
  }
  return decide({ ...counts, ...measured }, options.margin);
}

/** Adjusts the p-values of several comparisons (Holm) and decides again by them. */
export function adjust(
  comparisons: readonly (Comparison | undefined)[],
  margin?: number,
): readonly (Comparison | undefined)[] {
  const adjusted = holm(comparisons.map((one) => one?.p));
  return comparisons.map((one, index) => one && decide({ ...one, p: adjusted[index] ?? one.p }, margin));
}

function decide(measured: Measured, margin: number | undefined): Comparison {
  const { difference, low, p, rows, lost } = measured;
  const isClear = p < alpha;
  const { rowsNeeded: _, ...known } = measured as Comparison;
  if (isClear && difference > 0) return { ...known, verdict: 'better' };
  // With few rows that differ, the interval is too narrow: then as many lost rows as Wilson's bound allows are expected.
  const lowest = measured.isRough ? Math.min(low, -(wilson(lost, rows, alpha)?.high ?? 1)) : low;
  if (margin !== undefined && lowest > -margin) return { ...known, verdict: 'notWorse' };
  if (isClear && difference < 0) return { ...known, verdict: 'worse' };
  const size = margin ?? Math.max(usualDifference, Math.abs(difference));
  return { ...known, verdict: 'cantTell', rowsNeeded: Math.max(rows + 1, rowsToShow(size, measured)) };
}

/** How many rows would show a difference of a size, as a share, if rows differ as often as those that were compared; 0 if none would. */
export function rowsToShow(size: number, { rows, gained, lost }: Measured): number {
  const discordance = Math.max(size, rows < 2 * fewDiscordant ? usualDiscordance : (gained + lost) / rows);
  return Math.ceil(pairedRows(size, discordance) ?? 0);
}

function sumsOf(values: readonly number[], groups: readonly string[]): readonly number[] {
  const sums = new Map<string, number>();
  for (const [index, value] of values.entries())
    sums.set(groups[index] ?? '', (sums.get(groups[index] ?? '') ?? 0) + value);
  return [...sums.values()];
}
