import { deepEqual, equal } from 'node:assert/strict';
import type { CompletionEvent } from '../../../../../src/core/api/completions/completionEvents';
import { createLearnedStore, type LearnedRecord } from '../../../../../src/core/api/learned';
import { createTestClient, drain } from '../../../../support/apiClient';
import { eventsOf, jsonOf, startLoopbackService } from '../../../../support/otherServices/loopbackService';
import type { Asked, OtherService, Reply } from '../../../../support/otherServices/loopbackService';

const model = 'tiny-code.gguf';

function refused(code: number, message: string): Reply {
  return { status: code, json: { error: { code, message, type: 'invalid_request_error' } } };
}

function complete(asked: Asked): Reply {
  const { n = 1, seed = 0 } = jsonOf(asked) ?? {};
  if (n !== 1) return refused(400, `Field 'n': Value must be between 1 <= value <= 1, but got ${String(n)}`);
  const chunk = (choice: object, usage?: object) => ({ id: 'c1', model, choices: [{ index: 0, ...choice }], usage });
  const events = [
    chunk({ text: `text ${String(seed)}`, finish_reason: null }),
    chunk({ text: '', finish_reason: 'stop' }, { prompt_tokens: 4, completion_tokens: 2, total_tokens: 6 }),
  ];
  return { headers: { 'content-type': 'text/event-stream' }, raw: eventsOf(events, 'data: [DONE]\n\n') };
}

function infill(): Reply {
  const events = [
    { index: 0, content: '    return', stop: false },
    { index: 0, content: ' a + b', stop: false },
    { index: 0, content: '', model, stop: true, stop_type: 'limit', tokens_evaluated: 9, tokens_predicted: 3 },
  ];
  return { headers: { 'content-type': 'text/event-stream' }, raw: eventsOf(events) };
}

const noInfill = () => refused(501, 'Infill is not supported by this model: prefix token is missing.');

/** As a current build answers: the list names the program, a suffix of `/completions` is ignored, and `n` is at most 1. */
function startServer(answerInfill: () => Reply): Promise<OtherService> {
  return startLoopbackService({
    root: '',
    routes: {
      'GET /v1/models': () => ({
        json: { object: 'list', data: [{ id: model, object: 'model', owned_by: 'llamacpp' }] },
      }),
      'POST /v1/completions': complete,
      'POST /infill': answerInfill,
    },
    missing: () => refused(404, 'File Not Found'),
    failed: (error) => refused(500, String(error)),
  });
}

const textOf = (events: readonly CompletionEvent[]) =>
  events.flatMap((event) => (event.type === 'text' ? [event.text] : [])).join('');

describe('completions of a llama.cpp server on any port', () => {
  let service: OtherService | undefined;
  afterEach(() => service?.close());

  it('use the suffix once the model list identifies the server', async () => {
    service = await startServer(infill);
    const records: LearnedRecord[] = [];
    const learned = createLearnedStore({}, (record) => records.push(record));
    const { client } = createTestClient(`${service.baseUrl}/v1`, { learned });
    const request = { model, prompt: 'def add(a, b):\n', suffix: '\n', max_tokens: 8, stop: ['\n\n'] };
    equal(textOf((await drain(client.completions.stream(request))).events), 'text 0');
    await client.models.list({});
    deepEqual(records, [{ service: 'llamaCpp', models: {} }]);
    const { events, error } = await drain(client.completions.stream(request));
    equal(error, undefined);
    equal(textOf(events), '    return a + b');
    const last = events.at(-1);
    deepEqual(last?.type === 'end' && last.completion, {
      model,
      choices: [{ index: 0, text: '    return a + b', finish_reason: 'length' }],
      usage: { prompt_tokens: 9, completion_tokens: 3 },
    });
    deepEqual(service.bodies('POST /infill'), [
      {
        input_prefix: 'def add(a, b):\n',
        input_suffix: '\n',
        prompt: '',
        model,
        n_predict: 8,
        stop: ['\n\n'],
        stream: true,
      },
    ]);
  });

  it('continue without the suffix if the model cannot fill in', async () => {
    service = await startServer(noInfill);
    const { client } = createTestClient(`${service.baseUrl}/v1`, { service: 'llamaCpp' });
    for (let count = 0; count < 2; count++) {
      const { events, error } = await drain(client.completions.stream({ model, prompt: 'a', suffix: 'b' }));
      equal(error, undefined);
      equal(textOf(events), 'text 0');
    }
    equal(service.asked.filter(({ path }) => path === '/infill').length, 1);
  });

  it('are requested one at a time if the server rejects several at once', async () => {
    service = await startServer(infill);
    const { client } = createTestClient(`${service.baseUrl}/v1`);
    for (let count = 0; count < 2; count++) {
      const { events, error } = await drain(client.completions.stream({ model, prompt: 'a', n: 3, seed: 5 }));
      equal(error, undefined);
      const last = events.at(-1);
      deepEqual(last?.type === 'end' && last.completion, {
        id: 'c1',
        model,
        choices: [5, 6, 7].map((seed, index) => ({ index, text: `text ${seed}`, finish_reason: 'stop' })),
        usage: { prompt_tokens: 12, completion_tokens: 6, total_tokens: 18 },
      });
      equal(events.filter(({ type }) => type === 'start').length, 1);
    }
    equal(service.asked.length, 7);
  });
});
