import assert from 'node:assert/strict';
import fc from 'fast-check';
import { MessageAssembler } from '../../../../../src/core/api/messages/messageAssembler';
import type { MessageEvent } from '../../../../../src/core/api/messages/messageEvents';
import { createSseReader } from '../../../../../src/core/api/sse';
import { createTestClient, drain } from '../../../../support/apiClient';
import { type FixtureServer, fixture, startFixtureServer, streamAnswer } from '../../../../support/fixtureServer';

const whole = Buffer.from(fixture('messages/stream.sse'));

/** The events of bytes that come in these pieces, without a network. */
function eventsOf(pieces: readonly Uint8Array[]): readonly MessageEvent[] {
  const texts: string[] = [];
  const reader = createSseReader(1_000_000, { onData: (text) => texts.push(text), onStray: assert.fail });
  const assembler = new MessageAssembler();
  for (const piece of pieces) reader.push(piece);
  reader.end();
  return texts.flatMap((text) => (text === '[DONE]' ? assembler.end() : assembler.push(JSON.parse(text))));
}

describe('a message stream', () => {
  const expected = eventsOf([whole]);
  let server: FixtureServer;
  before(async () => void (server = await startFixtureServer()));
  after(() => server.close());

  it('returns the same events for a split at every byte, and byte by byte', () => {
    for (let at = 1; at < whole.length; at += 1) {
      assert.deepEqual(eventsOf([whole.subarray(0, at), whole.subarray(at)]), expected, `cut at ${at}`);
    }
    assert.deepEqual(eventsOf(Array.from(whole, (byte) => Uint8Array.of(byte))), expected);
  });

  it('returns the same events with CR LF for a split at every byte', () => {
    const crlf = Buffer.from(String(whole).replaceAll('\n', '\r\n'));
    for (let at = 1; at < crlf.length; at += 1) {
      assert.deepEqual(eventsOf([crlf.subarray(0, at), crlf.subarray(at)]), expected, `cut at ${at}`);
    }
  });

  it('returns the same events for any splits of any deltas', () => {
    const piece = fc.record({
      type: fc.constantFrom('text_delta', 'thinking_delta', 'input_json_delta'),
      words: fc.string({ unit: 'grapheme', maxLength: 12 }),
    });
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 12 }),
        fc.infiniteStream(fc.integer({ min: 1, max: 40 })),
        (pieces, sizes) => {
          const lines = pieces.map(({ type, words }, index) => {
            const delta = { type, text: words, thinking: words, partial_json: words };
            return `data: ${JSON.stringify({ type: 'content_block_delta', index, delta })}\n\n`;
          });
          const bytes = Buffer.from(`${lines.join('')}data: [DONE]\n\n`);
          assert.deepEqual(eventsOf(cut(bytes, sizes)), eventsOf([bytes]));
        },
      ),
    );
  });

  it('delivers all received text and reports the truncation, wherever the connection ends', async () => {
    const { client } = createTestClient(server.baseUrl);
    const request = { model: 'm', messages: [{ role: 'user' as const, content: 'x' }] };
    const end = whole.indexOf('data: {"type":"message_stop"}');
    const points = Array.from({ length: Math.floor(end / 37) }, (_, index) => index * 37 + 1);
    for (const at of points) {
      server.answer(streamAnswer(whole.subarray(0, at)));
      const { events, error } = await drain(client.messages.stream(request));
      // Before the first event there is nothing to be cut: then it is an empty answer.
      assert.ok(error?.kind === 'truncated' || (error?.kind === 'badResponse' && events.length === 0), `cut at ${at}`);
      assert.equal(error.details.maybeBilled, true);
      assert.deepEqual(events, expected.slice(0, events.length), `cut at ${at}`);
    }
  });
});

function cut(bytes: Buffer, sizes: Iterator<number>): readonly Uint8Array[] {
  const pieces: Uint8Array[] = [];
  for (let at = 0; at < bytes.length;) {
    const size = sizes.next().value as number;
    pieces.push(bytes.subarray(at, at + size));
    at += size;
  }
  return pieces;
}
