import '../../../schema/jitless';
import * as z from 'zod/mini';
import { moneyText, numberFormat } from '../../../protocol/formats';
import type { Currency } from '../../../protocol/formats';
import type { EvalFacts } from '../../evals/evalFacts';
import { rowsToShow } from '../../evals/run/compare';
import type { Comparison, VariantResult } from '../../evals/run/compare';
import { ModelPreferences, judgedNames } from '../../evals/run/modelPreferences';
import { inputOf, nameOfRow, percentText, pointsText, pText, reportOf } from '../../evals/run/report';
import type { EvalReport } from '../../evals/run/report';
import { answerIn, baselineId, comparedIn, failedIn, margin, runStage } from '../../evals/run/storedRun';
import type { StoredRun } from '../../evals/run/storedRun';
import { calibratedLabels } from '../../evals/statistics/judges';
import { agentTool } from '../agentTool';
import type { AgentAnswer } from '../agentTool';
import { cut, joinParts, oneLine } from '../answerText';
import { withoutAddresses } from '../errorMessages';
import type { AgentEval } from '../toolHost';

const file = z
  .string()
  .check(z.minLength(1), z.describe('Path of the eval file, such as promptfooconfig.yaml (the format of promptfoo).'));

export const runEvalTool = agentTool({
  name: 'inferenceDesk_runEval',
  title: 'Run Eval',
  description:
    'Runs an eval file. Sends each row with each prompt and model, if its response is missing, then grades the responses. Call inferenceDesk_evalResults first for the price, and later for the results. Run again once batches have ended to get model grades.',
  input: z.strictObject({
    file,
    how: z.optional(
      z
        .enum(['batch', 'now', 'smokeTest'])
        .check(
          z.describe(
            '"batch" submits batches, usually at half the price. "now" waits for the responses. "smokeTest" sends the first 3 rows now. Defaults to "batch".',
          ),
        ),
    ),
  }),
  readOnly: false,
  costs: 'paid',
  async run({ file: path, how = 'batch' }, host, signal) {
    return evalAnswer(await host.runEval({ file: path, how }, signal), {
      most: usualRegressions,
      currency: host.currency,
    });
  },
});

const usualRegressions = 5;

export const evalResultsTool = agentTool({
  name: 'inferenceDesk_evalResults',
  title: 'Eval Results',
  description:
    'Returns the results of an eval, such as the verdict, the difference with its 95% interval, and regressions. Before a run, returns its size, price, and smallest detectable difference. Do not report a difference without its interval, or a winner if the verdict is "can\'t tell".',
  input: z.strictObject({
    file,
    regressions: z.optional(
      z.int().check(z.minimum(0), z.maximum(50), z.describe('Maximum number of regressions. Defaults to 5.')),
    ),
  }),
  readOnly: true,
  costs: 'nothing',
  async run({ file: path, regressions = usualRegressions }, host, signal) {
    return evalAnswer(await host.evalResults(path, signal), { most: regressions, currency: host.currency });
  },
});

interface Wording {
  /** Regressions. */
  readonly most: number;
  readonly currency: Currency | undefined;
}

const language = 'en';
const count = (number: number) => numberFormat(language).format(number);
const mostChars = 600;

function evalAnswer(found: AgentEval, { most, currency }: Wording): AgentAnswer {
  const { title, run } = found;
  const compared = comparedIn(run, { reference: '', candidate: '' });
  const isBaseline = compared.reference === baselineId;
  const report = reportOf(run.plan, run.graded, {
    gold: run.gold,
    cost: run.cost,
    margin,
    pairs: run.pairs,
    reference: compared.reference,
    ...(isBaseline && run.baseline && { baseline: run.baseline }),
  });
  const stage = runStage(run);
  const head = [`Eval "${oneLine(title, 200)}".`, ...stateLines(found, currency)].join('\n');
  if (stage === 'none') return { text: joinParts(head, [sizeLines(found, currency).join('\n')]), data: { stage } };
  const parts = [
    verdictLines(report, isBaseline).join('\n'),
    [
      'Pass rates, with 95% intervals:',
      ...report.variants.map(({ variant, result }) => `${label(variant.label)}: ${rateText(result)}`),
    ].join('\n'),
    ...[judgeLine(run)].filter((line) => line !== undefined),
    ...regressionParts(run, report, compared.reference, most),
  ];
  return { text: joinParts(head, parts), data: { stage, ...dataOf(report) } };
}

