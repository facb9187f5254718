import assert from 'node:assert/strict';
import {
  readChatParameters,
  refusedParameter,
  requestParameters,
  requestPrefill,
} from '../../../../src/core/conversation/chatParameters';
import type { ChatParameters, ParameterName } from '../../../../src/core/conversation/chatParameters';
import { readRecords, toLines } from '../../../../src/core/conversation/record';
import type { ConversationRecord } from '../../../../src/core/conversation/record';
import { canContinue, textOf } from '../../../../src/core/conversation/requestMessages';
import { createTranscript } from '../../../../src/core/conversation/transcript';

describe('the parameters of a conversation', () => {
  it('are the latest recorded ones, without unknown values', () => {
    const records: readonly ConversationRecord[] = [
      { kind: 'conversation', version: 1, id: 'c', createdAt: 1 },
      { kind: 'parameters', at: 1, parameters: { temperature: 1, top_k: 3 } },
      { kind: 'parameters', at: 2, parameters: { temperature: 'hot', stop_sequences: ['a'], later: 1 } },
    ];
    const transcript = createTranscript(readRecords(toLines(records)));
    assert.deepEqual(transcript.parameters, { stop_sequences: ['a'] });
    assert.deepEqual(createTranscript([]).parameters, {});
    assert.deepEqual(readChatParameters({ stop_sequences: ['a', 1], top_k: Number.NaN, system: 's' }), { system: 's' });
  });

  it('are sent without the prefill, which is a message, and without rejected ones', () => {
    assert.deepEqual(
      requestParameters(
        { top_k: 3, temperature: 0, prefill: '{' },
        { notTaken: ['top_k'], editorTools: [], instructions: '' },
      ),
      {
        temperature: 0,
      },
    );
  });

  it("contain custom instructions after the conversation's own system prompt, unless the model rejects it", () => {
    const terms = { notTaken: [], editorTools: [], instructions: 'Use tabs.' };
    assert.deepEqual(requestParameters({ system: 'Be brief.' }, terms), { system: 'Be brief.\n\nUse tabs.' });
    assert.deepEqual(requestParameters({}, terms), { system: 'Use tabs.' });
    assert.deepEqual(requestParameters({}, { ...terms, notTaken: ['system'] }), {});
    assert.deepEqual(requestParameters({ system: 's' }, { ...terms, instructions: '' }), { system: 's' });
  });

  describe('for thinking', () => {
    const sentOf = (parameters: ChatParameters, notTaken: readonly ParameterName[] = []) =>
      requestParameters(parameters, { notTaken, editorTools: [], instructions: '' });

    it('are sent as one property, and a budget alone turns it on', () => {
      assert.deepEqual(sentOf({ enable_thinking: true }), { thinking: { type: 'enabled' } });
      assert.deepEqual(sentOf({ enable_thinking: true, thinking_budget: 9 }), {
        thinking: { type: 'enabled', budget_tokens: 9 },
      });
      assert.deepEqual(sentOf({ thinking_budget: 9 }), { thinking: { type: 'enabled', budget_tokens: 9 } });
      assert.deepEqual(sentOf({ enable_thinking: false, thinking_budget: 9 }), { thinking: { type: 'disabled' } });
      assert.deepEqual(sentOf({}), {});
    });

    it('are omitted as far as the model rejected them', () => {
      const set = { enable_thinking: true, thinking_budget: 9 };
      assert.deepEqual(sentOf(set, ['thinking_budget']), { thinking: { type: 'enabled' } });
      assert.deepEqual(sentOf(set, ['enable_thinking']), {});
      assert.deepEqual(sentOf({ thinking_budget: 9 }, ['thinking_budget']), {});
    });

    it('are stored with a conversation', () => {
      const set = { enable_thinking: false, thinking_budget: 9 };
      assert.deepEqual(readChatParameters(JSON.parse(JSON.stringify({ ...set, later: 1 }))), set);
      assert.deepEqual(readChatParameters({ enable_thinking: 'off', thinking_budget: '9' }), {});
    });

    const thinking = { type: 'enabled', budget_tokens: 9 } as const;
    for (const [parameter, message, expected] of [
      // SiliconFlow
      [undefined, 'Value error, current model does not support parameter `enable_thinking.`', 'enable_thinking'],
      // The vendor's /messages, Anthropic, OpenRouter, Ollama
      [undefined, 'thinking type should be enabled or disabled', 'enable_thinking'],
      [undefined, 'thinking.enabled.budget_tokens: Input should be greater than or equal to 1024', 'thinking_budget'],
      [undefined, 'max_tokens must be greater than thinking.budget_tokens', 'thinking_budget'],
      ['thinking_budget', 'Invalid value', 'thinking_budget'],
      ['reasoning', 'Unrecognized request argument supplied: reasoning', 'enable_thinking'],
      [undefined, '"qwen2.5:7b" does not support thinking', 'enable_thinking'],
      [undefined, 'temperature is too high', undefined],
    ] as const) {
      it(`include ${expected ?? 'none'} as the cause of a rejection of ${parameter ?? 'nothing'} with "${message}"`, () => {
        assert.equal(refusedParameter({ parameter, message }, { thinking }), expected);
      });
    }
  });

  const sent = { prefill: '{', system: 's', max_tokens: 1, top_k: 3, top_p: 1, stop_sequences: ['a'] };
  for (const [parameter, message, expected] of [
    ['top_k', '', 'top_k'],
    ['stop_sequences[0]', '', 'stop_sequences'],
    ['temperature', 'not sent, so not at fault', undefined],
    [undefined, 'The parameter top_k is not supported by this model.', 'top_k'],
    [undefined, 'max_new_tokens must be at most 8192', 'max_tokens'],
    [undefined, 'Top-p out of range', 'top_p'],
    [undefined, 'This model takes no system prompt', 'system'],
    [undefined, 'The system is busy', undefined],
    [undefined, 'messages are wrong', undefined],
    [undefined, 'This model does not support assistant message prefill.', 'prefill'],
    ['messages', 'The last message must be from the user', 'prefill'],
    [undefined, 'The conversation must end with a user message.', 'prefill'],
    ['messages', 'the value of `stop` is wrong', 'stop_sequences'],
  ] as const) {
    it(`include ${expected ?? 'none'} as the cause of a rejection of ${parameter ?? 'nothing'} with "${message}"`, () => {
      assert.equal(refusedParameter({ parameter, message }, sent), expected);
    });
  }
});

