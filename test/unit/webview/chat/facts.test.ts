import assert from 'node:assert/strict';
import { signal } from '@preact/signals';
import { matching, nextIndex } from '../../../../webview/components/pickerItems';
import { timeOfQuestion, facts, responseIds, tokensPerSecond } from '../../../../webview/screens/chat/facts';
import { contextUse, spentLines } from '../../../../webview/screens/chat/spending';
import { modelItems, modelName, shortenMiddle } from '../../../../webview/screens/chat/modelNames';

const base = { state: 'done', model: 'm' } as const;

describe('the details below an answer', () => {
  it('show tokens, first token, and rate, without unreported values', () => {
    const full = {
      ...base,
      stopReason: 'end_turn',
      usage: { inputTokens: 1310, outputTokens: 214 },
      firstTokenMs: 412,
      totalMs: 3920,
    };
    assert.deepEqual(facts(full, 'en'), ['1,310 in', '214 out', 'first token after 0.4 s', '61 tok/s', '3.9 s']);
    assert.deepEqual(facts({ ...base, usage: { outputTokens: 3 } }, 'en'), ['3 out']);
    assert.deepEqual(facts({ ...base, state: 'failed', totalMs: 12 }, 'en'), []);
    assert.deepEqual(facts({ ...base, state: 'failed', omitted: true }, 'en'), ['not sent with later messages']);
    assert.deepEqual(facts(base, 'en'), []);
  });

  it("name the model that answered instead of the requested one, and include the service's IDs", () => {
    const named = { ...base, answeredBy: 'm-2025', responseId: 'msg_1', requestId: 'req_1', traceId: 'ti_1' };
    assert.deepEqual(facts(named, 'en'), ['response from m-2025']);
    assert.deepEqual(responseIds(named), ['Response ID: msg_1', 'Request ID: req_1', 'Trace ID: ti_1']);
    assert.deepEqual(responseIds(base), []);
  });

  it('mark an estimated number, and derive no rate from it', () => {
    const usage = { inputTokens: 1310, outputTokens: 214, outputIsEstimate: true } as const;
    const stopped = { ...base, state: 'stopped', usage, firstTokenMs: 412, totalMs: 3920 } as const;
    assert.deepEqual(facts(stopped, 'en'), [
      'stopped',
      '1,310 in',
      'about 214 out',
      'first token after 0.4 s',
      '3.9 s',
    ]);
    const spent = {
      conversationId: 'c',
      conversation: { inputTokens: 1310, outputTokens: 214, isEstimate: true },
      today: { inputTokens: 2000, outputTokens: 1000 },
      budget: { soft: 0, hard: 0 },
      state: 'within',
    } as const;
    assert.deepEqual(spentLines(spent), {
      lines: [
        { label: 'This conversation', value: 'about 1,524 tokens' },
        { label: 'Today', value: '3,000 tokens' },
      ],
      share: 0,
    });
  });

  it('show the context by the last counted response and the attachments, and the day by its limit', () => {
    const turns = [
      { usage: { inputTokens: 10, outputTokens: 5 } },
      { usage: { inputTokens: 900, outputTokens: 100 } },
      {},
    ];
    const chip = { id: 'a', kind: 'file', label: 'a.ts', characters: 4000, tokens: 1000 } as const;
    const compaction = { limit: 10, messages: 7, compacted: 1 };
    const of = (contextTokens: number | undefined) =>
      contextUse({
        turns: turns.map((one) => ({ facts: signal({ ...base, ...one }) })),
        chips: [chip],
        contextTokens,
        compaction,
      });
    assert.deepEqual(of(8000), {
      title: 'Context tokens: 2,000 of 8,000 (25%)',
      lines: [
        { label: 'Last request and response', value: '1,000', part: { name: 'conversation', share: 0.125 } },
        { label: 'Attachments', value: 'about 1,000', part: { name: 'attachments', share: 0.125 } },
        { label: 'Messages', value: '7 of 10' },
        { label: 'Sent as a transcript', value: '1 turn' },
      ],
      share: 0.25,
    });
    assert.deepEqual([of(undefined).title, of(undefined).share], ['Context tokens: 2,000', 0]);
    const day = (budget: { soft: number; hard: number }) =>
      spentLines({
        conversationId: 'c',
        conversation: { inputTokens: 0, outputTokens: 0 },
        today: { inputTokens: 700, outputTokens: 100 },
        budget,
        state: 'within',
      });
    assert.deepEqual(day({ soft: 1000, hard: 0 }).share, 0.8);
    assert.deepEqual(day({ soft: 1000, hard: 1600 }).lines[1], { label: 'Today', value: '800 of 1,600 tokens' });
  });

  it('show an unusual end first, with an unknown reason verbatim', () => {
    // Told by a note.
    assert.deepEqual(facts({ ...base, stopReason: 'max_tokens' }, 'en'), []);
    assert.deepEqual(facts({ ...base, stopReason: 'stop_sequence', stopSequence: '###' }, 'en'), [
      'ended at stop sequence "###"',
    ]);
    const stop = { ...base, stopReason: 'stop_sequence' };
    assert.deepEqual(facts({ ...stop, stopSequence: ' \n' }, 'en'), ['ended at stop sequence " \\n"']);
    assert.deepEqual(facts(stop, 'en'), ['ended at a stop sequence']);
    assert.deepEqual(facts({ ...base, stopReason: 'refusal' }, 'en'), []);
    assert.deepEqual(facts({ ...base, stopReason: 'novel' }, 'en'), ['stop reason: novel']);
    assert.deepEqual(facts({ ...base, state: 'stopped', totalMs: 12_400 }, 'de'), ['stopped', '12 s']);
  });

  it('show no rate for a time that is too short', () => {
    assert.equal(tokensPerSecond({ ...base, usage: { outputTokens: 9 }, firstTokenMs: 100, totalMs: 120 }), undefined);
    assert.equal(tokensPerSecond({ ...base, usage: { outputTokens: 10 }, firstTokenMs: 0, totalMs: 1000 }), 10);
  });

  it('show the time today, the day this year, or else the year', () => {
    const now = new Date(2026, 10, 21, 15, 0).getTime();
    assert.equal(timeOfQuestion(new Date(2026, 10, 21, 12, 4).getTime(), now, 'en-GB').short, '12:04');
    assert.equal(timeOfQuestion(new Date(2026, 10, 20, 12, 4).getTime(), now, 'en-GB').short, '20 Nov, 12:04');
    assert.match(timeOfQuestion(new Date(2025, 10, 20, 12, 4).getTime(), now, 'en-GB').short, /2025/);
  });
});

