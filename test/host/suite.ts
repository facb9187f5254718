import { leaveCounts, linePrefix, testFilesIn } from './mocha.ts';
import { runWithSecondChance } from './secondChance.ts';

/** What the editor calls in its extension host, instead of a person using it. Rejects when a test failed. */
export async function run(): Promise<void> {
  const grep = process.env['INFERENCE_DESK_GREP'];
  const counts = await runWithSecondChance(testFilesIn(import.meta.dirname), {
    timeoutMs: 60_000,
    grep: grep === '' ? undefined : grep,
    // One console call for each line: the editor's console trims and drops empty ones.
    print: (text) => text.split('\n').forEach((line) => console.log(`${linePrefix}${line}`)),
  });
  leaveCounts(counts);
  if (counts.failed > 0) throw new Error(`${counts.failed} failed`);
}
