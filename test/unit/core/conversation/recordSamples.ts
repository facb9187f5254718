import type { ConversationRecord } from '../../../../src/core/conversation/record';

type Samples = {
  readonly [Kind in ConversationRecord['kind']]: readonly [
    Extract<ConversationRecord, { readonly kind: Kind }>,
    ...Extract<ConversationRecord, { readonly kind: Kind }>[],
  ];
};

/**
 * Records of every kind, which together make one conversation in the order they stand in. A new kind does not compile
 * until it has a sample here; with every optional field set, it is held to what recovery promises.
 */
const samples: Samples = {
  conversation: [{ kind: 'conversation', version: 1, id: 'c', createdAt: 1 }],
  model: [{ kind: 'model', model: 'm/one' }],
  parameters: [
    { kind: 'parameters', at: 2, parameters: { temperature: 0.2, system: 'Grüezi\n"\\', stop_sequences: ['👋'] } },
  ],
  question: [
    {
      kind: 'question',
      id: 'q1',
      parent: null,
      at: 3,
      text: 'What is “naïve” – 你好 👋?\n\u2028\u0000',
      attachments: [{ kind: 'file', label: 'ü.ts', language: 'ts', text: '`\n```', tokens: 4 }],
    },
    { kind: 'question', id: 'q2', parent: 'q1', after: 'a1', at: 9, text: 'And then?' },
    { kind: 'question', id: 'q3', parent: 'q1', at: 10, text: 'And then, edited?' },
  ],
  comparing: [{ kind: 'comparing', models: ['m/one', 'm/two'], on: true }],
  answer: [
    { kind: 'answer', id: 'a1', question: 'q1', at: 4, model: 'm/one' },
    { kind: 'answer', id: 'a2', question: 'q1', at: 4, model: 'm/two' },
    { kind: 'answer', id: 'a3', question: 'q3', at: 11, model: 'm/two' },
  ],
  compare: [{ kind: 'compare', question: 'q1', tries: ['a1', 'a2'], leftOut: { a2: ['top_k'] } }],
  prefill: [{ kind: 'prefill', answer: 'a1', text: '{"a":' }],
  block: [
    { kind: 'block', answer: 'a1', index: 0, type: 'text' },
    { kind: 'block', answer: 'a1', index: 1, type: 'thinking' },
    { kind: 'block', answer: 'a1', index: 2, type: 'tool_use', name: 'wetter_für' },
  ],
  piece: [
    { kind: 'piece', answer: 'a1', index: 0, from: 0, text: '{"a":' },
    { kind: 'piece', answer: 'a1', index: 0, from: 5, text: ' "你好 👋"' },
    { kind: 'piece', answer: 'a1', index: 1, from: 0, text: 'hm…' },
    { kind: 'piece', answer: 'a1', index: 2, from: 0, text: '{"city":"Zürich"}' },
    { kind: 'piece', answer: 'a3', index: 0, from: 0, text: 'Half' },
  ],
  replaced: [
    { kind: 'replaced', answer: 'a2', index: 0, block: { type: 'thinking', thinking: 'Hmm.', isFromText: true } },
  ],
  whole: [
    { kind: 'whole', answer: 'a1', index: 1, block: { type: 'thinking', thinking: 'hm…', signature: 'c2ln' } },
    {
      kind: 'whole',
      answer: 'a1',
      index: 2,
      block: { type: 'tool_use', id: 't', name: 'wetter_für', input: { city: 'Zürich' } },
    },
  ],
  toolStart: [{ kind: 'toolStart', answer: 'a1', index: 2, at: 5 }],
  toolResult: [{ kind: 'toolResult', answer: 'a1', index: 2, at: 5, text: '5 °C, 小雨\n', isError: false, by: 'tool' }],
  toolAllowed: [{ kind: 'toolAllowed', at: 5, tool: 'wetter_für', allowed: true }],
  instructions: [{ kind: 'instructions', at: 5, on: false }],
  callsAsText: [{ kind: 'callsAsText', at: 5, model: 'm/one' }],
  toolLimit: [{ kind: 'toolLimit', answer: 'a1', at: 5, rounds: 25 }],
  continue: [{ kind: 'continue', answer: 'a1', at: 6 }],
  end: [
    {
      kind: 'end',
      answer: 'a1',
      at: 7,
      end: {
        state: 'done',
        stopReason: 'stop_sequence',
        stopSequence: '👋',
        inputTokens: 7,
        outputTokens: 9,
        firstTokenMs: 3,
        totalMs: 8,
        exchangeId: 'e',
      },
    },
    {
      kind: 'end',
      answer: 'a2',
      at: 8,
      end: {
        state: 'failed',
        error: { kind: 'truncated', title: 'It broke off', detail: '', actions: [{ id: 'x', label: 'Again' }] },
      },
    },
  ],
  picked: [{ kind: 'picked', question: 'q1', try: 'a1' }],
  shown: [
    { kind: 'shown', question: 'q1', try: 'a1' },
    { kind: 'shown', question: 'q3' },
  ],
  start: [{ kind: 'start', at: 12, turn: 'q3' }],
  title: [{ kind: 'title', title: 'Übersicht 👋' }],
  pinned: [{ kind: 'pinned', pinned: true }],
};

export const sampleRecords: readonly ConversationRecord[] = Object.values(samples).flat();
