import * as l10n from '@vscode/l10n';
import type { EvalFacts } from '../../../core/evals/evalFacts';
import type { EvalPlan } from '../../../core/evals/evalPlan';
import { adjust, compare, rowsToShow, summarizeGraders } from '../../../core/evals/run/compare';
import type { Comparison, VariantResult } from '../../../core/evals/run/compare';
import { judgedNames, ModelPreferences } from '../../../core/evals/run/modelPreferences';
import {
  estimateText,
  goldAgreementText,
  inputOf,
  missingTexts,
  nameOfRow,
  oneLine,
  preferenceTexts,
  reportOf,
} from '../../../core/evals/run/report';
import type { EvalReport } from '../../../core/evals/run/report';
import {
  answerIn,
  baselineId,
  comparedIn,
  failedIn,
  isComplete,
  margin,
  runStage,
} from '../../../core/evals/run/storedRun';
import type { Compared, StoredRun } from '../../../core/evals/run/storedRun';
import { calibratedLabels, sharedVendor } from '../../../core/evals/statistics/judges';
import { listText } from '../../../protocol/formats';
import type { Currency } from '../../../protocol/formats';
import type { EvalPlot, EvalRate, EvalRegression, EvalVariantRow, EvalView } from '../../../protocol/evalResults';
import type { WireAction } from '../../../protocol/wire';
import { EvalNumbers } from './evalNumbers';
import { runNotices } from './runNotices';

const listed = 10;
export interface ViewContext {
  readonly pageId: string;
  readonly title: string;
  readonly language: string;
  readonly currency: Currency | undefined;
  /** Of the rows of the run. */
  readonly facts: EvalFacts;
  readonly compared: Compared;
}

/** "A" for the first variant. After "Z" follows "AA". */
export function letterOf(index: number): string {
  const last = String.fromCodePoint(65 + (index % 26));
  return index < 26 ? last : `${letterOf(Math.floor(index / 26) - 1)}${last}`;
}

/** Returns everything that the verdict shows of a run. */
export function verdictView(run: StoredRun, context: ViewContext): EvalView {
  const { plan, graded, baseline, cost } = run;
  const { pageId, title, language, facts } = context;
  const numbers = new EvalNumbers(language, context.currency);
  const compared = comparedIn(run, context.compared);
  const isBaseline = compared.reference === baselineId;
  const report = reportOf(plan, graded, {
    cost,
    margin,
    pairs: run.pairs,
    reference: compared.reference,
    ...(isBaseline && baseline && { baseline }),
  });
  const chosen = report.comparisons.find(({ second }) => second.id === compared.candidate);
  const names = namesOf(plan, compared);
  const stage = runStage(run);
  const graders = graderColumns(run);
  const byGrader: ByGrader = new Map(Array.from(graded, ([{ id }, cells]) => [id, summarizeGraders(cells)]));
  const verdict = verdictOf(report, chosen?.comparison);
  const sentence = sentenceOf(verdict, names);
  const isWhole = stage === 'done' && isComplete(run) && run.ungraded === 0;
  const { requests, answered } = run.progress;
  return {
    pageId,
    title,
    facts: factsOf(run, facts, numbers),
    stage,
    ...(!isWhole &&
      stage !== 'none' && {
        progress: l10n.t('Responses so far: {0} of {1}', numbers.count(answered), numbers.count(requests)),
      }),
    notices: runNotices(run, numbers),
    ...choicesOf(run, compared),
    ...compared,
    verdict,
    sentence: isWhole || verdict === 'none' ? sentence : l10n.t('Preliminary: {0}', sentence),
    line: lineOf(verdict, { report, comparison: chosen?.comparison, numbers }),
    ...plotOf(chosen?.comparison, names),
    needs: isWhole && verdict === 'cantTell' ? needsOf(chosen?.comparison, { run, facts, numbers }) : [],
    ...primaryOf(run, { isWhole, verdict, comparison: chosen?.comparison, numbers }),
    secondary: stage === 'none' ? [] : [{ id: 'export', label: l10n.t('Export…') }],
    graders,
    variants: variantRows(run, report, { graders, byGrader, compared, numbers }),
    ...(!isBaseline && chosen?.comparison && differencesOf(compared, { graders, byGrader, numbers, names })),
    regressions: regressionsOf(run, chosen?.regressions ?? [], { compared, numbers, names }),
    preferences: chosen?.preferences
      ? preferenceTexts(chosen.preferences, [names.reference, names.candidate], language)
      : [],
    checks: checksOf(run, report, numbers),
    missing: missingOf(run, report, numbers),
    ...judgeOf(run, graders, numbers),
    foot: footOf(run),
  };
}

