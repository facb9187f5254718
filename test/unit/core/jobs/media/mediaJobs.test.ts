import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { readRecipe } from '../../../../../src/core/assets/recipeFile';
import type { MediaJob } from '../../../../../src/core/jobs/media/mediaJob';
import { fastTime, recordsIn } from '../../../../support/batchEngines';
import { filesIn, filesOf, imageTask, videoTask } from '../../../../support/mediaEngines';
import { setUpMedia } from '../../../../support/mediaBench';
import { until } from '../../../../support/until';

const isEnded = ({ stage }: MediaJob) => stage === 'ended';
const isReported = ({ toldEndAt }: MediaJob) => toldEndAt !== undefined;

async function served({ results = [] }: MediaJob): Promise<readonly Buffer[]> {
  return Promise.all(results.map(async ({ url }) => Buffer.from(await (await fetch(url)).arrayBuffer())));
}

/** What differs in pictures takes minutes to be shown. */
const hashesOf = (files: readonly Buffer[]) => files.map((file) => createHash('sha256').update(file).digest('hex'));

describe('an image job', function () {
  this.timeout(60_000);
  const { open, task, folder, demo, arm, asked, close, calm } = setUpMedia();

  it('is recorded before it is sent, and its files are as served, each with its recipe', async () => {
    const engine = open();
    const { request } = imageTask('A fjord, at dawn: über alles', { model: 'Qwen/Qwen-Image', batch_size: 2 });
    const job = await engine.submit(task({ kind: 'image', request } as never, { group: 'sweep' }));
    assert.deepEqual([job.stage, job.group, job.results?.length], ['fetching', 'sweep', 2], JSON.stringify(job));
    assert.equal(typeof job.inferenceSeconds, 'number');
    const ended = await engine.until(job.id, isReported, 'the end');
    const [bytes, expected] = [await filesOf(ended), await served(ended)];
    assert.deepEqual([ended.lastError, bytes.length], [undefined, 2]);
    for (const [index, file] of bytes.entries()) {
      assert.ok(expected[index]?.equals(file));
      const path = ended.results?.[index]?.path ?? '';
      const sha256 = createHash('sha256').update(file).digest('hex');
      assert.equal(basename(path), `a-fjord-at-dawn-uber-alles-${sha256.slice(0, 12)}.png`);
      const recipe = await readRecipe(path);
      const facts = {
        name: basename(path),
        sha256,
        bytes: file.length,
        contentType: 'image/png',
        width: 512,
        height: 512,
      };
      assert.deepEqual(
        [recipe?.file, recipe?.index, recipe?.request, recipe?.seed],
        [facts, index, request, 9_999_999_999],
      );
      assert.deepEqual(
        [recipe?.service, recipe?.createdAt],
        [demo().baseUrl, new Date(ended.answeredAt ?? 0).toISOString()],
      );
      assert.equal(recipe?.traceId, job.traceId);
    }
    assert.equal((await filesIn(folder.in('made'))).length, 2);
    assert.deepEqual(
      [await recordsIn(folder.path()), engine.notices, engine.errors],
      [[`${job.id}.json`], [`end ${job.id}`], []],
    );
  });

  it('is saved once for two jobs with the same content, without losing a recipe', async () => {
    const engine = open();
    const paths: (string | undefined)[] = [];
    for (const prompt of ['A lighthouse', 'A lighthouse']) {
      const { id } = await engine.submit(task(imageTask(prompt)));
      paths.push((await engine.until(id, isEnded, 'the end')).results?.[0]?.path);
    }
    assert.equal(paths[0], paths[1]);
    assert.equal((await filesIn(folder.in('made'))).length, 1);
    const recipe = await readRecipe(paths[0] ?? '');
    const times = [recipe?.createdAt, ...(recipe?.earlier ?? []).map(({ createdAt }) => createdAt)];
    assert.equal(times.length, 2);
    assert.ok(`${times[0]}` >= `${times[1]}`, 'the newest first');
  });

  it('waits for the user after a lost response, and is never resent automatically', async () => {
    for (const fault of ['reset-before-headers', 'reset-after-headers', 'cut-body', 'never-answers']) {
      await calm();
      await arm(fault, 'POST /images/generations');
      const engine = open();
      const stop = new AbortController();
      const sending = engine.submit(task(imageTask(`Lost to ${fault}`)), { signal: stop.signal });
      if (fault === 'never-answers') {
        const isThere = async () => ((await demo().call('GET', '/_control/requests')) as { armed: number }).armed === 0;
        await until(async () => (await isThere()) || undefined, 'the order at the service');
        stop.abort();
      }
      const job = await sending;
      assert.deepEqual(
        [job.stage, job.lastError?.kind, job.lastError?.isFinal],
        ['unknown', 'answerLost', true],
        fault,
      );
      await engine.until(job.id, ({ toldDoubtAt }) => toldDoubtAt !== undefined, 'the notice');
      await engine.wake();
      await engine.checkNow(job.id);
      assert.deepEqual([await asked('POST', '/v1/images'), engine.notices], [1, [`doubt ${job.id}`]], fault);
      await engine.forget(job.id);
      await close(engine);
    }
  });

  it("fails with the reason if it certainly wasn't started, and ends if the response contains no image", async () => {
    const engine = open();
    for (const [fault, stage, kind] of [
      ['unknown-model', 'refused', 'refused'],
      ['balance-402', 'refused', 'refused'],
      ['no-address', 'ended', 'noResults'],
      ['envelope-refused', 'ended', 'noResults'],
      ['html-200', 'ended', 'noResults'],
      // There was a response, after which it may have been charged.
      ['server-empty', 'ended', 'failed'],
      ['timeout-504-text', 'ended', 'failed'],
    ] as const) {
      await arm(fault, 'POST /images/generations');
      const job = await engine.submit(task(imageTask('A refusal')));
      assert.deepEqual([job.stage, job.lastError?.kind], [stage, kind], fault);
    }
    assert.deepEqual(await filesIn(folder.in('made')), []);
  });

  it('reports its files as lost if their URL has expired, and keeps the saved ones', async () => {
    const engine = open();
    await arm('expired-url', 'POST /images/generations');
    const { id } = await engine.submit(task(imageTask('Too late')));
    const ended = await engine.until(id, isReported, 'the end');
    assert.deepEqual([ended.stage, ended.lastError?.kind, await filesOf(ended)], ['ended', 'expired', []]);
  });

  it('is complete despite an expired URL if its file was saved before the window closed', async () => {
    const engine = open();
    await arm('html-502', 'GET asset', 50);
    const job = await engine.submit(task(imageTask('Whole already')));
    await engine.until(job.id, ({ lastError }) => lastError !== undefined, 'a failure');
    await calm();
    const [bytes] = await served(job);
    await close(engine);
    await writeFile(join(folder.in('made'), `.${job.id}-0.download`), bytes ?? '');
    await demo().call('POST', '/_control/expireUrls', {});
    const next = open();
    await next.wake();
    const ended = await next.until(job.id, isEnded, 'the end');
    assert.deepEqual([ended.lastError, hashesOf(await filesOf(ended))], [undefined, hashesOf([bytes ?? Buffer.of()])]);
    assert.equal((await filesIn(folder.in('made'))).length, 1);
  });
});

