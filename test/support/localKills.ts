import { deepEqual, ok } from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createRandom } from '../../src/core/batch/transform/transforms';
import type { TestDemo } from '../unit/demo/demoService';
import { localRequest, resultsOf } from './localRuns';
import { bundleProgram } from './programs';

/** Returns the IDs of complete result lines, also while a program writes. */
function idsOnDisk(folder: string): readonly string[] {
  const read = (name: string) =>
    existsSync(path.join(folder, name)) ? readFileSync(path.join(folder, name), 'utf8') : '';
  return ['output.jsonl', 'errors.jsonl'].flatMap((name) =>
    read(name)
      .split('\n')
      .slice(0, -1)
      .map((line) => (JSON.parse(line) as { readonly custom_id: string }).custom_id),
  );
}

/** Returns how often each ID was requested from the service. */
async function asked(demo: TestDemo): Promise<ReadonlyMap<string, number>> {
  const { body } = await demo.control('requests');
  const requests = body['requests'] as unknown as readonly {
    readonly body: { readonly messages: readonly { readonly content: string }[] };
  }[];
  const counts = new Map<string, number>();
  for (const { body: sent } of requests) {
    const id = sent.messages[0]!.content;
    counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return counts;
}

/**
 * Runs a batch file in a process that is killed this many times at seeded moments and restarted. Afterwards, every ID has one result, no
 * saved result is missing, and no ID with a result was requested again.
 */
export async function killAgainAndAgain(
  demo: TestDemo,
  folder: string,
  { kills, seed }: { kills: number; seed: number },
): Promise<void> {
  const program = await bundleProgram('test/support/localRunProgram.ts');
  await demo.control('pace', { pace: { firstTokenMs: 15, tokenMs: 1 } });
  const random = createRandom(seed);
  const ids = Array.from({ length: kills * 14 }, (_, index) => `id-${index}`);
  const input = path.join(folder, 'requests.jsonl');
  writeFileSync(input, `${ids.map((id) => localRequest(id, id, { max_tokens: 20 })).join('\n')}\n`);
  const run = path.join(folder, 'run');
  const start = () => {
    const child = spawn(process.execPath, [program, demo.baseUrl, demo.apiKey, run, input], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    return { child, exited: once(child, 'exit'), started: once(child.stdout, 'data') };
  };

  const had = new Map<string, number>();
  let killed = 0;
  while (killed < kills) {
    const { child, exited, started } = start();
    await started;
    // Kills at any moment: before the first request, between two, or while a response is being written.
    const requested = idsOnDisk(run).length + random(10);
    while (child.exitCode === null && idsOnDisk(run).length < requested) await delay(2);
    await delay(random(20));
    if (child.exitCode !== null) break;
    child.kill('SIGKILL');
    await exited;
    killed++;
    const counts = await asked(demo);
    for (const id of idsOnDisk(run)) if (!had.has(id)) had.set(id, counts.get(id) ?? 1);
  }
  ok(had.size > kills, `only ${had.size} results were there before a kill`);
  ok(killed === kills, `only ${killed} kills fell into the run`);
  const last = start();
  await last.exited;
  const { output, errors } = resultsOf(run);
  deepEqual(errors, []);
  deepEqual(output.map(({ custom_id: id }) => id).length, ids.length);
  deepEqual(new Set(output.map(({ custom_id: id }) => id)), new Set(ids));
  const counts = await asked(demo);
  for (const [id, before] of had) deepEqual(counts.get(id), before, `${id} was asked again`);
  const repeated = [...counts.values()].reduce((sum, times) => sum + times - 1, 0);
  // Each kill repeats at most the requests in progress.
  ok(repeated <= kills * 4, `${repeated} requests were repeated`);
}
