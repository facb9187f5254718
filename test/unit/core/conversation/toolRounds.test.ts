import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { ContentBlock } from '../../../../src/core/api/messages/messageEvents';
import type { MessageParam } from '../../../../src/core/api/messages/messages.schema';
import { readRecords, toLines } from '../../../../src/core/conversation/record';
import type { ConversationRecord } from '../../../../src/core/conversation/record';
import {
  canContinue,
  compactForNext,
  compactTurns,
  unfinishedBlock,
} from '../../../../src/core/conversation/requestMessages';
import { lastCalls } from '../../../../src/core/conversation/toolRounds';
import { createTranscript } from '../../../../src/core/conversation/transcript';
import type { TranscriptAnswer } from '../../../../src/core/conversation/transcript';

const question = (id: string, parent: string | null): ConversationRecord => {
  return { kind: 'question', id, parent, at: 1, text: `Question ${id}` };
};
const answer = (id: string, of: string, model = 'm'): ConversationRecord => {
  return { kind: 'answer', id, question: of, at: 2, model };
};
const text = (of: string, index: number, words: string): readonly ConversationRecord[] => [
  { kind: 'block', answer: of, index, type: 'text' },
  { kind: 'piece', answer: of, index, from: 0, text: words },
];
const thinking = (of: string, index: number): readonly ConversationRecord[] => [
  { kind: 'block', answer: of, index, type: 'thinking' },
  { kind: 'piece', answer: of, index, from: 0, text: 'hm' },
  { kind: 'whole', answer: of, index, block: { type: 'thinking', thinking: 'hm', signature: 'c2ln' } },
];
const call = (of: string, index: number, input: unknown = { index }): readonly ConversationRecord[] => [
  { kind: 'block', answer: of, index, type: 'tool_use', name: 'look' },
  { kind: 'piece', answer: of, index, from: 0, text: JSON.stringify(input) },
  {
    kind: 'whole',
    answer: of,
    index,
    block: { type: 'tool_use', id: `t${index}`, name: 'look', input } as ContentBlock,
  },
];
const result = (of: string, index: number, isError = false): ConversationRecord => {
  return { kind: 'toolResult', answer: of, index, at: 3, text: `result ${index}`, isError, by: 'tool' };
};
const goesOn = (of: string): ConversationRecord => ({ kind: 'continue', answer: of, at: 4 });
const ends = (of: string, state: 'done' | 'failed' | 'stopped' = 'done'): ConversationRecord => {
  return { kind: 'end', answer: of, at: 5, end: { state } };
};
const transcriptOf = (...records: readonly (ConversationRecord | readonly ConversationRecord[])[]) =>
  createTranscript(readRecords(toLines(records.flat())));

