import { deepEqual, equal, ok } from 'node:assert/strict';
import { chatWayOf } from '../../../../../src/core/api/chat/chatWays';
import { Unsayable } from '../../../../../src/core/batch/fixes/foreign/exactJson';
import { convertRequest, type LineForm } from '../../../../../src/core/batch/fixes/foreign/toRequest';
import { batchServiceNamed } from '../../../../../src/core/batch/services/batchServiceOf';
import { unknownService } from '../../../../../src/core/batch/services/batchServices';
import { createRandom } from '../../../../../src/core/batch/transform/transforms';

type Json = Readonly<Record<string, unknown>>;

const serviceOf = (name: string) => ({
  rules: batchServiceNamed(name) ?? unknownService,
  way: chatWayOf(name === 'openAi' ? 'openai' : undefined),
});
const convert = (line: unknown, name: string, form?: LineForm) => {
  const text = typeof line === 'string' ? line : JSON.stringify(line);
  const names = { id: 'request-1', model: undefined, freshId: (like: string) => like };
  return convertRequest(text, { ...names, service: serviceOf(name), ...(form && { form }) });
};
const converted = (line: unknown, name: string, form?: LineForm): Json => {
  const found = convert(line, name, form);
  ok(found && !(found instanceof Unsayable), JSON.stringify([found, line]));
  return JSON.parse(found.text) as Json;
};
const leftOut = (line: unknown, name: string, form?: LineForm) => {
  const found = convert(line, name, form);
  return found instanceof Unsayable ? `not ${found.what}` : found?.leftOut;
};
const ofOpenAi = (body: object) => ({ custom_id: 'a', method: 'POST', url: '/v1/chat/completions', body });
const hi = { role: 'user', content: 'Hi' };
const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } };
const call = { id: 'c1', type: 'function', function: { name: 'look', arguments: '{"at":"Bern","n":1.50}' } };
const parameters = { type: 'object', properties: { at: { type: 'string' } } };
const whole = ofOpenAi({
  model: 'm',
  messages: [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: [{ type: 'text', text: 'Where?' }, image] },
    { role: 'assistant', content: 'One moment.', tool_calls: [call] },
    { role: 'tool', tool_call_id: 'c1', content: 'sun' },
    { role: 'user', content: 'And now?' },
  ],
  max_tokens: 50,
  temperature: 0.5,
  stop: 'END',
  tools: [{ type: 'function', function: { name: 'look', description: 'Looks.', parameters } }],
  tool_choice: 'required',
});

