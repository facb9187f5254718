import type { BenchLine } from '../host/benchLine';
import { bundleProgram, runProgram, startProgram } from '../support/programs';

const rounds = 3;
const subjects = ['undici', 'editor', 'fetch', 'openai', 'anthropic'] as const;

/** Measures the client's CPU for one small request on a reused connection: our network stacks, Node's plain `fetch`, and two SDKs. */
export async function run(): Promise<readonly BenchLine[]> {
  const client = await bundleProgram('test/bench/stacksClient.ts');
  const server = await startProgram(await bundleProgram('test/support/sinkServer.ts'));
  const best = { undici: Infinity, editor: Infinity, fetch: Infinity, openai: Infinity, anthropic: Infinity };
  try {
    // They take turns, so that none of them has a quieter machine. The minimum is the least disturbed.
    for (let round = 0; round < rounds; round += 1) {
      for (const subject of subjects) {
        const cost = Number(await runProgram(process.execPath, [client, subject, server.firstLine]));
        best[subject] = Math.min(best[subject], cost);
      }
    }
  } finally {
    await server.stop();
  }
  const beside = (stack: 'undici' | 'editor', peer: (typeof subjects)[number], peerName: string = peer) => ({
    name: `small request, ${stack} stack`,
    ours: best[stack],
    peer: best[peer],
    peerName,
    unit: 'µs CPU',
  });
  return [
    // Half of the cost of fetch justifies loading undici. The VS Code stack is fetch itself with timers.
    { ...beside('undici', 'fetch'), ratioAtMost: 0.5 },
    { ...beside('editor', 'fetch'), ratioAtMost: 1.5 },
    { ...beside('undici', 'openai'), title: 'Send a small request' },
    beside('undici', 'anthropic', '@anthropic-ai/sdk'),
  ];
}
