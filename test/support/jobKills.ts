import { deepEqual } from 'node:assert/strict';
import { join } from 'node:path';
import { createRandom } from '../../src/core/batch/transform/transforms';
import { jobKey } from '../../src/core/jobs/batch/batchJob';
import { idsIn, openEngine, recordsIn, writeBatchFile } from './batchEngines';
import { startFilledDemo } from './filledDemo';
import type { FilledDemo } from './filledDemo';
import { runAndKill, untilKilled } from './killedPrograms';
import { bundleProgram } from './programs';

/** The activity of a job when its process is killed. */
export const jobMoments = ['reading', 'uploading', 'submitting', 'creating', 'running', 'fetching', 'ended', 'started'];
const slowed = ['POST /files', 'POST /batches', 'GET /batches/{id}', 'GET /files/{id}/content', 'GET /batches'];
const requests = 6;

interface Killing {
  readonly program: string;
  readonly folder: string;
  readonly demo: FilledDemo;
  readonly moments: readonly string[];
}

/** Submits another batch in a process that is killed at a seeded moment. Resolves to whether it was. */
async function killOnce({ program, folder, demo, moments }: Killing, round: number, random: (below: number) => number) {
  const file = await writeBatchFile(join(folder, `input-${round}`), requests);
  const endpoint = slowed[random(slowed.length)] ?? '';
  await demo.call('POST', '/_control/reset', {});
  await demo.call('POST', '/_control/arm', { fault: 'slow-first-byte', endpoint, delayMs: 60 });
  const moment = moments[round % moments.length] ?? '';
  const delayMs = random(80);
  return runAndKill([program, folder, demo.baseUrl, demo.apiKey, file], { line: moment, delayMs });
}

/** Returns the service's number of batches for each submission. */
async function created(demo: FilledDemo): Promise<ReadonlyMap<string, number>> {
  const { data } = (await demo.call('GET', '/batches')) as {
    readonly data: readonly { readonly metadata: Readonly<Record<string, string>> }[];
  };
  const counts = new Map<string, number>();
  for (const { metadata } of data) counts.set(`${metadata[jobKey]}`, (counts.get(`${metadata[jobKey]}`) ?? 0) + 1);
  return counts;
}

/**
 * Submits batches in processes that are killed this many times at seeded moments. Afterwards, each job exists once, the service has at most
 * one batch for each, and every result is here. Batches that wait for the user are then created by the user.
 */
export async function killJobsAgainAndAgain(
  folder: string,
  { kills, seed, moments }: { readonly kills: number; readonly seed: number; readonly moments: readonly string[] },
): Promise<void> {
  const program = await bundleProgram('test/support/jobProgram.ts');
  const demo = await startFilledDemo({ pace: 'instant' });
  try {
    const random = createRandom(seed);
    await untilKilled(kills, (round) => killOnce({ program, folder, demo, moments }, round, random));
    await demo.call('POST', '/_control/reset', {});
    await settle(folder, demo);
  } finally {
    await demo.close();
  }
}

async function settle(folder: string, demo: FilledDemo): Promise<void> {
  const engine = openEngine(folder, demo);
  try {
    const before = await recordsIn(folder);
    await engine.refresh();
    for (const { id } of engine.jobs) {
      const job = await engine.until(
        id,
        ({ stage, looks = 0 }) => ['ended', 'refused'].includes(stage) || (stage === 'unknown' && looks > 0),
        'rest',
      );
      const had = (await created(demo)).get(id) ?? 0;
      deepEqual(had, job.stage === 'ended' ? 1 : 0, `${id} is ${job.stage}`);
      if (job.stage !== 'ended') await engine.createAgain(id);
    }
    for (const { id } of engine.jobs) {
      const { folder: results = '' } = await engine.until(id, ({ stage }) => stage === 'ended', 'the end');
      deepEqual((await idsIn(join(results, 'output.jsonl'))).length, requests, `the results of ${id}`);
    }
    deepEqual(await recordsIn(folder), before);
    deepEqual(engine.unreadable, []);
    const counts = await created(demo);
    deepEqual([...counts.keys()].toSorted(), engine.jobs.map(({ id }) => id).toSorted());
    deepEqual(
      [...counts.values()].filter((count) => count !== 1),
      [],
    );
  } finally {
    await engine.dispose();
  }
}