describe('A request in the format of another service', () => {
  it("is written as Anthropic's", () => {
    deepEqual(converted(whole, 'anthropic'), {
      custom_id: 'a',
      params: {
        model: 'm',
        max_tokens: 50,
        system: 'Be brief.',
        messages: [
          {
            role: 'user',
            content: [
              { type: 'text', text: 'Where?' },
              { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
            ],
          },
          {
            role: 'assistant',
            content: [
              { type: 'text', text: 'One moment.' },
              { type: 'tool_use', id: 'c1', name: 'look', input: { at: 'Bern', n: 1.5 } },
            ],
          },
          { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: 'sun' }] },
          { role: 'user', content: 'And now?' },
        ],
        stop_sequences: ['END'],
        temperature: 0.5,
        tools: [{ name: 'look', description: 'Looks.', input_schema: parameters }],
        tool_choice: { type: 'any' },
      },
    });
    const text = convert(whole, 'anthropic');
    ok(text && !(text instanceof Unsayable) && text.text.includes('"n":1.50'), 'numbers keep their digits');
  });

  it("is written as Gemini's, with a separate model", () => {
    const found = convert(whole, 'unknown', 'gemini');
    ok(found && !(found instanceof Unsayable));
    equal(found.model, 'm');
    deepEqual(JSON.parse(found.text), {
      key: 'a',
      request: {
        contents: [
          { role: 'user', parts: [{ text: 'Where?' }, { inlineData: { mimeType: 'image/png', data: 'AAAA' } }] },
          {
            role: 'model',
            parts: [
              { text: 'One moment.' },
              { functionCall: { id: 'c1', name: 'look', args: { at: 'Bern', n: 1.5 } } },
            ],
          },
          { role: 'user', parts: [{ functionResponse: { id: 'c1', name: 'look', response: { output: 'sun' } } }] },
          { role: 'user', parts: [{ text: 'And now?' }] },
        ],
        systemInstruction: { parts: [{ text: 'Be brief.' }] },
        generationConfig: { maxOutputTokens: 50, temperature: 0.5, stopSequences: ['END'] },
        tools: [{ functionDeclarations: [{ name: 'look', description: 'Looks.', parametersJsonSchema: parameters }] }],
        toolConfig: { functionCallingConfig: { mode: 'ANY' } },
      },
    });
  });

  it("is written as Mistral's and Fireworks', without model and envelope", () => {
    const line = ofOpenAi({ model: 'm', messages: [hi], max_tokens: 5, seed: 7, tool_choice: 'required' });
    const found = convert(line, 'mistral');
    ok(found && !(found instanceof Unsayable));
    equal(found.model, 'm');
    deepEqual(JSON.parse(found.text), {
      custom_id: 'a',
      body: { messages: [hi], max_tokens: 5, random_seed: 7, tool_choice: 'any' },
    });
    deepEqual(converted(line, 'fireworks'), {
      custom_id: 'a',
      body: { messages: [hi], max_tokens: 5, seed: 7, tool_choice: 'required' },
    });
  });

  it('keeps the schema of its answer, its effort, and its documents', () => {
    const schema = { type: 'object', properties: {}, additionalProperties: false };
    const format = { type: 'json_schema', schema };
    const pdf = 'data:application/pdf;base64,JVBERi0xLjQK';
    const asked = { type: 'json_schema', json_schema: { name: 'response', schema } };
    const chat = { model: 'm', messages: [hi], max_tokens: 5 };
    deepEqual(converted(ofOpenAi({ ...chat, response_format: asked }), 'anthropic'), {
      custom_id: 'a',
      params: { ...chat, output_config: { format } },
    });
    for (const output of [
      { output_config: { format, effort: 'low' } },
      { output_format: format, output_config: { effort: 'low' } },
    ])
      deepEqual(converted({ custom_id: 'a', params: { ...chat, ...output } }, 'unknown'), {
        ...ofOpenAi({ ...chat, response_format: asked, reasoning_effort: 'low' }),
      });
    const responses = { model: 'm', input: 'Hi', reasoning: { effort: 'low' } };
    deepEqual(
      converted({ custom_id: 'a', method: 'POST', url: '/v1/responses', body: responses }, 'groq'),
      ofOpenAi({ model: 'm', messages: [hi], reasoning_effort: 'low' }),
    );
    const file = { type: 'file', file: { filename: 'a.pdf', file_data: pdf } };
    const read = { ...chat, messages: [{ role: 'user', content: [file] }] };
    deepEqual(converted(ofOpenAi(read), 'anthropic')['params'], {
      ...chat,
      messages: [
        {
          role: 'user',
          content: [
            {
              type: 'document',
              source: { type: 'base64', media_type: 'application/pdf', data: 'JVBERi0xLjQK' },
              title: 'a.pdf',
            },
          ],
        },
      ],
    });
    const parts = [{ inlineData: { mimeType: 'application/pdf', data: 'JVBERi0xLjQK' } }];
    deepEqual((converted(ofOpenAi(read), 'unknown', 'gemini')['request'] as Json)['contents'], [
      { role: 'user', parts },
    ]);
    deepEqual(
      converted({ key: 'a', request: { contents: [{ parts }] } }, 'unknown'),
      ofOpenAi({
        messages: [{ role: 'user', content: [{ ...file, file: { ...file.file, filename: 'document.pdf' } }] }],
      }),
    );
    const document = {
      type: 'document',
      title: 'a.pdf',
      source: { type: 'base64', media_type: 'application/pdf', data: 'JVBERi0xLjQK' },
    };
    const words = { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'Read this.' } };
    const told = { custom_id: 'a', params: { ...chat, messages: [{ role: 'user', content: [document, words] }] } };
    deepEqual(
      converted(told, 'unknown'),
      ofOpenAi({
        ...chat,
        messages: [
          {
            role: 'user',
            content: [
              { ...file, file: { ...file.file, filename: 'document.pdf' } },
              { type: 'text', text: 'Read this.' },
            ],
          },
        ],
      }),
    );
    deepEqual(leftOut(told, 'unknown'), ['title']);
    const atUrl = { type: 'document', source: { type: 'url', url: 'https://example.com/a.pdf' } };
    const linked = { custom_id: 'a', params: { ...chat, messages: [{ role: 'user', content: [atUrl] }] } };
    equal(leftOut(linked, 'unknown'), 'not document');
    equal(
      leftOut(
        ofOpenAi({ messages: [{ role: 'user', content: [{ type: 'file', file: { file_id: 'f' } }] }] }),
        'anthropic',
      ),
      'not file',
    );
  });

  it('is written with the URL and names of the service', () => {
    const line = ofOpenAi({
      model: 'm',
      messages: [{ role: 'developer', content: 'Be brief.' }, hi],
      max_completion_tokens: 5,
    });
    deepEqual(converted(line, 'zhiPu'), {
      custom_id: 'a',
      method: 'POST',
      url: '/v4/chat/completions',
      body: { model: 'm', messages: [{ role: 'system', content: 'Be brief.' }, hi], max_tokens: 5 },
    });
    deepEqual(converted(line, 'openAi'), line);
    deepEqual(converted({ ...line, url: '/v4/chat/completions' }, 'openAi'), line);
    const vectors = { custom_id: 'a', method: 'POST', url: '/v1/embeddings', body: { model: 'm', input: 'Hi' } };
    equal(converted(vectors, 'zhiPu')['url'], '/v4/embeddings');
    deepEqual(converted(vectors, 'mistral'), { custom_id: 'a', body: { input: 'Hi' } });
    const asked = { custom_id: 'a', method: 'POST', url: '/v1/responses', body: { model: 'm', input: 'Hi' } };
    deepEqual(converted(asked, 'openRouter'), asked);
    deepEqual(converted(asked, 'together'), ofOpenAi({ model: 'm', messages: [hi] }));
    const text = { custom_id: 'a', method: 'POST', url: '/v1/completions', body: { model: 'm', prompt: 'Hi' } };
    deepEqual(converted(text, 'together'), text);
    deepEqual(converted(text, 'groq'), ofOpenAi({ model: 'm', messages: [hi] }));
    equal(leftOut(vectors, 'anthropic'), 'not url');
    equal(leftOut(vectors, 'groq'), 'not url');
  });

  it("is read from Gemini's, in both notations", () => {
    const snake = {
      key: 'k',
      request: {
        model: 'models/gemini-2.5-flash',
        contents: [
          { role: 'user', parts: [{ text: 'Where?' }] },
          { role: 'model', parts: [{ function_call: { name: 'look', args: { at: 'Bern' } } }] },
          { role: 'function', parts: [{ function_response: { name: 'look', response: { sky: 'clear' } } }] },
        ],
        system_instruction: { parts: [{ text: 'Be ' }, { text: 'brief.' }] },
        generation_config: {
          max_output_tokens: 9,
          response_mime_type: 'application/json',
          response_schema: { type: 'OBJECT', properties: { type: { type: 'STRING' } } },
          thinking_config: { thinking_budget: 0 },
        },
        tools: [{ function_declarations: [{ name: 'look', parameters: { type: 'OBJECT' } }] }],
        tool_config: { function_calling_config: { mode: 'ANY', allowed_function_names: ['look'] } },
        safety_settings: [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_NONE' }],
      },
    };
    deepEqual(converted(snake, 'together'), {
      custom_id: 'k',
      method: 'POST',
      url: '/v1/chat/completions',
      body: {
        model: 'gemini-2.5-flash',
        messages: [
          { role: 'system', content: 'Be brief.' },
          { role: 'user', content: 'Where?' },
          {
            role: 'assistant',
            content: '',
            tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'look', arguments: '{"at":"Bern"}' } }],
          },
          { role: 'tool', tool_call_id: 'call_1', content: '{"sky":"clear"}' },
        ],
        max_tokens: 9,
        enable_thinking: false,
        response_format: {
          type: 'json_schema',
          json_schema: { name: 'response', schema: { type: 'object', properties: { type: { type: 'string' } } } },
        },
        tools: [{ type: 'function', function: { name: 'look', parameters: { type: 'object' } } }],
        tool_choice: { type: 'function', function: { name: 'look' } },
      },
    });
    deepEqual(leftOut(snake, 'together'), ['safetySettings']);
    deepEqual(converted({ contents: [{ parts: [{ text: 'Hi' }] }] }, 'together')['body'], { messages: [hi] });
  });

  it('is read in the envelopes of Amazon Bedrock and Google Vertex', () => {
    const body = { anthropic_version: 'bedrock-2023-05-31', max_tokens: 5, system: 'Be brief.', messages: [hi] };
    const said = { messages: [{ role: 'system', content: 'Be brief.' }, hi], max_tokens: 5 };
    deepEqual(converted({ recordId: 'r', modelInput: body }, 'together'), { ...ofOpenAi(said), custom_id: 'r' });
    deepEqual(converted({ custom_id: 'a', request: body }, 'together'), ofOpenAi(said));
    deepEqual(converted({ recordId: 'r', modelInput: { messages: [hi], top_p: 1 } }, 'anthropic'), {
      custom_id: 'r',
      params: { max_tokens: 4096, messages: [hi], top_p: 1 },
    });
  });

  it('reports parts without an equivalent in the other format', () => {
    const more = { seed: 7, logprobs: true, response_format: { type: 'json_object' }, n: 1, stream: false, user: 'u' };
    deepEqual(leftOut(ofOpenAi({ model: 'm', messages: [hi], ...more }), 'anthropic'), [
      'seed',
      'logprobs',
      'response_format',
    ]);
    deepEqual(leftOut(ofOpenAi({ model: 'm', messages: [hi], ...more }), 'unknown', 'gemini'), ['logprobs', 'user']);
    const named = {
      role: 'user',
      name: 'Ann',
      content: [{ ...image, image_url: { ...image.image_url, detail: 'low' } }],
    };
    deepEqual(leftOut(ofOpenAi({ model: 'm', messages: [named], temperature: 1.5 }), 'anthropic'), [
      'name',
      'detail',
      'temperature',
    ]);
    const found = convert(ofOpenAi({ model: 'm', messages: [hi] }), 'anthropic');
    deepEqual(found instanceof Unsayable ? [] : found?.added, ['max_tokens']);
    deepEqual(leftOut({ custom_id: 'a', params: { model: 'm', messages: [hi] }, priority: 1 }, 'unknown', 'gemini'), [
      'priority',
    ]);
  });

  it("isn't converted if another format would change its meaning", () => {
    const late = [hi, { role: 'system', content: 'Be brief.' }];
    const audio = { role: 'user', content: [{ type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } }] };
    const broken = {
      role: 'assistant',
      content: null,
      tool_calls: [{ ...call, function: { name: 'f', arguments: '{"a' } }],
    };
    const search = { type: 'web_search' };
    for (const [body, form, what] of [
      [{ messages: late }, undefined, 'system'],
      [{ messages: late }, 'gemini', 'system'],
      [{ messages: [audio] }, undefined, 'input_audio'],
      [{ messages: [hi, broken] }, undefined, 'arguments'],
      [{ messages: [hi, { role: 'tool', tool_call_id: 'x', content: '1' }] }, 'gemini', 'tool_call_id'],
      [{ messages: [hi], tools: [search] }, undefined, 'web_search'],
      [{ messages: [hi], tools: [search] }, 'gemini', 'web_search'],
    ] as const)
      equal(leftOut(ofOpenAi({ model: 'm', ...body }), 'anthropic', form), `not ${what}`, JSON.stringify(body));
    const document = { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: '' } };
    const shot = { type: 'tool_result', tool_use_id: 't', content: [{ type: 'image', source: {} }] };
    for (const [params, what] of [
      [{ messages: [{ role: 'user', content: [document] }] }, 'document'],
      [{ messages: [{ role: 'user', content: [shot] }] }, 'image'],
      [{ messages: [hi], tools: [{ type: 'web_search_20250305', name: 'web_search' }] }, 'web_search_20250305'],
      [{ messages: [hi], stop_sequences: 'END' }, 'stop_sequences'],
    ] as const)
      equal(leftOut({ custom_id: 'a', params: { model: 'm', max_tokens: 5, ...params } }, 'openAi'), `not ${what}`);
    const stored = {
      custom_id: 'a',
      url: '/v1/responses',
      body: { model: 'm', input: 'Hi', previous_response_id: 'r' },
    };
    equal(leftOut(stored, 'together'), 'not previous_response_id');
    for (const [request, what] of [
      [{ contents: [{ parts: [{ text: 'Hi' }] }], cachedContent: 'cachedContents/1' }, 'cachedContent'],
      [{ contents: [{ parts: [{ text: 'Hi' }] }], tools: [{ googleSearch: {} }] }, 'googleSearch'],
      [{ contents: [{ parts: [{ fileData: { fileUri: 'gs://b/v.mp4', mimeType: 'video/mp4' } }] }] }, 'fileData'],
      [{ contents: [{ parts: [{ executableCode: {} }] }] }, 'parts'],
    ] as const)
      equal(leftOut({ key: 'k', request }, 'openAi'), `not ${what}`, JSON.stringify(request));
  });

  it('is unchanged if it already has the format', () => {
    const params = '{"custom_id":"a","params":{"model":"m","max_tokens":1.0,"messages":[]}}';
    const request = '{"key":"k","request":{"contents":[{"parts":[{"executableCode":{}}]}]}}';
    const texts = [convert(params, 'anthropic'), convert(request, 'unknown', 'gemini')];
    deepEqual(
      texts.map((found) => (found instanceof Unsayable ? undefined : found?.text)),
      [params, request],
    );
  });

  it('is unwrapped from a table cell', () => {
    const text = JSON.stringify(ofOpenAi({ model: 'm', messages: [{ role: 'user', content: 'Say "Hi", \\n' }] }));
    const cell = `"${text.replaceAll('"', '""')}"`;
    for (const line of [cell, `0,${cell}`, `12;${cell}`, `7\t${cell}`, `,${cell}`, `${cell},`, ` ${cell},,\r`])
      deepEqual(converted(line, 'together'), JSON.parse(text), line);
    for (const line of ['"{""a"":1}" x', '"{""a"":1', '"{"a":1}"', '""', '"{}"', 'x,"{""a"":1}"'])
      equal(convert(line, 'together'), undefined, line);
  });
});

