import assert from 'node:assert/strict';
import { idOf } from '../../../../src/features/gallery/logic/galleryController';
import type { GalleryView } from '../../../../src/protocol/gallery';
import { galleryControllerOf } from '../../../support/galleryHost';
import type { GalleryContents } from '../../../support/galleryHost';
import { imageAsset, speechAsset, videoAsset } from '../../../support/madeAssets';

const all: GalleryView = { query: '', kind: 'all', sort: 'newest' };
const idle = new AbortController().signal;

const image = imageAsset({
  prompt: 'A lighthouse',
  negative: 'people',
  seed: 4294,
  extra: { num_inference_steps: 20 },
});
const sent = videoAsset({ prompt: 'Waves', extra: { image: 'input:aa.png' } });
const spoken = speechAsset({ input: 'Good morning.' });

function rig(shelf: Partial<GalleryContents> = {}) {
  const whole: GalleryContents = { assets: [image, sent, spoken], ...shelf };
  const controller = galleryControllerOf(whole);
  const arrange = (view: Partial<GalleryView> = {}, again = true, find: readonly string[] = []) =>
    controller.arrange({ view: { ...all, ...view }, again, find }, idle);
  return { controller, shelf: whole, arrange };
}

describe('The host of the gallery', () => {
  it('returns the number of files, and the positions of requested ones', async () => {
    const { arrange } = rig();
    const { total, count, countText, places } = await arrange({}, true, [idOf(sent), 'f'.repeat(24)]);
    assert.deepEqual(
      { total, count, countText, places },
      { total: 3, count: 3, countText: '3 files', places: { [idOf(sent)]: 1 } },
    );
    const found = await arrange({ query: 'lighthouse' }, false, [idOf(sent)]);
    assert.deepEqual([found.total, found.count, found.countText, found.places], [3, 1, '1 of 3', {}]);
  });

  it('returns tiles by range of the layout, without paths except for the file URLs', async () => {
    const { controller, arrange } = rig({ toSrc: (path) => `webview:${path.length}` });
    await arrange({ kind: 'image' });
    const tiles = controller.tiles(0, 50);
    assert.equal(tiles.length, 1);
    assert.deepEqual(controller.tiles(1, 50), []);
    assert.equal(JSON.stringify(tiles).includes('/made/'), false);
    assert.deepEqual([tiles[0]?.label, tiles[0]?.about], ['Image: A lighthouse', 'seed 4294 · 512 × 512']);
  });

  it('returns the complete recipe', async () => {
    const { controller, arrange } = rig();
    await arrange();
    const { texts, facts, parameters, actions, isGone } = await controller.details(idOf(image));
    assert.deepEqual(texts, [
      { label: 'Prompt', text: 'A lighthouse' },
      { label: 'Negative prompt', text: 'people' },
    ]);
    assert.deepEqual(parameters, [{ name: 'num_inference_steps', value: '20' }]);
    const fact = (name: string) => facts.find((one) => one.name === name);
    assert.equal(fact('Seed')?.value, '4294');
    assert.equal(fact('Processing time')?.value, '1.3 sec');
    assert.equal(fact('Service')?.value, 'api.example.com');
    assert.deepEqual(fact('Trace ID'), { name: 'Trace ID', value: 'ti_4f1c0d9b7a', copy: 'ti_4f1c0d9b7a' });
    assert.ok(actions.includes('regenerate') && !isGone);
    const speech = await controller.details(idOf(spoken));
    assert.deepEqual(speech.texts, [{ label: 'Spoken text', text: 'Good morning.' }]);
    assert.equal(speech.actions.includes('vary'), false);
  });

  it('returns which input images are stored', async () => {
    const saved = { ref: 'input:aa.png', path: '/inputs/aa.png', contentType: 'image/png', bytes: 1 };
    for (const [inputs, expected] of [
      [{ 'input:aa.png': saved }, [{ name: 'Input image', src: '/inputs/aa.png' }]],
      [{}, [{ name: 'Input image' }]],
    ] as const) {
      const { controller, arrange } = rig({ inputs });
      await arrange();
      const { inputs: shown, parameters } = await controller.details(idOf(sent));
      assert.deepEqual(shown, expected);
      assert.deepEqual(parameters, []);
    }
  });

  it('reports a missing file, and an unknown one', async () => {
    const { controller, arrange, shelf } = rig({ gone: new Set([image.path]) });
    await arrange();
    assert.equal((await controller.details(idOf(image))).isGone, true);
    shelf.assets = [sent];
    await arrange({}, false);
    assert.equal(controller.tiles(0, 9).length, 3);
    await arrange();
    assert.equal(controller.tiles(0, 9).length, 1);
    await assert.rejects(controller.details(idOf(image)), /no longer available/);
    assert.throws(() => controller.pathOf('f'.repeat(24)), /no longer available/);
  });

  it('returns no layout for a page that has requested another one since', async () => {
    const { controller, arrange } = rig();
    await arrange();
    const ended = new AbortController();
    const asking = controller.arrange({ view: { ...all, kind: 'speech' }, again: true, find: [] }, ended.signal);
    ended.abort();
    await assert.rejects(asking, { name: 'AbortError' });
    assert.equal(controller.tiles(0, 9).length, 3);
  });
});
