import assert from 'node:assert/strict';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { MediaService } from '../../../../../src/core/jobs/media/mediaService';
import { openClient } from '../../../../support/batchEngines';
import { setUpMedia } from '../../../../support/mediaBench';
import { filesOf, imageTask, videoTask } from '../../../../support/mediaEngines';
import { until } from '../../../../support/until';

describe('the response to a paid request', function () {
  this.timeout(60_000);
  const { open, task, folder, demo, asked, close } = setUpMedia();
  const held = () => join(folder.path(), 'jobs', 'open');

  /** Nothing is written while nobody can say that they are at it. */
  const block = async () => {
    await rm(held(), { recursive: true });
    await writeFile(held(), '');
  };
  const unblock = () => rm(held());
  /** The record cannot be written from the moment on the service has answered. */
  const openBlocked = () => {
    const client = openClient(demo());
    const blockedAfter = async <Answer>(call: Promise<Answer>): Promise<Answer> => {
      const answer = await call;
      await block();
      return answer;
    };
    const { images, videos } = client;
    const service: MediaService = {
      ...client,
      images: { ...images, generate: (request, signal) => blockedAfter(images.generate(request, signal)) },
      videos: { ...videos, submit: (request, signal) => blockedAfter(videos.submit(request, signal)) },
    };
    return open({ connect: () => Promise.resolve(service), newId: () => 'the-order' });
  };

  it("is kept although its record couldn't be written at first, and isn't requested again", async () => {
    for (const [kind, path] of [
      [imageTask('A fjord'), '/v1/images'],
      [videoTask('A river'), '/v1/video/submit'],
    ] as const) {
      const engine = openBlocked();
      const sending = engine.submit(task(kind));
      await until(() => engine.errors.length > 0 || undefined, 'the record could not be written');
      assert.equal(engine.jobs[0]?.stage, 'submitting');
      await unblock();
      const sent = await sending;
      assert.deepEqual([sent.stage, sent.lastError], [kind.kind === 'image' ? 'fetching' : 'running', undefined]);
      const ended = await engine.until(sent.id, ({ stage }) => stage === 'ended', 'the end');
      assert.equal((await filesOf(ended)).length, 1);
      assert.equal(await asked('POST', path), 1);
      await engine.forget(sent.id);
      await close(engine);
    }
  });

  it("is abandoned with its caller only if it wasn't sent yet", async () => {
    for (const waitsMs of [60_000, 0]) {
      const stop = new AbortController();
      const { images, ...client } = openClient(demo());
      const service: MediaService = {
        ...client,
        images: {
          ...images,
          generate: async (request, signal) => {
            request.watch?.onWait?.({ until: Date.now() + waitsMs });
            stop.abort();
            return images.generate(request, signal);
          },
        },
      };
      const engine = open({ connect: () => Promise.resolve(service), now: Date.now });
      const sending = engine.submit(task(imageTask('A fjord')), { signal: stop.signal, goesOnOnceSent: true });
      if (waitsMs > 0) await assert.rejects(sending);
      else await engine.until((await sending).id, ({ stage }) => stage === 'ended', 'the end');
      assert.equal(await asked('POST', '/v1/images'), waitsMs > 0 ? 0 : 1);
      await close(engine);
    }
  });

  it("is never reported as lost while its record can't be written, also when the window closes", async () => {
    const engine = openBlocked();
    const sending = engine.submit(task(imageTask('A fjord')));
    let isOver = false;
    const rejected = assert.rejects(sending.finally(() => (isOver = true)));
    await until(() => engine.errors.length > 0 || undefined, 'the record could not be written');
    assert.equal(isOver, false, 'nobody is told that it failed');
    await close(engine);
    await rejected;
    await unblock();
    assert.equal(
      (JSON.parse(await readFile(join(folder.path(), 'jobs', 'the-order.json'), 'utf8')) as { readonly stage: string })
        .stage,
      'submitting',
    );
  });
});
