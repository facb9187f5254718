import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { startAnthropicService } from '../../support/otherServices/anthropicService';
import type { OtherService } from '../../support/otherServices/loopbackService';
import { ask, at, eventsIn, jsonIn, listAt, textAt, reported } from './asking';

const model = 'claude-sonnet-4-6';
const question = { role: 'user', content: 'Use lookUp for "Ghent".' };
const tools = [
  { name: 'lookUp', input_schema: { type: 'object', properties: { of: { type: 'string' } }, required: ['of'] } },
];
const plain = { model, max_tokens: 100, messages: [{ role: 'user', content: 'Hello' }] };

describe("the server written from Anthropic's documentation", () => {
  let service: OtherService;
  let own: Record<string, string>;
  before(async () => {
    service = await startAnthropicService();
    own = { 'x-api-key': service.key, 'anthropic-version': '2023-06-01' };
  });
  after(() => service.close());
  const message = (body: object, headers = own) => ask(service, 'POST /messages', body, headers);

  it('requires its key and version in their own headers, and rejects a bearer token', async () => {
    const without = (name: string) => Object.fromEntries(Object.entries(own).filter(([one]) => one !== name));
    match(reported(await message(plain, {})), /^401 .*"authentication_error","message":"x-api-key header is required"/);
    match(reported(await message(plain, { ...own, 'x-api-key': 'sk-ant-other' })), /^401 .*invalid x-api-key/);
    const bearer = { ...without('x-api-key'), authorization: `Bearer ${service.key}` };
    match(reported(await message(plain, bearer)), /^401 .*"authentication_error","message":"Invalid bearer token"/);
    match(reported(await message(plain, without('anthropic-version'))), /^400 .*anthropic-version: header is required/);
    match(
      reported(await message(plain, { ...own, 'anthropic-version': '2020-01-01' })),
      /^400 .*is not a valid version/,
    );
  });

  it('lists its models in pages', async () => {
    const first = jsonIn(await ask(service, 'GET /models?limit=2', undefined, own));
    deepEqual([listAt(first, 'data').length, at(first, 'has_more'), at(first, 'last_id')], [2, true, model]);
    const next = jsonIn(await ask(service, `GET /models?limit=2&after_id=${textAt(first, 'last_id')}`, undefined, own));
    deepEqual([at(next, 'data.0.id'), at(next, 'has_more')], ['claude-haiku-4-5-20251001', false]);
    match(reported(await ask(service, 'GET /models?sub_type=chat', undefined, own)), /^400 .*sub_type: Extra inputs/);
  });

  for (const path of ['POST /chat/completions', 'POST /completions', 'POST /rerank', 'GET /files', 'GET /user/info']) {
    it(`has no ${path}`, async () => {
      const answer = await ask(service, path, path.startsWith('GET') ? undefined : {}, own);
      match(
        reported(answer),
        /^404 \{"type":"error","error":\{"type":"not_found_error","message":"Not Found"\},"request_id":"req_/,
      );
    });
  }

  for (const [change, words] of [
    [{ max_tokens: undefined }, 'max_tokens: Field required'],
    [{ seed: 1 }, 'seed: Extra inputs are not permitted'],
    [{ temperature: 1.5 }, 'temperature: range: 0..1'],
    [{ temperature: 0.5, top_p: 0.5 }, 'cannot both be specified'],
    [{ model: 'claude-1' }, '"not_found_error","message":"model: claude-1"'],
    [{ model: 'claude-opus-5-5', temperature: 0.5 }, '`temperature` is deprecated for this model.'],
    [{ model: 'claude-opus-5-5', thinking: { type: 'enabled', budget_tokens: 2000 } }, 'thinking.type.enabled'],
    [{ thinking: { type: 'enabled', budget_tokens: 10 } }, 'greater than or equal to 1024'],
    [
      { thinking: { type: 'enabled', budget_tokens: 2000 } },
      '`max_tokens` must be greater than `thinking.budget_tokens`',
    ],
    [{ messages: [{ role: 'system', content: 'a' }] }, 'Unexpected role \\"system\\"'],
    [{ messages: [{ role: 'user', content: [{ type: 'text', text: '' }] }] }, 'text content blocks must be non-empty'],
    [
      { messages: [{ role: 'user', content: 'word '.repeat(200_001).trim() }] },
      'prompt is too long: 200001 tokens > 200000 maximum',
    ],
    [{ tool_choice: { type: 'auto' } }, 'may only be specified while providing tools'],
    [{ tools: [{ type: 'function', function: {} }] }, 'tools.0.custom.function: Extra inputs are not permitted'],
  ] as const) {
    it(`rejects with its own message: ${words}`, async () => {
      const { status, text } = await message({ ...plain, ...change });
      equal(status, words.includes('not_found_error') ? 404 : 400);
      ok(text.includes(words), text);
    });
  }

  it('rejects sampling parameters in its newer version', async () => {
    equal((await message({ ...plain, temperature: 1 })).status, 200);
    const newer = { ...own, 'anthropic-version': '2026-10-21' };
    match(
      reported(await message({ ...plain, temperature: 1 }, newer)),
      /^400 .*temperature: Extra inputs are not permitted/,
    );
  });

  it('streams thinking, a ping, and a call in chunks, and requires all of it with the result', async () => {
    const thinking = { type: 'enabled', budget_tokens: 1024 };
    const asked = { model, max_tokens: 2000, messages: [question], tools, thinking };
    const events = eventsIn(await message({ ...asked, stream: true }));
    equal(
      events.some((event) => at(event, 'type') === 'ping'),
      true,
    );
    deepEqual(
      events.flatMap((event) => at(event, 'content_block.type') ?? []),
      ['thinking', 'text', 'tool_use'],
    );
    const pieces = events.map((event) => textAt(event, 'delta.partial_json')).join('');
    equal(pieces, '{"of":"Ghent"}');
    deepEqual(
      [at(events[0], 'type'), at(events.at(-2), 'delta.stop_reason'), at(events.at(-1), 'type')],
      ['message_start', 'tool_use', 'message_stop'],
    );

    const content = listAt(jsonIn(await message(asked)), 'content');
    const result = { type: 'tool_result', tool_use_id: at(content[2], 'id'), content: 'a city' };
    const turns = (said: unknown) => [
      question,
      { role: 'assistant', content: said },
      { role: 'user', content: [result] },
    ];
    const second = jsonIn(await message({ ...asked, messages: turns(content) }));
    equal(at(second, 'content.1.text'), 'The tool gave: a city');
    match(reported(await message({ ...asked, messages: turns(content.slice(1)) })), /^400 .*Expected `thinking` or/);
    const forged = [{ ...(content[0] as object), signature: 'x' }, ...content.slice(1)];
    match(
      reported(await message({ ...asked, messages: turns(forged) })),
      /^400 .*Invalid `signature` in `thinking` block/,
    );
    match(
      reported(await message({ ...asked, messages: turns(content).slice(0, 2) })),
      /^400 .*without `tool_result` blocks/,
    );
  });
});
