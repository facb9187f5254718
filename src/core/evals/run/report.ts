import * as l10n from '@vscode/l10n';
import { moneyText, numberFormat } from '../../../protocol/formats';
import type { Currency } from '../../../protocol/formats';
import { cellId } from '../evalPlan';
import type { EvalPlan, EvalVariant, PlannedRow } from '../evalPlan';
import type { GradedCell } from '../graders/gradeCell';
import type { MissingReason } from '../graders/score';
import { judgeAgreement, preferences, sharedVendor } from '../statistics/judges';
import { wilson } from '../statistics/passFail';
import type { Estimate } from '../statistics/passFail';
import type { JudgedPair, Preferences } from '../statistics/judges';
import { adjust, compare, summarize } from './compare';
import type { CellAnswer, GoldGrade } from './evalRun';
import type { Comparison, RowValues, VariantResult, Verdict } from './compare';

/** What an eval found, once for all forms of output. */
export interface EvalReport {
  readonly variants: readonly { readonly variant: EvalVariant; readonly result: VariantResult }[];
  /** Of each further variant with the first, or of each variant with the baseline. */
  readonly comparisons: readonly {
    readonly first: string;
    readonly second: EvalVariant;
    readonly comparison: Comparison | undefined;
    /** Rows that the first passes and the second does not, first the clearest. */
    readonly regressions: readonly string[];
    /** What a judge says of both answers next to each other. */
    readonly preferences?: Preferences;
  }[];
  /** The model that graded, and the variants whose vendor it shares. */
  readonly judge?: { readonly model: string; readonly kin: readonly string[] };
  /** What the judge says of answers whose grade is known. */
  readonly gold?: readonly GoldGrade[];
  readonly cost: number | undefined;
}

export interface Against {
  readonly label: string;
  /** ID of the variant that it was. */
  readonly variant?: string;
  readonly values: RowValues;
}

/** Sums up and compares. With `baseline`, each variant is compared with it; otherwise with the variant `reference`, or the first one. */
export function reportOf(
  plan: EvalPlan,
  graded: ReadonlyMap<EvalVariant, readonly GradedCell[]>,
  {
    cost,
    margin,
    baseline,
    reference,
    pairs,
    judge,
    gold,
  }: {
    readonly cost: number | undefined;
    readonly margin?: number;
    readonly baseline?: Against;
    readonly reference?: string;
    /** By variant: its answers next to those of the first variant. */
    readonly pairs?: ReadonlyMap<string, readonly JudgedPair[]>;
    /** The model that graded, if one did. */
    readonly judge?: string;
    readonly gold?: readonly GoldGrade[];
  },
): EvalReport {
  const variants = Array.from(graded, ([variant, cells]) => ({ variant, result: summarize(cells) }));
  const first = variants.find(({ variant }) => variant.id === reference) ?? variants[0];
  const rest = variants.filter((one) => one !== first);
  const against = baseline ?? (first && { label: first.variant.label, values: first.result.values });
  const compared = baseline ? variants : rest;
  const options = { ...(margin !== undefined && { margin }), ...groupsOf(plan) };
  const found = compared.map(({ result }) => against && compare(against.values, result.values, options));
  const adjusted = adjust(found, margin);
  // Pairs are always with the first variant.
  const preferred = ({ id }: EvalVariant) => (baseline || first !== variants[0] ? undefined : pairs?.get(id));
  return {
    variants,
    cost,
    ...(gold && { gold }),
    comparisons: compared.map(({ variant, result }, index) => {
      const judged = preferred(variant);
      return {
        first: against?.label ?? '',
        second: variant,
        comparison: adjusted[index],
        regressions: against ? regressionsOf(against.values, result.values) : [],
        ...(judged && { preferences: preferences(judged) }),
      };
    }),
    ...(judge !== undefined && {
      judge: {
        model: judge,
        kin: plan.variants
          .filter(({ provider: { kind, model } }) => kind === 'service' && sharedVendor(judge, model) !== undefined)
          .map(({ label }) => label),
      },
    }),
  };
}

function groupsOf({ rows }: EvalPlan): { readonly groups?: ReadonlyMap<string, string> } {
  const grouped = rows.filter(({ group }) => group !== undefined);
  return grouped.length > 0 ? { groups: new Map(grouped.map(({ hash, group = '' }) => [hash, group])) } : {};
}