describe('tool rounds of an answer', () => {
  const rounds = [
    question('q1', null),
    answer('a1', 'q1'),
    ...thinking('a1', 0),
    ...text('a1', 1, 'I look.'),
    ...call('a1', 2),
    ...call('a1', 3),
    ends('a1'),
    result('a1', 3, true),
    result('a1', 2),
    goesOn('a1'),
    ...text('a1', 4, 'Found.'),
    ends('a1'),
  ];

  it('are sent back as messages: complete thinking with its signature, each call with its result', () => {
    const { messages } = compactTurns(transcriptOf(rounds, question('q2', 'q1')).turns(), 10);
    assert.deepEqual(messages, [
      { role: 'user', content: 'Question q1' },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'hm', signature: 'c2ln' },
          { type: 'text', text: 'I look.' },
          { type: 'tool_use', id: 't2', name: 'look', input: { index: 2 } },
          { type: 'tool_use', id: 't3', name: 'look', input: { index: 3 } },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 't2', content: 'result 2' },
          { type: 'tool_result', tool_use_id: 't3', content: 'result 3', is_error: true },
        ],
      },
      { role: 'assistant', content: 'Found.' },
      { role: 'user', content: 'Question q2' },
    ]);
  });

  it('omit thinking for another model, and thinking without calls', () => {
    const other = [question('q2', 'q1'), answer('a2', 'q2', 'other')];
    const foreign = JSON.stringify(compactTurns(transcriptOf(rounds, other).turns(), 10).messages);
    assert.ok(foreign.includes('tool_use') && !foreign.includes('thinking'));
    const plain = [question('p', null), answer('b', 'p'), ...thinking('b', 0), ...text('b', 1, 'So.'), ends('b')];
    assert.deepEqual(compactTurns(transcriptOf(plain, question('q', 'p')).turns(), 10).messages[1], {
      role: 'assistant',
      content: 'So.',
    });
  });

  it('return the extra fields of calls only to the same model of the same account', () => {
    const state = { call: { extra_content: { signature: 'c2ln' } }, message: { reasoning_details: [{ data: 'x' }] } };
    const redacted = { type: 'unknown', raw: { type: 'redacted_thinking', data: 'xyz' } } as const;
    const own = { type: 'tool_use', id: 't2', name: 'look', input: {}, state } as const;
    const fromText = { type: 'thinking', thinking: 'From tags.', isFromText: true } as const;
    const signed: readonly ConversationRecord[] = [
      question('q1', null),
      { ...answer('a1', 'q1'), account: 'one' } as ConversationRecord,
      { kind: 'replaced', answer: 'a1', index: 0, block: fromText },
      { kind: 'block', answer: 'a1', index: 1, type: 'unknown', name: 'redacted_thinking' },
      { kind: 'whole', answer: 'a1', index: 1, block: redacted },
      { kind: 'replaced', answer: 'a1', index: 2, block: own },
      result('a1', 2),
      goesOn('a1'),
      ends('a1'),
      question('q2', 'q1'),
    ];
    const turns = transcriptOf(signed).turns();
    const callsFor = (model: string, account: string) =>
      compactTurns(turns, 10, { model, account }).messages[1]?.content;
    assert.deepEqual(callsFor('m', 'one'), [redacted, own]);
    const bare = [{ type: 'tool_use', id: 't2', name: 'look', input: {} }];
    assert.deepEqual(callsFor('other', 'one'), bare);
    assert.deepEqual(callsFor('m', 'two'), bare);
  });

  it('request the rest of the answer once every call has a result', () => {
    const begun = rounds.slice(
      0,
      rounds.findIndex(({ kind }) => kind === 'toolResult'),
    );
    const open = transcriptOf(begun, result('a1', 2));
    assert.deepEqual([canContinue(open.answer('a1')!), lastCalls(open.answer('a1')!).length], [false, 2]);
    const ready = transcriptOf(begun, result('a1', 2), result('a1', 3));
    assert.equal(canContinue(ready.answer('a1')!), true);
    const { messages } = compactTurns(transcriptOf(begun, result('a1', 2), result('a1', 3), goesOn('a1')).turns(), 10);
    assert.deepEqual(
      messages.map(({ role }) => role),
      ['user', 'assistant', 'user'],
    );
  });

  it('report a pending call, so every call has a result', () => {
    const asked = rounds.slice(
      0,
      rounds.findIndex(({ kind }) => kind === 'toolResult'),
    );
    const started = { kind: 'toolStart', answer: 'a1', index: 3, at: 3 } as const;
    const { messages } = compactTurns(transcriptOf(asked, started, question('q2', 'q1')).turns(), 10);
    const results = messages[2]?.content;
    assert.deepEqual(
      typeof results === 'string'
        ? []
        : results?.map((block) => (block.type === 'tool_result' ? block.content : block.type)),
      [
        'This call was skipped because the conversation continued without it.',
        'VS Code closed while this tool was running. The tool may or may not have finished.',
        'text',
      ],
    );
  });

  it('can continue after a failed request, and with text only if it was truncated', () => {
    const failed = [...rounds.slice(0, rounds.findIndex(({ kind }) => kind === 'continue') + 1), ends('a1', 'failed')];
    const at = (records: readonly ConversationRecord[]): TranscriptAnswer => transcriptOf(records).answer('a1')!;
    assert.deepEqual([canContinue(at(failed)), unfinishedBlock(at(failed))], [true, -1]);
    const cut = [...failed.slice(0, -1), ...text('a1', 4, 'Fou'), ends('a1', 'stopped')];
    assert.deepEqual([canContinue(at(cut)), unfinishedBlock(at(cut))], [true, 4]);
    assert.equal(canContinue(at(rounds)), false);
  });

  it('omit a call with truncated input', () => {
    const cut = [question('q', null), answer('a', 'q'), ...text('a', 0, 'I look.'), ...call('a', 1, '{"in'), ends('a')];
    const transcript = transcriptOf(cut, question('q2', 'q'));
    assert.deepEqual(lastCalls(transcript.answer('a')!), []);
    assert.deepEqual(compactTurns(transcript.turns(), 10).messages[1], { role: 'assistant', content: 'I look.' });
  });

  it('omit a call truncated before its input, and keep one of a tool without input', () => {
    for (const [stopReason, calls] of [
      ['max_tokens', 0],
      ['length', 0],
      ['tool_use', 1],
    ] as const) {
      const end: ConversationRecord = { kind: 'end', answer: 'a', at: 5, end: { state: 'done', stopReason } };
      const said = [question('q', null), answer('a', 'q'), ...text('a', 0, 'I look.'), ...call('a', 1, {}), end];
      const transcript = transcriptOf(said, question('q2', 'q'));
      assert.equal(lastCalls(transcript.answer('a')!).length, calls, stopReason);
      const { content } = compactTurns(transcript.turns(), 10).messages[1]!;
      assert.equal(content === 'I look.', calls === 0, stopReason);
    }
  });
});