describe('the prefilled start of an answer', () => {
  it("isn't sent to a model that rejected it, and isn't reported as rejected if none was sent", () => {
    assert.equal(requestPrefill({ prefill: '{' }, ['top_k']), '{');
    assert.equal(requestPrefill({ prefill: '{' }, ['prefill']), '');
    const message = 'The last message must be from the user';
    assert.equal(refusedParameter({ message }, { prefill: '', top_k: 1 }), undefined);
  });
});

describe('a continued answer', () => {
  const beginning: readonly ConversationRecord[] = [
    { kind: 'question', id: 'q', parent: null, at: 1, text: '?' },
    { kind: 'answer', id: 'a', question: 'q', at: 2, model: 'm' },
    { kind: 'block', answer: 'a', index: 0, type: 'text' },
    { kind: 'piece', answer: 'a', index: 0, from: 0, text: 'One' },
  ];
  const end = (facts: object): ConversationRecord => ({
    kind: 'end',
    answer: 'a',
    at: 3,
    end: { state: 'done', ...facts },
  });
  const answerOf = (...more: readonly ConversationRecord[]) =>
    createTranscript(readRecords(toLines([...beginning, ...more]))).answer('a')!;

  it('grows, and ends with its last finish reason and the total usage', () => {
    const answer = answerOf(
      end({ stopReason: 'max_tokens', inputTokens: 10, outputTokens: 5, firstTokenMs: 100, totalMs: 600 }),
      { kind: 'continue', answer: 'a', at: 4 },
      { kind: 'piece', answer: 'a', index: 0, from: 3, text: ', two' },
      end({ stopReason: 'end_turn', inputTokens: 15, outputTokens: 4, firstTokenMs: 80, totalMs: 280 }),
    );
    assert.equal(textOf(answer), 'One, two');
    assert.deepEqual(answer.end, {
      state: 'done',
      stopReason: 'end_turn',
      inputTokens: 25,
      outputTokens: 9,
      firstTokenMs: 100,
      totalMs: 800,
    });
    assert.ok(!canContinue(answer));
  });

  it('estimates usage from its text after VS Code crashed, and adds that of the continuation', () => {
    const cut = () => createTranscript(readRecords(toLines(beginning)));
    assert.deepEqual(cut().usage(), { inputTokens: 0, outputTokens: 1, isEstimate: true });
    const on = cut();
    on.apply({ kind: 'continue', answer: 'a', at: 4 });
    assert.deepEqual(on.usage(), { inputTokens: 0, outputTokens: 1, isEstimate: true });
    on.apply({ kind: 'piece', answer: 'a', index: 0, from: 3, text: ' two three' });
    assert.deepEqual(on.usage(), { inputTokens: 0, outputTokens: 3, isEstimate: true });
    on.apply(end({ inputTokens: 9, outputTokens: 4 }));
    assert.deepEqual(on.usage(), { inputTokens: 9, outputTokens: 5, isEstimate: true });
  });

  it('excludes estimates for counted usage and for the prefill', () => {
    const transcript = createTranscript(readRecords(toLines([...beginning, end({ inputTokens: 1, outputTokens: 1 })])));
    assert.deepEqual(transcript.usage(), { inputTokens: 1, outputTokens: 1 });
    const prefilled = [...beginning, { kind: 'prefill', answer: 'a', text: 'One' } as const];
    assert.deepEqual(createTranscript(prefilled).usage(), { inputTokens: 0, outputTokens: 0 });
  });

  it('has no end while it continues, so a crash of VS Code is visible', () => {
    const answer = answerOf(end({ stopReason: 'max_tokens' }), { kind: 'continue', answer: 'a', at: 4 });
    assert.equal(answer.end, undefined);
    assert.ok(canContinue(answer));
  });

  it('is possible only if it broke off within text', () => {
    assert.ok(canContinue(answerOf()));
    assert.ok(canContinue(answerOf(end({ stopReason: 'max_tokens' }))));
    assert.ok(canContinue(answerOf(end({ state: 'stopped' }))));
    assert.ok(canContinue(answerOf(end({ state: 'failed' }))));
    assert.ok(!canContinue(answerOf(end({ stopReason: 'end_turn' }))));
    assert.ok(!canContinue(answerOf(end({ stopReason: 'stop_sequence' }))));
    const tool: readonly ConversationRecord[] = [
      { kind: 'block', answer: 'a', index: 1, type: 'tool_use', name: 't' },
      { kind: 'piece', answer: 'a', index: 1, from: 0, text: '{' },
    ];
    assert.ok(!canContinue(answerOf(...tool, end({ stopReason: 'max_tokens' }))));
  });
});
