import assert from 'node:assert/strict';
import { imageModelFacts, readSize } from '../../../../src/core/imageRuns/imageModels';
import { countPrompts, expandPrompts, variedParts } from '../../../../src/core/imageRuns/promptVariants';
import { refusedImageParameter } from '../../../../src/core/imageRuns/refusedImageParameter';
import { countRequests, expandSweep, maxSeed, noSweep } from '../../../../src/core/imageRuns/sweep';

const both = { lines: true, alternatives: true };
const base = { model: 'm', prompt: 'a door' };
const options = { random: () => 0.5, most: 1000 };

describe('prompts with alternatives', () => {
  it('expand to one per line and per choice in braces, with the last group changing first', () => {
    const text = 'a {red|green} {door|gate}\n\n  a lake  ';
    assert.equal(countPrompts(text, both), 5);
    assert.deepEqual(expandPrompts(text, both, 100), [
      'a red door',
      'a red gate',
      'a green door',
      'a green gate',
      'a lake',
    ]);
  });
  it('are unchanged without alternatives', () => {
    assert.deepEqual(expandPrompts('a {b|c}\nd', { lines: false, alternatives: false }, 9), ['a {b|c}\nd']);
  });
  it('keep braces without a choice, and leave no gap for an empty choice', () => {
    assert.deepEqual(expandPrompts('{x} a {small|} door', both, 9), ['{x} a small door', '{x} a door']);
  });
  it('are counted without being created', () => {
    const text = '{a|b|c|d|e|f|g|h|i|j}'.repeat(12);
    assert.equal(countPrompts(text, both), 10 ** 12);
    assert.equal(expandPrompts(text, both, 3).length, 3);
  });
});

describe('a series of variations', () => {
  it('is the product of prompts, sizes, and seeds, with the same seeds for each', () => {
    const sweep = {
      prompts: both,
      sizes: ['512x512', '768x1024'],
      seeds: { kind: 'sequence', from: 7, count: 2 },
    } as const;
    const request = { ...base, prompt: 'a\nb', cfg: 4 };
    assert.equal(countRequests(request, sweep), 8);
    const made = expandSweep(request, sweep, options);
    assert.deepEqual(
      made.map(({ prompt, image_size, seed }) => `${prompt} ${image_size} ${seed}`),
      [
        'a 512x512 7',
        'a 512x512 8',
        'a 768x1024 7',
        'a 768x1024 8',
        'b 512x512 7',
        'b 512x512 8',
        'b 768x1024 7',
        'b 768x1024 8',
      ],
    );
    assert.ok(made.every(({ cfg, model }) => cfg === 4 && model === 'm'));
  });
  it("doesn't change a request without variations", () => {
    assert.deepEqual(expandSweep({ ...base, seed: 5 }, noSweep, options), [{ ...base, seed: 5 }]);
    assert.deepEqual(expandSweep(base, noSweep, options), [base]);
  });
  it('wraps around at the largest seed, which exceeds 32 bits', () => {
    const sweep = { ...noSweep, seeds: { kind: 'sequence', from: maxSeed, count: 2 } } as const;
    assert.deepEqual(
      expandSweep(base, sweep, options).map(({ seed }) => seed),
      [9_999_999_999, 0],
    );
  });
  it('generates whole seeds within the limit', () => {
    const sweep = { ...noSweep, seeds: { kind: 'random', count: 1 } } as const;
    assert.deepEqual(
      [0, 0.5, 1 - Number.EPSILON].map((at) => expandSweep(base, sweep, { ...options, random: () => at })[0]?.seed),
      [0, 5_000_000_000, maxSeed],
    );
  });
});

