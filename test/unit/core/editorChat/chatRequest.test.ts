import assert from 'node:assert/strict';
import type { MessageParam } from '../../../../src/core/api/messages/messages.schema';
import { messageRequest } from '../../../../src/core/api/messages/messages.schema';
import type { Capabilities } from '../../../../src/core/capabilities/capabilities';
import { toEditorRequest, mostPromptTokens } from '../../../../src/core/editorChat/chatRequest';
import { countMessageTokens } from '../../../../src/core/tokens/countTokens';
import type { EditorQuestion } from '../../../../src/core/editorChat/chatRequest';
import { toBlocks } from '../../../../src/core/conversation/compactedTranscript';

const able: Capabilities = { tools: true, images: true, contextTokens: 100_000, outputTokens: 8000, thinking: 'asked' };
const user = (content: MessageParam['content']): MessageParam => ({ role: 'user', content });
const assistant = (content: MessageParam['content']): MessageParam => ({ role: 'assistant', content });
const call = (id: string, name = 'look') => ({ type: 'tool_use' as const, id, name, input: { id } });
const result = (id: string) => ({ type: 'tool_result' as const, tool_use_id: id, content: `result ${id}` });
const picture = {
  type: 'image' as const,
  source: { type: 'base64' as const, media_type: 'image/png', data: 'AAAA' },
};
const tool = (name: string) => ({ name, description: name, input_schema: { type: 'object' } });

const ask = (
  question: Partial<EditorQuestion>,
  { capabilities = able, limit = 10 }: { capabilities?: Capabilities; limit?: number | undefined } = {},
) =>
  toEditorRequest(
    { model: 'm', messages: [user('Hello')], tools: [], toolRequired: false, options: {}, ...question },
    capabilities,
    limit,
  );

/** As the service wants it: a call's result stands in the very next message, and nothing else is a result. */
function assertPaired(messages: readonly MessageParam[]): void {
  messages.forEach((message, index) => {
    const calls = toBlocks(messages[index - 1]?.content ?? '').flatMap((block) =>
      block.type === 'tool_use' ? [block.id] : [],
    );
    const results = toBlocks(message.content).flatMap((block) =>
      block.type === 'tool_result' ? [block.tool_use_id] : [],
    );
    assert.deepEqual(results, calls, `message ${index}`);
    if (index > 0) assert.notEqual(message.role, messages[index - 1]?.role);
  });
  assert.ok(messages.length === 0 || toBlocks(messages.at(-1)!.content).every(({ type }) => type !== 'tool_use'));
}

