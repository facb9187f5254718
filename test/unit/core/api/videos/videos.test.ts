import assert from 'node:assert/strict';
import { createTestClient, failureOf } from '../../../../support/apiClient';
import { type FixtureServer, jsonAnswer, startFixtureServer } from '../../../../support/fixtureServer';

describe('videos', () => {
  let server: FixtureServer;
  beforeEach(async () => void (server = await startFixtureServer()));
  afterEach(() => server.close());
  const videos = () => createTestClient(server.baseUrl).client.videos;
  const status = async (name: string) => {
    server.answer(jsonAnswer(`videos/${name}.json`));
    return videos().status({ requestId: '9vb8ojr2bysw' });
  };

  it('submits a video, and returns its ID', async () => {
    server.answer(jsonAnswer('videos/submitted.json'));
    const request = {
      model: 'Wan-AI/Wan2.2-I2V-A14B',
      prompt: 'waves',
      image_size: '1280x720',
      negative_prompt: 'rain',
      seed: 7,
      image: 'data:image/png;base64,AAAA',
    };
    assert.deepEqual(await videos().submit(request), { requestId: '9vb8ojr2bysw' });
    assert.equal(`${server.seen[0]?.method} ${server.seen[0]?.path}`, 'POST /v1/video/submit');
    assert.equal(server.seen[0]?.body, JSON.stringify(request));
  });

  it('requests the status by posting the ID', async () => {
    assert.deepEqual(await status('in-queue'), { status: 'InQueue', position: 3, videos: [] });
    assert.equal(`${server.seen[0]?.method} ${server.seen[0]?.path}`, 'POST /v1/video/status');
    assert.equal(server.seen[0]?.body, '{"requestId":"9vb8ojr2bysw"}');
  });

  it('reads a finished and a failed video', async () => {
    assert.deepEqual(await status('succeed'), {
      status: 'Succeed',
      videos: [{ url: 'https://storage.example/v.mp4?sig=1' }],
      seed: 7,
      inferenceSeconds: 123.5,
    });
    const failed = await status('failed');
    assert.deepEqual([failed.status, failed.reason, failed.videos], ['Failed', 'the prompt was refused', []]);
  });

  it('retries a failed status request, because it is free', async () => {
    server.answer({ status: 500, body: '' }, { status: 504, body: 'timeout' }, jsonAnswer('videos/succeed.json'));
    assert.equal((await videos().status({ requestId: 'r' })).status, 'Succeed');
    assert.equal(server.seen.length, 3);
  });

  it('rejects an unsupported size, and reports a missing image', async () => {
    const error = await failureOf(videos().submit({ model: 'm', prompt: 'p', image_size: '640x480' }));
    assert.equal(error.message, 'image_size must be one of 1280x720, 720x1280, 960x960, not 640x480.');
    const request = { model: 'Wan-AI/Wan2.2-I2V-A14B', prompt: 'p', image_size: '960x960' };
    assert.deepEqual(videos().warnings(request), [{ parameter: 'image', rule: 'required' }]);
    assert.deepEqual(videos().warnings({ ...request, image: 'https://x' }), []);
  });
});