/** One answer of a conversation: how many calls each of its rounds has, and what happened after. */
const answerShape = fc.record({
  rounds: fc.array(fc.record({ calls: fc.integer({ min: 1, max: 3 }), thinks: fc.boolean() }), { maxLength: 4 }),
  unanswered: fc.nat({ max: 3 }),
  said: fc.boolean(),
});

function conversationOf(
  shapes: readonly { rounds: readonly { calls: number; thinks: boolean }[]; unanswered: number; said: boolean }[],
) {
  const records: ConversationRecord[] = [];
  shapes.forEach(({ rounds, unanswered, said }, turn) => {
    const id = `a${turn}`;
    records.push(question(`q${turn}`, turn === 0 ? null : `q${turn - 1}`), answer(id, `q${turn}`));
    let index = 0;
    rounds.forEach(({ calls, thinks }, round) => {
      if (thinks) records.push(...thinking(id, index++));
      const isLast = round === rounds.length - 1;
      for (let each = 0; each < calls; each++) {
        records.push(...call(id, index));
        if (!isLast || said || each >= unanswered) records.push(result(id, index));
        index++;
      }
      records.push(ends(id));
      if (!isLast || said) records.push(goesOn(id));
    });
    if (said) records.push(...text(id, index, `Answer ${turn}`), ends(id));
  });
  return transcriptOf(records);
}

/** Every call is answered in the very next message, every result has its call there, and roles take turns. */
function holds(messages: readonly MessageParam[]): void {
  messages.forEach(({ role, content }, at) => {
    if (at > 0) assert.notEqual(role, messages[at - 1]?.role);
    const ids = (message: MessageParam | undefined, type: 'tool_use' | 'tool_result') =>
      typeof message?.content === 'string'
        ? []
        : (message?.content ?? []).flatMap((block) =>
            block.type !== type
              ? []
              : [block.type === 'tool_use' ? block.id : block.type === 'tool_result' ? block.tool_use_id : ''],
          );
    if (typeof content === 'string') return;
    if (role === 'assistant')
      assert.deepEqual(ids(messages[at + 1], 'tool_result'), ids({ role, content }, 'tool_use'));
    else assert.deepEqual(ids({ role, content }, 'tool_result'), ids(messages[at - 1], 'tool_use'));
  });
}

describe('a compacted conversation with tools', () => {
  it('keeps each call with its result within the limit, and loses no result', () => {
    fc.assert(
      fc.property(
        fc.array(answerShape, { minLength: 1, maxLength: 8 }),
        fc.integer({ min: 5, max: 12 }),
        (shapes, limit) => {
          const turns = [...conversationOf(shapes).turns()];
          const { messages } = compactForNext(turns, limit, { answering: false });
          assert.ok(messages.length <= limit, `${messages.length} > ${limit}`);
          holds(messages);
          const sent = JSON.stringify(messages);
          for (const { answers } of turns)
            for (const { block } of answers[0]?.blocks.map((one) => ({ block: one })) ?? [])
              if (block.result) assert.ok(sent.includes(block.result.text));
        },
      ),
      { numRuns: 300 },
    );
  });
});
