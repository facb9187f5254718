import { deepEqual, equal, ok } from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import type { BatchJob } from '../../../../src/core/jobs/batch/batchJob';
import { countedPatch, sumOfUsage, uncountedUsage, type ModelUsage } from '../../../../src/core/jobs/batch/batchUsage';
import { checkResultFile } from '../../../../src/core/jobs/batch/checkResultFile';
import { startFilledDemo } from '../../../support/filledDemo';
import type { FilledDemo } from '../../../support/filledDemo';
import { fastTime, openEngine, submissionOf, writeBatchFile } from '../../../support/batchEngines';
import { imageTask, newMedia, openMediaEngine, videoTask } from '../../../support/mediaEngines';
import { setUpFolder } from '../../../support/temporaryFolder';
import { until } from '../../../support/until';

describe('the usage of a job', function () {
  this.timeout(60_000);
  let demo: FilledDemo;
  const folder = setUpFolder();
  beforeEach(async () => void (demo = await startFilledDemo({ pace: 'instant' })));
  afterEach(() => demo.close());

  const ended = ({ stage }: { readonly stage: string }) => stage === 'ended';
  const sumOf = (usage: readonly ModelUsage[]) => ({
    requests: usage.reduce((sum, { requests }) => sum + requests, 0),
    tokens: usage.reduce((sum, { inputTokens, outputTokens }) => sum + inputTokens + outputTokens, 0),
  });

  it('is counted once for each part of a batch, for any number of windows and downloads', async () => {
    const path = await writeBatchFile(folder.path(), 7);
    const paid: (readonly ModelUsage[])[] = [];
    const onPaid = async (job: BatchJob) => paid.push(uncountedUsage(job)) > 0;
    const open = () => openEngine(folder.path(), demo, { ...fastTime(20), onPaid });
    const [one, other] = [open(), open()];
    const { id } = await one.submit(submissionOf(path, demo, { enqueuedTokens: 12 }));
    await other.refresh();
    const job = await one.until(id, (found) => ended(found) && sumOf(found.counted ?? []).requests === 7, 'the end');
    await rm(join(job.folder ?? '', 'output-2.jsonl'));
    await one.fetchResults(id);
    for (const engine of [one, other]) await engine.refresh();
    for (const engine of [one, other]) await engine.dispose();
    const all = sumOf(paid.flat());
    equal(all.requests, 7);
    ok(all.tokens > 50);
    deepEqual(all, sumOf(job.counted ?? []));
  });

  it('is counted by the next window if the one that sent it closed before', async () => {
    const path = await writeBatchFile(folder.path(), 3);
    await demo.call('POST', '/_control/pace', { pace: { batchQueueMs: 300 } });
    const first = openEngine(folder.path(), demo, fastTime(1));
    const { id } = await first.submit(submissionOf(path, demo));
    await first.dispose();
    const images = openMediaEngine(folder.in('media'), demo);
    const image = await images.submit(newMedia(folder.path(), demo, imageTask('a lake')));
    const video = await images.submit(newMedia(folder.path(), demo, videoTask('a lake')));
    await images.dispose();
    const paid: (readonly ModelUsage[])[] = [];
    const made: string[] = [];
    const next = openEngine(folder.path(), demo, {
      ...fastTime(20),
      onPaid: async (job) => paid.push(uncountedUsage(job)) > 0,
    });
    const media = openMediaEngine(folder.in('media'), demo, {
      onPaid: async ({ id: one, results = [], counted = 0 }) => made.push(`${one} ${results.length - counted}`) > 0,
    });
    try {
      await Promise.all([next.refresh(), media.refresh()]);
      await next.until(id, ({ counted }) => counted !== undefined, 'the count');
      await until(() => (made.length === 2 ? true : undefined), 'the image and the video');
      for (const engine of [next, media]) await engine.refresh();
    } finally {
      for (const engine of [next, media]) await engine.dispose();
    }
    equal(sumOf(paid.flat()).requests, 3);
    deepEqual(made.toSorted(), [`${image.id} 1`, `${video.id} 1`].toSorted());
  });

  it('is tried again if it could not be noted, and counted then', async () => {
    const noted = [false, true];
    const seen: number[] = [];
    const media = openMediaEngine(folder.in('media'), demo, {
      onPaid: async ({ results = [], counted = 0 }) => {
        seen.push(results.length - counted);
        return noted.shift() ?? false;
      },
    });
    try {
      const { id } = await media.submit(newMedia(folder.path(), demo, imageTask('a lake')));
      await media.refresh();
      await media.until(id, ({ counted }) => counted === 1, 'the count');
    } finally {
      await media.dispose();
    }
    deepEqual(seen, [1, 1]);
  });

  it('is the sum of what was counted after each download, for each model', () => {
    const tokens = fc.nat({ max: 100 });
    const answers = fc.record(
      {
        model: fc.constantFrom('m', 'n'),
        requests: fc.integer({ min: 1, max: 3 }),
        inputTokens: tokens,
        outputTokens: tokens,
        cost: fc.constantFrom(0, 0.25, 1),
      },
      { requiredKeys: ['model', 'requests', 'inputTokens', 'outputTokens'] },
    );
    const file = fc.constantFrom('output', 'errors');
    const byModel = (all: readonly ModelUsage[]) => new Map(sumOfUsage(all).map((one) => [one.model, one]));
    fc.assert(
      fc.property(fc.array(fc.tuple(file, answers)), (downloads) => {
        let job = { fetched: {} } as BatchJob;
        const counted: ModelUsage[] = [];
        for (const [name, answer] of downloads) {
          const usage = sumOfUsage([...(job.fetched?.[name]?.usage ?? []), answer]);
          job = { ...job, fetched: { ...job.fetched, [name]: { usage } } } as BatchJob;
          counted.push(...uncountedUsage(job));
          job = { ...job, ...countedPatch(job) } as BatchJob;
          equal(countedPatch(job), undefined);
        }
        deepEqual(byModel(counted), byModel(downloads.map(([, answer]) => answer)));
      }),
    );
  });

  it('is read from results of every service, without invalid counts', async () => {
    const line = (usage: unknown, model: string, more = {}) =>
      JSON.stringify({
        custom_id: 'a',
        response: { status_code: 200, body: { model, choices: [choice], usage, ...more } },
      });
    const choice = { index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' };
    const anthropic = {
      type: 'message',
      role: 'assistant',
      model: 'claude',
      content: [{ type: 'text', text: 'Hi' }],
      stop_reason: 'end_turn',
      usage: { input_tokens: 7, output_tokens: 8 },
    };
    const path = folder.in('output.jsonl');
    const lines = [
      line({ prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 }, 'm'),
      line({ prompt_tokens: -5, completion_tokens: 4 }, 'm'),
      line({ prompt_tokens: '1e999', completion_tokens: 1.5 }, 'm'),
      line({ prompt_tokens: 5, completion_tokens: 6, cost: 0.25 }, 'n'),
      line({ prompt_tokens: 5, completion_tokens: 6, cost: -3 }, 'n'),
      line({ prompt_tokens: 3 }, 'vectors'),
      line({ completion_tokens: 4 }, 'speech'),
      JSON.stringify({ custom_id: 'b', result: { type: 'succeeded', message: anthropic } }),
      JSON.stringify({ custom_id: 'c', error: { code: 'x', message: 'No' } }),
    ];
    await writeFile(path, lines.map((one) => `${one}\n`).join(''));
    const { usage } = await checkResultFile(path);
    deepEqual(
      usage.map(({ model, inputTokens, outputTokens, cost }) => [model, inputTokens, outputTokens, cost]),
      [
        ['m', 1, 6, undefined],
        ['n', 10, 12, 0.25],
        ['vectors', 3, 0, undefined],
        ['speech', 0, 4, undefined],
        ['claude', 7, 8, undefined],
      ],
    );
    const many = Array.from({ length: 60 }, (_, index) => line({ prompt_tokens: 1 }, `m-${index}`));
    await writeFile(path, many.map((one) => `${one}\n`).join(''));
    const { usage: named } = await checkResultFile(path);
    deepEqual([named.length, named.at(-1)?.model, named.at(-1)?.requests], [51, '', 10]);
  });
});
