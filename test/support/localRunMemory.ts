import { startRun } from '../../src/core/batch/local/startRun';
import { localOptions } from './localRuns';
import { peakKb } from './peakMemory';

/** Runs a batch file with a service that responds immediately: `<folder> <batch file>`. Prints the responses and peak memory. */
const [folder = '', input = ''] = process.argv.slice(2);
const text = 'An answer of a few hundred characters. '.repeat(20);
const run = await startRun({
  ...(await localOptions(folder, input)),
  concurrency: () => 16,
  call: async function* () {
    yield { id: 'x', choices: [{ index: 0, delta: { content: text }, finish_reason: 'stop' }] };
  },
});
const end = await run.ended;
process.stdout.write(JSON.stringify({ end: end.kind, answered: run.state.answered, peakKb: peakKb() }));
