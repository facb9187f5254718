import { ResultsTable } from '../../src/core/batch/results/resultsTable';
import { peakKb } from './peakMemory';

/** `node joinClient.js <input> <output>`: joins the files, sorts them by ID, and prints the time and peak memory. */
const [input = '', output = ''] = process.argv.slice(2);
const quiet = { signal: new AbortController().signal, onProgress: () => {} };
const begun = performance.now();
const table = await ResultsTable.open({ input: { path: input }, outputs: [output], errors: [] }, quiet);
const joinedMs = performance.now() - begun;
const count = await table.arrange({ state: 'all', query: '', sort: 'customId', descending: true }, quiet);
const { rows } = await table.rows(0, 1);
const { answered, failed, expired, missing, extra, groups } = table.summary;
process.stdout.write(
  JSON.stringify({
    count,
    first: rows[0],
    answered,
    failed,
    expired,
    missing,
    extra,
    groups: groups.length,
    joinedMs,
    arrangedMs: performance.now() - begun - joinedMs,
    peakMb: peakKb() / 1024,
  }),
);
table.close();
