import assert from 'node:assert/strict';
import { isApiError } from '../../../../src/core/api/errors';
import type { SpeechRequest } from '../../../../src/core/api/speech/speech.schema';
import { gatherSpeech } from '../../../../src/core/voices/speechAnswer';
import type { Speeches } from '../../../../src/core/api/speech/speech';
import { Speaking } from '../../../../src/features/voices/logic/speaking';
import { CurrentAccount } from '../../../../src/services/account/currentAccount';
import type { Profile } from '../../../../src/core/profiles/profile';
import type { Asset, MediaAssets } from '../../../../src/services/media/media';
import type { Services } from '../../../../src/services/services';
import { createTestClient } from '../../../support/apiClient';
import { startFilledDemo } from '../../../support/filledDemo';
import type { FilledDemo } from '../../../support/filledDemo';
import { until } from '../../../support/until';

const request: SpeechRequest = {
  model: 'FunAudioLLM/CosyVoice2-0.5B',
  input: 'What the voice says, and a little more of it.',
  voice: 'FunAudioLLM/CosyVoice2-0.5B:anna',
};

describe('speaking', () => {
  let demo: FilledDemo;
  before(async () => {
    demo = await startFilledDemo({ pace: 'instant' });
  });
  afterEach(() => demo.call('POST', '/_control/reset', {}));
  after(() => demo.close());

  const arm = (fault: string) => demo.call('POST', '/_control/arm', { fault, endpoint: 'POST /audio/speech' });
  function setUp(change: { readonly create?: Speeches['create']; readonly keep?: MediaAssets['keep'] } = {}) {
    const { client, exchanges } = createTestClient(demo.baseUrl, { apiKey: async () => demo.apiKey });
    const saved: { readonly bytes: Uint8Array; readonly recipe: unknown }[] = [];
    const works: string[] = [];
    const keep: MediaAssets['keep'] = async (bytes, recipe) => {
      saved.push({ bytes, recipe });
      return { path: '/kept.wav', recipe } as unknown as Asset;
    };
    const asked: string[] = [];
    const connections = {
      client: async (id: string) => {
        asked.push(id);
        return { speech: { create: change.create ?? ((...sent) => client.speech.create(...sent)) } };
      },
    } as unknown as Services['connections'];
    const accountOf = (id: string) => new CurrentAccount({ id, baseUrl: demo.baseUrl } as Profile, connections);
    const account = { current: accountOf('one') };
    const services = {
      account,
      connections,
      media: async () => ({ assets: { keep: change.keep ?? keep } }),
      activity: {
        start: (_label: string, options?: { readonly paid?: boolean }) => {
          works.push(options?.paid ? 'paid' : 'free');
          return { dispose: () => void works.push('over') };
        },
      },
      costs: {
        async around(id: string, work: () => Promise<unknown>) {
          asked.push(id);
          // The cap is checked first, and meanwhile the user may switch to another account.
          account.current = accountOf('two');
          return work();
        },
      },
    } as unknown as Services;
    const speaking = new Speaking(
      services,
      () => 'Speaking',
      () => {},
    );
    return { speaking, saved, works, exchanges, asked };
  }

  it('saves the received audio byte for byte, with its recipe, and counts it as charged', async () => {
    const { speaking, saved, works } = setUp();
    await speaking.speak({ ...request, response_format: 'wav', sample_rate: 16_000 });
    assert.equal(speaking.outcome?.kind, 'kept');
    const { client } = createTestClient(demo.baseUrl, { apiKey: async () => demo.apiKey });
    const { body } = await client.speech.create({ ...request, response_format: 'wav', sample_rate: 16_000 });
    const { bytes } = await gatherSpeech(body, () => {});
    assert.deepEqual(saved[0]!.bytes, bytes);
    const { traceId, ...recipe } = saved[0]!.recipe as { readonly traceId?: string };
    assert.match(traceId ?? '', /^ti_/);
    assert.deepEqual(recipe, {
      kind: 'speech',
      request: { ...request, response_format: 'wav', sample_rate: 16_000 },
      service: demo.baseUrl,
    });
    assert.deepEqual(works, ['paid', 'over']);
    assert.equal(speaking.running, undefined);
  });

  it('uses the account whose cap was checked when the account is switched', async () => {
    const { speaking, asked } = setUp();
    await speaking.speak(request);
    assert.deepEqual(asked, ['one', 'one']);
  });

  it('sends one request at a time', async () => {
    const { speaking, saved } = setUp();
    await Promise.all([speaking.speak(request), speaking.speak(request)]);
    assert.equal(saved.length, 1);
  });

  it('saves a playable part when it is stopped in the middle', async () => {
    await arm('stall');
    const { speaking, saved, works } = setUp();
    const speaks = speaking.speak(request);
    await until(() => (speaking.running && speaking.running.bytes > 0 ? true : undefined), 'bytes');
    speaking.stop();
    await speaks;
    assert.ok(speaking.outcome?.kind === 'kept');
    assert.deepEqual(speaking.outcome.ending, { by: 'stop' });
    assert.ok(saved[0]!.bytes.length > 1000);
    assert.deepEqual(works, ['paid', 'over']);
  });

  it('cancels the request when it is stopped before any audio, and saves nothing', async () => {
    await arm('never-answers');
    const { speaking, saved, exchanges } = setUp();
    const speaks = speaking.speak(request);
    await until(() => speaking.running, 'a request');
    speaking.stop();
    await speaks;
    assert.deepEqual(speaking.outcome, { kind: 'nothing', ending: { by: 'stop' }, why: 'empty', bytes: 0 });
    assert.equal(saved.length, 0);
    assert.equal(exchanges.at(-1)?.errorKind, 'aborted');
  });

  it('saves the received part of an interrupted response', async () => {
    await arm('cut-body');
    const { speaking, saved } = setUp();
    await speaking.speak({ ...request, stream: true });
    assert.ok(speaking.outcome?.kind === 'kept' && speaking.outcome.ending.by === 'fault');
    const { error } = speaking.outcome.ending;
    assert.ok(isApiError(error) && error.kind === 'truncated', String(error));
    assert.equal(saved.length, 1);
  });

  for (const [fault, kind] of [
    ['html-200', 'badResponse'],
    ['empty-body', 'badResponse'],
    ['not-json', 'badResponse'],
    ['wrong-shape', 'badResponse'],
    ['path-missing', 'notOffered'],
    ['server-60000', 'server'],
    ['balance-402', 'balance'],
  ] as const) {
    it(`saves nothing, and explains why: ${fault}`, async () => {
      await arm(fault);
      const { speaking, saved } = setUp();
      await speaking.speak(request);
      const { outcome } = speaking;
      assert.ok(outcome?.kind === 'failed' && isApiError(outcome.error), JSON.stringify(outcome));
      assert.equal(outcome.error.kind, kind);
      assert.deepEqual(outcome.request, request);
      assert.equal(saved.length, 0);
    });
  }

  it('accepts audio with another content type', async () => {
    await arm('wrong-content-type');
    const { speaking } = setUp();
    await speaking.speak({ ...request, response_format: 'wav' });
    assert.equal(speaking.outcome?.kind, 'kept');
  });

  it('reports the content of a response labeled as audio', async () => {
    const page = Buffer.from('<!doctype html><title>Sign in to the hotel</title>');
    const body = (async function* () {
      yield page;
    })();
    const { speaking, saved } = setUp({ create: async () => ({ contentType: 'audio/mpeg', ids: {}, body }) });
    await speaking.speak(request);
    const expected = { kind: 'nothing', ending: { by: 'itself' }, why: 'html', bytes: page.length };
    assert.deepEqual(speaking.outcome, expected);
    assert.equal(saved.length, 0);
  });

  it("holds audio that couldn't be written until it is", async () => {
    const full = Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
    let isFull = true;
    const written: number[] = [];
    const { speaking } = setUp({
      keep: async (bytes, recipe) => {
        if (isFull) throw full;
        written.push(bytes.length);
        return { path: '/kept.wav', recipe } as unknown as Asset;
      },
    });
    await speaking.speak(request);
    assert.deepEqual(speaking.outcome, { kind: 'notKept', error: full });
    await speaking.keepAgain();
    assert.equal(speaking.outcome?.kind, 'notKept');
    isFull = false;
    await speaking.keepAgain();
    assert.equal(speaking.outcome?.kind, 'kept');
    await speaking.keepAgain();
    assert.equal(written.length, 1);
  });

  it("writes held audio before another request, and sends none while it can't", async () => {
    let isFull = true;
    const written: string[] = [];
    const { speaking, exchanges } = setUp({
      keep: async (_bytes, recipe) => {
        if (isFull) throw new Error('EACCES');
        written.push((recipe.request as SpeechRequest).input);
        return { path: '/kept.wav', recipe } as unknown as Asset;
      },
    });
    await speaking.speak(request);
    await speaking.speak({ ...request, input: 'Next.' });
    assert.equal(speaking.outcome?.kind, 'notKept');
    assert.equal(exchanges.length, 1);
    isFull = false;
    await speaking.speak({ ...request, input: 'Next.' });
    assert.equal(speaking.outcome?.kind, 'kept');
    assert.deepEqual(written, [request.input, 'Next.']);
    assert.equal(exchanges.length, 2);
  });
});