/** How far the run is, and what to do next. */
function stateLines({ run, due, facts }: AgentEval, currency: Currency | undefined): readonly string[] {
  const { progress, isRunning, unreadable, baselineProblem, plan, plannedRows, cost } = run;
  const { answered, requests, waiting, failed, problems, elsewhere } = progress;
  const inDoubt = [...elsewhere.values()].reduce((sum, one) => sum + one, 0);
  const stage = runStage(run);
  if (stage === 'none') return ['The eval has not been run yet.'];
  const reasons = new Set(
    Array.from(run.answers.values(), ({ failure }) => failure).filter((one) => one !== undefined),
  );
  return [
    `Responses: ${count(answered)} of ${count(requests)}, waiting: ${count(waiting)}, failed: ${count(failed)}.${
      cost === undefined ? '' : ` Cost: ${moneyText(cost, currency, language)}.`
    }`,
    ...(isRunning ? ['The eval is running now. Call inferenceDesk_evalResults later.'] : []),
    ...(waiting > 0 && !isRunning
      ? ['A batch takes minutes to a day. Call inferenceDesk_evalResults later. Do not run the eval again until then.']
      : []),
    ...problems.map((problem) => `A batch failed: ${oneLine(withoutAddresses(problem), 500)}`),
    ...(failed > 0
      ? [
          `Failure reasons: ${[...reasons]
            .slice(0, 3)
            .map((one) => oneLine(withoutAddresses(one), 200))
            .join(' | ')}. Tell the user to retry them in the eval results.`,
        ]
      : []),
    ...(inDoubt > 0
      ? [`${count(inDoubt)} requests might have been submitted elsewhere, so they are not resent. Tell the user.`]
      : []),
    ...(plan.rows.length < plannedRows
      ? [`The run has ${count(plan.rows.length)} of ${count(plannedRows)} rows.`]
      : []),
    ...(unreadable > 0 ? [`${count(unreadable)} saved responses are damaged and count as missing.`] : []),
    ...(baselineProblem === undefined ? [] : ['The baseline is damaged or has other rows.']),
    ...(due.requests > 0 && !isRunning ? [dueLine(due, facts, currency)] : []),
  ];
}

function dueLine(due: AgentEval['due'], facts: EvalFacts, currency: Currency | undefined): string {
  return `Not sent yet: ${count(due.requests)} requests, including model grades. ${priceText(due, facts, currency)} Call inferenceDesk_runEval to send them, if the user agrees.`;
}

function priceText(
  { batch, now }: { readonly batch?: number | undefined; readonly now?: number | undefined },
  { isFree }: EvalFacts,
  currency: Currency | undefined,
): string {
  if (batch === undefined || now === undefined) return isFree ? 'Price: free.' : 'Price: unknown.';
  return `Price: about ${moneyText(batch, currency, language)} as a batch, or ${moneyText(now, currency, language)} if you run them now.`;
}

/** What a run would send, what it would cost, and what it could show. */
function sizeLines({ facts, due }: AgentEval, currency: Currency | undefined): readonly string[] {
  const { rows, variants, requests, assertions, grades, detectable, rowsForUsual } = facts;
  const { local, service, notGraded } = assertions;
  return [
    `${count(rows)} rows, ${count(variants)} variants, ${count(requests)} requests. ${priceText(due, facts, currency)}`,
    `Scores: ${count(local)} graded locally, ${count(service)} by a model, ${count(notGraded)} not graded.`,
    ...(service > 0 ? [`Model grades are charged separately. ${priceText(grades ?? {}, facts, currency)}`] : []),
    ...(variants > 1
      ? [
          detectable === undefined
            ? 'Too few rows to detect a difference.'
            : `Differences below ${points(detectable)} percentage points cannot be detected.`,
          ...(rows < rowsForUsual
            ? [`${count(rowsForUsual)} rows are needed to detect ${points(margin)} percentage points.`]
            : []),
        ]
      : []),
  ];
}

const points = (share: number) => pointsText(share, language).replace(/^\+/, '');
const label = (text: string) => oneLine(text, 120);

const verdicts: Readonly<Record<Comparison['verdict'], string>> = {
  better: 'BETTER',
  worse: 'WORSE',
  notWorse: `NOT WORSE by ${margin * 100} points or more`,
  cantTell: "CAN'T TELL",
};