function regressionsOf(first: RowValues, second: RowValues): readonly string[] {
  const drops = Array.from(first, ([row, value]) => [row, value - (second.get(row) ?? value)] as const);
  return drops
    .filter(([, drop]) => drop > 0)
    .toSorted(([, a], [, b]) => b - a)
    .map(([row]) => row);
}

export interface Wording {
  readonly language: string;
  readonly currency: Currency | undefined;
  /** Rows of the plan by hash, to name them. */
  readonly plan: EvalPlan;
  /** The responses of the run, which are shown with its regressions. */
  readonly answers: Iterable<CellAnswer>;
}

const verdictTexts: Readonly<Record<Verdict, () => string>> = {
  better: () => l10n.t('Better'),
  worse: () => l10n.t('Worse'),
  notWorse: () => l10n.t('Within the margin'),
  cantTell: () => l10n.t("Can't tell"),
};

export const missingTexts: Readonly<Record<MissingReason, () => string>> = {
  noResponse: () => l10n.t('no response'),
  truncated: () => l10n.t('truncated'),
  slowPattern: () => l10n.t('pattern too slow'),
  badPattern: () => l10n.t('invalid pattern'),
  noCost: () => l10n.t('unknown cost'),
  noLatency: () => l10n.t('latency unavailable in batches'),
  noLogprobs: () => l10n.t('no log probabilities'),
  noVerdict: () => l10n.t('no verdict yet'),
  unreadableVerdict: () => l10n.t('unreadable verdict'),
  badExpectation: () => l10n.t('invalid expectation'),
  notGraded: () => l10n.t('not graded'),
};

/** The report as Markdown, which is also readable as plain text. */
export function markdownReport(
  { variants, comparisons, cost, judge, gold = [] }: EvalReport,
  { language, currency, plan, answers }: Wording,
): string {
  const byHash = rowsOf(plan);
  const number = numberFormat(language);
  const points = (share: number) => pointsText(share, language);
  const rate = ({ rate: known }: VariantResult) => (known ? estimateText(known, language) : '–');
  const missing = ({ missing: counts }: VariantResult) =>
    Object.entries(counts)
      .map(([reason, count]) => `${number.format(count)} ${missingTexts[reason as MissingReason]()}`)
      .join(', ') || '0';
  const verdicts = comparisons.map(({ first, second, comparison }) => {
    if (!comparison) return l10n.t('{0} has no results to compare yet.', cell(second.label));
    const { verdict, difference, low, high, p, gained, lost, rows, isRough, rowsNeeded } = comparison;
    const parts = [
      `**${verdictTexts[verdict]()}**: ${l10n.t('{0} compared with {1}', cell(second.label), cell(first))}`,
      l10n.t(
        'Difference: {0} points (95%: {1} to {2}), p {3}',
        points(difference),
        points(low),
        points(high),
        pText(p, language),
      ),
      l10n.t('Rows: {0}, better: {1}, worse: {2}', number.format(rows), number.format(gained), number.format(lost)),
      ...(isRough ? [l10n.t('Only a few rows differ, so the interval is approximate.')] : []),
      ...(rowsNeeded === undefined ? [] : [l10n.t('Rows needed for a verdict: {0}', number.format(rowsNeeded))]),
    ];
    return parts.join('. ').replaceAll('..', '.');
  });
  return [
    ...verdicts.flatMap((line) => [line, '']),
    ...preferenceLines(comparisons, language),
    ...kinLines(judge),
    ...goldLines(gold, language),
    `| ${[l10n.t('Variant'), l10n.t('Passed'), l10n.t('Pass rate (95%)'), l10n.t('Failed'), l10n.t('Missing')].join(' | ')} |`,
    '| --- | ---: | ---: | ---: | --- |',
    ...variants.map(({ variant, result }) => {
      const columns = [
        cell(variant.label),
        number.format(result.passed),
        rate(result),
        number.format(result.failed),
        missing(result),
      ];
      return `| ${columns.join(' | ')} |`;
    }),
    ...flickerLines(variants, language),
    ...regressionLines(comparisons, byHash, answers),
    ...(cost === undefined ? [] : ['', l10n.t('Cost: {0}', moneyText(cost, currency, language))]),
    '',
  ].join('\n');
}

