import assert from 'node:assert/strict';
import { type EndpointName, allEndpoints, modelEndpoints, streamingEndpoints } from '../../../src/demo/endpointNames';
import { faults } from '../../../src/demo/faults';
import type { Fault } from '../../../src/demo/faults/fault';
import { type TestDemo, ask, eventsOf, withDemo } from './demoService';

const requests: Readonly<Partial<Record<EndpointName, object>>> = {
  'POST /messages': { max_tokens: 400, messages: [{ role: 'user', content: 'What is a closure?' }] },
  'POST /chat/completions': { messages: [{ role: 'user', content: 'What is a closure?' }] },
  'POST /completions': { prompt: 'The old lighthouse stood' },
  'POST /rerank': { query: 'x', documents: ['x'] },
  'POST /embeddings': { input: 'x' },
  'POST /images/generations': { prompt: 'x' },
  'POST /video/submit': { prompt: 'x', image_size: '960x960' },
  'POST /uploads/audio/voice': { customName: 'x', text: 'x', audio: 'data:audio/mpeg;base64,AAAA' },
  'POST /audio/speech': { input: 'x' },
};
const pathOf = (endpoint: EndpointName) => endpoint.slice('POST '.length);
const byEffect = (kind: Fault['effect']['kind']) => faults.filter((fault) => fault.effect.kind === kind);

