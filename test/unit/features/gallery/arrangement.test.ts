import assert from 'node:assert/strict';
import { arranged } from '../../../../src/features/gallery/logic/galleryController';
import { toSearchable } from '../../../../src/features/gallery/logic/assetSearch';
import type { GalleryView } from '../../../../src/protocol/gallery';
import { imageAsset, videoAsset } from '../../../support/madeAssets';

const all: GalleryView = { query: '', kind: 'all', sort: 'newest' };
/** Of this machine's time zone, whatever it is. */
const at = (day: number, hour: number) => new Date(2026, 10, day, hour).toISOString();
const assets = [
  imageAsset({ prompt: 'a', createdAt: at(21, 1), model: 'b/model-10' }),
  videoAsset({ prompt: 'b', createdAt: at(20, 23), model: 'b/model-2' }),
  imageAsset({ prompt: 'c', createdAt: at(20, 1), model: 'b/model-10' }),
  imageAsset({ prompt: 'd', createdAt: 'no time', model: 'a/model' }),
].map(toSearchable);

function shown(view: Partial<GalleryView>) {
  const { assets: list, parts } = arranged(
    assets,
    { ...all, ...view },
    { language: 'en', now: new Date(2026, 10, 22, 12).getTime() },
  );
  return {
    prompts: list.map(({ recipe }) => ('prompt' in recipe.request ? recipe.request.prompt : '')).join(''),
    parts: parts.map(({ heading, count }) => `${heading}: ${count}`),
  };
}

describe('The arrangement of the gallery', () => {
  it('is grouped by day, newest first, with unknown dates last', () => {
    const { prompts, parts } = shown({});
    assert.equal(prompts, 'abcd');
    assert.deepEqual(parts, ['Yesterday: 1', 'Friday, November 20, 2026: 2', 'No date: 1']);
  });

  it('can be reversed', () => {
    assert.equal(shown({ sort: 'oldest' }).prompts, 'dcba');
  });

  it('is grouped by model in natural order, newest first in each group', () => {
    const { prompts, parts } = shown({ sort: 'model' });
    assert.equal(prompts, 'dbac');
    assert.deepEqual(parts, ['a/model: 1', 'b/model-2: 1', 'b/model-10: 2']);
  });

  it('is filtered by kind and search', () => {
    assert.equal(shown({ kind: 'video' }).prompts, 'b');
    assert.equal(shown({ kind: 'image', query: 'model-10' }).prompts, 'ac');
    assert.deepEqual(shown({ kind: 'speech' }), { prompts: '', parts: [] });
  });
});
