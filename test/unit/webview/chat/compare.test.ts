import assert from 'node:assert/strict';
import { columnState, comparisonSummary } from '../../../../webview/screens/chat/compare/columnFacts';
import { columnNames } from '../../../../webview/screens/chat/modelNames';
import { facts, type AnswerFacts } from '../../../../webview/screens/chat/facts';

const answer = (model: string, firstTokenMs: number, outputTokens: number): AnswerFacts => ({
  state: 'done',
  model,
  firstTokenMs,
  totalMs: firstTokenMs + 1000,
  usage: { outputTokens },
});

describe('the details of compared answers', () => {
  it('name a model by its short name, or in full if two short names are the same', () => {
    assert.deepEqual(columnNames(['a/one', 'b/two']), ['one', 'two']);
    assert.deepEqual(columnNames(['a/one', 'Pro/a/one', 'b/two']), ['a/one', 'Pro/a/one', 'two']);
  });

  it('name the first model to respond and the fastest one', () => {
    const answers = [answer('a/one', 900, 50), answer('b/two', 400, 30), answer('c/three', 700, 80)];
    assert.deepEqual(comparisonSummary(answers, 'en'), [
      'Fastest first token: two (0.4 s)',
      'Most tokens per second: three (80)',
    ]);
  });

  it('show the cost of each answer and the total, once all costs are known', () => {
    const paid = (model: string, cost: number): AnswerFacts => ({
      state: 'done',
      model,
      usage: { cost, currency: 'USD' },
    });
    assert.deepEqual(facts(paid('a/one', 0.02), 'en'), ['Cost $0.02']);
    assert.deepEqual(comparisonSummary([paid('a/one', 0.02), paid('b/two', 0.005)], 'en'), ['Total cost: $0.03']);
    assert.deepEqual(comparisonSummary([paid('a/one', 0.02), { state: 'done', model: 'b/two' }], 'en'), []);
  });

  it('are empty during an answer, or if only one can be measured', () => {
    const coming: AnswerFacts = { state: 'streaming', model: 'b/two', firstTokenMs: 10 };
    assert.deepEqual(comparisonSummary([answer('a/one', 900, 50), coming], 'en'), []);
    const failed: AnswerFacts = { state: 'failed', model: 'b/two' };
    assert.deepEqual(comparisonSummary([answer('a/one', 900, 50), failed], 'en'), []);
  });

  it('show the state of an answer in its tab', () => {
    const states = ['waiting', 'streaming', 'stopped', 'failed', 'interrupted', 'done'] as const;
    assert.deepEqual(
      states.map((state) => columnState({ state, model: 'm' }, 'en')),
      ['waiting', 'answering', 'stopped', 'no response', 'incomplete', 'completed'],
    );
    assert.equal(columnState(answer('a/one', 900, 50), 'en'), '0.9 s · 50 tok/s');
  });
});