interface Names {
  readonly candidate: string;
  readonly reference: string;
}

function namesOf({ variants }: EvalPlan, { reference, candidate }: Compared): Names {
  const nameOf = (id: string) =>
    id === baselineId ? l10n.t('the baseline') : letterOf(variants.findIndex((variant) => variant.id === id));
  return { candidate: nameOf(candidate), reference: nameOf(reference) };
}

function verdictOf({ variants }: EvalReport, comparison: Comparison | undefined): EvalView['verdict'] {
  if (comparison) return comparison.verdict;
  return variants.some(({ result }) => result.rate) ? 'rate' : 'none';
}

function sentenceOf(verdict: EvalView['verdict'], { candidate, reference }: Names): string {
  switch (verdict) {
    case 'better':
      return l10n.t('{0} is better than {1}', candidate, reference);
    case 'worse':
      return l10n.t('{0} is worse than {1}', candidate, reference);
    case 'notWorse':
      return l10n.t("{0} isn't {2} or more points worse than {1}", candidate, reference, margin * 100);
    case 'cantTell':
      return l10n.t("Can't tell whether {0} is better than {1}", candidate, reference);
    case 'rate':
      return l10n.t('No comparison yet');
    case 'none':
      return l10n.t('No results yet');
  }
}

interface LineParts {
  readonly report: EvalReport;
  readonly comparison: Comparison | undefined;
  readonly numbers: EvalNumbers;
}

function lineOf(verdict: EvalView['verdict'], { report, comparison, numbers }: LineParts): string {
  if (verdict === 'rate') return l10n.t('To compare the next change with this run, set it as the baseline.');
  if (!comparison) return '';
  const { difference, low, high, p, gained, lost, rows, isRough } = comparison;
  const comparisons = report.comparisons.filter((one) => one.comparison).length;
  const measured = l10n.t(
    'Difference: {0} points (95%: {1} to {2}), {3}',
    numbers.points(difference),
    numbers.points(low),
    numbers.points(high),
    comparisons > 1 ? l10n.t('{0} (Holm, comparisons: {1})', numbers.p(p), numbers.count(comparisons)) : numbers.p(p),
  );
  const counts = l10n.t(
    'Rows: {0}, improved: {1}, got worse: {2}, unchanged: {3}',
    numbers.count(rows),
    numbers.count(gained),
    numbers.count(lost),
    numbers.count(rows - gained - lost),
  );
  const rough = isRough ? [l10n.t('Only a few rows differ, so the interval is approximate.')] : [];
  return [`${measured}.`, `${counts}.`, ...rough].join(' ');
}

function plotOf(comparison: Comparison | undefined, { candidate, reference }: Names): { readonly plot?: EvalPlot } {
  if (!comparison) return {};
  const { difference, low, high, verdict } = comparison;
  const caption = l10n.t('Difference in pass rate in points, {0} minus {1}, with 95% interval', candidate, reference);
  return { plot: { difference, low, high, caption, ...(verdict === 'notWorse' && { margin: -margin }) } };
}

interface NeedParts {
  readonly run: StoredRun;
  readonly facts: EvalFacts;
  readonly numbers: EvalNumbers;
}