describe('a generation whose window is killed before it notes the saved file', function () {
  this.timeout(60_000);
  const { open, task, folder, close } = setUpMedia();

  for (const order of [imageTask('A river'), videoTask('A river')])
    it(`is listed once in the recipe (${order.kind})`, async () => {
      const engine = open();
      const { id } = await engine.submit(task(order));
      const { results: [saved] = [] } = await engine.until(id, isEnded, 'the end');
      await close(engine);
      const record = folder.in(`jobs/${id}.json`);
      const { path: _, ...unsaved } = saved!;
      const job = JSON.parse(await readFile(record, 'utf8')) as object;
      await writeFile(record, JSON.stringify({ ...job, stage: 'fetching', results: [unsaved] }));
      const next = open();
      await next.wake();
      const ended = await next.until(id, isEnded, 'the end');
      assert.equal(ended.results?.[0]?.path, saved?.path);
      const recipe = await readRecipe(saved?.path ?? '');
      assert.deepEqual([recipe?.request, recipe?.earlier], [order.request, undefined]);
    });
});

describe('a video job', function () {
  this.timeout(120_000);
  const { open, task, folder, demo, arm, asked } = setUpMedia();

  it('is tracked by its request until its file is saved as served', async () => {
    const engine = open();
    const job = await engine.submit(task(videoTask('A river')));
    assert.deepEqual([job.stage, typeof job.requestId], ['running', 'string']);
    const ended = await engine.until(job.id, isReported, 'the end');
    assert.deepEqual(hashesOf(await filesOf(ended)), hashesOf(await served(ended)));
    const recipe = await readRecipe(ended.results?.[0]?.path ?? '');
    const { contentType, width, height } = recipe?.file ?? {};
    assert.deepEqual([contentType, width, height], ['video/mp4', 960, 960]);
    assert.deepEqual([recipe?.requestId, recipe?.seed, recipe?.request], [job.requestId, 7, job.task.request]);
    assert.deepEqual([engine.notices, ended.status], [[`end ${job.id}`], 'Succeed']);
  });

  it('shows its queue position and its progress for as long as they last', async () => {
    const engine = open();
    await arm('endless-job', 'POST /video/submit');
    const endless = await engine.submit(task(videoTask('No end')));
    await engine.until(endless.id, ({ status, looks = 0 }) => status === 'InProgress' && looks > 2, 'some looks');
    await engine.forget(endless.id);
    await demo().call('POST', '/_control/pace', { pace: { videoQueueMs: 3_600_000 } });
    const { id } = await engine.submit(task(videoTask('A queue')));
    const { position } = await engine.until(id, ({ status }) => status === 'InQueue', 'its place');
    assert.equal(position, 1);
    assert.deepEqual(engine.notices, []);
  });

  it("ends with the service's reason, and continues through an unknown status", async () => {
    const engine = open();
    await arm('failed-job', 'POST /video/submit');
    const failed = await engine.submit(task(videoTask('A failure')));
    const { lastError } = await engine.until(failed.id, isReported, 'the end');
    assert.deepEqual([lastError?.kind, lastError?.message], ['failed', 'The prompt was refused by the content check.']);
    await arm('unknown-status', 'POST /video/submit');
    const { id } = await engine.submit(task(videoTask('A river')));
    const ended = await engine.until(id, isEnded, 'the end');
    assert.deepEqual([ended.lastError, (await filesOf(ended)).length], [undefined, 1]);
  });

  it('requests a new URL for an expired one, and ends if the service returns none', async () => {
    const engine = open();
    await arm('html-502', 'GET asset');
    const { id } = await engine.submit(task(videoTask('A river')));
    await engine.until(id, ({ stage, lastError }) => stage === 'fetching' && lastError !== undefined, 'a failure');
    await demo().call('POST', '/_control/expireUrls', {});
    const ended = await engine.until(id, isEnded, 'the end');
    assert.deepEqual([ended.lastError, (await filesOf(ended)).length], [undefined, 1]);
    await arm('expired-url', 'POST /video/submit');
    const late = await engine.submit(task(videoTask('Too late')));
    const lost = await engine.until(late.id, isReported, 'the end');
    assert.deepEqual([lost.stage, lost.lastError?.kind, await filesOf(lost)], ['ended', 'expired', []]);
  });

  it('still downloads from the known URL if the service returns no other', async () => {
    const engine = open();
    await arm('html-502', 'GET asset');
    const { id } = await engine.submit(task(videoTask('A river')));
    await engine.until(id, ({ stage, lastError }) => stage === 'fetching' && lastError !== undefined, 'a failure');
    await arm('server-empty', 'POST /video/status', 99);
    const ended = await engine.until(id, isEnded, 'the end');
    assert.deepEqual([ended.lastError, (await filesOf(ended)).length], [undefined, 1]);
  });

  it('that is done without a URL is checked again for a while, then ends as such and can be checked again', async () => {
    const engine = open(fastTime(100));
    await arm('no-address', 'POST /video/submit');
    const { id } = await engine.submit(task(videoTask('A river')));
    const ended = await engine.until(id, isReported, 'the end');
    assert.deepEqual([ended.stage, ended.status, ended.lastError?.kind], ['ended', 'Succeed', 'noResults']);
    const looks = await asked('POST', '/v1/video/status');
    assert.ok(looks >= 10, `${looks} looks`);
    assert.equal((await engine.fetchAgain(id)).lastError?.kind, 'noResults');
    assert.ok((await asked('POST', '/v1/video/status')) > looks);
    assert.deepEqual(await filesIn(folder.in('made')), []);
  });

  it('is never resubmitted if its request was lost or answered with an error', async () => {
    const engine = open();
    await arm('server-60000', 'POST /video/submit');
    const failed = await engine.submit(task(videoTask('Failed')));
    assert.deepEqual([failed.stage, failed.lastError?.kind, failed.lastError?.isFinal], ['ended', 'failed', true]);
    await arm('cut-body', 'POST /video/submit');
    const job = await engine.submit(task(videoTask('Lost')));
    assert.deepEqual([job.stage, job.lastError?.kind], ['unknown', 'answerLost']);
    await engine.wake();
    assert.equal(await asked('POST', '/v1/video/submit'), 2);
    assert.match(await readFile(folder.in(`jobs/${job.id}.json`), 'utf8'), /answerLost/);
  });

  it('is sent as often as may be charged, if two windows start several at the same time', async () => {
    const most = 3;
    const windows = [open, open].map((openWindow) => {
      const engine: ReturnType<typeof open> = openWindow({
        checkPaid: async ({ id }) => {
          const others = engine.jobs.filter((job) => job.id !== id);
          if (others.length >= most) throw new Error('The cap is reached.');
        },
      });
      return engine;
    });
    const submit = (at: number) => windows[at % 2]!.submit(task(videoTask(`A lake ${at}`)));
    const sent = await Promise.allSettled([0, 1, 2, 3, 4, 5, 6, 7].map(submit));
    assert.equal(sent.filter(({ status }) => status === 'fulfilled').length, most);
    assert.equal((await recordsIn(folder.path())).length, most);
  });

  it('is requested by one of two windows, downloaded once, and shown in both', async () => {
    const [one, other] = [open(), open()];
    const { id } = await one.submit(task(videoTask('Two windows')));
    await other.refresh();
    const looking = setInterval(() => void Promise.all([one.refresh(), other.refresh()]), 100);
    try {
      await other.until(id, isReported, 'the end there');
      await one.until(id, isReported, 'the end here');
    } finally {
      clearInterval(looking);
    }
    assert.deepEqual([await asked('GET', '/assets'), one.notices.length + other.notices.length], [1, 1]);
    assert.ok(!(one.isPolling && other.isPolling));
  });
});
