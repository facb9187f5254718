import '../../../schema/jitless';
import * as z from 'zod/mini';
import { usualWindow } from '../../api/batches/batches.bounds';
import { batchEndpoints } from '../../api/errors';
import type { CheckedFile } from '../../batch/job/checkJob';
import { isOfSize } from '../../batch/problem';
import { agentTool, AgentProblem, waitSeconds } from '../agentTool';
import type { AgentAnswer } from '../agentTool';
import { cut, joinParts, oneLine } from '../answerText';
import { resultStates } from '../../batch/results/resultsView';
import type { BatchFault } from '../../api/batches/batches.schema';
import { withoutAddresses } from '../errorMessages';
import type { AgentBatch, AgentBatchResults } from '../toolHost';

const mostProblems = 20;

export const checkBatchFileTool = agentTool({
  name: 'inferenceDesk_checkBatchFile',
  title: 'Check Batch File',
  description:
    'Checks a batch file (JSONL with one request per line: custom_id, method, url, body) on this machine. Returns its models and problems, with line and column. Use it after you change a batch file.',
  input: z.strictObject({
    file: z.string().check(z.minLength(1), z.describe('Path of the file.')),
  }),
  readOnly: true,
  costs: 'nothing',
  async run({ file }, host, signal) {
    return checkAnswer(await host.checkBatch(file, signal));
  },
});

function checkAnswer(checked: CheckedFile): AgentAnswer {
  const { requests, bytes, models, modelCount, counts, kinds, changed } = checked;
  const listed = models.slice(0, 10).map(({ id, requests: count }) => `${id} (${count})`);
  const more = modelCount > listed.length ? `, and ${modelCount - listed.length} more` : '';
  const head = [
    `${requests} requests, ${bytes} bytes: ${counts.error} errors, ${counts.warning} warnings, ${counts.information + counts.hint} hints.`,
    ...(listed.length > 0 ? [`Models (requests): ${listed.join(', ')}${more}.`] : []),
    ...(changed ? ['The file changed during the check. Check it again.'] : []),
    errorsToFix(checked) > 0 ? 'Fix the errors before you submit the file.' : 'The file can be submitted.',
  ];
  const summary = kinds.map(({ count, first: { severity, code } }) => `${severity} ${code}: ${count}`);
  const rows = problemRows(checked);
  return {
    text: joinParts(head.join(' '), [
      ...(summary.length > 0 ? [cut(`By kind:\n${summary.join('\n')}`, 6000)] : []),
      ...(rows.length > 0 ? [`Most severe problems, as line:column:\n${rows.join('\n')}`] : []),
    ]),
    data: {
      requests,
      bytes,
      models,
      modelCount,
      counts,
      changed,
      canBeSubmitted: errorsToFix(checked) === 0 && !changed,
    },
  };
}

/** Returns how many errors keep a file from being submitted: one that is too large is submitted in parts. */
function errorsToFix({ counts, kinds }: Pick<CheckedFile, 'counts' | 'kinds'>): number {
  const ofSize = kinds.filter(({ first: { severity, code } }) => severity === 'error' && isOfSize(code));
  return counts.error - ofSize.reduce((sum, { count }) => sum + count, 0);
}

/** Formats problems with lines and columns counted from 1, as editors do. */
function problemRows({ problems }: CheckedFile): readonly string[] {
  return problems
    .slice(0, mostProblems)
    .map(
      ({ line, span, severity, code, message }) =>
        `${line + 1}:${span.start + 1} ${severity} ${code} ${oneLine(message, 300)}`,
    );
}