/** The rows that fail in place of passing, with their responses. */
function regressionLines(
  comparisons: EvalReport['comparisons'],
  rows: RowsByHash,
  answers: Iterable<CellAnswer>,
): readonly string[] {
  const responses = new Map(Array.from(answers, ({ cell: { id }, response }) => [id, response?.text ?? '']));
  return comparisons.flatMap(({ second, regressions }) => {
    if (regressions.length === 0) return [];
    const lines = regressions.slice(0, 20).map((row) => {
      const response = oneLine(responses.get(cellId(row, second.id, 0)) ?? '');
      return `- ${cell(rowName(rows, row))}${response === '' ? '' : `: ${cell(response)}`}`;
    });
    return ['', `### ${l10n.t('Regressions of {0}', cell(second.label))}`, '', ...lines];
  });
}

function goldLines(gold: readonly GoldGrade[], language: string): readonly string[] {
  const text = goldAgreementText(gold, language);
  return text === undefined ? [] : [l10n.t('Gold rows that the model grades correctly: {0}', text), ''];
}

function flickerLines(variants: EvalReport['variants'], language: string): readonly string[] {
  return variants.flatMap(({ variant: { label }, result: { flicker } }) =>
    flicker
      ? ['', l10n.t('Rows that differ between repeats, {0}: {1}', cell(label), estimateText(flicker, language))]
      : [],
  );
}

function preferenceLines(comparisons: EvalReport['comparisons'], language: string): readonly string[] {
  return comparisons.flatMap(({ first, second, preferences: known }) =>
    known ? [preferenceTexts(known, [cell(first), cell(second.label)], language).join('. '), ''] : [],
  );
}

/** What a judge says of pairs, with the signs of its biases. `names`: of the first and the second variant. */
export function preferenceTexts(
  { wins, losses, ties, missing, rate, p, flipRate, longerWins, controlledRate }: Preferences,
  [first, second]: readonly [string, string],
  language: string,
): readonly string[] {
  const number = numberFormat(language);
  const percent = (share: number | undefined) => (share === undefined ? '–' : percentText(share, language));
  return [
    l10n.t(
      '{0} preferred to {1}: {2} ({3} won, {4} lost, {5} tied), p {6}',
      second,
      first,
      percent(rate?.estimate),
      number.format(wins),
      number.format(losses),
      number.format(ties),
      pText(p, language),
    ),
    l10n.t('Verdicts that change when the responses are swapped: {0}', percent(flipRate?.estimate)),
    l10n.t('Won by the longer response: {0}', percent(longerWins?.estimate)),
    l10n.t('Length-controlled win rate: {0}', percent(controlledRate)),
    ...(missing > 0 ? [l10n.t('Missing verdicts: {0}', number.format(missing))] : []),
  ];
}

function kinLines(judge: EvalReport['judge']): readonly string[] {
  if (!judge || judge.kin.length === 0) return [];
  const kin = judge.kin.slice(0, 10).map(cell).join(', ');
  return [l10n.t('{0} might favor models from the same vendor: {1}', cell(judge.model), kin), ''];
}

/** A share in percent. */
export function percentText(share: number, language: string): string {
  return numberFormat(language, { style: 'percent', maximumFractionDigits: 1 }).format(share);
}

/** A share with its 95% interval. */
export function estimateText({ estimate, low, high }: Estimate, language: string): string {
  const percent = (share: number) => percentText(share, language);
  return `${percent(estimate)} (${percent(low)} – ${percent(high)})`;
}

/**
 * How often a judge grades answers of known grades correctly, with its errors of both kinds and Cohen's kappa. `undefined` without a verdict on
 * any.
 */
export function goldAgreementText(gold: readonly GoldGrade[], language: string): string | undefined {
  const labels = gold.flatMap(({ isPassing, judged }) =>
    judged === undefined ? [] : [{ human: isPassing, judge: judged }],
  );
  const found = judgeAgreement(labels);
  const { truePass, trueFail, falsePass, falseFail } = found?.counts ?? {};
  const right = (truePass ?? 0) + (trueFail ?? 0);
  const rate = wilson(right, labels.length);
  if (!found || !rate) return undefined;
  const number = numberFormat(language, { maximumFractionDigits: 2 });
  return l10n.t(
    "{0} of {1}, {2}, Cohen's κ: {3}, wrongly passed: {4}, wrongly failed: {5}",
    number.format(right),
    number.format(labels.length),
    estimateText(rate, language),
    found.kappa === undefined ? l10n.t('undefined') : number.format(found.kappa),
    number.format(falsePass ?? 0),
    number.format(falseFail ?? 0),
  );
}

