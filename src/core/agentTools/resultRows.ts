import { existsSync } from 'node:fs';
import { resultPaths, readRunFolder } from '../batch/results/runFolder';
import { ResultsTable } from '../batch/results/resultsTable';
import type { ResultsSource } from '../batch/results/resultsSource';
import type { ResultDetails } from '../batch/results/resultsView';
import { failureText } from '../batch/results/rowTexts';
import type { AgentBatchResults, AgentBatchRow, BatchResultsRequest } from './agentDesk';

/** Some rows of the results in the folder of a run. Throws the signal's reason, and what the file system throws. */
export async function readResultRows(
  folder: string,
  { only, offset, limit }: Pick<BatchResultsRequest, 'only' | 'offset' | 'limit'>,
  signal: AbortSignal,
): Promise<Omit<AgentBatchResults, 'batch'>> {
  const table = await ResultsTable.open(await sourceIn(folder), { signal, onProgress: () => undefined });
  try {
    signal.throwIfAborted();
    const total = await table.arrange(
      { state: only, query: '', sort: 'line', descending: false },
      { signal, onProgress: () => undefined },
    );
    const { rows } = await table.rows(offset, limit);
    const { answered, failed } = table.summary;
    return { rows: rows.map(({ row }) => toRow(table.details(row))), total, answered, failed };
  } finally {
    table.close();
  }
}

async function sourceIn(folder: string): Promise<ResultsSource> {
  const run = await readRunFolder(folder);
  if (!run) return { outputs: [], errors: [] };
  const { input } = run.run;
  return { ...resultPaths(run), ...(input && existsSync(input.path) && { input }) };
}

function toRow({ customId, state, failure, choices, other }: ResultDetails): AgentBatchRow {
  if (failure)
    return { customId, failed: true, text: failureText(failure) || 'It failed; the service does not say why.' };
  if (state === 'missing') return { customId, failed: true, text: 'There is no result for this request.' };
  const texts = choices.map(({ text, refusal, calls }) =>
    [text.text, refusal.text, ...calls.map((call) => `${call.name}(${call.arguments.text})`)]
      .filter((part) => part !== '')
      .join('\n'),
  );
  return { customId, failed: false, text: choices.length > 0 ? texts.join('\n\n') : (other?.text ?? '') };
}
