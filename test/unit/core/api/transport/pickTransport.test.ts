import assert from 'node:assert/strict';
import { ApiError, type ApiErrorInit } from '../../../../../src/core/api/errors';
import { createPickingStack, type StackName } from '../../../../../src/core/api/transport/pickTransport';
import type { HttpRequest, HttpResponse, HttpStack } from '../../../../../src/core/api/transport/transport';
import { failureOf } from './stackHarness';

const answer: HttpResponse = { status: 200, headers: {}, body: (async function* () {})() };
const refused = { kind: 'network', message: 'ECONNREFUSED', sent: false } as const;
const timers = { connectMs: 1, firstByteMs: 1, idleMs: 1, totalMs: 1 };
const request: HttpRequest = { method: 'GET', url: new URL('https://api.test/v1/models'), headers: {}, timers };

interface Circumstances {
  readonly preference?: 'auto' | StackName;
  readonly proxyConfigured?: boolean;
  /** What a stack rejects with; those not named answer. */
  readonly failing?: Partial<Record<StackName, ApiErrorInit>>;
}

function picking({ preference = 'auto', proxyConfigured = false, failing = {} }: Circumstances) {
  const log: string[] = [];
  const memory = new Map<string, StackName>();
  const load = (name: StackName) => async (): Promise<HttpStack> => {
    log.push(`load ${name}`);
    return {
      name,
      async send() {
        log.push(name);
        const failure = failing[name];
        if (failure) throw new ApiError(failure);
        return answer;
      },
      async close() {
        log.push(`close ${name}`);
      },
    };
  };
  const stack = createPickingStack({
    preference: () => preference,
    proxyConfigured: () => proxyConfigured,
    undici: load('undici'),
    editor: load('editor'),
    remembered: { get: (origin) => memory.get(origin), set: (origin, name) => void memory.set(origin, name) },
  });
  return { stack, log, memory };
}

describe('selecting a network stack', () => {
  it('starts with undici, and loads no other', async () => {
    const { stack, log } = picking({});
    await stack.send(request);
    await stack.send(request);
    assert.deepEqual(log, ['load undici', 'undici', 'undici']);
  });

  it('starts with the VS Code stack if a proxy is configured', async () => {
    const { stack, log } = picking({ proxyConfigured: true });
    await stack.send(request);
    assert.deepEqual([log, stack.name], [['load editor', 'editor'], 'editor']);
  });

  it('tries the other once if nothing was sent, and starts with it for that origin from then on', async () => {
    const { stack, log, memory } = picking({ failing: { undici: refused } });
    const { status, via } = await stack.send(request);
    assert.deepEqual([status, via], [200, 'editor']);
    assert.deepEqual([...memory], [['https://api.test', 'editor']]);
    await stack.send(request);
    assert.deepEqual(log, ['load undici', 'undici', 'load editor', 'editor', 'editor']);
    log.length = 0;
    await stack.send({ ...request, url: new URL('https://other.test/') });
    assert.equal(log[0], 'undici');
  });

  it('switches back when the remembered stack no longer works', async () => {
    const { stack, memory } = picking({ failing: { editor: refused } });
    memory.set('https://api.test', 'editor');
    await stack.send(request);
    assert.equal(memory.get('https://api.test'), 'undici');
  });

  for (const kind of ['network', 'certificate', 'proxy'] as const) {
    it(`switches on ${kind} before a request was sent`, async () => {
      const { stack, log } = picking({ failing: { undici: { kind, message: kind, sent: false } } });
      await stack.send(request);
      assert.deepEqual(
        log.filter((line) => !line.startsWith('load')),
        ['undici', 'editor'],
      );
    });
  }

  it('switches if the connection times out', async () => {
    const { stack, log } = picking({
      failing: { undici: { kind: 'timeout', phase: 'connect', message: 't', sent: false } },
    });
    await stack.send(request);
    assert.ok(log.includes('editor'));
  });

  const lasting: readonly ApiErrorInit[] = [
    { kind: 'network', message: 'reset', sent: true },
    { kind: 'network', message: 'unknown' },
    { kind: 'timeout', message: 'slow', phase: 'firstByte', sent: true },
    { kind: 'aborted', message: 'stop', sent: false },
    { kind: 'file', message: 'gone', sent: false },
    { kind: 'invalidParameter', message: 'header', sent: false },
  ];
  for (const failure of lasting) {
    it(`doesn't retry after ${failure.kind} (${failure.message})`, async () => {
      const { stack, log, memory } = picking({ failing: { undici: failure } });
      assert.equal((await failureOf(stack.send(request))).message, failure.message);
      assert.deepEqual([log, memory.size], [['load undici', 'undici'], 0]);
    });
  }

  it('reports the more actionable failure when both fail, and remembers neither', async () => {
    const certificate = { kind: 'certificate', message: 'CERT', sent: false } as const;
    const reset = { kind: 'network', message: 'reset', sent: true } as const;
    const cases = [
      [refused, refused, 'ECONNREFUSED'],
      [refused, certificate, 'CERT'],
      [certificate, refused, 'CERT'],
      [certificate, reset, 'reset'],
    ] as const;
    for (const [undici, editor, reported] of cases) {
      const { stack, memory } = picking({ failing: { undici, editor } });
      assert.equal((await failureOf(stack.send(request))).message, reported);
      assert.equal(memory.size, 0);
    }
  });

  it('keeps a stack that was requested by name', async () => {
    for (const preference of ['undici', 'editor'] as const) {
      const { stack, log } = picking({ preference, proxyConfigured: true, failing: { [preference]: refused } });
      await failureOf(stack.send(request));
      assert.deepEqual([log, stack.name], [[`load ${preference}`, preference], preference]);
    }
  });

  it('closes what it loaded', async () => {
    const { stack, log } = picking({ failing: { undici: refused } });
    await stack.send(request);
    await stack.close();
    assert.deepEqual(log.slice(-2), ['close undici', 'close editor']);
  });
});