describe('a request from VS Code Chat', () => {
  it('contains the system messages as the system prompt, and texts as text', () => {
    const { request } = ask({
      messages: [
        { role: 'system', content: [{ type: 'text', text: 'Be brief.' }] },
        user([{ type: 'text', text: 'Hello' }]),
        user([
          { type: 'text', text: 'there' },
          { type: 'text', text: '  ' },
        ]),
        { role: 'system', content: 'In English.' },
      ],
    });
    assert.equal(request.system, 'Be brief.\n\nIn English.');
    assert.deepEqual(request.messages, [user('Hello\n\nthere')]);
    assert.ok(messageRequest.safeParse(request).success);
  });

  it('has up to ten messages, with every call next to its result, for any conversation', () => {
    for (let rounds = 0; rounds <= 30; rounds++) {
      const talk = Array.from({ length: rounds }, (_, at) => [
        assistant([{ type: 'text', text: `Round ${at}` }, call(`a${at}`), call(`b${at}`)]),
        user([result(`a${at}`)]),
        user([result(`b${at}`)]),
      ]).flat();
      for (const tail of [[], [user('And now?')], [assistant([call('open')])]]) {
        const { messages } = ask({ messages: [user('Question'), ...talk, ...tail], tools: [tool('look')] }).request;
        assert.ok(messages.length <= 10, `${rounds}: ${messages.length}`);
        assertPaired(messages);
        const said = JSON.stringify(messages);
        for (let at = 0; at < rounds; at++) assert.ok(said.includes(`result a${at}`) && said.includes(`result b${at}`));
        assert.ok(
          messageRequest.safeParse({ ...ask({ messages: [user('Question'), ...talk, ...tail] }).request }).success,
        );
      }
    }
  });

  it('fixes a truncated history: results without their call, calls without a result, results out of order', () => {
    const { messages } = ask({
      tools: [tool('look')],
      messages: [
        user([result('gone'), { type: 'text', text: 'Go on' }]),
        assistant([call('one'), call('two')]),
        user([{ type: 'text', text: 'Stop, rather this' }, result('two')]),
      ],
    }).request;
    assertPaired(messages);
    assert.match(JSON.stringify(messages[0]), /Result of an earlier tool call.*result gone.*Go on/);
    assert.match(JSON.stringify(messages[2]), /"one".*was not run.*"two".*result two.*rather this/);
  });

  it('uses valid tool names, also in earlier calls, and maps them back', () => {
    const odd = 'ünusual tool.name';
    const { request, ownName } = ask({
      tools: [tool(odd), tool('look')],
      messages: [user('Hello'), assistant([call('1', odd), call('2', 'old one')]), user([result('1'), result('2')])],
    });
    const [first, second] = request.tools ?? [];
    assert.match(first?.name ?? '', /^[\w-]{1,64}$/);
    assert.equal(ownName(first?.name ?? ''), odd);
    assert.equal(second?.name, 'look');
    const called = toBlocks(request.messages[1]?.content ?? '').flatMap((block) =>
      block.type === 'tool_use' ? [block.name] : [],
    );
    assert.equal(called[0], first?.name);
    assert.match(called[1] ?? '', /^[\w-]{1,64}$/);
    assert.equal(request.tools?.length, 2);
  });

  it('has 128 tools and counts the others, and requires a call if requested', () => {
    const many = Array.from({ length: 200 }, (_, at) => tool(`tool_${at}`));
    assert.equal(ask({ tools: many }).request.tools?.length, 128);
    assert.equal(ask({ tools: many }).omittedTools, many.length - 128);
    assert.equal(ask({ tools: many.slice(0, 128) }).omittedTools, 0);
    assert.equal(ask({ tools: many }).request.tool_choice, undefined);
    assert.deepEqual(ask({ tools: many, toolRequired: true }).request.tool_choice, { type: 'any' });
    assert.deepEqual(ask({ tools: [tool('one')], toolRequired: true }).request.tool_choice, {
      type: 'tool',
      name: 'one',
    });
    assert.equal(ask({ toolRequired: true }).request.tool_choice, undefined);
    const unable = ask({ tools: many, toolRequired: true }, { capabilities: { ...able, tools: false } }).request;
    assert.deepEqual([unable.tools, unable.tool_choice], [undefined, undefined]);
  });

  it('describes calls and results as text if no tools are sent, because services reject them', () => {
    const messages = [
      user('1'),
      assistant([{ type: 'thinking', thinking: 'Hm', signature: 's' }, { type: 'text', text: 'Looking' }, call('a')]),
      user([{ type: 'tool_result', tool_use_id: 'a', content: [{ type: 'text', text: 'one\ntwo' }, picture] }]),
      assistant([call('b')]),
      user([{ type: 'text', text: 'Stop' }]),
    ];
    const noTools = ask({ messages }).request;
    const unable = ask({ messages, tools: [tool('look')] }, { capabilities: { ...able, tools: false } }).request;
    for (const { messages: sent } of [noTools, unable]) {
      assert.deepEqual(sent, [
        user('1'),
        assistant('Looking\n\n[assistant calls the tool "look", call "a"]\n> {"id":"a"}'),
        user([
          {
            type: 'text',
            text: '[result of call "a"]\n> one\n> two\n\n[result of call "a": user shows image 1, attached to this message]',
          },
          picture,
        ]),
        assistant('[assistant calls the tool "look", call "b"]\n> {"id":"b"}'),
        user('[error of call "b"]\n> This call was not run: there is no result.\n\nStop'),
      ]);
    }
  });

  it('sends images if the model supports them, and otherwise mentions them', () => {
    const messages = [
      user([{ type: 'text', text: 'What is it?' }, picture]),
      assistant([call('1')]),
      user([{ type: 'tool_result', tool_use_id: '1', content: [picture] }]),
    ];
    assert.equal(ask({ messages }).hasImages, true);
    const blind = ask({ messages }, { capabilities: { ...able, images: false } });
    assert.equal(blind.hasImages, false);
    assert.equal(JSON.stringify(blind.request).match(/A picture was here/g)?.length, 2);
    assertPaired(blind.request.messages);
  });

  it('passes on only supported options with the right type', () => {
    const { request } = ask({
      options: {
        _telemetryTurn: 1,
        _enableThinking: true,
        temperature: 0.2,
        top_p: '1',
        top_k: Number.NaN,
        max_tokens: 50,
        stop: ['END', 5],
        foreign: true,
        thinking: { type: 'enabled', budget_tokens: 100 },
      },
    });
    assert.deepEqual(Object.keys(request).toSorted(), [
      'max_tokens',
      'messages',
      'model',
      'stop_sequences',
      'temperature',
      'thinking',
    ]);
    assert.deepEqual([request.max_tokens, request.stop_sequences], [50, ['END']]);
    assert.equal(ask({ options: { max_tokens: 0.5 } }).request.max_tokens, 8000);
    const plain = ask({ options: { thinking: { type: 'enabled' } } }, { capabilities: { ...able, thinking: 'never' } });
    assert.equal(plain.request.thinking, undefined);
  });

  it("reserves space for the response: the model's maximum, less next to a long prompt, and never nearly zero", () => {
    assert.equal(ask({}).request.max_tokens, 8000);
    assert.equal(ask({ options: { max_tokens: 1e6 } }).request.max_tokens, 8000);
    const long = ask({ messages: [user('word '.repeat(76_000))] }).request.max_tokens;
    assert.ok(long < 8000 && long > 1024, String(long));
    assert.equal(ask({ messages: [user('word '.repeat(200_000))] }).request.max_tokens, 1024);
  });

  it('reserves space for the longest response next to the longest advertised prompt', () => {
    const most = mostPromptTokens(able);
    const before = most - countMessageTokens(user('').content);
    const full = user('word '.repeat(before).trim());
    assert.deepEqual([countMessageTokens(full.content), ask({ messages: [full] }).request.max_tokens], [most, 8000]);
    const more = user('word '.repeat(before + 100));
    assert.ok(ask({ messages: [more] }).request.max_tokens < 8000);
  });

  it('sends thinking back only with its calls', () => {
    const thought = { type: 'thinking' as const, thinking: 'Hm', signature: 's' };
    const { messages } = ask({
      tools: [tool('look')],
      messages: [
        user('1'),
        assistant([thought, { type: 'text', text: 'Said' }]),
        user('2'),
        assistant([thought, call('1')]),
        user([result('1')]),
      ],
    }).request;
    assert.deepEqual(messages[1], assistant('Said'));
    assert.deepEqual(toBlocks(messages[3]!.content), [thought, call('1')]);
  });

  it('has no message for an empty history', () => {
    assert.deepEqual(ask({ messages: [] }).request.messages, []);
    assert.deepEqual(ask({ messages: [user(''), assistant([]), user(' \n')] }).request.messages, []);
  });
});
