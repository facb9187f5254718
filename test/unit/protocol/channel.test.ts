import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import type { Call, Handlers } from '../../../src/protocol/call';
import { type Caller, createCaller } from '../../../src/protocol/caller';
import { createResponder } from '../../../src/protocol/responder';

interface EchoScreen {
  readonly state: Record<never, never>;
  readonly calls: {
    readonly 'echo/say': Call<{ readonly text: string }, { readonly length: number }, { readonly text: string }>;
  };
  readonly events: { readonly 'echo/changed': readonly string[] };
}

const describeError = (error: unknown) => ({ kind: 'x', title: String(error), detail: '', actions: [] });
const overJson = <T>(message: T): T => JSON.parse(JSON.stringify(message)) as T;

/** Both ends wired back to back, as over postMessage (JSON only). */
function pair(handlers: Handlers<EchoScreen>) {
  const caller = createCaller<EchoScreen>((message) => void responder.receive(overJson(message)));
  const responder = createResponder<EchoScreen>(
    handlers,
    (message) => caller.receive(overJson(message)),
    describeError,
  );
  return { caller, responder };
}

describe('channel', () => {
  it('streams chunks, then responds', async () => {
    const chunks: string[] = [];
    const { caller } = pair({
      'echo/say': async ({ text }, { emit }) => {
        for (const letter of text) emit({ text: letter });
        return { length: text.length };
      },
    });
    const result = await caller.call('echo/say', { text: 'abc' }, { onChunk: ({ text }) => chunks.push(text) });
    assert.deepEqual([chunks, result], [['a', 'b', 'c'], { length: 3 }]);
  });

  it('turns an error of the host into a rejection with its message', async () => {
    const { caller } = pair({
      'echo/say': async () => {
        throw new Error('no');
      },
    });
    await assert.rejects(caller.call('echo/say', { text: '' }), {
      name: 'HostError',
      error: describeError('Error: no'),
    });
  });

  it('passes a cancellation to the handler', async () => {
    const { caller } = pair({
      'echo/say': (_params, { signal }) =>
        new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    });
    const stop = new AbortController();
    const call = caller.call('echo/say', { text: '' }, { signal: stop.signal });
    stop.abort();
    await assert.rejects(call, { name: 'HostError' });
  });

  it('rejects an unknown method, also one from the prototype', async () => {
    const { caller } = pair({ 'echo/say': async () => ({ length: 0 }) });
    const loose = caller as unknown as { call(method: string, params: unknown): Promise<unknown> };
    for (const method of ['nope', 'toString', '__proto__'])
      await assert.rejects(loose.call(method, {}), { name: 'HostError' });
  });

  it('notifies listeners of events until they are removed', () => {
    const { caller, responder } = pair({ 'echo/say': async () => ({ length: 0 }) });
    const heard: string[] = [];
    const stop = (caller as Caller<EchoScreen>).on('echo/changed', (names) => heard.push(...names));
    responder.tell('echo/changed', ['a']);
    stop();
    responder.tell('echo/changed', ['b']);
    assert.deepEqual(heard, ['a']);
  });

  it('aborts running calls when the host is disposed, without further messages', async () => {
    let aborted = false;
    const { caller, responder } = pair({
      'echo/say': async (_params, { signal }) => {
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        aborted = true;
        return { length: 0 };
      },
    });
    let settled = false;
    void caller.call('echo/say', { text: '' }).finally(() => (settled = true));
    responder.dispose();
    await new Promise(setImmediate);
    assert.deepEqual([aborted, settled], [true, false]);
  });

  it('leaves no abort listener', async () => {
    const { caller } = pair({ 'echo/say': async () => ({ length: 0 }) });
    const stop = new AbortController();
    await caller.call('echo/say', { text: '' }, { signal: stop.signal });
    assert.equal(getEventListeners(stop.signal, 'abort').length, 0);
  });
});
