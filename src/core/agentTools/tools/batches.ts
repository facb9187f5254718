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
    'Checks a batch file (JSONL, one request in each line: custom_id, method, url, body) on this machine, without sending it, and returns how many requests it has, for which models, and each problem with its line, column and code. Use it before inferenceDesk_submitBatch and after writing or changing such a file.',
  input: z.strictObject({
    file: z.string().check(z.minLength(1), z.describe('The path of the file.')),
  }),
  readOnly: true,
  costs: 'nothing',
  async run({ file }, host, signal) {
    return checkAnswer(await host.checkBatch(file, signal));
  },
});

function checkAnswer(checked: CheckedFile): AgentAnswer {
  const { requests, bytes, models, modelCount, counts, kinds, changed } = checked;
  const asked = models.slice(0, 10).map(({ id, requests: count }) => `${id} (${count})`);
  const more = modelCount > asked.length ? `, and ${modelCount - asked.length} more` : '';
  const head = [
    `${requests} requests, ${bytes} bytes: ${counts.error} errors, ${counts.warning} warnings, ${counts.information + counts.hint} hints.`,
    ...(asked.length > 0 ? [`Models (requests): ${asked.join(', ')}${more}.`] : []),
    ...(changed ? ['It was written to while it was checked: check it again.'] : []),
    errorsToFix(checked) > 0 ? 'It cannot be submitted before the errors are mended.' : 'It can be submitted.',
  ];
  const summary = kinds.map(({ count, first: { severity, code } }) => `${severity} ${code}: ${count}`);
  const rows = problemRows(checked);
  return {
    text: joinParts(head.join(' '), [
      ...(summary.length > 0 ? [cut(`By kind:\n${summary.join('\n')}`, 6000)] : []),
      ...(rows.length > 0 ? [`The weightiest, as line:column:\n${rows.join('\n')}`] : []),
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
    'Uploads a batch file (JSONL) and starts the batch: all its requests are answered within the given time, mostly at half the price. The file is checked first, and one with errors is not sent. A file that is too large is submitted in parts, one after another, as one batch here. Returns the id of the batch; ask with inferenceDesk_batchStatus, and read the answers with inferenceDesk_batchResults.',
  input: z.strictObject({
    file: z.string().check(z.minLength(1), z.describe('The path of the file.')),
    completionWindow: z.optional(
      z
        .string()
        .check(
          z.regex(/^[1-9]\d{0,2}h$/),
          z.describe(`Within how many hours it is to be done: "${usualWindow}", where absent.`),
        ),
    ),
    model: z.optional(
      z.string().check(z.minLength(1), z.describe('A model for all requests, in place of those in the lines.')),
    ),
  }),
  readOnly: false,
  costs: 'paid',
  needs: batchEndpoints,
  async run({ file, completionWindow = usualWindow, model }, host, signal) {
    const { counts, kinds, requests, changed, sha256 } = await host.checkBatch(file, signal);
    const errors = errorsToFix({ counts, kinds });
    if (errors > 0 || requests === 0) {
      const why = requests === 0 ? 'has no requests' : `has ${errors} errors`;
      throw new AgentProblem(
        `The file ${why}, so it was not sent. See inferenceDesk_checkBatchFile, and mend it first.`,
      );
    }
    if (changed) throw new AgentProblem('The file was written to while it was checked, so it was not sent. Try again.');
    return batchAnswer(await host.submitBatch({ file, completionWindow, model, sha256 }, signal));
  },
});

const mostListed = 30;

export const batchStatusTool = agentTool({
  name: 'inferenceDesk_batchStatus',
  title: 'Batch Status',
  description:
    'Tells how a batch gets on: its status, how many of its requests are completed or failed, and why it failed. Without an id it lists the newest batches with their ids.',
  input: z.strictObject({
    id: z.optional(
      z
        .string()
        .check(z.minLength(1), z.maxLength(200), z.describe('As inferenceDesk_submitBatch or the list names it.')),
    ),
    waitSeconds,
  }),
  readOnly: true,
  costs: 'nothing',
  needs: ['GET /batches'],
  async run({ id, waitSeconds: seconds = 0 }, host, signal) {
    if (id !== undefined) return batchAnswer(await host.batch(id, seconds * 1000, signal));
    const batches = await host.batches(signal);
    if (batches.length === 0) return { text: 'There are no batches.', data: { batches: [] } };
    const shown = batches.slice(0, mostListed);
    const left = batches.length - shown.length;
    const head = `${batches.length} batches, newest first${left > 0 ? `, the newest ${shown.length} shown` : ''}:`;
    return { text: joinParts(head, [shown.map(listedLine).join('\n')]), data: { batches: shown } };
  },
});

export const batchResultsTool = agentTool({
  name: 'inferenceDesk_batchResults',
  title: 'Batch Results',
  description:
    'Returns the answers of a batch, each with its custom_id, a page at a time; what failed comes with the reason. Fetches the results, and saves them to files, where they are not on this machine yet. For all of a large batch, read the files in the folder that it names instead.',
  input: z.strictObject({
    id: z.string().check(z.minLength(1), z.maxLength(200), z.describe('As inferenceDesk_batchStatus names it.')),
    only: z.optional(
      z.enum(['all', ...resultStates]).check(z.describe('The state of the results. Defaults to "all".')),
    ),
    offset: z.optional(z.int().check(z.minimum(0), z.describe('How many to skip. 0 where absent.'))),
    limit: z.optional(z.int().check(z.minimum(1), z.maximum(100), z.describe('How many at most. 20 where absent.'))),
    maxChars: z.optional(
      z
        .int()
        .check(
          z.minimum(50),
          z.maximum(10_000),
          z.describe('Cut each answer after so many characters. 1000 where absent.'),
        ),
    ),
  }),
  readOnly: false,
  costs: 'nothing',
  needs: ['GET /batches'],
  async run({ id, only = 'all', offset = 0, limit = 20, maxChars = 1000 }, host, signal) {
    const { batch, rows, total, counts, notes = [] } = await host.batchResults({ id, only, offset, limit }, signal);
    const end = offset + rows.length;
    const folder = batch.folder === undefined ? '' : ` All of them are in ${batch.folder}.`;
    const more = end < total ? ` For the next ones ask with "offset" ${end}.` : '';
    const head =
      rows.length === 0
        ? `${statusOf(batch)}: ${countsText(counts)}. There are no results to show here.${folder}`
        : `${statusOf(batch)}: ${countsText(counts)}. ${offset + 1} to ${end} of ${total}.${more}${folder}`;
    const parts = rows.map(
      ({ customId, text, state }) =>
        `${customId || '(no custom_id)'}${state === 'answered' ? '' : ` (${state})`}:\n${cut(text, maxChars)}`,
    );
    const data = { id, status: batch.status, counts, total, offset, rows: rows.map(shorten(maxChars)) };
    return {
      text: joinParts([head, ...troubleOf(batch), ...notes].join(' '), parts),
      data: { ...data, ...(batch.folder !== undefined && { folder: batch.folder }) },
    };
  },
});

function statusOf({ status }: AgentBatch): string {
  return `The batch is ${status}`;
}

function troubleOf(batch: AgentBatch): readonly string[] {
  return [...(batch.trouble === undefined ? [] : [batch.trouble]), ...errorLines(batch)];
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
  const { status, trouble, id } = batch;
  if (status === 'refused') {
    return { text: `The batch was not started. ${trouble ?? 'The service did not say why.'}`, isError: true };
  }
  const text = [batchLine(batch), ...errorLines(batch), nextStep(batch)].join('\n');
  return { text, data: { ...batch, id } };
}

/** Lists why the service rejected a batch. */
function errorLines({ errors = [], errorCount = 0 }: AgentBatch): readonly string[] {
  if (errors.length === 0) return [];
  const more = errorCount - errors.length;
  return ['The service says:', ...errors.map(errorText), ...(more > 0 ? [`${more} more errors.`] : [])];
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
    ...(results.incomplete > 0 ? [`${results.incomplete} truncated, empty or refused`] : []),
    ...(results.failed > 0 ? [`${results.failed} failed`] : []),
    ...(missing > 0 ? [`${missing} missing`] : []),
  ];
}

/** Describes one batch in one line. */
function batchLine(batch: AgentBatch): string {
  const { id, name, status, createdAt, expiresAt, folder, trouble } = batch;
  return [
    `${id} ${status}`,
    ...(name === undefined ? [] : [name]),
    ...countParts(batch),
    ...(createdAt === undefined ? [] : [`created ${timeText(createdAt)}`]),
    ...(expiresAt === undefined ? [] : [`expires ${timeText(expiresAt)}`]),
    ...(folder === undefined ? [] : [`results in ${folder}`]),
    ...(trouble === undefined ? [] : [trouble]),
  ].join(', ');
}

/** The same with the first error, because a list has no room for all. */
function listedLine(batch: AgentBatch): string {
  const [first] = batch.errors ?? [];
  return first ? `${batchLine(batch)}, ${errorText(first)}` : batchLine(batch);
}

function nextStep({ isOver, status, results, requests }: AgentBatch): string {
  if (status === 'failed' && !results && !requests?.completed) {
    return 'Fix the file as the errors say, check it with inferenceDesk_checkBatchFile, then submit it again if the user agrees.';
  }
  if (status === 'unknown') {
    return 'Whether it was started is not known: do not submit it again without asking the person.';
  }
  return isOver
    ? 'Read the answers with inferenceDesk_batchResults.'
    : 'It takes minutes to a day. Ask again later with inferenceDesk_batchStatus; do not submit it again.';
}

function timeText(at: number): string {
  return new Date(at).toISOString().replace(/\.\d+Z$/, 'Z');
}
