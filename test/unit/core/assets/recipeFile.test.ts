import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import fc from 'fast-check';
import type { Recipe } from '../../../../src/core/assets/recipe';
import { parseRecipe, recipeText } from '../../../../src/core/assets/recipeFile';
import { storeAsset } from '../../../../src/core/assets/storeAsset';
import { anyText } from '../../../support/anyText';
import { setUpFolder } from '../../../support/temporaryFolder';

const seed = fc.integer({ min: 0, max: 9_999_999_999 });
const text = anyText({ maxLength: 200 });
const picture = fc.oneof(
  fc.constant(`input:${'0f'.repeat(32)}.png`),
  fc.constant('data:image/png;base64,iVBORw0KGgo='),
  fc.webUrl(),
);
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null });
const imageRequest = fc.record(
  {
    model: text,
    prompt: text,
    image_size: maybe(text),
    seed: maybe(seed),
    output_format: maybe(fc.constantFrom('png', 'jpeg')),
    negative_prompt: maybe(text),
    batch_size: maybe(fc.integer({ min: 1, max: 4 })),
    guidance_scale: maybe(fc.double({ noNaN: true, noDefaultInfinity: true })),
    image: maybe(picture),
    image2: maybe(picture),
    image3: maybe(picture),
    input_image: maybe(picture),
    prompt_upsampling: maybe(fc.boolean()),
  },
  { requiredKeys: ['model', 'prompt'] },
);
const videoRequest = fc.record(
  {
    model: text,
    prompt: text,
    image_size: text,
    negative_prompt: maybe(text),
    seed: maybe(seed),
    image: maybe(picture),
  },
  { requiredKeys: ['model', 'prompt', 'image_size'] },
);
const made = fc.oneof(
  fc.record({ kind: fc.constant('image' as const), request: imageRequest }),
  fc.record({ kind: fc.constant('video' as const), request: videoRequest }),
);
const about = {
  version: 1 as const,
  createdAt: '2026-11-21T12:00:00.000Z',
  service: 'https://api.example/v1',
  index: 3,
  file: {
    name: 'x-abababababab.png',
    sha256: 'ab'.repeat(32),
    bytes: 7,
    contentType: 'image/png',
    width: 1,
    height: 2,
  },
};
const example: Recipe = { ...about, kind: 'image', request: { model: 'm', prompt: 'p' }, seed: 9_999_999_999 };

describe('a recipe on disk', () => {
  it('returns the same request for any input', () => {
    fc.assert(
      fc.property(made, seed, (task, used) => {
        const recipe = { ...about, ...task, seed: used } as Recipe;
        // As JSON has it: without the sign of a zero.
        assert.deepEqual(parseRecipe(recipeText(recipe)), JSON.parse(JSON.stringify(recipe)));
      }),
    );
  });

  it('keeps properties of a later version, and is unchanged if its version is later', () => {
    const later = { ...example, mood: 'calm', request: { ...example.request, sparkle: 3 } };
    assert.deepEqual(parseRecipe(JSON.stringify(later)), later);
    assert.equal(parseRecipe(JSON.stringify({ ...example, version: 2 })), undefined);
  });

  it('includes only the complete records of earlier versions', () => {
    const { request: _request, ...hollow } = example;
    const nested = { ...example, earlier: [example] };
    const read = parseRecipe(JSON.stringify({ ...example, earlier: [hollow, { createdAt: '' }, 7, null, nested] }));
    assert.deepEqual(read, { ...example, earlier: [example] });
    assert.deepEqual(parseRecipe(JSON.stringify({ ...example, earlier: [hollow] })), example);
    assert.deepEqual(parseRecipe(JSON.stringify({ ...example, earlier: 'x' })), example);
  });

  it('is ignored if it is truncated anywhere or contains something else', () => {
    const whole = recipeText(example).trimEnd();
    for (let end = 0; end < whole.length; end++) assert.equal(parseRecipe(whole.slice(0, end)), undefined);
    for (const other of ['null', '[]', '{}', '7', readFileSync('package.json', 'utf8')]) {
      assert.equal(parseRecipe(other), undefined);
    }
  });
});

describe('a generated file', () => {
  const folder = setUpFolder();

  it('is stored once for all requests it was the result of, and its recipe lists each of them once', async () => {
    const store = async (prompt: string) => {
      await writeFile(folder.in('temporary'), 'picture');
      const { createdAt, service, index } = about;
      return storeAsset(folder.in('temporary'), {
        folder: folder.path(),
        isPrivate: true,
        made: { createdAt, service, index, kind: 'image', request: { model: 'm', prompt } },
        facts: { contentType: 'image/png', ending: 'png', bytes: 7 },
        lock: (_name, work) => work(),
      });
    };
    const { path } = await store('a cat');
    for (const prompt of ['the dog', 'the dog']) {
      const stored = await store(prompt);
      assert.equal(stored.path, path);
      const requests = [stored.recipe, ...(stored.recipe.earlier ?? [])].map(({ request }) => request);
      assert.deepEqual(
        requests,
        ['the dog', 'a cat'].map((one) => ({ model: 'm', prompt: one })),
      );
    }
    assert.equal((await readdir(folder.path())).length, 2);
  });
});