/** The rows that would show a difference that matters, and the one that was found, beyond those of the run. */
function needsOf(comparison: Comparison | undefined, { run, facts, numbers }: NeedParts): EvalView['needs'] {
  if (!comparison) return [];
  const { rows, difference } = comparison;
  const found = Math.abs(difference);
  const sizes = found >= 0.005 && Math.abs(found - margin) >= 0.0005 ? [margin, found] : [margin];
  return sizes.flatMap((size) => {
    const more = rowsToShow(size, comparison) - rows;
    if (more <= 0) return [];
    const cost = run.isByBatch ? facts.cost?.batch : facts.cost?.now;
    const price = cost === undefined || facts.rows === 0 ? '' : numbers.money((cost / facts.rows) * more);
    return [
      {
        goal: l10n.t('To detect {0} points', numbers.points(size).replace(/^\+/, '')),
        rows: l10n.t('rows to add: {0}', numbers.count(more)),
        price: price === '' ? '' : l10n.t('about {0}', price),
      },
    ];
  });
}

interface PrimaryParts {
  readonly isWhole: boolean;
  readonly verdict: EvalView['verdict'];
  readonly comparison: Comparison | undefined;
  readonly numbers: EvalNumbers;
}

/** The one thing to do next. */
function primaryOf(
  run: StoredRun,
  { isWhole, verdict, comparison, numbers }: PrimaryParts,
): { readonly primary?: WireAction } {
  const stage = runStage(run);
  if (stage === 'running') return {};
  if (stage === 'waiting') return { primary: { id: 'collect', label: l10n.t('Get Results') } };
  if (stage === 'interrupted') return { primary: { id: 'run', label: l10n.t('Resume Run…') } };
  if (run.ungraded > 0) return { primary: { id: 'collect', label: l10n.t('Get Model Grades') } };
  if (!isWhole) return { primary: { id: 'run', label: l10n.t('Run Eval…') } };
  switch (verdict) {
    case 'better':
    case 'notWorse':
    case 'rate':
      return { primary: { id: 'accept', label: l10n.t('Set as Baseline') } };
    case 'worse':
      return { primary: { id: 'regressions', label: l10n.t('Review Regressions') } };
    case 'cantTell': {
      const more = Math.max(1, (comparison?.rowsNeeded ?? 0) - (comparison?.rows ?? 0));
      return { primary: { id: 'addRows', label: l10n.t('Add Rows ({0})…', numbers.count(more)) } };
    }
    case 'none':
      return { primary: { id: 'run', label: l10n.t('Run Eval…') } };
  }
}

function choicesOf({ plan: { variants }, baseline }: StoredRun, { reference }: Compared) {
  const all = variants.map(({ id, label }, index) => ({ id, label: `${letterOf(index)} ${label}` }));
  const references = baseline ? [{ id: baselineId, label: l10n.t('Baseline: {0}', baseline.label) }, ...all] : all;
  const candidates = all.filter(({ id }) => id !== reference);
  // Two variants are compared in one way only.
  const isFixed = references.length <= 2 && candidates.length <= 1;
  return isFixed ? { references: [], candidates: [] } : { references, candidates };
}

function factsOf(
  { plan, cost, isByBatch, progress }: StoredRun,
  facts: EvalFacts,
  numbers: EvalNumbers,
): readonly string[] {
  const estimated = facts.cost && (isByBatch ? facts.cost.batch : facts.cost.now);
  return [
    l10n.t('Rows: {0}, variants: {1}', numbers.count(plan.rows.length), numbers.count(plan.variants.length)),
    ...(plan.repeats > 1 ? [l10n.t('Repeats: {0}', numbers.count(plan.repeats))] : []),
    ...(progress.answered === 0 || (cost === undefined && facts.isFree)
      ? []
      : [cost === undefined ? l10n.t('Charge unknown') : l10n.t('Charged: {0}', numbers.money(cost))]),
    ...(estimated === undefined ? [] : [l10n.t('Estimated: {0}', numbers.money(estimated))]),
  ];
}

/** The graders by name, in the order of the eval file. */
export function graderColumns({ plan, graded }: StoredRun): EvalView['graders'] {
  const judged = judgedNames(plan);
  const names = new Set([...graded.values()].flat().flatMap(({ scores }) => scores.map(({ name }) => name)));
  return Array.from(names, (name) => ({ name, isJudged: judged.has(name) }));
}

