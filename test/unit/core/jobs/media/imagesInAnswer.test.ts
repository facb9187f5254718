import assert from 'node:assert/strict';
import { readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTestClient } from '../../../../support/apiClient';
import { type FixtureServer, startFixtureServer } from '../../../../support/fixtureServer';
import { setUpMedia } from '../../../../support/mediaBench';
import { filesIn, filesOf, imageTask } from '../../../../support/mediaEngines';
import { until } from '../../../../support/until';

/** A pixel of one colour each. */
const pictures = [
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
];
const bytesOf = (picture: string) => Buffer.from(picture, 'base64');

describe('images in the response itself', function () {
  this.timeout(60_000);
  const { open, task, folder, close } = setUpMedia();
  let server: FixtureServer;
  beforeEach(async () => void (server = await startFixtureServer()));
  afterEach(() => server.close());

  const openHere = (options: object = {}) => {
    const { client } = createTestClient(server.baseUrl);
    return open({ connect: () => Promise.resolve(client), ...options });
  };
  const answer = (...images: readonly string[]) =>
    server.answer({ body: JSON.stringify({ created: 1, data: images.map((b64_json) => ({ b64_json })) }) });
  const hidden = async (name: string) =>
    (await readdir(folder.in(name)).catch(() => [])).filter((file) => file.startsWith('.'));

  it('are saved byte for byte, each with its recipe, and not in the record', async () => {
    answer(...pictures);
    const engine = openHere();
    const { id } = await engine.submit(task(imageTask('Two pixels', { batch_size: 2 })));
    const ended = await engine.until(id, ({ stage }) => stage === 'ended', 'the end');
    assert.equal(ended.lastError, undefined);
    assert.deepEqual(await filesOf(ended), pictures.map(bytesOf));
    assert.equal((await filesIn(folder.in('made'))).length, 2);
    assert.equal((await readdir(folder.in('made'))).filter((name) => name.endsWith('.recipe.json')).length, 2);
    assert.deepEqual(await hidden('made'), []);
    assert.ok(!(await readFile(join(folder.in('jobs'), `${id}.json`), 'utf8')).includes('iVBOR'));
    assert.equal(server.seen.length, 1, 'nothing is downloaded');
    assert.deepEqual(JSON.parse(server.seen[0]?.body ?? '') as object, {
      model: 'black-forest-labs/FLUX.2-pro',
      prompt: 'Two pixels',
      seed: 9_999_999_999,
      size: '512x512',
      n: 2,
    });
  });

  it('are limited to the first 100, which the job reports when they are saved', async () => {
    const engine = openHere();
    for (const [count, kind] of [
      [103, 'omitted'],
      [100, undefined],
    ] as const) {
      answer(...Array.from({ length: count }, (_, at) => pictures[at % 2]!));
      const { id } = await engine.submit(task(imageTask(`${count} pixels`)));
      const ended = await engine.until(id, ({ stage }) => stage === 'ended', 'the end');
      assert.deepEqual([ended.results?.length, ended.lastError?.kind], [100, kind]);
    }
  });

  it("are saved in the extension's storage if their folder isn't writable, and this is reported", async () => {
    answer(...pictures);
    await writeFile(folder.in('file'), 'no folder');
    const engine = openHere();
    const { id } = await engine.submit(task(imageTask('Elsewhere'), { folder: folder.in('file/below') }));
    const ended = await engine.until(id, ({ stage }) => stage === 'ended', 'the end');
    assert.equal(ended.lastError?.kind, 'savedElsewhere');
    assert.deepEqual(await filesOf(ended), pictures.map(bytesOf));
    assert.equal((await filesIn(folder.in('own'))).length, 2);
  });

  it("aren't saved if they aren't images, which is reported immediately", async () => {
    for (const [text, kind] of [
      ['<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>', 'markup'],
      ['hello', 'notMedia'],
    ] as const) {
      answer(Buffer.from(text).toString('base64'));
      const engine = openHere();
      const { id } = await engine.submit(task(imageTask(`None: ${kind}`)));
      const job = await engine.until(id, ({ lastError }) => lastError?.isFinal === true, 'the trouble');
      assert.equal(job.lastError?.kind, kind);
      assert.deepEqual([await filesIn(folder.in('made')), await hidden('made')], [[], []]);
      assert.equal((await engine.fetchAgain(id)).lastError?.kind, 'expired');
      await close(engine);
    }
  });

  it('are found again if the window closed before they were recorded', async () => {
    answer(...pictures);
    const held = join(folder.path(), 'jobs', 'open');
    const { client } = createTestClient(server.baseUrl);
    const images: typeof client.images = {
      ...client.images,
      async generate(request, signal) {
        const generated = await client.images.generate(request, signal);
        await rm(held, { recursive: true });
        await writeFile(held, '');
        return generated;
      },
    };
    const engine = open({ connect: () => Promise.resolve({ ...client, images }), newId: () => 'the-order' });
    const rejected = assert.rejects(engine.submit(task(imageTask('Two pixels'))));
    await until(() => engine.errors.length > 0 || undefined, 'the record could not be written');
    await close(engine);
    await rejected;
    await rm(held);
    const next = openHere();
    await next.refresh();
    const ended = await next.until('the-order', ({ stage }) => stage === 'ended', 'the end');
    assert.deepEqual([ended.lastError, await filesOf(ended)], [undefined, pictures.map(bytesOf)]);
    assert.equal(server.seen.length, 1);
  });
});
