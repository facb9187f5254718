import assert from 'node:assert/strict';
import { mkdir, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ApiError } from '../../../../../src/core/api/errors';
import type { MediaJob } from '../../../../../src/core/jobs/media/mediaJob';
import type { MediaService } from '../../../../../src/core/jobs/media/mediaService';
import { fastTime, openClient } from '../../../../support/batchEngines';
import { filesIn, filesOf, imageTask, videoTask } from '../../../../support/mediaEngines';
import { setUpMedia } from '../../../../support/mediaBench';

const isEnded = ({ stage }: MediaJob) => stage === 'ended';
const isFinal = ({ lastError }: MediaJob) => lastError?.isFinal === true;

describe('an invalid result', function () {
  this.timeout(60_000);
  const { open, close, task, folder, demo, arm, calm, asked } = setUpMedia();
  const made = () => filesIn(folder.in('made'));

  it('is detected, never saved, and downloaded again without another charge', async () => {
    const engine = open(fastTime(100));
    for (const [fault, kind] of [
      ['html-200', 'markup'],
      ['svg-script', 'markup'],
      ['empty-body', 'empty'],
      ['plain-text-200', 'notMedia'],
      ['huge-declared', 'tooLarge'],
      ['huge-undeclared', 'tooLarge'],
      ['moved-inside', 'fetch'],
    ] as const) {
      await calm();
      const before = await made();
      await arm(fault, 'GET asset', 3);
      const { id } = await engine.submit(task(imageTask(`Instead of it: ${fault}`)));
      const job = await engine.until(id, isFinal, `the trouble after ${fault}`);
      assert.deepEqual([job.stage, job.lastError?.kind], ['fetching', kind], fault);
      assert.deepEqual(await made(), before, `nothing is left after ${fault}`);
      await calm();
      const ended = await engine.fetchAgain(id);
      assert.deepEqual([ended.stage, ended.lastError, (await filesOf(ended)).length], ['ended', undefined, 1], fault);
      assert.equal(await asked('POST', '/v1/images'), 0);
    }
  });

  it('of 100 MB is downloaded on request, and only up to the limit before', async () => {
    const engine = open();
    // More often than it is asked for: a download that a busy machine cuts off is tried again.
    await arm('huge-undeclared', 'GET asset', 20);
    const { id } = await engine.submit(task(imageTask('A large one')));
    const job = await engine.until(id, isFinal, 'the trouble');
    assert.match(job.lastError?.message ?? '', /64 MB|67108864/);
    const ended = await engine.fetchAgain(id, { evenIfLarge: true });
    assert.equal(ended.stage, 'ended');
    assert.equal((await stat(ended.results?.[0]?.path ?? '')).size, 104_857_600);
    await calm();
  });

  it('is too large by error kind, whatever the message says', async () => {
    const client = openClient(demo());
    for (const [kind, message, expected] of [
      ['unsafeUrl', 'The address is larger than it may be.', 'fetch'],
      ['tooLarge', '文件过大', 'tooLarge'],
    ] as const) {
      const service: MediaService = {
        ...client,
        download: () => Promise.reject(new ApiError({ kind, message, sent: true })),
      };
      const engine = open({ connect: () => Promise.resolve(service) });
      const { id } = await engine.submit(task(imageTask(`Refused as ${kind}`)));
      assert.equal((await engine.until(id, isFinal, 'the trouble')).lastError?.kind, expected);
      await close(engine);
    }
    await client.close();
  });

  it('is detected by content, whatever its content type', async () => {
    const engine = open();
    await arm('wrong-content-type', 'GET asset');
    const { id } = await engine.submit(task(imageTask('Labelled as a page', { output_format: 'jpeg' })));
    const ended = await engine.until(id, isEnded, 'the end');
    assert.match(ended.results?.[0]?.path ?? '', /\.jpg$/);
  });

  it('that was truncated, or rejected by a gateway, is downloaded again automatically and saved completely', async () => {
    const engine = open(fastTime(100));
    for (const fault of ['cut-body', 'html-502', 'reset-after-headers']) {
      await arm(fault, 'GET asset', 2);
      const { id } = await engine.submit(task(imageTask(`Cut by ${fault}`)));
      const ended = await engine.until(id, isEnded, `the end after ${fault}`);
      assert.deepEqual([ended.lastError, (await filesOf(ended)).length], [undefined, 1], fault);
    }
    assert.equal((await made()).length, 3);
    assert.deepEqual(
      (await readdir(folder.in('made'))).filter((name) => name.startsWith('.')),
      [],
    );
  });

  it("doesn't affect the other results of its request", async () => {
    const engine = open();
    await arm('svg-script', 'GET asset', 3);
    const request = { model: 'Qwen/Qwen-Image', prompt: 'Four of them', batch_size: 4, image_size: '512x512' };
    const { id } = await engine.submit(task({ kind: 'image', request }));
    const ended = await engine.until(id, isEnded, 'the end');
    assert.deepEqual([ended.lastError, (await filesOf(ended)).length], [undefined, 4]);
    // Three of the four came in the first place, and were not fetched again.
    assert.equal(await asked('GET', '/assets'), 4 + 3);
  });

  it("is saved in the extension's storage if its folder isn't writable, and reports that", async () => {
    await writeFile(folder.in('file'), 'no folder');
    const engine = open();
    const { id } = await engine.submit(task(imageTask('Elsewhere'), { folder: folder.in('file/below') }));
    const ended = await engine.until(id, isEnded, 'the end');
    assert.deepEqual([ended.lastError?.kind, (await filesIn(folder.in('own'))).length], ['savedElsewhere', 1]);
  });

  it('is saved there too if a link replaced its folder after submission, and nothing passes through the link', async () => {
    await mkdir(folder.in('outside'));
    await mkdir(folder.in('work/made'), { recursive: true });
    const sent = open({ setTimer: () => () => undefined });
    const { id } = await sent.submit(task(videoTask('Elsewhere by now'), { folder: folder.in('work/made/here') }));
    await close(sent);
    await rm(folder.in('work/made'), { recursive: true });
    await symlink(folder.in('outside'), folder.in('work/made'));
    const engine = open();
    await engine.refresh();
    const ended = await engine.until(id, isEnded, 'the end');
    assert.deepEqual([ended.lastError?.kind, ended.lastError?.causeCode], ['savedElsewhere', 'ELOOP']);
    assert.deepEqual([(await filesIn(folder.in('own'))).length, await readdir(folder.in('outside'))], [1, []]);
  });

  it('follows a link that existed at submission', async () => {
    await mkdir(folder.in('disk'));
    await symlink(folder.in('disk'), folder.in('linked'));
    const engine = open();
    const { id } = await engine.submit(task(imageTask('Behind a link'), { folder: folder.in('linked/made') }));
    const ended = await engine.until(id, isEnded, 'the end');
    assert.deepEqual([ended.lastError, (await filesIn(folder.in('disk/made'))).length], [undefined, 1]);
  });

  it('waits for space on a full disk, and is saved when there is some', async () => {
    const client = openClient(demo());
    let isFull = true;
    const service: MediaService = {
      ...client,
      download: async (request, signal) => {
        if (!isFull) return client.download(request, signal);
        await mkdir(join(request.toPath, '..'), { recursive: true });
        throw new ApiError({ kind: 'file', message: 'It could not be written (ENOSPC).' });
      },
    };
    const engine = open({ connect: () => Promise.resolve(service) });
    const { id } = await engine.submit(task(imageTask('No room')));
    const waiting = await engine.until(id, ({ lastError }) => lastError?.kind === 'disk', 'the trouble');
    assert.deepEqual([waiting.stage, waiting.lastError?.isFinal], ['fetching', undefined]);
    isFull = false;
    const ended = await engine.until(id, isEnded, 'the end');
    assert.deepEqual([ended.lastError, (await filesOf(ended)).length], [undefined, 1]);
    await client.close();
  });
});
