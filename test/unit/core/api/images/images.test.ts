import assert from 'node:assert/strict';
import type { ImageRequest } from '../../../../../src/core/api/images/images.schema';
import { createTestClient, failureOf } from '../../../../support/apiClient';
import { type FixtureServer, jsonAnswer, startFixtureServer } from '../../../../support/fixtureServer';

describe('images', () => {
  let server: FixtureServer;
  beforeEach(async () => void (server = await startFixtureServer()));
  afterEach(() => server.close());
  const images = () => createTestClient(server.baseUrl).client.images;

  it('sends what is set, also what only some models take, and reads all images', async () => {
    server.answer(jsonAnswer('images/answer.json'));
    const request: ImageRequest = {
      model: 'Kwai-Kolors/Kolors',
      prompt: 'a cat',
      image_size: '1024x1024',
      seed: 9999999999,
      output_format: 'jpeg',
      negative_prompt: 'dogs',
      batch_size: 2,
      num_inference_steps: 20,
      guidance_scale: 7.5,
      cfg: 4,
      image: 'data:image/png;base64,AAAA',
      image2: 'https://x/2.png',
      image3: 'https://x/3.png',
      input_image: 'https://x/4.png',
      aspect_ratio: '16:9',
      prompt_upsampling: false,
      safety_tolerance: 2,
    };
    const generated = await images().generate(request);
    assert.equal(`${server.seen[0]?.method} ${server.seen[0]?.path}`, 'POST /v1/images/generations');
    assert.equal(server.seen[0]?.body, JSON.stringify(request));
    assert.deepEqual(generated, {
      images: [{ url: 'https://storage.example/1.png?sig=1' }, { url: 'https://storage.example/2.png?sig=2' }],
      seed: 9999999999,
      inferenceSeconds: 1.75,
    });
  });

  it('reads a refusal that comes with status 200', async () => {
    server.answer(jsonAnswer('images/refused.json'));
    const error = await failureOf(images().generate({ model: 'm', prompt: 'p' }));
    assert.equal(error.kind, 'badRequest');
    assert.equal(error.message, 'Value error, the prompt was refused');
    assert.equal(error.details.code, 20015);
  });
});