describe('the list of models', () => {
  const models = [
    { id: 'b/Two-7B', pinned: false },
    { id: 'a/One-32B', pinned: true, contextTokens: 131_072, tools: true as const },
    { id: 'Pro/a/One-32B', pinned: false },
    { id: 'plain', pinned: false, isUnknown: true as const },
  ];

  it('shows pinned models first, and the vendor and details next to the name', () => {
    const items = modelItems(models, 'en');
    assert.deepEqual(
      items.map(({ id, name, detail, group }) => [id, name, detail, group].join(' | ')),
      [
        'a/One-32B | One-32B | a · 128K context · tools | Pinned',
        'b/Two-7B | Two-7B | b | All models',
        'Pro/a/One-32B | One-32B | Pro/a | All models',
        'plain | plain | might support chat | All models',
      ],
    );
    assert.ok(modelItems(models.slice(0, 1), 'en').every(({ group }) => group === ''));
  });

  it('finds models by every word, in any order', () => {
    const items = modelItems(models, 'en');
    assert.deepEqual(
      matching(items, '32b pro').map(({ id }) => id),
      ['Pro/a/One-32B'],
    );
    assert.equal(matching(items, '  ').length, 4);
    assert.deepEqual(matching(items, 'nothing'), []);
  });

  it('wraps around with the arrow keys, and stops at the ends with the page keys', () => {
    assert.equal(nextIndex('ArrowDown', 3, 4), 0);
    assert.equal(nextIndex('ArrowUp', 0, 4), 3);
    assert.equal(nextIndex('PageDown', 1, 4), 3);
    assert.equal(nextIndex('PageUp', 1, 4), 0);
    assert.equal(nextIndex('ArrowDown', 0, 0), undefined);
    assert.equal(nextIndex('a', 0, 4), undefined);
  });

  it('shortens a name in its middle, never within a character', () => {
    assert.equal(modelName('Pro/zai-org/GLM-4.6'), 'GLM-4.6');
    assert.equal(shortenMiddle('abcdefghij', 10), 'abcdefghij');
    assert.equal(shortenMiddle('abcdefghij', 7), 'abc…hij');
    assert.doesNotMatch(shortenMiddle('😀'.repeat(20), 7), /[\uD800-\uDFFF]/u);
  });
});
