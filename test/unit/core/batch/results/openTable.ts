import { ResultsTable } from '../../../../../src/core/batch/results/resultsTable';
import type { ResultsSource } from '../../../../../src/core/batch/results/resultsSource';
import type { ResultsRow, ResultsView } from '../../../../../src/core/batch/results/resultsView';

export const quiet = { signal: new AbortController().signal, onProgress: () => {} };
export const everything: ResultsView = { state: 'all', query: '', sort: 'line', descending: false };

export function openTables() {
  const open: ResultsTable[] = [];
  afterEach(() => open.splice(0).forEach((table) => table.close()));
  return async (source: ResultsSource, signal = quiet.signal): Promise<ResultsTable> => {
    const table = await ResultsTable.open(source, { ...quiet, signal });
    open.push(table);
    return table;
  };
}

export async function shownRows(table: ResultsTable, view: Partial<ResultsView> = {}): Promise<readonly ResultsRow[]> {
  const count = await table.arrange({ ...everything, ...view }, quiet);
  return (await table.rows(0, count)).rows;
}
