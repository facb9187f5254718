import assert from 'node:assert/strict';
import { MessageAssembler } from '../../../../../src/core/api/messages/messageAssembler';
import type { ContentBlock, Message, MessageEvent } from '../../../../../src/core/api/messages/messageEvents';

type Data = Readonly<Record<string, unknown>>;

const start = (index: number, content_block: Data) => ({ type: 'content_block_start', index, content_block });
const delta = (index: number, kind: string, value: Data) => ({
  type: 'content_block_delta',
  index,
  delta: { type: kind, ...value },
});
const text = (index: number, words: string) => delta(index, 'text_delta', { text: words });
const thinking = (index: number, words: string) => delta(index, 'thinking_delta', { thinking: words });
const json = (index: number, partial_json: string) => delta(index, 'input_json_delta', { partial_json });
const stop = (index: number) => ({ type: 'content_block_stop', index });
const tool = { type: 'tool_use', id: 't', name: 'f', input: {} };

function assemble(...data: readonly unknown[]): { readonly events: MessageEvent[]; readonly message: Message } {
  const assembler = new MessageAssembler();
  const events = [...data.flatMap((item) => assembler.push(item)), ...assembler.end()];
  const last = events.at(-1);
  assert.ok(last?.type === 'end');
  return { events, message: last.message };
}

const contentOf = (...data: readonly unknown[]): readonly ContentBlock[] => assemble(...data).message.content;

describe('the message assembler', () => {
  it("routes text that arrives during a tool call to a text block, and keeps the call's own", () => {
    assert.deepEqual(
      contentOf(start(0, tool), json(0, '{"a"'), text(0, 'Hel'), json(0, ':1}'), text(0, 'lo'), stop(0)),
      [
        { type: 'tool_use', id: 't', name: 'f', input: { a: 1 } },
        { type: 'text', text: 'Hello' },
      ],
    );
  });

  it('routes text that arrives during thinking, and closes both at the stop', () => {
    const { events, message } = assemble(
      start(0, { type: 'thinking', thinking: '' }),
      thinking(0, 'hm'),
      text(0, 'Yes'),
      stop(0),
      start(1, { type: 'text', text: '' }),
      text(1, 'No'),
      stop(1),
    );
    assert.deepEqual(message.content, [
      { type: 'thinking', thinking: 'hm' },
      { type: 'text', text: 'Yes' },
      { type: 'text', text: 'No' },
    ]);
    assert.deepEqual(
      events.filter(({ type }) => type === 'blockStop').map((event) => 'index' in event && event.index),
      [0, 1, 2],
    );
  });

  it('never shows or counts an empty text block', () => {
    const { events } = assemble(
      start(0, { type: 'text', text: '' }),
      start(0, { type: 'thinking', thinking: '' }),
      thinking(0, 'hm'),
      stop(0),
      start(0, tool),
      json(0, '{}'),
      stop(0),
    );
    assert.deepEqual(
      events.flatMap((event) => (event.type === 'blockStart' ? [[event.index, event.block.type]] : [])),
      [
        [0, 'thinking'],
        [1, 'tool_use'],
      ],
    );
  });

  it('corrects indexes that are one too low after thinking', () => {
    assert.deepEqual(
      contentOf(
        start(0, { type: 'thinking', thinking: '' }),
        thinking(0, 'hm'),
        stop(0),
        start(0, { type: 'text', text: '' }),
        text(0, 'a'),
        text(0, 'b'),
        stop(0),
        start(1, tool),
        json(1, '{"x":2}'),
        stop(1),
      ),
      [
        { type: 'thinking', thinking: 'hm' },
        { type: 'text', text: 'ab' },
        { type: 'tool_use', id: 't', name: 'f', input: { x: 2 } },
      ],
    );
  });

  it('reads deltas without any start or stop', () => {
    const { events, message } = assemble(thinking(0, 'h'), thinking(0, 'm'), text(1, 'Hi'), text(1, '!'));
    assert.deepEqual(message.content, [
      { type: 'thinking', thinking: 'hm' },
      { type: 'text', text: 'Hi!' },
    ]);
    assert.deepEqual(
      events.map(({ type }) => type),
      ['blockStart', 'thinking', 'thinking', 'blockStop', 'blockStart', 'text', 'text', 'blockStop', 'end'],
    );
  });

  it('closes a block without a stop where the next begins', () => {
    const { events } = assemble(start(0, { type: 'text', text: '' }), text(0, 'a'), start(1, tool), json(1, ''));
    assert.deepEqual(
      events.map(({ type }) => type),
      ['blockStart', 'text', 'blockStop', 'blockStart', 'blockStop', 'end'],
    );
  });

  it('reads missing input as no arguments, and keeps truncated input as text', () => {
    assert.deepEqual(contentOf(start(0, tool), stop(0))[0], { type: 'tool_use', id: 't', name: 'f', input: {} });
    assert.deepEqual(contentOf(start(0, { ...tool, input: { a: 1 } }), stop(0))[0], {
      type: 'tool_use',
      id: 't',
      name: 'f',
      input: { a: 1 },
    });
    const [cut] = contentOf(start(0, tool), json(0, '{"a": "b'), { type: 'message_stop' });
    assert.ok(cut?.type === 'tool_use');
    assert.equal(cut.input, '{"a": "b');
  });

  it('shows text that arrives with the start of its block', () => {
    const { events } = assemble(start(0, { type: 'text', text: 'Hello' }), text(0, '!'), stop(0));
    assert.deepEqual(
      events.flatMap((event) => (event.type === 'text' ? [event.text] : [])),
      ['Hello', '!'],
    );
  });

  it('keeps a reasoning block that has only a signature, which must be sent back', () => {
    assert.deepEqual(
      contentOf(
        start(0, { type: 'thinking', thinking: '' }),
        delta(0, 'signature_delta', { signature: 'sig' }),
        stop(0),
      ),
      [{ type: 'thinking', thinking: '', signature: 'sig' }],
    );
  });

  it('passes on unknown events, deltas, and blocks', () => {
    const odd = { type: 'weather_update', sky: 'blue' };
    const sparks = delta(0, 'sparks_delta', { sparks: {} });
    const redacted = { type: 'redacted_thinking', data: 'xyz' };
    const { events, message } = assemble(odd, sparks, start(0, redacted), stop(0), 7, null, [1]);
    assert.deepEqual(
      events.flatMap((event) => (event.type === 'unknown' ? [event.raw] : [])),
      [odd, sparks, 7, null, [1]],
    );
    assert.deepEqual(message.content, [{ type: 'unknown', raw: redacted }]);
  });

  it('merges usage number by number, with later values first, and accepts missing usage', () => {
    const message_start = { type: 'message_start', message: { id: 'i', usage: { input_tokens: 5, output_tokens: 1 } } };
    const message_delta = {
      type: 'message_delta',
      delta: { stop_reason: 'odd_reason' },
      usage: { output_tokens: 9, input_tokens: null },
    };
    assert.deepEqual(assemble(message_start, message_delta).message, {
      id: 'i',
      stop_reason: 'odd_reason',
      content: [],
      usage: { input_tokens: 5, output_tokens: 9 },
    });
    assert.deepEqual(assemble({ type: 'message_start', message: {} }).message.usage, {});
  });

  it('ends once after message_stop, the end mark, or both', () => {
    const assembler = new MessageAssembler();
    const ends = [...assembler.push({ type: 'message_stop' }), ...assembler.end(), ...assembler.end()];
    assert.equal(ends.length, 1);
  });
});