function verdictLines({ comparisons }: EvalReport, isBaseline: boolean): readonly string[] {
  if (comparisons.length === 0) return ['There is nothing to compare, because there is one variant and no baseline.'];
  return comparisons.map(({ first, second, comparison }) => {
    const names = `${label(second.label)} compared with ${isBaseline ? 'the baseline, ' : ''}${label(first)}`;
    if (!comparison) return `${names}: no results to compare yet.`;
    const { verdict, difference, low, high, p, gained, lost, rows, isRough } = comparison;
    const adjusted = comparisons.length > 1 ? ' (Holm)' : '';
    return [
      `${names}: ${verdicts[verdict]}. Difference: ${pointsText(difference, language)} points (95%: ${pointsText(low, language)} to ${pointsText(high, language)}), p ${pText(p, language)}${adjusted}.`,
      `Rows: ${count(rows)}, improved: ${count(gained)}, got worse: ${count(lost)}, unchanged: ${count(rows - gained - lost)}.`,
      ...(isRough ? ['Only a few rows differ, so the interval is approximate.'] : []),
      ...(verdict === 'cantTell'
        ? [`About ${count(rowsToShow(margin, comparison))} rows are needed to detect ${margin * 100} points.`]
        : []),
    ].join(' ');
  });
}

function rateText({ rate, passed, failed, missing }: VariantResult): string {
  const shown = rate
    ? `${percentText(rate.estimate, language)} (${percentText(rate.low, language)} to ${percentText(rate.high, language)})`
    : 'unknown';
  const reasons = Object.entries(missing).map(
    ([reason, times]) => `${count(times)} ${reason.replaceAll(/[A-Z]/g, (one) => ` ${one.toLowerCase()}`)}`,
  );
  const missed = reasons.length === 0 ? 'missing: 0' : `missing (not failed): ${reasons.join(', ')}`;
  return `${shown}, passed: ${count(passed)}, failed: ${count(failed)}, ${missed}`;
}

/** Says that nobody has compared the model that grades with people, unless somebody has. */
function judgeLine(run: StoredRun): string | undefined {
  const judged = judgedNames(run.plan);
  if (judged.size === 0) return undefined;
  const labels = new ModelPreferences(run).countRated(run.labels);
  if (labels >= calibratedLabels) return undefined;
  return `Model grades are NOT CALIBRATED: ${count(labels)} of ${count(calibratedLabels)} human labels. Say so when you report them.`;
}

/** The first rows that got worse, with both responses. */
function regressionParts(
  run: StoredRun,
  { comparisons }: EvalReport,
  reference: string,
  most: number,
): readonly string[] {
  const rows = new Map(run.plan.rows.map((row) => [row.hash, row]));
  return comparisons.flatMap(({ first, second, regressions }) => {
    if (regressions.length === 0 || most === 0) return [];
    const found = regressions.flatMap((hash) => rows.get(hash) ?? []).slice(0, most);
    const textOf = (hash: string, variant: string) =>
      cut(answerIn(run, hash, variant)?.response?.text ?? '', mostChars);
    const shown = found.map((row) =>
      [
        `Row ${oneLine(nameOfRow(row), 200)}, failed: ${failedIn(run, row.hash, second.id).join(', ')}`,
        `Input: ${inputOf(row)}`,
        ...(reference === baselineId ? [] : [`${label(first)}: ${textOf(row.hash, reference)}`]),
        `${label(second.label)}: ${textOf(row.hash, second.id)}`,
      ].join('\n'),
    );
    return [
      `Regressions of ${label(second.label)}: ${count(regressions.length)}, ${count(found.length)} shown.`,
      ...shown,
    ];
  });
}

function dataOf({ variants, comparisons, cost }: EvalReport): Readonly<Record<string, unknown>> {
  return {
    ...(cost !== undefined && { cost }),
    variants: variants.map(({ variant, result: { passed, failed, missing, rate } }) => ({
      label: variant.label,
      passed,
      failed,
      missing,
      ...(rate && { rate }),
    })),
    comparisons: comparisons.map(({ first, second, comparison, regressions }) => ({
      first,
      second: second.label,
      ...comparison,
      regressions: regressions.length,
    })),
  };
}
