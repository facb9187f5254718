import assert from 'node:assert/strict';
import { CompletionAssembler } from '../../../../../src/core/api/completions/completions';
import type { CompletionRequest } from '../../../../../src/core/api/completions/completions.schema';
import { createSseReader } from '../../../../../src/core/api/sse';
import { createTestClient, drain, failureOf } from '../../../../support/apiClient';
import {
  type FixtureServer,
  fixture,
  jsonAnswer,
  startFixtureServer,
  streamAnswer,
} from '../../../../support/fixtureServer';

const request: CompletionRequest = { model: 'Qwen/Qwen2.5-Coder-7B-Instruct', prompt: 'def ' };

describe('completions', () => {
  let server: FixtureServer;
  beforeEach(async () => void (server = await startFixtureServer()));
  afterEach(() => server.close());
  const completions = () => createTestClient(server.baseUrl).client.completions;

  it('sends every parameter under its name, exactly as set', async () => {
    server.answer(jsonAnswer('completions/answer.json'));
    const full: CompletionRequest = {
      ...request,
      suffix: '\n',
      max_tokens: 16,
      stop: ['\n\n', 'END'],
      temperature: 1,
      top_p: 0,
      top_k: 0,
      repetition_penalty: 1.1,
      n: 128,
      presence_penalty: -2,
      frequency_penalty: 2,
      logit_bias: { '50256': -100 },
      seed: 0,
      logprobs: 5,
      stream_options: { include_usage: true },
    };
    await completions().create(full);
    await completions().create({ ...request, max_tokens: null });
    assert.equal(`${server.seen[0]?.method} ${server.seen[0]?.path}`, 'POST /v1/completions');
    assert.equal(server.seen[0]?.body, JSON.stringify(full));
    assert.equal(server.seen[1]?.body, JSON.stringify({ ...request, max_tokens: null }));
  });

  it('reads a complete response with choices in order', async () => {
    server.answer(jsonAnswer('completions/answer.json'));
    assert.deepEqual(await completions().create(request), {
      id: 'cmpl-1',
      model: 'Qwen/Qwen2.5-Coder-7B-Instruct',
      created: 1741685413,
      system_fingerprint: 'fp_1',
      choices: [
        {
          index: 0,
          text: ' first',
          finish_reason: 'eos',
          logprobs: { tokens: [' fir', 'st'], token_logprobs: [-0.1, -0.5] },
        },
        { index: 1, text: ' second', finish_reason: 'length' },
      ],
      usage: { prompt_tokens: 5, completion_tokens: 4, total_tokens: 9 },
      prompt: [{ text: 'Say', logprobs: { tokens: ['Say'], token_logprobs: [null] } }],
    });
  });

  it('streams several choices concurrently', async () => {
    server.answer(streamAnswer(fixture('completions/stream.sse')));
    const { events, error } = await drain(completions().stream(request));
    assert.equal(error, undefined);
    assert.equal(server.seen[0]?.body, JSON.stringify({ ...request, stream: true }));
    assert.deepEqual(events, [
      { type: 'start', id: 'cmpl-1', model: 'm' },
      { type: 'text', index: 0, text: 'def ', logprobs: { tokens: ['def '], token_logprobs: [-0.2] } },
      { type: 'text', index: 1, text: 'fn ' },
      { type: 'text', index: 0, text: 'f():', logprobs: { tokens: ['f():'], token_logprobs: [-0.4] } },
      { type: 'finish', index: 0, reason: 'stop' },
      { type: 'text', index: 1, text: 'é()' },
      { type: 'finish', index: 1, reason: 'length' },
      { type: 'usage', usage: { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 } },
      {
        type: 'end',
        completion: {
          id: 'cmpl-1',
          model: 'm',
          created: 1741685413,
          choices: [
            {
              index: 0,
              text: 'def f():',
              finish_reason: 'stop',
              logprobs: { tokens: ['def ', 'f():'], token_logprobs: [-0.2, -0.4] },
            },
            { index: 1, text: 'fn é()', finish_reason: 'length' },
          ],
          usage: { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 },
        },
      },
    ]);
  });

  it("reads the vendor's own chunks, with token and finish reason at the top level", async () => {
    server.answer(streamAnswer(fixture('completions/stream-vendor.sse')));
    const { events } = await drain(completions().stream(request));
    const last = events.at(-1);
    assert.ok(last?.type === 'end');
    assert.deepEqual(last.completion, {
      id: 'v-1',
      choices: [
        {
          index: 0,
          text: 'Hello',
          finish_reason: 'eos',
          logprobs: { tokens: ['Hel', 'lo'], token_logprobs: [-0.3, -0.1] },
        },
      ],
      usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 },
    });
  });

  it('returns the same events for a split at every byte', () => {
    for (const name of ['completions/stream.sse', 'completions/stream-vendor.sse']) {
      const bytes = Buffer.from(fixture(name));
      const expected = eventsOf([bytes]);
      for (let at = 1; at < bytes.length; at += 1) {
        assert.deepEqual(eventsOf([bytes.subarray(0, at), bytes.subarray(at)]), expected, `${name} cut at ${at}`);
      }
    }
  });

  it('is complete if the body ends after a finish reason without the end mark', async () => {
    server.answer(streamAnswer(fixture('completions/stream.sse').replace('data: [DONE]\n\n', '')));
    const { events, error } = await drain(completions().stream(request));
    assert.equal(error, undefined);
    assert.equal(events.at(-1)?.type, 'end');
  });

  it("passes on events that aren't chunks, and continues", async () => {
    const odd = 'data: {"object":"weather"}\n\ndata: not json\n\n';
    server.answer(streamAnswer(odd + fixture('completions/stream.sse')));
    const { events, error } = await drain(completions().stream(request));
    assert.equal(error, undefined);
    assert.deepEqual(events.slice(0, 2), [
      { type: 'unknown', raw: { object: 'weather' } },
      { type: 'unknown', raw: 'not json' },
    ]);
  });

  it('rejects out-of-range parameters before sending', async () => {
    const cases: readonly (readonly [Partial<CompletionRequest>, string])[] = [
      [{ temperature: 1.1 }, 'temperature must be 1 or less, not 1.1.'],
      [{ n: 0 }, 'n must be at least 1, not 0.'],
      [{ n: 129 }, 'n must be 128 or less, not 129.'],
      [{ n: 1.5 }, 'n must be a whole number, not 1.5.'],
      [{ presence_penalty: -2.1 }, 'presence_penalty must be at least -2, not -2.1.'],
      [{ frequency_penalty: 2.1 }, 'frequency_penalty must be 2 or less, not 2.1.'],
    ];
    for (const [change, message] of cases) {
      assert.equal((await failureOf(completions().create({ ...request, ...change }))).message, message);
      const streamed = await drain(completions().stream({ ...request, ...change }));
      assert.equal(streamed.error?.message, message);
    }
    assert.equal(server.seen.length, 0);
  });
});

function eventsOf(pieces: readonly Uint8Array[]) {
  const texts: string[] = [];
  const reader = createSseReader(1_000_000, { onData: (text) => texts.push(text), onStray: assert.fail });
  const assembler = new CompletionAssembler();
  for (const piece of pieces) reader.push(piece);
  reader.end();
  return texts.flatMap((text) => (text === '[DONE]' ? assembler.end() : assembler.push(JSON.parse(text))));
}