/** A difference of shares in percentage points, with its sign. */
export function pointsText(share: number, language: string): string {
  return numberFormat(language, { maximumFractionDigits: 1, signDisplay: 'exceptZero' }).format(share * 100);
}

/** A p-value after the sign that compares it, to be put after "p". */
export function pText(p: number, language: string): string {
  return p < 0.001 ? '< 0.001' : `= ${numberFormat(language, { maximumFractionDigits: 3 }).format(p)}`;
}

type RowsByHash = ReadonlyMap<string, EvalPlan['rows'][number]>;

function rowsOf({ rows }: EvalPlan): RowsByHash {
  return new Map(rows.map((row) => [row.hash, row]));
}

/** Names a row by its ID or description, or by its first variable. */
function rowName(rows: RowsByHash, hash: string): string {
  const row = rows.get(hash);
  return row ? nameOfRow(row) : hash;
}

/** Names a row by its ID or description, or by its first variables. */
export function nameOfRow(row: EvalPlan['rows'][number]): string {
  const written = Array.from(row.vars)
    .filter(([name, value]) => name !== 'item' && typeof value !== 'object')
    .map(([name, value]) => `${name}: ${String(value as string | number)}`);
  return (row.id ?? row.description ?? (written.length > 0 ? written.join(', ') : row.hash)).slice(0, 200);
}

/** What a row asks, on one line: its variables without ID and expected values. */
export function inputOf({ vars, assertions }: PlannedRow): string {
  const expected = new Set(
    assertions.map(({ value }) => (typeof value === 'string' ? /^\{\{\s*(\w+)\s*\}\}$/.exec(value)?.[1] : undefined)),
  );
  const own = Array.from(vars).filter(([name]) => !/^(?:id|item|expected)$|^__/i.test(name));
  const inputs = own.filter(([name]) => !expected.has(name));
  const shown = inputs.length === 0 ? own : inputs;
  const texts = shown.map(([name, value]) => {
    const text = valueText(value);
    return shown.length === 1 ? text : `${name}: ${text}`;
  });
  return oneLine(texts.join(' · '));
}

/** A value of a variable as it is shown. */
export function valueText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

/** A text as one line that is not too long for a table. */
export function oneLine(text: string): string {
  return text.slice(0, 1000).replaceAll(/\s+/g, ' ').trim().slice(0, 200);
}

/** Text of a file in a cell of a table: one line, without marks that Markdown reads. */
function cell(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').slice(0, 120);
  return line.replaceAll(/[\\|<>[\]`*_]/g, String.raw`\$&`);
}

/** JUnit XML: a test suite for each variant, a test case for each row. Missing results are skipped, not failed. */
export function junitReport(graded: ReadonlyMap<EvalVariant, readonly GradedCell[]>, plan: EvalPlan): string {
  const byHash = rowsOf(plan);
  const suites = Array.from(graded, ([variant, cells]) => {
    const cases = cells.map(({ row, repeat, result, scores }) => {
      const name = xml(`${rowName(byHash, row)}${plan.repeats > 1 ? ` #${repeat + 1}` : ''}`);
      const open = `    <testcase classname="${xml(variant.label)}" name="${name}"`;
      if ('missing' in result) return `${open}><skipped message="${xml(missingTexts[result.missing]())}"/></testcase>`;
      if (result.pass) return `${open}/>`;
      const failed = scores.filter(({ grade }) => 'pass' in grade && !grade.pass).map((one) => one.name);
      return `${open}><failure message="${xml(failed.join(', '))}"/></testcase>`;
    });
    const count = (test: (one: GradedCell) => boolean) => cells.filter(test).length;
    const failures = count(({ result }) => 'pass' in result && !result.pass);
    const skipped = count(({ result }) => 'missing' in result);
    return [
      `  <testsuite name="${xml(variant.label)}" tests="${cells.length}" failures="${failures}" skipped="${skipped}">`,
      ...cases,
      '  </testsuite>',
    ].join('\n');
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n${suites.join('\n')}\n</testsuites>\n`;
}

function xml(text: string): string {
  const entities: Readonly<Record<string, string>> = { '<': '&lt;', '>': '&gt;', '&': '&amp;', '"': '&quot;' };
  // Other control characters are not allowed in XML, even as entities.
  return text
    .replaceAll(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, ' ')
    .replaceAll(/[<>&"]/g, (mark) => entities[mark] ?? '');
}
