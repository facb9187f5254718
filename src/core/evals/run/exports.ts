import { csvLine } from '../../batch/results/exportResults';
import { requestOf } from '../evalPlan';
import type { EvalCell, EvalPlan, EvalVariant } from '../evalPlan';
import type { EvalAssertion } from '../evalConfig';
import type { CellScore, GradedCell } from '../graders/gradeCell';
import type { GradedResponse } from '../graders/score';

/** A cell with its outcome. */
export interface ExportedCell {
  readonly cell: EvalCell;
  readonly graded: GradedCell;
  readonly response?: GradedResponse;
}

/** All results in the format that the extension of a file names: `csv`, `jsonl`, or `json` as promptfoo writes it. */
export function allResults(
  plan: EvalPlan,
  cells: readonly ExportedCell[],
  { extension, file }: { readonly extension: string; readonly file: string },
): string {
  if (extension === 'csv') return csvTable(cells);
  return extension === 'jsonl' ? jsonLines(cells) : promptfooResults(plan, cells, { file, date: new Date() });
}

/** Returns one line of JSON for each cell: row, variant, output, result, and the scores with their evidence. */
function jsonLines(cells: Iterable<ExportedCell>): string {
  return Array.from(cells, (one) => `${JSON.stringify(recordOf(one))}\n`).join('');
}

function recordOf({ cell, graded, response }: ExportedCell): Readonly<Record<string, unknown>> {
  const { row, variant, repeat } = cell;
  return {
    cell: cell.id,
    id: row.id,
    row: row.hash,
    variant: variant.label,
    variantId: variant.id,
    model: variant.provider.model,
    repeat,
    vars: varsOf(cell),
    output: response?.text,
    ...(response && response.calls.length > 0 && { calls: response.calls }),
    finish: response?.finish,
    cost: response?.cost,
    latencyMs: response?.latencyMs,
    ...resultOf(graded),
    scores: graded.scores.map(({ name, weight, grade }) => ({ name, weight, ...grade })),
  };
}

function resultOf(graded: GradedCell): Readonly<Record<string, unknown>> {
  const { result } = graded;
  return 'missing' in result
    ? { result: 'missing', reason: result.missing }
    : {
        result: result.pass ? 'pass' : 'fail',
        score: result.value,
        ...(!result.pass && { reason: failedText(graded) }),
      };
}

/** The variables of a row without the row itself, which templates have as `item`. */
function varsOf({ row }: EvalCell): Readonly<Record<string, unknown>> {
  return Object.fromEntries([...row.vars].filter(([name]) => name !== 'item'));
}

/** A table with one line for each cell, a column for each variable, and one for each grader. Cells that spreadsheets would run are text. */
function csvTable(cells: readonly ExportedCell[]): string {
  const names = new Set(cells.flatMap(({ cell }) => Object.keys(varsOf(cell))));
  const graders = new Set(cells.flatMap(({ graded }) => graded.scores.map(({ name }) => name)));
  const fixed = ['variant', 'model', 'repeat', 'output', 'result', 'score', 'reason', 'cost', 'latencyMs'] as const;
  const lines = cells.map((one) => {
    const record = recordOf(one);
    const vars = varsOf(one.cell);
    return csvLine([
      ...Array.from(names, (name) => cellOf(vars[name])),
      ...fixed.map((name) => cellOf(record[name])),
      ...Array.from(graders, (name) => gradeText(one.graded.scores.filter((score) => score.name === name))),
    ]);
  });
  return `${[csvLine([...names, ...fixed, ...graders]), ...lines].join('\n')}\n`;
}

