import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { catalogue } from '../../../src/demo/catalogue';
import { ask, withDemo } from './demoService';

describe('demo service: access', () => {
  it('distinguishes a missing or malformed key from an unknown one', () =>
    withDemo(async ({ baseUrl, apiKey }) => {
      const status = async (authorization?: string) => {
        const response = await fetch(
          `${baseUrl}/models`,
          authorization === undefined ? {} : { headers: { authorization } },
        );
        return [response.status, await response.text()];
      };
      assert.deepEqual(await status(), [401, 'Invalid token']);
      assert.deepEqual(await status(apiKey), [401, 'Invalid token']);
      assert.deepEqual(await status(`Bearer Bearer ${apiKey}`), [401, 'Invalid token']);
      assert.deepEqual(await status('Bearer not-a-key'), [401, 'Invalid token']);
      assert.deepEqual(await status('Bearer sk-of-somebody-else'), [401, '"Api key is invalid"']);
      assert.equal((await status(`Bearer ${apiKey}`))[0], 200);
    }));

  it('responds to an unknown path, also one without the version segment, with the bare 404 text', () =>
    withDemo(async (demo) => {
      const missing = await demo.get('/nothing');
      assert.deepEqual([missing.status, missing.text], [404, '404 page not found']);
      const unversioned = await fetch(`${demo.origin}/models`, { headers: { authorization: `Bearer ${demo.apiKey}` } });
      assert.deepEqual([unversioned.status, await unversioned.text()], [404, '404 page not found']);
    }));

  it('adds a trace ID to every response, also to rejections', () =>
    withDemo(async (demo) => {
      const [good, bad] = [await demo.get('/models'), await demo.get('/nothing')];
      assert.match(good.headers.get('x-siliconcloud-trace-id') ?? '', /^ti_/);
      assert.match(bad.headers.get('x-siliconcloud-trace-id') ?? '', /^ti_/);
    }));

  it('accepts x-api-key for messages only', () =>
    withDemo(async ({ baseUrl, apiKey }) => {
      const post = (path: string, body: object) =>
        fetch(baseUrl + path, {
          method: 'POST',
          headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
          body: JSON.stringify(body),
        });
      assert.equal((await post('/messages', ask('Hello'))).status, 200);
      assert.equal((await post('/rerank', {})).status, 401);
    }));

  it('lists models by type, by sub-type, and unfiltered, including one without a filter', () =>
    withDemo(async (demo) => {
      const ids = async (query: string) =>
        ((await demo.get(`/models${query}`)).body['data'] as unknown as { id: string }[]).map((model) => model.id);
      const all = await ids('');
      const filters = ['type=text', 'type=image', 'type=audio', 'type=video'];
      const named = new Set((await Promise.all(filters.map((filter) => ids(`?${filter}`)))).flat());
      assert.equal(all.length, catalogue.length);
      assert.equal(all.filter((id) => !named.has(id)).length, 1);
      assert.ok(all.some((id) => id.split('/').length === 3));
      assert.ok(all.every((id) => !id.startsWith('fault/')));
      const subTypes = [
        'chat',
        'embedding',
        'reranker',
        'text-to-image',
        'image-to-image',
        'speech-to-text',
        'text-to-video',
      ];
      for (const subType of subTypes) assert.ok((await ids(`?sub_type=${subType}`)).length > 0, subType);
      assert.equal((await ids('?sub_type=text-to-video')).length, 3);
      assert.equal((await ids('?sub_type=reranker')).length, 3);
      assert.equal((await demo.get('/models?type=smell')).status, 400);
    }));

  it('reports balances as decimal text that decreases with charges, and rejects requests without a balance', () =>
    withDemo(async (demo) => {
      const total = async () => (await demo.get('/user/info')).body['data']?.['totalBalance'];
      assert.equal(await total(), '100.50');
      await demo.post('/images/generations', { model: 'black-forest-labs/FLUX.2-pro', prompt: 'sea' });
      assert.equal(await total(), '100.47');
      await demo.control('balance', { gift: 0, charge: -0.5 });
      assert.equal(await total(), '-0.50');
      const refused = await demo.post('/messages', ask('Hello'));
      assert.deepEqual([refused.status, refused.body['code']], [402, 30001]);
    }));

  it('returns received requests with their headers at the control path, which requires the key too', () =>
    withDemo(async (demo) => {
      await demo.get('/models?type=text');
      const seen = (await demo.control('requests')).body['requests'] as unknown as {
        method: string;
        path: string;
        headers: Record<string, string>;
      }[];
      assert.deepEqual(
        seen.map(({ method, path }) => `${method} ${path}`),
        ['GET /v1/models'],
      );
      assert.equal(seen[0]?.headers['authorization'], `Bearer ${demo.apiKey}`);
      assert.equal((await fetch(`${demo.origin}/_control/requests`)).status, 401);
    }));

  /** What comes back for a request as it stands, up to the end of the connection; `status` is 0 where nothing did. */
  const raw = async (port: number, text: string): Promise<{ readonly status: number; readonly text: string }> => {
    const socket = connect(port, '127.0.0.1').setEncoding('utf8').setTimeout(5000);
    let got = '';
    socket.on('data', (piece: string) => (got += piece));
    socket.on('timeout', () => socket.destroy());
    socket.on('error', () => undefined);
    socket.write(text);
    await new Promise((resolve) => socket.on('close', resolve));
    return { status: Number(/^HTTP\/1\.1 (\d{3})/.exec(got)?.[1] ?? 0), text: got };
  };
  const asked = (target: string, { method = 'GET', host = '', more = '' } = {}) =>
    `${method} ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n${more}\r\n`;

  it('responds only under its own host names, so no foreign name can lead here', () =>
    withDemo(async ({ port, apiKey }) => {
      const more = `Authorization: Bearer ${apiKey}\r\n`;
      const status = async (host: string, target = '/v1/models') =>
        (await raw(port, asked(target, { host, more }))).status;
      for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, `LOCALHOST:${port}`, `[::1]:${port}`])
        assert.equal(await status(host), 200, host);
      for (const host of [
        `evil.example:${port}`,
        `127.0.0.1.evil.example:${port}`,
        `localhost.:${port}`,
        'localhost',
        '127.0.0.1',
        `127.0.0.1:${port + 1}`,
        `127.0.0.1:${port}@evil.example`,
        `0.0.0.0:${port}`,
        '',
      ]) {
        assert.equal(await status(host), 421, host);
        assert.equal(await status(host, '/_control/requests'), 421, host);
        assert.equal(await status(host, '/assets/x'), 421, host);
      }
      assert.equal((await raw(port, `GET /v1/models HTTP/1.0\r\n${more}\r\n`)).status, 421);
    }));

  it('rejects requests from a page of another origin', () =>
    withDemo(async ({ port, apiKey }) => {
      const status = async (origin: string, target = '/v1/models') => {
        const more = `Authorization: Bearer ${apiKey}\r\nOrigin: ${origin}\r\n`;
        return (await raw(port, asked(target, { host: `127.0.0.1:${port}`, more }))).status;
      };
      for (const origin of ['http://evil.example', `http://evil.example:${port}`, `https://127.0.0.1:${port}`, 'x']) {
        assert.equal(await status(origin), 403, origin);
        assert.equal(await status(origin, '/_control/requests'), 403, origin);
      }
      for (const origin of ['null', `http://127.0.0.1:${port}`, `http://localhost:${port}`])
        assert.equal(await status(origin), 200, origin);
    }));

  it('rejects every unusual target, and continues', () =>
    withDemo(async ({ port, apiKey, ...demo }) => {
      const more = `Authorization: Bearer ${apiKey}\r\n`;
      const targets = ['//[', '//', '//evil.example/v1/models', 'http://[', 'http://evil.example/v1/models', '*', '%']
        .concat(['/%', '/v1/%', '/v1/files/%/content', '/v1/files/%c0', '/_control/%', '/assets/%', '?', '#', 'x:y'])
        .concat(['/_control/__proto__', '/_control/constructor', `/${'a'.repeat(9000)}`, `/${'a'.repeat(90_000)}`]);
      for (const target of targets)
        for (const method of ['GET', 'POST', 'OPTIONS', 'PUT']) {
          const { status } = await raw(port, asked(target, { method, host: `127.0.0.1:${port}`, more }));
          assert.ok(status >= 400 && status < 500, `${method} ${target.slice(0, 40)}: ${status}`);
        }
      for (const target of ['127.0.0.1:80', `127.0.0.1:${port}`, '/', '[']) {
        const { status } = await raw(port, asked(target, { method: 'CONNECT', host: `127.0.0.1:${port}`, more }));
        assert.ok(status >= 400 && status < 500, `CONNECT ${target}: ${status}`);
      }
      assert.equal(
        (await raw(port, asked('/v1/models', { method: 'OPTIONS', host: `localhost:${port}` }))).status,
        404,
      );
      for (const target of [
        '//[',
        '//',
        '/%',
        '/v1/batches/%',
        '/demo//[',
        '/demo/v1/batches/%',
        '/v1/batches/%/cancel',
        '/v1/files/%/content',
        '/assets/%',
      ])
        for (const method of ['GET', 'POST']) {
          const { text } = await raw(port, asked(target, { method, host: `127.0.0.1:${port}`, more }));
          assert.match(text, /^HTTP\/1\.1 404 [\s\S]*\r\n\r\n404 page not found$/, `${method} ${target}`);
        }
      assert.equal((await demo.get('/models')).status, 200);
    }));
});
