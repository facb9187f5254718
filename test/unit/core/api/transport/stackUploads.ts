import assert from 'node:assert/strict';
import { ApiError } from '../../../../../src/core/api/errors';
import type { StreamedBody } from '../../../../../src/core/api/transport/transport';
import { readAll } from '../../../../support/originServer';
import { failureOf, facts, setUpStack, type Subject } from './stackHarness';

/** How a stack sends bodies too large to hold. */
export function describeUploads(subject: Subject): void {
  describe('uploads', () => {
    const { send, start } = setUpStack(subject);

    const bodyOf = (pieces: number, pieceBytes: number): StreamedBody => ({
      contentLength: pieces * pieceBytes,
      async *open() {
        for (let index = 0; index < pieces; index += 1) yield Buffer.alloc(pieceBytes, index % 251);
      },
    });

    it("states the exact length, isn't chunked, doesn't request 100-continue, and arrives complete", async () => {
      const origin = await start(async (request, response) => {
        const body = await readAll(request);
        const { 'content-length': length, 'transfer-encoding': encoding, expect } = request.headers;
        response.end(JSON.stringify({ length, encoding, expect, got: body.length, last: body.at(-1) }));
      });
      const response = await send(origin.url, { body: bodyOf(20, 300_001) });
      assert.deepEqual(JSON.parse(String(await readAll(response.body))), {
        length: '6000020',
        got: 6_000_020,
        last: 19,
      });
    });

    it('can be repeated by reopening the body', async () => {
      const origin = await start(
        async (request, response) => void response.end(String((await readAll(request)).length)),
      );
      const body = bodyOf(3, 1000);
      for (let round = 0; round < 2; round += 1) {
        assert.equal(String(await readAll((await send(origin.url, { body })).body)), '3000');
      }
    });

    it('reads no further than the server accepts', async () => {
      let asked = 0;
      let taking: AsyncIterable<Uint8Array> | undefined;
      let onTaking = () => {};
      const arrived = new Promise<void>((resolve) => (onTaking = resolve));
      const origin = await start((request, response) => {
        taking = request;
        request.on('end', () => response.end('ok'));
        onTaking();
      });
      const body: StreamedBody = {
        contentLength: 64 * 1024 * 1024,
        async *open() {
          for (let index = 0; index < 64; index += 1) {
            asked += 1;
            yield Buffer.alloc(1024 * 1024);
          }
        },
      };
      const sending = send(origin.url, { body });
      await arrived;
      // The server reads nothing yet: turns of the loop until the sender asks no more.
      for (let before = -1; before !== asked;) {
        before = asked;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      assert.ok(asked < 64, `${asked} pieces were asked for`);
      assert.ok(taking);
      assert.equal((await readAll(taking)).length, body.contentLength);
      assert.equal(String(await readAll((await sending).body)), 'ok');
    });

    it("rejects with the body's error, and never sends a complete request", async () => {
      let ended = false;
      const origin = await start((request) => {
        request.on('error', () => {});
        request.on('end', () => (ended = true)).resume();
      });
      const failing = new Error('disk');
      const error = await failureOf(
        send(origin.url, {
          body: {
            contentLength: 2000,
            async *open() {
              yield Buffer.alloc(1000);
              throw new ApiError({ kind: 'file', message: 'changed', cause: failing });
            },
          },
        }),
      );
      assert.deepEqual([error.kind, error.message], ['file', 'changed']);
      await origin.allClosed();
      assert.equal(ended, false);
    });

    it('delivers a response that arrives before the complete body was read', async () => {
      const origin = await start((request, response) => {
        response.writeHead(413, { 'content-length': 9 }).end('too large');
        request.resume();
      });
      const response = await send(origin.url, { body: bodyOf(40, 1024 * 1024) });
      assert.deepEqual([response.status, String(await readAll(response.body))], [413, 'too large']);
    });

    it('idle: a server that stops reading', async () => {
      const origin = await start((request) => void request.pause());
      const error = await failureOf(send(origin.url, { body: bodyOf(64, 1024 * 1024), timers: { idleMs: 100 } }));
      assert.deepEqual(facts(error), { kind: 'timeout', phase: 'idle', sent: true });
    });
  });
}