/** By the IDs of variants: their results by the names of graders. */
type ByGrader = ReadonlyMap<string, ReadonlyMap<string, VariantResult>>;

interface RowParts {
  readonly graders: EvalView['graders'];
  readonly byGrader: ByGrader;
  readonly compared: Compared;
  readonly numbers: EvalNumbers;
}

const noRate: EvalRate = { rate: '', interval: '', hint: '' };

function variantRows(
  run: StoredRun,
  report: EvalReport,
  { graders, byGrader, compared, numbers }: RowParts,
): readonly EvalVariantRow[] {
  const { plan, baseline } = run;
  return report.variants.map(({ variant, result }, index): EvalVariantRow => {
    const isBaseline = baseline?.variant === variant.id;
    const isReference = compared.reference === variant.id;
    const cost = run.costs.get(variant.id);
    const results = result.passed + result.failed + (result.missing.truncated ?? 0);
    return {
      id: variant.id,
      letter: letterOf(index),
      label: variant.label,
      role: isBaseline ? l10n.t('baseline') : isReference && plan.variants.length > 2 ? l10n.t('reference') : '',
      pass: numbers.rate(result),
      graders: graders.map(({ name }) => {
        const one = byGrader.get(variant.id)?.get(name);
        return one ? numbers.rate(one) : noRate;
      }),
      price: cost === undefined || results === 0 ? '' : numbers.money((cost / results) * plan.repeats * 1000),
      canAccept: result.values.size > 0 && isComplete(run),
    };
  });
}

interface DifferenceParts {
  readonly graders: EvalView['graders'];
  readonly byGrader: ByGrader;
  readonly numbers: EvalNumbers;
  readonly names: Names;
}

/** The differences for each grader, with p-values that are adjusted for their number. */
function differencesOf(
  compared: Compared,
  { graders, byGrader, numbers, names }: DifferenceParts,
): { readonly differences: NonNullable<EvalView['differences']> } {
  const [first, second] = [byGrader.get(compared.reference), byGrader.get(compared.candidate)];
  const found = graders.map(({ name }) => {
    const [a, b] = [first?.get(name), second?.get(name)];
    return a && b && compare(a.values, b.values);
  });
  const label = l10n.t('{0} minus {1}', names.candidate, names.reference);
  return { differences: { label, graders: adjust(found).map((one) => (one ? numbers.difference(one) : noRate)) } };
}

interface RegressionParts {
  readonly compared: Compared;
  readonly numbers: EvalNumbers;
  readonly names: Names;
}

function regressionsOf(
  run: StoredRun,
  hashes: readonly string[],
  { compared, numbers, names }: RegressionParts,
): EvalView['regressions'] {
  const { plan } = run;
  const indexes = new Map(plan.rows.map((row, index) => [row.hash, index]));
  // A baseline has its rows in no order that means anything.
  const isBaseline = compared.reference === baselineId;
  const regressed = new Set(hashes);
  const sent = isBaseline ? plan.rows.map(({ hash }) => hash).filter((hash) => regressed.has(hash)) : hashes;
  const rows = sent.slice(0, listed).flatMap((hash): readonly EvalRegression[] => {
    const index = indexes.get(hash);
    const row = index === undefined ? undefined : plan.rows[index];
    if (!row || index === undefined) return [];
    const textOf = (variant: string) => oneLine(answerIn(run, hash, variant)?.response?.text ?? '');
    return [
      {
        row: index,
        name: nameOfRow(row),
        input: inputOf(row),
        before: textOf(compared.reference),
        after: textOf(compared.candidate),
        failed: listText(failedIn(run, hash, compared.candidate), numbers.language),
      },
    ];
  });
  return {
    title: l10n.t('Regressions: {0}', numbers.count(hashes.length)),
    detail: l10n.t('Passed with {0}, failed with {1}', names.reference, names.candidate),
    rows,
    more: hashes.length > rows.length ? l10n.t('{0} more', numbers.count(hashes.length - rows.length)) : '',
  };
}