/** The text of an answer as far as it came, and whether it ended as HTTP wants it to. */
async function readAll(demo: TestDemo, endpoint: EndpointName, body: object, signal?: AbortSignal) {
  let text = '';
  let status = 0;
  try {
    const response = await fetch(demo.baseUrl + pathOf(endpoint), {
      method: 'POST',
      headers: { authorization: `Bearer ${demo.apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ...requests[endpoint], ...body }),
      redirect: 'manual',
      ...(signal === undefined ? {} : { signal }),
    });
    status = response.status;
    const decoder = new TextDecoder();
    for await (const piece of response.body ?? []) text += decoder.decode(piece, { stream: true });
    return { status, text, whole: true, type: response.headers.get('content-type') ?? '' };
  } catch {
    return { status, text, whole: false, type: '' };
  }
}

describe('demo service: faults', function () {
  this.timeout(60_000);

  it("have unique names, occur somewhere, and aren't listed as models", () =>
    withDemo(async (demo) => {
      assert.equal(new Set(faults.map((fault) => fault.name)).size, faults.length);
      for (const { endpoints, name } of faults)
        assert.ok(endpoints.length > 0 && endpoints.every((endpoint) => allEndpoints.includes(endpoint)), name);
      assert.ok(!(await demo.get('/models')).text.includes('fault/'));
      assert.equal((await demo.post('/messages', ask('x', { model: 'fault/nothing-like-it' }))).body['code'], 20012);
    }));

  it('occur by model ID, on every operation with a model', () =>
    withDemo(async (demo) => {
      for (const fault of byEffect('answer')) {
        if (fault.effect.kind !== 'answer') continue;
        for (const endpoint of fault.endpoints.filter(
          (name) => modelEndpoints.includes(name) && requests[name] !== undefined,
        )) {
          const answer = await readAll(demo, endpoint, { model: `fault/${fault.name}` });
          assert.equal(answer.status, fault.effect.status, `${fault.name} at ${endpoint}`);
          if (typeof fault.effect.body === 'string') assert.equal(answer.text, fault.effect.body, fault.name);
          const providerShaped =
            endpoint === 'POST /completions' && answer.status >= 400 && answer.text.startsWith('{');
          if (providerShaped)
            assert.equal(
              typeof (JSON.parse(answer.text) as { error: { message: unknown } }).error.message,
              'string',
              fault.name,
            );
        }
      }
    }));

  it('name each limit, with and without a wait time', () =>
    withDemo(async (demo) => {
      for (const kind of ['RPM', 'RPH', 'RPD', 'TPM', 'TPD', 'IPM', 'IPD']) {
        const plain = await demo.post('/messages', ask('x', { model: `fault/rate-limit-${kind.toLowerCase()}` }));
        const timed = await demo.post(
          '/messages',
          ask('x', { model: `fault/rate-limit-${kind.toLowerCase()}-retry-after` }),
        );
        assert.deepEqual(
          [plain.status, Object.keys(plain.body), plain.headers.get('retry-after')],
          [429, ['message', 'data'], null],
        );
        assert.ok(String(plain.body['message']).includes(`${kind} limit`));
        assert.equal(timed.headers.get('retry-after'), '1');
      }
    }));

  it('are set by the control path for a number of calls of one operation, and only where they apply', () =>
    withDemo(async (demo) => {
      await demo.control('arm', { fault: 'gone', endpoint: 'GET /user/info', times: 2 });
      const statuses = [];
      for (let count = 0; count < 3; count += 1) statuses.push((await demo.get('/user/info')).status);
      assert.deepEqual(statuses, [410, 410, 200]);
      assert.equal((await demo.get('/models')).status, 200);
      assert.equal((await demo.control('arm', { fault: 'delta-no-stop', endpoint: 'GET /models' })).status, 400);
      assert.equal((await demo.control('arm', { fault: 'nothing', endpoint: 'GET /models' })).status, 400);
      await demo.control('arm', { fault: 'gone', endpoint: 'GET /models' });
      await demo.control('reset', {});
      assert.equal((await demo.get('/models')).status, 200);
    }));

  it('of a stream affect every listed stream, and no complete response', () =>
    withDemo(async (demo) => {
      for (const fault of byEffect('stream').filter(({ name }) => name !== 'stall-stream')) {
        for (const endpoint of fault.endpoints) {
          const clean = (text: string) => text.replaceAll(/"(id|created|model|tool_use_id)":("[^"]*"|\d+)/g, '');
          const good = await readAll(demo, endpoint, { model: 'Qwen/Qwen3-30B-A3B-Instruct-2507', stream: true });
          const bad = await readAll(demo, endpoint, { model: `fault/${fault.name}`, stream: true });
          assert.notEqual(clean(bad.text), clean(good.text), `${fault.name} at ${endpoint}`);
          assert.equal(bad.whole, fault.name !== 'cut-stream', fault.name);
          const whole = await readAll(demo, endpoint, { model: `fault/${fault.name}` });
          assert.deepEqual([whole.status, whole.whole], [200, true]);
        }
      }
    }));

  it('send deltas at invalid positions', () =>
    withDemo(async (demo) => {
      const events = async (name: string) =>
        eventsOf(
          (await demo.post('/messages', ask('What is a closure?', { model: `fault/${name}`, stream: true }))).text,
        ).map((item) => item.data);
      const onTool = await events('delta-text-on-tool');
      const tool = onTool.find((event) => String(event['type']) === 'content_block_start');
      const text = onTool.find((event) => String(event['delta']?.['type']) === 'text_delta');
      assert.equal(tool?.['content_block']?.['type'], 'tool_use');
      assert.equal(text?.['index'], tool?.['index']);
      const onThinking = await events('delta-text-on-thinking');
      const started = onThinking.filter((event) => String(event['type']) === 'content_block_start');
      assert.deepEqual(
        started.map((event) => event['content_block']?.['type']),
        ['thinking'],
      );
      assert.ok(onThinking.some((event) => String(event['delta']?.['type']) === 'text_delta'));
      const noStart = await events('delta-no-start');
      assert.ok(!noStart.some((event) => String(event['type']) === 'content_block_start'));
    }));

  it('end streams in every possible way', () =>
    withDemo(async (demo) => {
      for (const endpoint of streamingEndpoints) {
        const text = async (name: string) =>
          (await readAll(demo, endpoint, { model: `fault/${name}`, stream: true })).text;
        assert.match(await text('bare-error-line'), /\n\{"code":60000,.*\}\n$/);
        assert.ok(!(await text('no-done')).includes('[DONE]'));
        assert.match(await text('crlf'), /\r\n\r\n/);
        assert.match(await text('comments'), /^: /m);
        assert.doesNotMatch(await text('cut-before-done'), /\[DONE\]|message_stop|"finish_reason":"/);
        assert.match(await text('error-event'), /Overloaded|overloaded/);
      }
      const unstopped = await readAll(demo, 'POST /messages', { model: 'fault/no-message-stop', stream: true });
      assert.ok(unstopped.text.includes('[DONE]') && !unstopped.text.includes('message_stop'));
    }));

  it('of the connection break, stall, or delay the response', () =>
    withDemo(async (demo) => {
      const read = (name: string, more: object = {}) =>
        readAll(demo, 'POST /messages', { model: `fault/${name}`, ...more }, AbortSignal.timeout(400));
      const broken = [
        'reset-before-headers',
        'reset-after-headers',
        'cut-body',
        'never-answers',
        'stall',
        'slow-first-byte',
      ];
      await Promise.all(
        broken.map(async (name) => {
          assert.equal((await read(name)).whole, false, name);
          assert.equal((await read(name, { stream: true })).whole, false, `${name}, streamed`);
        }),
      );
      assert.equal((await read('never-answers')).status, 0);
      assert.notEqual((await read('stall', { stream: true })).text, '');
      assert.equal((await read('stall-stream', { stream: true })).whole, false);
      const labelled = await read('wrong-content-type');
      assert.deepEqual([labelled.status, labelled.type.split(';')[0]], [200, 'text/html']);
      await demo.control('arm', { fault: 'slow-first-byte', endpoint: 'POST /messages', delayMs: 20 });
      assert.equal((await demo.post('/messages', ask('x'))).status, 200);
    }));

  it('reset the connection during an upload', () =>
    withDemo(async (demo) => {
      await demo.control('arm', { fault: 'reset-during-upload', endpoint: 'POST /files' });
      const body = { purpose: 'batch', file: new Blob(['x'.repeat(5_000_000)]) };
      await assert.rejects(demo.form('/files', body));
      assert.equal((await demo.form('/files', body)).status, 200);
    }));

  it('of content leave answers empty, rejected, or with an unknown finish reason', () =>
    withDemo(async (demo) => {
      const answer = async (name: string) =>
        (await demo.post('/messages', ask('What is a closure?', { model: `fault/${name}` }))).body;
      assert.deepEqual((await answer('empty-completion'))['content'], []);
      assert.equal((await answer('thinking-only'))['content']?.['0']?.['type'], 'thinking');
      assert.equal((await answer('refusal'))['stop_reason'], 'refusal');
      assert.equal((await answer('unknown-stop-reason'))['stop_reason'], 'paused_for_review');
      assert.equal((await answer('no-usage'))['usage'], undefined);
      const streamed = eventsOf(
        (await demo.post('/messages', ask('x', { model: 'fault/empty-completion', stream: true }))).text,
      );
      assert.deepEqual(
        streamed.map((item) => item.event),
        ['message_start', 'message_delta', 'message_stop', undefined],
      );
    }));

  it('expire a result URL like object storage', () =>
    withDemo(async (demo) => {
      const { body } = await demo.post('/images/generations', { model: 'fault/expired-url', prompt: 'x' });
      const response = await fetch(String(body['images']?.['0']?.['url']));
      assert.deepEqual([response.status, response.headers.get('content-type')], [403, 'application/xml']);
      await demo.control('arm', { fault: 'html-502', endpoint: 'GET asset' });
      const good = await demo.post('/images/generations', { model: 'black-forest-labs/FLUX.2-pro', prompt: 'x' });
      assert.equal((await fetch(String(good.body['images']?.['0']?.['url']))).status, 502);
    }));

  it('serve a page, nothing, text, a drawing with a script, or 100 MB with or without its length instead of a result', () =>
    withDemo(async (demo) => {
      const made = await demo.post('/images/generations', { model: 'black-forest-labs/FLUX.2-pro', prompt: 'x' });
      const url = String(made.body['images']?.['0']?.['url']);
      const served = async (fault: string) => {
        await demo.control('arm', { fault, endpoint: 'GET asset' });
        return fetch(url, { redirect: 'manual' });
      };
      assert.match(await (await served('html-200')).text(), /^<!DOCTYPE html>/);
      assert.equal((await (await served('empty-body')).arrayBuffer()).byteLength, 0);
      assert.match(await (await served('plain-text-200')).text(), /try again/);
      const svg = await served('svg-script');
      assert.deepEqual([svg.headers.get('content-type'), /<script>/.test(await svg.text())], ['image/png', true]);
      assert.equal((await served('moved-inside')).headers.get('location'), 'http://169.254.169.254/latest/meta-data/');
      for (const [fault, declared] of [
        ['huge-declared', '104857600'],
        ['huge-undeclared', null],
      ] as const) {
        const huge = await served(fault);
        assert.equal(huge.headers.get('content-length'), declared);
        let bytes = 0;
        for await (const piece of huge.body ?? []) bytes += (piece as Uint8Array).byteLength;
        assert.equal(bytes, 104_857_600);
      }
    }));

  it('omit the URL of a successful image and video', () =>
    withDemo(async (demo) => {
      const image = await demo.post('/images/generations', { model: 'fault/no-address', prompt: 'x' });
      assert.deepEqual([image.status, image.body['images']], [200, []]);
    }));
});
