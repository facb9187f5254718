import assert from 'node:assert/strict';
import type { ImageRequest } from '../../../../src/core/api/images/images.schema';
import { readImageRun } from '../../../../src/core/imageRuns/imageRun';
import { readForm, toForm } from '../../../../src/features/images/logic/readForm';
import { settled } from '../../../../src/features/images/logic/settledRun';
import type { MediaJob } from '../../../../src/services/media/media';
import { emptyImageForm } from '../../../../src/protocol/imageForm';
import { imagesCalls, type ImageForm } from '../../../../src/protocol/images';

const read = (part: Partial<ImageForm>) => readForm({ ...emptyImageForm, model: 'a/model', prompt: 'p', ...part });
const kinds = (part: Partial<ImageForm>) => read(part).issues.map(({ field, kind }) => `${field} ${kind}`);

describe('the image form', () => {
  it('sends only set values', () => {
    assert.deepEqual(read({}).request, { model: 'a/model', prompt: 'p' });
  });
  it('is restored from a request, and returns the same request', () => {
    const request: ImageRequest = {
      model: 'a/model',
      prompt: 'p',
      image_size: '640x960',
      seed: 9_999_999_999,
      output_format: 'jpeg',
      negative_prompt: 'n',
      batch_size: 2,
      num_inference_steps: 20,
      guidance_scale: 7.5,
      cfg: 4,
      image: 'input:abc.png',
      input_image: 'https://example.com/a.png',
      aspect_ratio: '16:9',
      prompt_upsampling: false,
      safety_tolerance: 2,
    };
    assert.deepEqual(readForm(toForm(request)).request, request);
    assert.deepEqual(toForm({ model: 'm', prompt: 'p', seed: null }).seed, '');
  });
  it('uses only the recipe values that its fields support, so the page can send them', () => {
    const hostile = {
      model: 'm',
      prompt: 'p',
      negative_prompt: 'n',
      aspect_ratio: 'x'.repeat(101),
      prompt_upsampling: null,
      sizes: 'x',
      seeds: 'all',
      isSeveral: 'x',
      seedCount: '9',
      later: { a: 1 },
    } as ImageRequest;
    const form = toForm(hostile);
    assert.deepEqual(form, { ...emptyImageForm, model: 'm', prompt: 'p', negative_prompt: 'n' });
    assert.equal(imagesCalls['images/form'].safeParse({ form }).success, true);
  });
  it('explains invalid numbers, sizes, and out-of-range values, and sends none of them', () => {
    assert.deepEqual(kinds({ seed: 'x' }), ['seed notNumber']);
    assert.deepEqual(kinds({ seed: '10000000000' }), ['seed bound']);
    assert.deepEqual(kinds({ seed: '1.5' }), ['seed bound']);
    assert.deepEqual(kinds({ seed: '-1' }), ['seed bound']);
    assert.deepEqual(kinds({ image_size: 'large' }), ['image_size notSize']);
    assert.deepEqual(kinds({ batch_size: '0' }), ['batch_size bound']);
    assert.deepEqual(kinds({ isSeveral: true, seeds: 'random', seedCount: '0' }), ['seedCount seedCount']);
    assert.deepEqual(kinds({ isSeveral: true, seeds: 'random', seedCount: '101' }), ['seedCount seedCount']);
    assert.deepEqual(kinds({ model: 'Qwen/Qwen-Image-Edit-2509' }), ['image needsImage']);
  });
  it('omits parameters that the model is known not to support, in any state', () => {
    const { request, issues } = read({ model: 'black-forest-labs/FLUX.2-pro', cfg: 'x', image: 'input:a.png' });
    assert.deepEqual(request, { model: 'black-forest-labs/FLUX.2-pro', prompt: 'p' });
    assert.deepEqual(issues, []);
  });
  it('warns of sizes that the model might not support, also of selected ones', () => {
    const warned = (part: Partial<ImageForm>) => read(part).warnings.map(({ field }) => field);
    assert.deepEqual(warned({ model: 'Qwen/Qwen-Image', image_size: '1328x1328' }), []);
    assert.deepEqual(warned({ model: 'Qwen/Qwen-Image', image_size: '512x512' }), ['image_size']);
    const known = { model: 'black-forest-labs/FLUX.2-pro' };
    assert.deepEqual(warned({ ...known, isSeveral: true, sizes: ['512x512', '640x640'] }), ['image_size']);
    assert.deepEqual(warned({ model: 'Kwai-Kolors/Kolors', batch_size: '5' }), ['batch_size']);
  });
  it('accepts any size and count for an unknown model', () => {
    for (const part of [{ image_size: '640x640' }, { isSeveral: true, sizes: ['640x640'] }, { batch_size: '5' }]) {
      const { issues, warnings } = read(part);
      assert.deepEqual([issues, warnings], [[], []]);
    }
    assert.equal(read({ image_size: '640 × 640' }).request.image_size, '640x640');
  });
  it('varies only if several are requested', () => {
    const part = { eachLine: true, seeds: 'sequence', seed: '5', sizes: ['512x512'] } as const;
    assert.deepEqual(read(part).sweep.seeds, { kind: 'one' });
    assert.deepEqual(read({ ...part, isSeveral: true }).sweep, {
      prompts: { lines: true, alternatives: false },
      sizes: ['512x512'],
      seeds: { kind: 'sequence', from: 5, count: 4 },
    });
  });
});

describe('an image run of a closed window', () => {
  const request = { model: 'm', prompt: 'p' };
  const job = (id: string, stage: MediaJob['stage'], asked: ImageRequest = request): MediaJob => ({
    id,
    profileId: 'p',
    baseUrl: 'b',
    createdAt: 0,
    stage,
    task: { kind: 'image', request: asked },
    group: 'run',
    folder: '/f',
  });
  const run = readImageRun({
    version: 1,
    id: 'run',
    createdAt: 0,
    profileId: 'p',
    items: [
      { request, state: 'ordered', jobId: 'a' },
      { request, state: 'sending' },
      { request: { prompt: 'p', model: 'm', seed: 2 }, state: 'sending' },
      { request, state: 'waiting' },
    ],
  })!;

  it('finds requests in progress by their jobs, and sends nothing of the rest', () => {
    const now = settled(run, [job('a', 'ended'), job('b', 'fetching'), job('c', 'unknown', { ...request, seed: 2 })]);
    assert.deepEqual(
      now.items.map(({ state, jobId }) => [state, jobId]),
      [
        ['ordered', 'a'],
        ['ordered', 'b'],
        ['ordered', 'c'],
        ['notSent', undefined],
      ],
    );
    assert.equal(now.halt?.reason, 'closed');
  });
  it('also finds by their jobs requests sent after the last save', () => {
    const now = settled(run, [job('a', 'ended'), job('b', 'fetching'), job('d', 'fetching')]);
    assert.deepEqual(
      now.items.map(({ state, jobId }) => [state, jobId]),
      [
        ['ordered', 'a'],
        ['ordered', 'b'],
        ['notSent', undefined],
        ['ordered', 'd'],
      ],
    );
  });
  it('treats requests without a job as unsent', () => {
    const now = settled(run, [job('a', 'ended'), job('b', 'refused')]);
    assert.deepEqual(
      now.items.map(({ state }) => state),
      ['ordered', 'notSent', 'notSent', 'notSent'],
    );
  });
});
