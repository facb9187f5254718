import type { BenchLine } from '../host/benchLine';
import { bundleProgram, runProgram, startProgram } from '../support/programs';

const rounds = 5;
const subjects = ['undici', 'editor', 'fetch'] as const;

/** CPU of the client for one small request on a kept connection: our stacks beside the plain `fetch` of Node. */
export async function run(): Promise<readonly BenchLine[]> {
  const client = await bundleProgram('test/bench/stacksClient.ts');
  const server = await startProgram(await bundleProgram('test/support/sinkServer.ts'));
  const measured = { undici: [] as number[], editor: [] as number[], fetch: [] as number[] };
  try {
    // In turn, so that no one has the quieter machine; the least is the one least disturbed.
    for (let round = 0; round < rounds; round += 1) {
      for (const subject of subjects)
        measured[subject].push(Number(await runProgram(process.execPath, [client, subject, server.firstLine])));
    }
  } finally {
    await server.stop();
  }
  const peer = Math.min(...measured.fetch);
  const lineOf = (stack: 'undici' | 'editor', goal: number): BenchLine => {
    const ours = Math.min(...measured[stack]);
    const ratio = ours / peer;
    return {
      name: `small request, ${stack} stack`,
      ours,
      peer,
      peerName: 'fetch',
      ratio,
      unit: 'µs CPU',
      goal: `ratio <= ${goal}`,
      met: ratio <= goal,
    };
  };
  // Half of fetch is what the loading of undici is for; the editor's is fetch itself with timers.
  return [lineOf('undici', 0.5), lineOf('editor', 1.5)];
}