describe('Requests converted to another format and back', () => {
  const forms: readonly (readonly [service: string, form: LineForm])[] = [
    ['anthropic', 'params'],
    ['unknown', 'gemini'],
    ['mistral', 'body'],
    ['fireworks', 'body'],
    ['openAi', 'request'],
    ['zhiPu', 'request'],
  ];

  it('are equivalent (1,200 requests in any two formats)', () => {
    for (let seed = 0; seed < 1200; seed++) {
      const line = ofOpenAi(randomBody(seed));
      const [first, second] = [forms[seed % forms.length]!, forms[(seed * 7 + 3) % forms.length]!];
      let now: unknown = line;
      for (const [service, form] of [first, second]) {
        const found = convert(now, service, form);
        ok(found && !(found instanceof Unsayable), JSON.stringify([seed, found]));
        deepEqual([found.leftOut, found.added], [[], []], `seed ${seed} at ${service}`);
        now = found.text;
      }
      const model = 'm';
      const back = convertRequest(String(now), { id: '', model, freshId: (id) => id, service: serviceOf('together') });
      ok(back && !(back instanceof Unsayable), `seed ${seed}`);
      deepEqual(meaning(JSON.parse(back.text) as Json), meaning(line), JSON.stringify([seed, first, second, now]));
    }
  });
});