function cellOf(value: unknown): string | number {
  if (typeof value === 'number') return value;
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The score of a grader, or why it is missing. Of several with one name, the lowest. */
function gradeText(scores: readonly CellScore[]): string | number {
  const missing = scores.find(({ grade }) => 'missing' in grade)?.grade;
  const values = scores.flatMap(({ grade }) => ('value' in grade ? [grade.value] : []));
  if (values.length > 0) return values.reduce((least, one) => Math.min(least, one));
  return missing && 'missing' in missing ? missing.missing : '';
}

/** Why a result is not a pass, in promptfoo's numbers. */
const failureReasons = { none: 0, assertion: 1, error: 2 } as const;

/**
 * The results as promptfoo writes them (version 3), for programs that read its output. A missing result is an error there, so it counts
 * neither as passed nor as failed.
 */
function promptfooResults(
  plan: EvalPlan,
  cells: readonly ExportedCell[],
  { file, date }: { readonly file: string; readonly date: Date },
): string {
  const timestamp = date.toISOString();
  const places = new Map(plan.variants.map(({ id }, index) => [id, index]));
  const rows = new Map(plan.rows.map(({ hash }, index) => [hash, index]));
  const results = cells.map((one) => promptfooResult(one, places, rows));
  const count = (of: readonly ExportedCell[]) => ({
    successes: of.filter(({ graded: { result } }) => 'pass' in result && result.pass).length,
    failures: of.filter(({ graded: { result } }) => 'pass' in result && !result.pass).length,
    errors: of.filter(({ graded: { result } }) => 'missing' in result).length,
  });
  const prompts = plan.variants.map((variant) => promptOf(variant, cells, count));
  const value = {
    evalId: `eval-${timestamp}`,
    results: { version: 3, timestamp, prompts, results, stats: { ...count(cells), tokenUsage: noTokens } },
    config: { description: file, prompts: plan.variants.map(({ prompt }) => prompt.text) },
    shareableUrl: null,
    metadata: { exportedAt: timestamp },
  };
  return `${JSON.stringify(value, undefined, 2)}\n`;
}

const noTokens = { prompt: 0, completion: 0, cached: 0, total: 0, numRequests: 0 };

function promptOf(
  { id, label, prompt, provider }: EvalVariant,
  all: readonly ExportedCell[],
  count: (of: readonly ExportedCell[]) => {
    readonly successes: number;
    readonly failures: number;
    readonly errors: number;
  },
): unknown {
  const own = all.filter(({ cell }) => cell.variant.id === id);
  const { successes, failures, errors } = count(own);
  const scores = own.flatMap(({ graded }) =>
    graded.scores.flatMap(({ grade }) => ('pass' in grade ? [grade.pass] : [])),
  );
  const passed = scores.filter(Boolean).length;
  return {
    id,
    raw: prompt.text,
    label,
    provider: provider.label,
    metrics: {
      score: own.reduce((sum, { graded: { result } }) => sum + ('value' in result ? result.value : 0), 0),
      testPassCount: successes,
      testFailCount: failures,
      testErrorCount: errors,
      assertPassCount: passed,
      assertFailCount: scores.length - passed,
      totalLatencyMs: own.reduce((sum, { response }) => sum + (response?.latencyMs ?? 0), 0),
      tokenUsage: noTokens,
      namedScores: {},
      cost: own.reduce((sum, { response }) => sum + (response?.cost ?? 0), 0),
    },
  };
}

function promptfooResult(
  { cell, graded, response }: ExportedCell,
  places: ReadonlyMap<string, number>,
  rows: ReadonlyMap<string, number>,
): unknown {
  const { row, variant, id } = cell;
  const { result } = graded;
  const success = 'pass' in result && result.pass;
  const score = 'value' in result ? result.value : 0;
  const missing = 'missing' in result ? result.missing : undefined;
  const reason = missing ?? (success ? 'All assertions passed' : failedText(graded));
  const vars = varsOf(cell);
  return {
    id,
    promptIdx: places.get(variant.id),
    testIdx: rows.get(row.hash),
    promptId: variant.id,
    provider: { id: variant.provider.label, label: variant.provider.label },
    prompt: { raw: promptText(cell), label: variant.label },
    vars,
    testCase: {
      vars,
      assert: row.assertions.map(writtenOf),
      ...(row.description !== undefined && { description: row.description }),
    },
    ...(response && {
      response: { output: response.text, finishReason: response.finish, cached: false, tokenUsage: noTokens },
    }),
    ...(missing !== undefined && { error: missing }),
    success,
    failureReason:
      missing !== undefined ? failureReasons.error : success ? failureReasons.none : failureReasons.assertion,
    score,
    latencyMs: response?.latencyMs ?? 0,
    cost: response?.cost ?? 0,
    namedScores: {},
    gradingResult: {
      pass: success,
      score,
      reason,
      componentResults: graded.scores.flatMap(({ name, grade }, index) =>
        'missing' in grade
          ? []
          : [
              {
                pass: grade.pass,
                score: grade.value,
                reason: grade.evidence ?? (grade.pass ? 'Assertion passed' : `${name} failed`),
                assertion: row.assertions[index] && writtenOf(row.assertions[index]),
              },
            ],
      ),
    },
  };
}

function failedText({ scores }: GradedCell): string {
  return scores
    .flatMap(({ name, grade }) => ('pass' in grade && !grade.pass ? [grade.evidence ?? `${name} failed`] : []))
    .join(', ');
}

function promptText(cell: EvalCell): string {
  const [message, ...others] = requestOf(cell).body.messages;
  return others.length === 0 && typeof message?.content === 'string'
    ? message.content
    : JSON.stringify([message, ...others]);
}

function writtenOf({ type, isNegated, value, threshold, weight, metric }: EvalAssertion): unknown {
  return { type: `${isNegated ? 'not-' : ''}${type}`, value, threshold, weight, metric };
}
