import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isApiError } from '../../../../../src/core/api/errors';
import { createUndiciStack } from '../../../../../src/core/api/transport/undiciTransport';
import { publicHosts } from '../../../../../src/core/profiles/publicHosts';
import type { GeneratedImages, ImageRequest } from '../../../../../src/core/api/images/images.schema';
import { createTestClient, failureOf } from '../../../../support/apiClient';
import { type FixtureServer, jsonAnswer, startFixtureServer } from '../../../../support/fixtureServer';

describe('images', () => {
  let server: FixtureServer;
  beforeEach(async () => void (server = await startFixtureServer()));
  afterEach(() => server.close());
  const images = () => createTestClient(server.baseUrl).client.images;
  /** The client of a service elsewhere, whose requests come here. */
  const imagesOf = (baseUrl: string) => {
    const stack = createUndiciStack();
    const send: typeof stack.send = (request) =>
      stack.send({ ...request, url: new URL(request.url.pathname, server.baseUrl) });
    return createTestClient(baseUrl, { stack: { ...stack, send } }).client.images;
  };
  const generated = async (body: unknown) => {
    server.answer({ body: JSON.stringify(body) });
    const { images: list, ...rest } = await images().generate({ model: 'm', prompt: 'p' });
    return { ...rest, images: list.map((image) => ('bytes' in image ? `bytes ${String(image.bytes)}` : image.url)) };
  };

  it('sends set parameters, including those of only some models, and reads all images', async () => {
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
    const answer = await imagesOf(publicHosts.international).generate(request);
    assert.equal(`${server.seen[0]?.method} ${server.seen[0]?.path}`, 'POST /v1/images/generations');
    assert.equal(server.seen[0]?.body, JSON.stringify(request));
    assert.deepEqual(answer, {
      images: [{ url: 'https://storage.example/1.png?sig=1' }, { url: 'https://storage.example/2.png?sig=2' }],
      seed: 9999999999,
      inferenceSeconds: 1.75,
    });
  });

  it('reads a rejection with status 200', async () => {
    server.answer(jsonAnswer('images/refused.json'));
    const error = await failureOf(images().generate({ model: 'm', prompt: 'p' }));
    assert.equal(error.kind, 'badRequest');
    assert.equal(error.message, 'Value error, the prompt was refused');
    assert.equal(error.details.code, 20015);
  });

  it("uses the service's names for size and count", async () => {
    server.answer(jsonAnswer('images/answer.json'));
    const request: ImageRequest = { model: 'm', prompt: 'a cat', image_size: '1024x1024', batch_size: 2, seed: 7 };
    const vendor = [publicHosts.international, publicHosts.china, new URL('/demo/v1', server.baseUrl).href];
    const others = [server.baseUrl, 'https://api.openai.com/v1', 'https://proxy.example/siliconflow/v1'];
    for (const baseUrl of [...vendor, ...others]) await imagesOf(baseUrl).generate(request);
    const { image_size: size, batch_size: n, ...rest } = request;
    assert.deepEqual(
      server.seen.map(({ body }) => JSON.parse(body) as unknown),
      [...vendor.map(() => request), ...others.map(() => ({ ...rest, size, n }))],
    );
    await images().generate({ model: 'm', prompt: 'p' });
    assert.equal(server.seen.at(-1)?.body, '{"model":"m","prompt":"p"}');
  });

  it('reads images as absolute URLs, relative URLs, or inline data', async () => {
    const usage = { input_tokens: 1, output_tokens: 2, total_tokens: 3, input_tokens_details: { text_tokens: 1 } };
    const png = Buffer.from('a picture').toString('base64');
    // OpenAI, dall-e-3
    assert.deepEqual(await generated({ created: 1, data: [{ revised_prompt: 'p', url: 'https://x.example/1.png' }] }), {
      images: ['https://x.example/1.png'],
    });
    // OpenAI, gpt-image-1
    assert.deepEqual(
      await generated({ created: 1, background: 'opaque', data: [{ b64_json: png }], output_format: 'png', usage }),
      { images: ['bytes a picture'] },
    );
    // LocalAI 3.5
    const local = new URL('/generated-images/b64.png', server.baseUrl).href;
    const entry = { embedding: null, index: 0, url: local };
    assert.deepEqual(await generated({ created: 1, id: 'i', data: [entry], usage }), { images: [local] });
    // Xinference 1.10
    assert.deepEqual(await generated({ created: 1, data: [{ url: null, b64_json: png }] }), {
      images: ['bytes a picture'],
    });
    // LiteLLM 1.77 before Vertex AI
    assert.deepEqual(
      await generated({ created: 1, data: [{ b64_json: png, revised_prompt: null, url: null }], usage }),
      {
        images: ['bytes a picture'],
      },
    );
    const address = `data:image/png;base64,${png}`;
    assert.deepEqual(await generated({ images: [{ url: address }, { b64_json: address }, address] }), {
      images: ['bytes a picture', 'bytes a picture', 'bytes a picture'],
    });
    assert.deepEqual(await generated({ data: [{ url: '/files/1.png' }] }), {
      images: [new URL('/files/1.png', server.baseUrl).href],
    });
  });

  describe('in a response beyond the length limit', () => {
    /** OpenAI, gpt-image-1 */
    const answerOf = (...pictures: readonly string[]) => {
      const data = pictures.map((picture) => ({ b64_json: Buffer.from(picture).toString('base64') }));
      return JSON.stringify({ created: 1, background: 'opaque', data, output_format: 'png', quality: 'high' });
    };
    const limits = { answerBytes: 100, pictureBytes: 1000 };
    const generate = (body: string, afterwards?: 'reset') => {
      server.answer({ body, ...(afterwards && { afterwards }) });
      return createTestClient(server.baseUrl, { limits }).client.images.generate({ model: 'm', prompt: 'p' });
    };
    const sizesOf = ({ images: list }: GeneratedImages) =>
      list.map((image) => ('bytes' in image ? image.bytes.length : image.url));

    it('are read beyond the limit of other responses', async () => {
      assert.deepEqual(sizesOf(await generate(answerOf('a'.repeat(300)))), [300]);
    });

    it('are kept if they are complete, because they are charged', async () => {
      const body = answerOf('a'.repeat(300), 'b'.repeat(300), 'c'.repeat(300));
      assert.deepEqual(sizesOf(await generate(body)), [300, 300]);
    });

    it('are kept if they are complete after the connection breaks', async () => {
      const body = answerOf('a'.repeat(300), 'b'.repeat(300));
      assert.deepEqual(sizesOf(await generate(body.slice(0, 600), 'reset')), [300]);
    });

    it('are rejected with a next step if none is complete', async () => {
      const error = await failureOf(generate(answerOf('a'.repeat(3000))));
      assert.deepEqual([error.kind, error.details.hint, error.details.maybeBilled], ['badResponse', 'tooMuch', true]);
      const cut = await failureOf(generate(answerOf('a'.repeat(300)).slice(0, 300), 'reset'));
      assert.deepEqual([cut.kind, cut.details.maybeBilled], ['truncated', true]);
    });
  });

  it('are downloaded over http only from a host that is itself used over http', async () => {
    const stack = createUndiciStack();
    const send: typeof stack.send = (request) =>
      stack.send({ ...request, url: new URL(request.url.pathname, server.baseUrl) });
    const folder = await mkdtemp(path.join(tmpdir(), 'images-'));
    const toPath = path.join(folder, 'image');
    server.answer({ body: 'an image' });
    const fetched = async (baseUrl: string, url: string) => {
      const { client } = createTestClient(baseUrl, { stack: { ...stack, send } });
      return client.download({ url, toPath, maxBytes: 100 }).then(
        ({ bytes }) => bytes,
        (error: unknown) => (isApiError(error) ? error.kind : error),
      );
    };
    assert.equal(await fetched('http://images.test:8080/v1', 'http://images.test:8080/generated/1.png'), 8);
    assert.equal(await fetched('http://images.test:8080/v1', 'http://images.test:9000/1.png'), 8);
    assert.equal(await fetched('http://images.test:8080/v1', 'http://other.test/1.png'), 'unsafeUrl');
    assert.equal(await fetched('https://images.test/v1', 'http://images.test/1.png'), 'unsafeUrl');
    await rm(folder, { recursive: true });
  });

  it('omits invalid entries, and reads numbers in strings', async () => {
    assert.deepEqual(
      await generated({
        images: [null, 7, {}, { url: '' }, { url: null, b64_json: null }, { url: 'https://x.example/1.png' }, []],
        seed: '9999999999',
        timings: { inference: '1.5' },
      }),
      { images: ['https://x.example/1.png'], seed: 9_999_999_999, inferenceSeconds: 1.5 },
    );
    for (const body of [{}, { images: null }, { data: null }, { images: [null] }]) {
      assert.deepEqual(await generated(body), { images: [] }, JSON.stringify(body));
    }
  });
});