describe('image model details', () => {
  it('include the sizes of each family, and the five of the API for others', () => {
    assert.deepEqual(imageModelFacts('Qwen/Qwen-Image').sizes[0], '1328x1328');
    assert.deepEqual(imageModelFacts('Kwai-Kolors/Kolors').sizes[0], '1024x1024');
    for (const model of ['black-forest-labs/FLUX.2-pro', 'Pro/black-forest-labs/FLUX.2-flex', 'some/model'])
      assert.equal(imageModelFacts(model).sizes.length, 5);
    assert.deepEqual(imageModelFacts('black-forest-labs/FLUX.1-Kontext-pro').sizes, []);
    assert.ok(imageModelFacts('black-forest-labs/FLUX.1-Kontext-pro').ratios.includes('21:9'));
  });
  it('include required images and unsupported parameters', () => {
    assert.equal(imageModelFacts('Qwen/Qwen-Image-Edit-2509').needsImage, true);
    assert.ok(!imageModelFacts('Qwen/Qwen-Image-Edit-2509').notTaken.includes('image3'));
    assert.ok(imageModelFacts('Qwen/Qwen-Image-Edit').notTaken.includes('image3'));
    assert.ok(imageModelFacts('black-forest-labs/FLUX.2-pro').notTaken.includes('cfg'));
    assert.deepEqual(imageModelFacts('some/model').notTaken, []);
  });
  it('parse sizes as people type them, and reject other text', () => {
    for (const size of ['640x960', ' 640 X 960 ', '640×960', '640*960'])
      assert.deepEqual(readSize(size), { width: 640, height: 960 });
    for (const size of ['', '640', '640x', '0x5', '-1x5', '1.5x2', '640x960x3', '999999x2', 'large'])
      assert.equal(readSize(size), undefined);
  });
});

describe('the parameter in a rejection', () => {
  const sent = { ...base, image_size: '1x1', image: 'data:', seed: 1, safety_tolerance: 3, negative_prompt: 'x' };
  const of = (message: string, parameter?: string) => refusedImageParameter({ message, parameter }, sent);
  it('is found by its name, or else in the message', () => {
    assert.equal(of('no', 'safety_tolerance'), 'safety_tolerance');
    assert.equal(of('Value error, unknown parameter `safety_tolerance`.'), 'safety_tolerance');
    assert.equal(of('current model does not support parameter `image`.'), 'image');
    assert.equal(of('image_size: Input should be one of 512x512'), 'image_size');
    assert.equal(of('Negative prompt is not supported.'), 'negative_prompt');
  });
  it('is mapped from the OpenAI name to ours', () => {
    const several = { ...sent, batch_size: 3 };
    const named = (message: string, parameter?: string) => refusedImageParameter({ message, parameter }, several);
    assert.equal(named('Invalid value.', 'size'), 'image_size');
    assert.equal(named('Invalid value.', 'n'), 'batch_size');
    assert.equal(named("Invalid size '1x1'. Supported sizes are 1024x1024 and auto. Parameter: 'size'"), 'image_size');
    assert.equal(named("You must provide 'n'=1 for this model."), 'batch_size');
    assert.equal(named('The size of the request is too large, in the end.'), undefined);
  });
  it("is absent for everyday words, or if it wasn't sent", () => {
    assert.equal(of('The image could not be made.'), undefined);
    assert.equal(of('cfg: too large'), undefined);
    assert.equal(of('The prompt was rejected.'), undefined);
  });
});

describe('the differences among prompts', () => {
  const parts = (...prompts: string[]) => prompts.map((prompt) => variedParts(prompts).get(prompt));
  it('exclude the common beginning and end, in whole words', () => {
    assert.deepEqual(parts('a red door', 'a green door'), ['red', 'green']);
    assert.deepEqual(parts('a red door', 'a red-brown door'), ['', '-brown']);
    assert.deepEqual(parts('A fox', 'Two owls at night'), ['A fox', 'Two owls at night']);
    assert.deepEqual(
      parts('一只红色的猫', '一只蓝色的猫').map((part) => part?.includes('猫')),
      [false, false],
    );
    assert.deepEqual(parts('the same', 'the same'), [undefined, undefined]);
  });
});
