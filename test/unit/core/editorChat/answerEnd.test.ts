import assert from 'node:assert/strict';
import type { ContentBlock } from '../../../../src/core/api/messages/messageEvents';
import { answerEnd, cutCall, isFailure } from '../../../../src/core/editorChat/answerEnd';

const text = (said: string): ContentBlock => ({ type: 'text', text: said });
const thought: ContentBlock = { type: 'thinking', thinking: 'Hm' };
const call = (input: unknown, name = 'look'): ContentBlock => ({ type: 'tool_use', id: '1', name, input });

describe('the end of an answer for VS Code Chat', () => {
  const end = (content: readonly ContentBlock[], stop_reason = 'end_turn') => answerEnd({ content, stop_reason });

  it('counts as an answer with a word or a call, whatever ended it', () => {
    assert.equal(end([thought, text('Yes')], 'max_tokens'), 'answered');
    assert.equal(end([thought, call({})], 'tool_use'), 'answered');
    assert.equal(end([text('I cannot')], 'refusal'), 'answered');
  });

  it("doesn't count with only thinking or blanks", () => {
    assert.equal(end([thought]), 'thoughtOnly');
    assert.equal(end([thought, text('\n\n')]), 'thoughtOnly');
    assert.equal(end([thought], 'max_tokens'), 'cutOff');
    assert.equal(end([], 'length'), 'cutOff');
    assert.equal(end([thought], 'refusal'), 'refused');
    assert.equal(end([]), 'empty');
    assert.equal(answerEnd(undefined), 'empty');
  });
});

describe('the reason of an end', () => {
  it('is a failure if the service stopped the answer, in any spelling', () => {
    const failures = ['abort', 'UNEXPECTED_TOOL_CALL', 'TOO_MANY_TOOL_CALLS', 'cancelled', 'repetition', 'timeout'];
    assert.deepEqual(
      failures.filter((reason) => !isFailure(reason)),
      [],
    );
    assert.deepEqual(['end_turn', 'max_tokens', 'refusal', undefined].filter(isFailure), []);
  });
});

describe('a truncated call', () => {
  const cut = (content: readonly ContentBlock[], stop_reason = 'tool_use') => cutCall({ content, stop_reason })?.name;

  it('has unparsed arguments, at any position', () => {
    assert.equal(cut([call('{"path": "a', 'first'), call({ a: 1 })]), 'first');
  });

  it('has no arguments at the end of a truncated answer', () => {
    assert.equal(cut([call({ a: 1 }, 'first'), call({}, 'last')], 'max_tokens'), 'last');
    assert.equal(cut([call({}, 'first'), call({ a: 1 }, 'last')], 'max_tokens'), undefined);
    assert.equal(cut([call({})]), undefined);
    assert.equal(cut([text('Yes')], 'max_tokens'), undefined);
  });
});
