import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { PNG } from 'pngjs';
import type { OtherService } from '../../support/otherServices/loopbackService';
import { startOpenAiService } from '../../support/otherServices/openAiService';
import { until } from '../../support/until';
import { ask, at, eventsIn, jsonIn, listAt, textAt, reported } from './asking';

const model = 'gpt-4o-mini';
const messages = [{ role: 'user', content: 'Use lookUp for "Ghent".' }];
const tools = [
  {
    type: 'function',
    function: {
      name: 'lookUp',
      parameters: { type: 'object', properties: { of: { type: 'string' } }, required: ['of'] },
    },
  },
];

describe("the server written from OpenAI's documentation", () => {
  let service: OtherService;
  before(async () => void (service = await startOpenAiService()));
  after(() => service.close());

  it('requires a key, and shows only the ends of a wrong one', async () => {
    match(reported(await ask(service, 'GET /models', undefined, {})), /^401 .*You didn't provide an API key/);
    const wrong = await ask(service, 'GET /models', undefined, { authorization: 'Bearer sk-mistyped-0123456789' });
    match(reported(wrong), /^401 .*Incorrect API key provided: sk-misty\*+6789\./);
    equal(at(jsonIn(wrong), 'error.code'), 'invalid_api_key');
    deepEqual(
      listAt(jsonIn(await ask(service, 'GET /models')), 'data').map((model) => at(model, 'id')),
      ['gpt-4o-mini', 'o4-mini', 'gpt-3.5-turbo-instruct', 'text-embedding-3-small', 'gpt-image-1', 'gpt-4o-mini-tts'],
    );
  });

  for (const [endpoint, words] of [
    [
      'POST /messages',
      '404 {"error":{"message":"Invalid URL (POST /v1/messages)","type":"invalid_request_error","param":null,"code":null}}',
    ],
    [
      'POST /rerank',
      '404 {"error":{"message":"Invalid URL (POST /v1/rerank)","type":"invalid_request_error","param":null,"code":null}}',
    ],
    [
      'GET /user/info',
      '404 {"error":{"message":"Invalid URL (GET /v1/user/info)","type":"invalid_request_error","param":null,"code":null}}',
    ],
    ['GET /chat/completions', /^405 .*Not allowed to GET on \/v1\/chat\/completions/],
  ] as const) {
    it(`has no ${endpoint}`, async () => {
      const answer = reported(await ask(service, endpoint, endpoint.startsWith('GET') ? undefined : {}));
      if (typeof words === 'string') equal(answer, words);
      else match(answer, words);
    });
  }

  const chat = { model, messages: [{ role: 'user', content: 'Hello' }] };
  for (const [body, words] of [
    [{ ...chat, top_k: 3 }, 'Unrecognized request argument supplied: top_k'],
    [{ ...chat, min_p: 0, enable_thinking: false }, 'Unrecognized request arguments supplied: min_p, enable_thinking'],
    [{ ...chat, temperature: 3 }, "Invalid 'temperature': decimal above maximum value"],
    [{ ...chat, stop: ['1', '2', '3', '4', '5'] }, "Invalid 'stop': array too long"],
    [{ ...chat, model: 'gpt-9' }, 'The model `gpt-9` does not exist or you do not have access to it.'],
    [{ ...chat, model: 'text-embedding-3-small' }, 'This is not a chat model'],
    [{ ...chat, model: 'o4-mini', max_tokens: 5 }, "Use 'max_completion_tokens' instead."],
    [{ ...chat, model: 'o4-mini', temperature: 0.5 }, "'temperature' does not support 0.5 with this model"],
    [{ ...chat, model: 'o4-mini', top_p: 0.5 }, "Unsupported parameter: 'top_p' is not supported with this model."],
    [{ ...chat, stream_options: { include_usage: true } }, "only allowed when 'stream' is enabled"],
    [{ ...chat, tool_choice: 'auto' }, "only allowed when 'tools' are specified"],
    [{ ...chat, messages: [{ role: 'user', content: 'a', cache: 1 }] }, "Unknown parameter: 'messages[0].cache'."],
    [
      { ...chat, messages: [...chat.messages, { role: 'assistant', content: 'b', reasoning_content: 'c' }] },
      "Unknown parameter: 'messages[1].reasoning_content'.",
    ],
    [
      { ...chat, messages: [...chat.messages, { role: 'tool', tool_call_id: 'a', content: 'b' }] },
      'must be a response to a preceeding',
    ],
    [{ ...chat, messages: [] }, "Invalid 'messages': empty array"],
    [
      { ...chat, messages: [{ role: 'user', content: 'word '.repeat(128_001) }] },
      'maximum context length is 128000 tokens',
    ],
  ] as const) {
    it(`rejects a chat with its own message: ${words}`, async () => {
      const { status, text } = await ask(service, 'POST /chat/completions', body);
      equal(status, body.model === 'gpt-9' || body.model === 'text-embedding-3-small' ? 404 : 400);
      ok(text.includes(words), text);
    });
  }

  it('streams a tool call in chunks, continues with its result, and returns usage on request', async () => {
    const options = { stream: true, stream_options: { include_usage: true } };
    const first = eventsIn(await ask(service, 'POST /chat/completions', { model, messages, tools, ...options }));
    const deltas = first.map((event) => at(event, 'choices.0.delta'));
    const calls = deltas.flatMap((delta) => listAt(delta, 'tool_calls'));
    equal(at(calls[0], 'function.name'), 'lookUp');
    equal(calls.map((call) => at(call, 'function.arguments')).join(''), '{"of":"Ghent"}');
    deepEqual([first.at(-1), at(first.at(-2), 'choices'), at(first[0], 'usage')], ['[DONE]', [], null]);
    const call = {
      id: at(calls[0], 'id'),
      type: 'function',
      function: { name: 'lookUp', arguments: '{"of":"Ghent"}' },
    };
    const turns = [
      ...messages,
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: call.id, content: 'a city' },
    ];
    const second = jsonIn(await ask(service, 'POST /chat/completions', { model, messages: turns, tools }));
    equal(at(second, 'choices.0.message.content'), 'The tool gave: a city');
    const open = await ask(service, 'POST /chat/completions', { model, messages: turns.slice(0, 2), tools });
    match(reported(open), /^400 .*must be followed by tool messages/);
  });

  it('completes with its old model only', async () => {
    const asked = { prompt: 'Once', max_tokens: 4, logprobs: 2 };
    const old = jsonIn(await ask(service, 'POST /completions', { ...asked, model: 'gpt-3.5-turbo-instruct' }));
    deepEqual(at(old, 'choices.0.logprobs.tokens'), [' and', ' so', ' it', ' went']);
    match(
      reported(await ask(service, 'POST /completions', { ...asked, model })),
      /^404 .*This is a chat model and not supported/,
    );
  });

  it('returns images as base64, speech as MP3, and embeddings', async () => {
    const picture = { model: 'gpt-image-1', prompt: 'A pier', size: '1024x1536', n: 2 };
    const made = listAt(jsonIn(await ask(service, 'POST /images/generations', picture)), 'data');
    const { width, height } = PNG.sync.read(Buffer.from(textAt(made[1], 'b64_json'), 'base64'));
    deepEqual([made.length, width, height], [2, 1024, 1536]);
    const odd = await ask(service, 'POST /images/generations', { ...picture, image_size: '1024x1024' });
    match(reported(odd), /^400 .*Unknown parameter: 'image_size'\./);
    const spoken = { model: 'gpt-4o-mini-tts', input: 'Good morning', voice: 'alloy' };
    equal((await ask(service, 'POST /audio/speech', spoken)).headers.get('content-type'), 'audio/mpeg');
    match(reported(await ask(service, 'POST /audio/speech', { ...spoken, voice: undefined })), /^400 .*'voice'/);
    const embedded = jsonIn(
      await ask(service, 'POST /embeddings', { model: 'text-embedding-3-small', input: ['a', 'b'] }),
    );
    equal(listAt(embedded, 'data').length, 2);
  });

  const upload = async (content: string): Promise<string> => {
    const form = new FormData();
    form.set('purpose', 'batch');
    form.set('file', new File([content], 'requests.jsonl'));
    const headers = { authorization: `Bearer ${service.key}` };
    const response = await fetch(`${service.baseUrl}/files`, { method: 'POST', headers, body: form });
    return ((await response.json()) as { readonly id: string }).id;
  };
  const ended = (id: string) =>
    until(async () => {
      const batch = jsonIn(await ask(service, `GET /batches/${id}`));
      return ['completed', 'failed'].includes(textAt(batch, 'status')) ? batch : undefined;
    }, 'the batch');
  const line = (id: string, body: object) =>
    JSON.stringify({ custom_id: id, method: 'POST', url: '/v1/chat/completions', body });

  it('runs a batch: each valid line in the output file, each rejected one in the error file', async () => {
    const file = await upload(`${line('a', chat)}\n${line('b', { ...chat, top_k: 1 })}\n`);
    const options = { input_file_id: file, endpoint: '/v1/chat/completions', completion_window: '24h' };
    match(
      reported(await ask(service, 'POST /batches', { ...options, completion_window: '48h' })),
      /^400 .*Value must be '24h'/,
    );
    match(
      reported(await ask(service, 'POST /batches', { ...options, extra_body: {} })),
      /^400 .*Unknown parameter: 'extra_body'/,
    );
    const id = textAt(jsonIn(await ask(service, 'POST /batches', { ...options, metadata: { a: 'b' } })), 'id');
    const batch = await ended(id);
    deepEqual(at(batch, 'request_counts'), { total: 2, completed: 1, failed: 1 });
    const output = (await ask(service, `GET /files/${textAt(batch, 'output_file_id')}/content`)).text;
    match(output, /"custom_id":"a".*"status_code":200.*You asked: Hello/);
    const errors = (await ask(service, `GET /files/${textAt(batch, 'error_file_id')}/content`)).text;
    match(errors, /"custom_id":"b".*"status_code":400.*Unrecognized request argument/);
    const listed = jsonIn(await ask(service, 'GET /batches?limit=1'));
    deepEqual([at(listed, 'data.0.id'), at(listed, 'has_more')], [id, false]);
  });

  it('fails a batch for its lines, and reports missing files and batches', async () => {
    const file = await upload(`${line('a', chat)}\n${line('a', chat)}\nno json\n`);
    const options = { input_file_id: file, endpoint: '/v1/chat/completions', completion_window: '24h' };
    const batch = await ended(textAt(jsonIn(await ask(service, 'POST /batches', options)), 'id'));
    deepEqual(
      listAt(batch, 'errors.data').map((fault) => [at(fault, 'code'), at(fault, 'line')]),
      [
        ['duplicate_custom_id', 2],
        ['invalid_json_line', 3],
      ],
    );
    match(reported(await ask(service, 'GET /files/file-none')), /^404 .*No such File object: file-none/);
    match(reported(await ask(service, 'GET /batches/batch_none')), /^404 .*No batch found with id 'batch_none'/);
  });
});