/** How far results can be trusted. */
function checksOf({ gold }: StoredRun, { variants }: EvalReport, numbers: EvalNumbers): EvalView['checks'] {
  const { language } = numbers;
  const goldText = goldAgreementText(gold, language);
  const ofGold =
    goldText === undefined ? [] : [{ name: l10n.t('Gold rows that the model grades correctly'), value: goldText }];
  const ofVariants = variants.flatMap(({ result: { flicker } }, index) =>
    flicker
      ? [
          {
            name: l10n.t('Rows that differ between repeats of {0}', letterOf(index)),
            value: estimateText(flicker, language),
          },
        ]
      : [],
  );
  return [...ofGold, ...ofVariants];
}

function missingOf({ graded }: StoredRun, { variants }: EvalReport, numbers: EvalNumbers): EvalView['missing'] {
  const ofVariants = variants.flatMap(({ result }, index) => {
    const counts = Object.entries(result.missing).map(
      ([reason, count]) => `${numbers.count(count)} ${missingTexts[reason as keyof typeof missingTexts]()}`,
    );
    return counts.length === 0
      ? []
      : [{ name: l10n.t('Missing for {0}', letterOf(index)), value: listText(counts, numbers.language) }];
  });
  const reasons = {
    notGraded: (count: string) => l10n.t("Missing scores: {0}. Inference Desk doesn't run this grader.", count),
    noLatency: (count: string) => l10n.t("Missing scores: {0}. Latency isn't measured in batches.", count),
  };
  const ofGraders = (['notGraded', 'noLatency'] as const).flatMap((reason) => {
    const counts = new Map<string, number>();
    for (const { scores } of [...graded.values()].flat())
      for (const { name, grade } of scores)
        if ('missing' in grade && grade.missing === reason) counts.set(name, (counts.get(name) ?? 0) + 1);
    return Array.from(counts, ([name, count]) => ({
      name: l10n.t('Ungraded: {0}', name),
      value: reasons[reason](numbers.count(count)),
    }));
  });
  return [...ofVariants, ...ofGraders];
}

/** Whether the model that grades has been compared with people. */
function judgeOf(
  run: StoredRun,
  graders: EvalView['graders'],
  numbers: EvalNumbers,
): { readonly judge?: NonNullable<EvalView['judge']> } {
  const names = graders.filter(({ isJudged }) => isJudged).map(({ name }) => name);
  if (names.length === 0) return {};
  const labels = new ModelPreferences(run).countRated(run.labels);
  if (labels >= calibratedLabels) return {};
  const text = l10n.t(
    'Not calibrated: {0}. Human labels: {1} of {2}.',
    listText(names, numbers.language),
    numbers.count(labels),
    numbers.count(calibratedLabels),
  );
  const judge = run.manifest === 'damaged' ? undefined : run.manifest?.judge;
  const models = run.plan.variants.map(({ provider }) => provider.model);
  const isShared = judge !== undefined && models.some((model) => sharedVendor(judge, model) !== undefined);
  const shared = isShared ? [l10n.t('{0} might prefer responses from its own vendor.', judge)] : [];
  const left = numbers.count(calibratedLabels - labels);
  const canReview = run.plan.variants.length > 1 && run.progress.answered > 0;
  return {
    judge: { text: [text, ...shared].join(' '), action: canReview ? l10n.t('Start Blind Review ({0})…', left) : '' },
  };
}

/** The models with their parameters, and the test. */
function footOf({ plan }: StoredRun): string {
  const models = [...new Set(plan.variants.map(({ provider }) => provider.model))].filter(Boolean);
  const temperatures = plan.variants.map(
    ({ provider, prompt }) => provider.parameters['temperature'] ?? prompt.parameters?.['temperature'],
  );
  const [temperature] = temperatures;
  const isOne = typeof temperature === 'number' && temperatures.every((one) => one === temperature);
  const isResampled = plan.repeats > 1 || plan.rows.some(({ group }) => group !== undefined);
  return [
    ...models.slice(0, 3),
    ...(isOne ? [l10n.t('Temperature: {0}', temperature)] : []),
    isResampled ? l10n.t('Paired bootstrap and permutation test') : l10n.t("McNemar's test, mid-p"),
  ].join(' · ');
}
