/** Returns a seeded generator, so that every run measures the same bytes. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Returns a messages stream with one text block in this many deltas, framed like the service's. */
export function messageStream(deltas: number): Buffer {
  const random = seeded(1);
  const event = (data: { readonly type: string } & Readonly<Record<string, unknown>>) =>
    `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
  const head = { id: 'msg_1', type: 'message', role: 'assistant', content: [], model: 'm', stop_reason: null };
  const parts = [
    event({
      type: 'message_start',
      message: { ...head, stop_sequence: null, usage: { input_tokens: 9, output_tokens: 0 } },
    }),
    event({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
  ];
  for (let index = 0; index < deltas; index += 1) {
    const text = ` word${Math.floor(random() * 1e6)}`.repeat(1 + Math.floor(random() * 3));
    parts.push(event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } }));
  }
  parts.push(
    event({ type: 'content_block_stop', index: 0 }),
    event({
      type: 'message_delta',
      delta: { stop_reason: 'end_turn', stop_sequence: null },
      usage: { output_tokens: deltas },
    }),
    event({ type: 'message_stop' }),
  );
  return Buffer.from(parts.join(''));
}

/** Returns the same content as a chat completion stream. */
export function chatCompletionStream(deltas: number): Buffer {
  const random = seeded(1);
  const parts: string[] = [];
  const chunk = (choice: object, more: object = {}) => {
    const data = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1_763_720_000, model: 'm', ...more };
    parts.push(`data: ${JSON.stringify({ ...data, choices: [{ index: 0, ...choice }] })}\n\n`);
  };
  chunk({ delta: { role: 'assistant', content: '' }, finish_reason: null });
  for (let index = 0; index < deltas; index += 1) {
    const content = ` word${Math.floor(random() * 1e6)}`.repeat(1 + Math.floor(random() * 3));
    chunk({ delta: { content }, finish_reason: null });
  }
  const usage = { prompt_tokens: 9, completion_tokens: deltas, total_tokens: deltas + 9 };
  chunk({ delta: {}, finish_reason: 'stop' }, { usage });
  parts.push('data: [DONE]\n\n');
  return Buffer.from(parts.join(''));
}

/** Splits the bytes anywhere, as a network does, into pieces of 1 to `maxBytes`. */
export function cutAnywhere(bytes: Buffer, maxBytes: number): readonly Uint8Array[] {
  const random = seeded(2);
  const pieces: Uint8Array[] = [];
  for (let at = 0; at < bytes.length;) {
    const size = 1 + Math.floor(random() * maxBytes);
    pieces.push(bytes.subarray(at, at + size));
    at += size;
  }
  return pieces;
}
