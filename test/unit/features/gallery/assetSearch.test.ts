import assert from 'node:assert/strict';
import { matches, parseQuery, toSearchable } from '../../../../src/features/gallery/logic/assetSearch';
import { imageAsset, speechAsset, videoAsset } from '../../../support/madeAssets';

const lighthouse = imageAsset({
  prompt: 'A Lighthouse on basalt columns, gouache',
  negative: 'people, text',
  model: 'black-forest-labs/FLUX.1-schnell',
  seed: 4294,
  size: [1024, 768],
});
const clip = videoAsset({ prompt: '灯塔在黄昏', seed: 42 });
const spoken = speechAsset({ input: 'Good morning, harbour.' });
const all = { lighthouse, clip, spoken };

/** Which of them are found. */
function found(query: string): readonly string[] {
  const parsed = parseQuery(query);
  return Object.entries(all)
    .filter(([, asset]) => matches(toSearchable(asset), parsed))
    .map(([name]) => name);
}

describe('The search of the gallery', () => {
  it('finds all files for an empty search', () => {
    for (const query of ['', '  ', 'model:', 'seed: ', '""']) assert.deepEqual(found(query), Object.keys(all), query);
  });

  it('finds all words of the prompt, the negative prompt, the model, the name, and the spoken text', () => {
    assert.deepEqual(found('GOUACHE basalt'), ['lighthouse']);
    assert.deepEqual(found('gouache harbour'), []);
    assert.deepEqual(found('people'), ['lighthouse']);
    assert.deepEqual(found('schnell'), ['lighthouse']);
    assert.deepEqual(found(lighthouse.recipe.file.name), ['lighthouse']);
    assert.deepEqual(found('harbour morning'), ['spoken']);
    assert.deepEqual(found('黄昏'), ['clip']);
  });

  it('finds phrases in quotation marks', () => {
    assert.deepEqual(found('"on basalt"'), ['lighthouse']);
    assert.deepEqual(found('"basalt on"'), []);
    assert.deepEqual(found('"on bas'), ['lighthouse']);
  });

  it('finds by model, seed, size, and kind with prefixes', () => {
    assert.deepEqual(found('model:flux'), ['lighthouse']);
    assert.deepEqual(found('model:lighthouse'), []);
    assert.deepEqual(found('seed:42'), ['clip']);
    assert.deepEqual(found('42'), ['lighthouse', 'clip']);
    assert.deepEqual(found('size:1024x768'), ['lighthouse']);
    assert.deepEqual(found('1024×768'), ['lighthouse']);
    assert.deepEqual(found('size:1024×768'), ['lighthouse']);
    assert.deepEqual(found('size:768'), ['lighthouse']);
    assert.deepEqual(found('kind:video'), ['clip']);
    assert.deepEqual(found('kind:pic gouache'), ['lighthouse']);
    assert.deepEqual(found('kind:audio'), ['spoken']);
    assert.deepEqual(found('kind:other'), []);
  });

  it('treats a similar word as text, not as a prefix', () => {
    assert.deepEqual(parseQuery('style:gouache http://x').words, ['style:gouache', 'http://x']);
  });

  it('finds words in any spelling', () => {
    const accented = toSearchable(imageAsset({ prompt: 'Cafe\u0301 in Ｔｏｋｙｏ' }));
    assert.ok(matches(accented, parseQuery('café tokyo')));
  });
});