export const submitBatchTool = agentTool({
  name: 'inferenceDesk_submitBatch',
  title: 'Submit Batch',
  description:
    'Starts a batch from a batch file (JSONL), usually at half the price, answered within the completion window. A file with errors is not sent. Returns the batch ID. Call inferenceDesk_batchStatus for progress and inferenceDesk_batchResults for the responses.',
  input: z.strictObject({
    file: z.string().check(z.minLength(1), z.describe('Path of the file.')),
    completionWindow: z.optional(
      z
        .string()
        .check(
          z.regex(/^[1-9]\d{0,2}h$/),
          z.describe(`Time limit for the batch, in hours. Defaults to "${usualWindow}".`),
        ),
    ),
    model: z.optional(
      z.string().check(z.minLength(1), z.describe('Model for all requests. Overrides the models in the file.')),
    ),
  }),
  readOnly: false,
  costs: 'paid',
  needs: batchEndpoints,
  async run({ file, completionWindow = usualWindow, model }, host, signal) {
    const { counts, kinds, requests, changed, sha256 } = await host.checkBatch(file, signal);
    const errors = errorsToFix({ counts, kinds });
    if (errors > 0 || requests === 0) {
      const why = requests === 0 ? 'has no requests' : `has ${errors} error${errors === 1 ? '' : 's'}`;
      throw new AgentProblem(
        `Not submitted. The file ${why}. Call inferenceDesk_checkBatchFile for details, fix the file, and try again.`,
      );
    }
    if (changed) throw new AgentProblem('Not submitted. The file changed during the check. Try again.');
    return batchAnswer(await host.submitBatch({ file, completionWindow, model, sha256 }, signal));
  },
});

const mostListed = 30;

export const batchStatusTool = agentTool({
  name: 'inferenceDesk_batchStatus',
  title: 'Batch Status',
  description: 'Returns the status, progress, and errors of a batch. Without an ID, lists the newest batches.',
  input: z.strictObject({
    id: z.optional(
      z
        .string()
        .check(
          z.minLength(1),
          z.maxLength(200),
          z.describe('Batch ID from inferenceDesk_submitBatch or from the list.'),
        ),
    ),
    waitSeconds,
  }),
  readOnly: true,
  costs: 'nothing',
  needs: ['GET /batches'],
  async run({ id, waitSeconds: seconds = 0 }, host, signal) {
    if (id !== undefined) return batchAnswer(await host.batch(id, seconds * 1000, signal));
    const batches = await host.batches(signal);
    if (batches.length === 0) return { text: 'The account does not have any batches.', data: { batches: [] } };
    const shown = batches.slice(0, mostListed);
    const left = batches.length - shown.length;
    const head = `${batches.length} batches${left > 0 ? `, ${shown.length} shown` : ''}, newest first:`;
    return { text: joinParts(head, [shown.map(listedLine).join('\n')]), data: { batches: shown } };
  },
});

export const batchResultsTool = agentTool({
  name: 'inferenceDesk_batchResults',
  title: 'Batch Results',
  description:
    'Returns batch responses by custom_id, one page at a time, with the reason for each failed request. For all results of a large batch, read the files in the returned folder.',
  input: z.strictObject({
    id: z.string().check(z.minLength(1), z.maxLength(200), z.describe('Batch ID from inferenceDesk_batchStatus.')),
    only: z.optional(
      z.enum(['all', ...resultStates]).check(z.describe('The state of the results. Defaults to "all".')),
    ),
    offset: z.optional(z.int().check(z.minimum(0), z.describe('Number of results to skip. Defaults to 0.'))),
    limit: z.optional(
      z.int().check(z.minimum(1), z.maximum(100), z.describe('Maximum number of results. Defaults to 20.')),
    ),
    maxChars: z.optional(
      z
        .int()
        .check(
          z.minimum(50),
          z.maximum(10_000),
          z.describe('Maximum number of characters per response. Defaults to 1000.'),
        ),
    ),
  }),
  readOnly: false,
  costs: 'nothing',
  needs: ['GET /batches'],
  async run({ id, only = 'all', offset = 0, limit = 20, maxChars = 1000 }, host, signal) {
    const { batch, rows, total, counts, notes = [] } = await host.batchResults({ id, only, offset, limit }, signal);
    const end = offset + rows.length;
    const folder = batch.folder === undefined ? '' : ` All results are in ${batch.folder}.`;
    const more = end < total ? ` For the next page, set "offset" to ${end}.` : '';
    const head =
      rows.length === 0
        ? `${statusOf(batch)}: ${countsText(counts)}. No matching results on this machine.${folder}`
        : `${statusOf(batch)}: ${countsText(counts)}. ${offset + 1} to ${end} of ${total}.${more}${folder}`;
    const parts = rows.map(
      ({ customId, text, state }) =>
        `${customId || '(no custom_id)'}${state === 'answered' ? '' : ` (${state})`}:\n${cut(text, maxChars)}`,
    );
    const data = { id, status: batch.status, counts, total, offset, rows: rows.map(shorten(maxChars)) };
    return {
      text: joinParts([head, ...problemsOf(batch), ...notes].join(' '), parts),
      data: { ...data, ...(batch.folder !== undefined && { folder: batch.folder }) },
    };
  },
});