/** A body with what all forms have. */
function randomBody(seed: number): Json {
  const random = createRandom(seed + 1);
  const chance = (of: number) => random(of) === 0;
  const pick = <T>(list: readonly T[]) => list[random(list.length)]!;
  const texts = ['Hi', 'Say "so".\nThen ünd 漢字 🎉', ' spaced ', '{"a": 1}', 'ERROR', '<b>&amp;</b>', 'a'.repeat(500)];
  const text = () => pick(texts);
  const hasTools = chance(2);
  const turns: Json[] = [];
  for (let turn = 0; turn <= random(3); turn++) {
    const urls = ['data:image/jpeg;base64,/9j/4AAQ', 'https://example.com/a.png?b=c'];
    const parts = [{ type: 'text', text: text() }, ...(chance(2) ? [{ type: 'text', text: text() }] : [])];
    turns.push({
      role: 'user',
      content: chance(3) ? [...parts, { type: 'image_url', image_url: { url: pick(urls) } }] : text(),
    });
    if (hasTools && chance(2)) {
      const ids = Array.from({ length: 1 + random(3) }, (_, at) => `call-${turn}-${at}`);
      const args = () => JSON.stringify({ at: text(), n: random(1000) / 8, list: [null, { x: true }] });
      turns.push({
        role: 'assistant',
        content: chance(2) ? text() : '',
        tool_calls: ids.map((id) => ({
          id,
          type: 'function',
          function: { name: pick(['look', 'go']), arguments: args() },
        })),
      });
      for (const id of ids) turns.push({ role: 'tool', tool_call_id: id, content: text() });
    }
    turns.push({ role: 'assistant', content: text() });
  }
  turns.push({ role: 'user', content: text() });
  const tool = (name: string) => ({
    type: 'function',
    function: { name, ...(chance(2) && { description: text() }), parameters: { type: 'object', properties: {} } },
  });
  const choices = ['auto', 'none', 'required', { type: 'function', function: { name: 'look' } }];
  return {
    model: 'm',
    messages: [...(chance(2) ? [{ role: 'system', content: text() }] : []), ...turns],
    max_tokens: 1 + random(4000),
    ...(chance(2) && { temperature: random(11) / 10 }),
    ...(chance(3) && { top_p: (1 + random(10)) / 10 }),
    ...(chance(2) && { stop: chance(2) ? 'END' : ['END', '\n\n'] }),
    ...(hasTools && { tools: [tool('look'), tool('go')] }),
    ...(hasTools && chance(2) && { tool_choice: pick(choices) }),
  };
}

/** What a request asks, however it is written. */
function meaning({ custom_id: id, body }: Json): unknown {
  const { max_completion_tokens, max_tokens = max_completion_tokens, stop, messages, ...rest } = body as Json;
  return {
    id,
    ...rest,
    max_tokens,
    stop: typeof stop === 'string' ? [stop] : stop,
    messages: (messages as readonly Json[]).map(({ content, tool_calls: calls, ...message }) => ({
      ...message,
      content: content ?? '',
      calls: (calls as readonly { id: string; function: { name: string; arguments: string } }[] | undefined)?.map(
        ({ id: of, function: { name, arguments: provided } }) => [of, name, JSON.parse(provided) as unknown],
      ),
    })),
  };
}
