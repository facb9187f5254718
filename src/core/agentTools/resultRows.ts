import { retriesOf, retrySource } from '../batch/results/retries';
import { resultPaths, readRunFolder } from '../batch/results/runFolder';
import { ResultsTable } from '../batch/results/resultsTable';
import type { ResultsSource } from '../batch/results/resultsSource';
import { findSent } from '../batch/results/sentLines';
import { resultStates } from '../batch/results/resultsView';
import type { ResultDetails } from '../batch/results/resultsView';
import { failureText } from '../batch/results/rowTexts';
import { realLocation } from '../workspace/realLocation';
import { AgentProblem, isAgentProblem } from './agentTool';
import type { AgentBatchResults, AgentBatchRow, ResultRowsQuery } from './toolHost';

export interface RunToRead {
  /** Absolute. */
  readonly folder: string;
  /** The real path of `folder` when it was created; absent if nobody else can write there. */
  readonly realFolder?: string | undefined;
  /** The batch file according to the job's record. Anyone could have written what the folder says about it. */
  readonly input?: NonNullable<ResultsSource['input']> | undefined;
  /** Resolves to the file that may be read for this path. Throws `AgentProblem`. */
  readonly guard: (path: string) => Promise<string>;
}

/**
 * Returns some rows of the results in a run's folder, and notes on what was not read. Throws `AgentProblem` if the folder now
 * resolves to another location, the signal's reason, and file system errors.
 */
export async function readResultRows(
  run: RunToRead,
  { only, offset, limit }: ResultRowsQuery,
  signal: AbortSignal,
): Promise<Omit<AgentBatchResults, 'batch'>> {
  const { source, notes } = await sourceOf(run);
  const table = await ResultsTable.open(source, { signal, onProgress: () => undefined });
  try {
    signal.throwIfAborted();
    const total = await table.arrange(
      { state: only, query: '', sort: 'line', descending: false },
      { signal, onProgress: () => undefined },
    );
    const { rows } = await table.rows(offset, limit);
    const { summary } = table;
    const found = summary.notices.filter(({ severity }) => severity !== 'info').map(({ text }) => text);
    const counts = Object.fromEntries(resultStates.map((state) => [state, summary[state]]));
    return { rows: rows.map(({ row }) => toRow(table.details(row))), total, counts, notes: [...notes, ...found] };
  } finally {
    table.close();
  }
}

async function sourceOf({ folder, realFolder, input, guard }: RunToRead): Promise<{
  readonly source: ResultsSource;
  readonly notes: readonly string[];
}> {
  if (realFolder !== undefined && realLocation(folder) !== realFolder) {
    throw new AgentProblem(
      `The results folder ${folder} now leads to another location, so no results were read. Tell the user.`,
    );
  }
  const run = await readRunFolder(folder);
  const { refused, ...files } = run ? await resultPaths(run) : { outputs: [], errors: [], refused: [] };
  const retries = run ? await Promise.all((await retriesOf(run, [])).map(retrySource)) : [];
  const results = { ...files, retries };
  const notes = refused.map((path) => `${path} is a link or not a file, so it was not read.`);
  if (!input) return { source: results, notes };
  try {
    const path = await guard(input.path);
    const sent = await findSent(folder);
    return { source: { ...results, input: { ...input, path: sent ?? path } }, notes };
  } catch (error) {
    if (!isAgentProblem(error)) throw error;
    const note = `The batch file could not be read, so requests without a result are not listed. ${error.message}`;
    return { source: results, notes: [...notes, note] };
  }
}

function toRow({ customId, state, isFailed, isFiltered, failure, choices, other }: ResultDetails): AgentBatchRow {
  const row = { customId, state };
  if (failure)
    return { ...row, text: failureText(failure) || 'The request failed. The service did not give a reason.' };
  if (state === 'missing') return { ...row, text: 'No result for this request.' };
  const texts = choices.map(({ text, refusal, calls }) =>
    [text.text, refusal.text, ...calls.map((call) => `${call.name}(${call.arguments.text})`)]
      .filter((part) => part !== '')
      .join('\n'),
  );
  const text = choices.length > 0 ? texts.join('\n\n') : (other?.text ?? '');
  if (text.trim() !== '' || isFailed) return { ...row, text };
  return { ...row, text: isFiltered ? 'The content filter withheld this response.' : 'The response has no text.' };
}
