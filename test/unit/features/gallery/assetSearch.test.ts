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
  it('finds all where nothing is looked for', () => {
    for (const query of ['', '  ', 'model:', 'seed: ', '""']) assert.deepEqual(found(query), Object.keys(all), query);
  });

  it('finds words of the prompt, the negative prompt, the model, the name and what is spoken, all of them', () => {
    assert.deepEqual(found('GOUACHE basalt'), ['lighthouse']);
    assert.deepEqual(found('gouache harbour'), []);
    assert.deepEqual(found('people'), ['lighthouse']);
    assert.deepEqual(found('schnell'), ['lighthouse']);
    assert.deepEqual(found(lighthouse.recipe.file.name), ['lighthouse']);
    assert.deepEqual(found('harbour morning'), ['spoken']);
    assert.deepEqual(found('黄昏'), ['clip']);
  });

  it('finds words that stand together, between quotation marks', () => {
    assert.deepEqual(found('"on basalt"'), ['lighthouse']);
    assert.deepEqual(found('"basalt on"'), []);
    assert.deepEqual(found('"on bas'), ['lighthouse']);
  });

  it('finds by model, seed, size and kind where those are named', () => {
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

  it('takes what only looks like a prefix as a word', () => {
    assert.deepEqual(parseQuery('style:gouache http://x').words, ['style:gouache', 'http://x']);
  });

  it('finds words however they are written', () => {
    const accented = toSearchable(imageAsset({ prompt: 'Cafe\u0301 in Ｔｏｋｙｏ' }));
    assert.ok(matches(accented, parseQuery('café tokyo')));
  });
});
