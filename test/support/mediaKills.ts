import { deepEqual, equal, ok } from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { readRecipe } from '../../src/core/assets/recipeFile';
import { createRandom } from '../../src/core/batch/transform/transforms';
import { recordsIn } from './batchEngines';
import { startFilledDemo } from './filledDemo';
import type { FilledDemo } from './filledDemo';
import { filesIn, openMediaEngine, openSpending, piecePrice } from './mediaEngines';
import { runAndKill, untilKilled } from './killedPrograms';
import { bundleProgram } from './programs';
import { until } from './until';

/** What an order is doing when its process is killed. */
export const mediaMoments = {
  image: ['preparing', 'submitting', 'fetching', 'paid', 'noted', 'saved', 'ended', 'started'],
  video: ['preparing', 'submitting', 'running', 'fetching', 'paid', 'noted', 'saved', 'ended'],
} as const;
const slowed = ['POST /images/generations', 'POST /video/submit', 'POST /video/status', 'GET asset'];

interface Killing {
  readonly program: string;
  readonly folder: string;
  readonly demo: FilledDemo;
  readonly kind: 'image' | 'video';
  readonly moments: readonly string[];
}

/** Sends one more order in a process that is killed at a seeded moment. Resolves to whether it was. */
async function killOnce(
  { program, folder, demo, kind, moments }: Killing,
  round: number,
  random: (below: number) => number,
) {
  for (const endpoint of slowed) {
    await demo.call('POST', '/_control/arm', { fault: 'slow-first-byte', endpoint, delayMs: 60, times: 3 });
  }
  const moment = moments[round % moments.length] ?? '';
  const delayMs = random(80);
  const args = [program, folder, demo.baseUrl, demo.apiKey, kind, `Round ${round}`, moment];
  return runAndKill(args, { line: moment, delayMs });
}

/**
 * Sends orders in processes that are killed so many times at seeded moments. Afterwards each order is on record once, was sent
 * once at most, every file that was paid for and has an address is here, whole and under its content's name, and its charge is noted once.
 */
export async function killMediaAgainAndAgain(
  folder: string,
  { kills, seed, ...of }: Pick<Killing, 'kind' | 'moments'> & { readonly kills: number; readonly seed: number },
): Promise<void> {
  const program = await bundleProgram('test/support/mediaProgram.ts');
  const demo = await startFilledDemo({ pace: 'instant' });
  try {
    const random = createRandom(seed);
    await untilKilled(kills, (round) => killOnce({ program, folder, demo, ...of }, round, random));
    await settle(folder, demo, of.kind);
    const sent = await promptsSent(demo, of.kind);
    deepEqual(sent, [...new Set(sent)], 'nothing is sent again by itself');
    ok(sent.length > 0);
  } finally {
    await demo.close();
  }
}

async function promptsSent(demo: FilledDemo, kind: 'image' | 'video'): Promise<readonly unknown[]> {
  const requests = await demo.requests();
  const path = kind === 'image' ? '/v1/images/generations' : '/v1/video/submit';
  return requests.filter((request) => request.path === path).map(({ body }) => body.prompt);
}

async function settle(folder: string, demo: FilledDemo, kind: 'image' | 'video'): Promise<void> {
  const spending = openSpending(folder);
  const engine = openMediaEngine(folder, demo, { onPaid: spending.note });
  try {
    const before = await recordsIn(folder);
    await engine.wake();
    const paths = new Set<string>();
    for (const { id } of engine.jobs) {
      const job = await engine.until(id, ({ stage }) => ['ended', 'refused', 'unknown'].includes(stage), 'rest');
      if (job.stage !== 'ended') {
        deepEqual([job.results, job.requestId], [undefined, undefined], 'what has an answer goes on');
        continue;
      }
      deepEqual([job.lastError, job.results?.length], [undefined, kind === 'image' ? 2 : 1], id);
      for (const [index, { path = '' }] of (job.results ?? []).entries()) {
        const recipe = await readRecipe(path);
        const sha256 = createHash('sha256')
          .update(await readFile(path))
          .digest('hex');
        deepEqual([recipe?.file.name, recipe?.file.sha256, recipe?.index], [basename(path), sha256, index]);
        equal(recipe?.earlier, undefined, 'the same making is named once');
        paths.add(path);
      }
    }
    const counted = () => engine.jobs.every(({ results = [], counted: so = 0 }) => so === results.length);
    await until(() => counted() || undefined, 'the count');
    equal(await spending.today.spent(Date.now()), piecePrice * paths.size, 'everything is charged once');
    deepEqual(await recordsIn(folder), before);
    deepEqual(engine.unreadable, []);
    const made = (await filesIn(join(folder, 'made'))).filter((name) => !name.endsWith('.part'));
    deepEqual(made, [...paths].map((path) => basename(path)).toSorted());
  } finally {
    await engine.dispose();
  }
}