function statusOf({ status }: AgentBatch): string {
  return `The batch is ${status}`;
}

function problemsOf(batch: AgentBatch): readonly string[] {
  return [...(batch.problem === undefined ? [] : [batch.problem]), ...errorLines(batch)];
}

/** Lists the states that there are. Answered and failed requests are always counted. */
function countsText(counts: AgentBatchResults['counts']): string {
  const shown = resultStates.filter((state) => state === 'answered' || state === 'failed' || counts[state]);
  return shown.map((state) => `${counts[state] ?? 0} ${state}`).join(', ');
}

function shorten(most: number) {
  return <Row extends { readonly text: string }>(row: Row): Row => ({ ...row, text: cut(row.text, most) });
}

function batchAnswer(batch: AgentBatch): AgentAnswer {
  const { status, problem, id } = batch;
  if (status === 'refused') {
    return { text: `The batch was not started. ${problem ?? 'The service did not give a reason.'}`, isError: true };
  }
  const text = [batchLine(batch), ...errorLines(batch), nextStep(batch)].join('\n');
  return { text, data: { ...batch, id } };
}

/** Lists why the service rejected a batch. */
function errorLines({ errors = [], errorCount = 0 }: AgentBatch): readonly string[] {
  if (errors.length === 0) return [];
  const more = errorCount - errors.length;
  return ['The service reports:', ...errors.map(errorText), ...(more > 0 ? [`${more} more errors.`] : [])];
}

function errorText({ code, message, line }: BatchFault): string {
  const said = [code, oneLine(withoutAddresses(message), 500)].filter(Boolean).join(': ');
  return line === undefined ? said : `Line ${line}: ${said}`;
}

/** Counts what is known of the results, else what the service counts: whether those are answers is not known. */
function countParts({ requests, results }: AgentBatch): readonly string[] {
  const { total, completed, failed } = requests ?? {};
  if (!results) {
    return [
      ...(completed === undefined ? [] : [`${completed}${total === undefined ? '' : ` of ${total}`} completed`]),
      ...(failed === undefined || failed === 0 ? [] : [`${failed} failed`]),
    ];
  }
  const came = results.answered + results.incomplete + results.failed;
  const missing = (total ?? came) - came;
  return [
    `${results.answered} of ${Math.max(came, total ?? 0)} answered`,
    ...(results.incomplete > 0 ? [`${results.incomplete} truncated, empty, or rejected`] : []),
    ...(results.failed > 0 ? [`${results.failed} failed`] : []),
    ...(missing > 0 ? [`${missing} missing`] : []),
  ];
}

/** Describes one batch in one line. */
function batchLine(batch: AgentBatch): string {
  const { id, name, status, createdAt, expiresAt, folder, problem } = batch;
  return [
    `${id} ${status}`,
    ...(name === undefined ? [] : [name]),
    ...countParts(batch),
    ...(createdAt === undefined ? [] : [`created ${timeText(createdAt)}`]),
    ...(expiresAt === undefined ? [] : [`expires ${timeText(expiresAt)}`]),
    ...(folder === undefined ? [] : [`results in ${folder}`]),
    ...(problem === undefined ? [] : [problem]),
  ].join(', ');
}

/** The same with the first error, because a list has no room for all. */
function listedLine(batch: AgentBatch): string {
  const [first] = batch.errors ?? [];
  return first ? `${batchLine(batch)}, ${errorText(first)}` : batchLine(batch);
}

function nextStep({ isOver, status, results, requests }: AgentBatch): string {
  if (status === 'failed' && !results && !requests?.completed) {
    return 'Fix the errors, call inferenceDesk_checkBatchFile, then submit the file again if the user agrees.';
  }
  if (status === 'unknown') {
    return 'The batch may or may not exist. Ask the user before you submit it again.';
  }
  return isOver
    ? 'Call inferenceDesk_batchResults for the responses.'
    : 'A batch takes minutes to a day. Call inferenceDesk_batchStatus later. Do not submit the batch again.';
}

function timeText(at: number): string {
  return new Date(at).toISOString().replace(/\.\d+Z$/, 'Z');
}
