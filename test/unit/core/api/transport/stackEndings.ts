import assert from 'node:assert/strict';
import { once } from 'node:events';
import net from 'node:net';
import type { AddressInfo } from 'node:net';
import { type OriginHandler, readAll } from '../../../../support/originServer';
import { failureOf, facts, setUpStack, type Subject } from './stackHarness';

/** How a request ends before its time: by the caller, or by a timer. */
export function describeEndings(subject: Subject): void {
  describe('abandoning and aborting', () => {
    const { closeStack, send, start } = setUpStack(subject);

    const endless: OriginHandler = (_request, response) => {
      response.write('x');
      const timer = setInterval(() => response.write('x'), 5);
      response.on('close', () => clearInterval(timer));
    };

    it('closes the connection when the loop is left early', async () => {
      const origin = await start(endless);
      const response = await send(origin.url);
      for await (const _chunk of response.body) break;
      await origin.allClosed();
    });

    it('closes the connection when a body is abandoned before reading', async () => {
      const origin = await start(endless);
      const response = await send(origin.url);
      await response.body[Symbol.asyncIterator]().return?.();
      await origin.allClosed();
    });

    it('sends no request for an aborted signal', async () => {
      const origin = await start(endless);
      const error = await failureOf(send(origin.url, { signal: AbortSignal.abort(new Error('why')) }));
      assert.deepEqual(facts(error), { kind: 'aborted', sent: false });
      assert.equal(origin.connections(), 0);
    });

    it('sends no request when aborted during the connection', async () => {
      const controller = new AbortController();
      const origin = await start((_request, response) => void response.end('ok'));
      const sending = send(new URL('left', origin.url), { signal: controller.signal });
      controller.abort();
      // A stack that cannot tell whether it was sent says that it was.
      assert.equal(facts(await failureOf(sending)).kind, 'aborted');
      assert.equal(String(await readAll((await send(new URL('kept', origin.url))).body)), 'ok');
      assert.deepEqual(origin.requests, ['GET /kept']);
    });

    it('aborts while waiting for the response', async () => {
      const controller = new AbortController();
      const origin = await start(() => controller.abort());
      const error = await failureOf(send(origin.url, { signal: controller.signal }));
      assert.deepEqual(facts(error), { kind: 'aborted', sent: true });
      await origin.allClosed();
    });

    it('leaves no timer that would keep the process alive after a failure', async () => {
      const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
      const origin = await start((request) => void request.socket.resetAndDestroy());
      const before = timers();
      // More than an extension host begins of its own meanwhile.
      const sends = 20;
      for (let sent = 0; sent < sends; sent++) await failureOf(send(origin.url));
      await origin.allClosed();
      const more = timers() - before;
      assert.ok(more < sends / 2, `${more} more timers after ${sends} failures`);
    });

    it('aborts during the body', async () => {
      const controller = new AbortController();
      const origin = await start(endless);
      const response = await send(origin.url, { signal: controller.signal });
      const error = await failureOf(
        (async () => {
          for await (const _chunk of response.body) controller.abort();
        })(),
      );
      assert.equal(error.kind, 'aborted');
      await origin.allClosed();
    });

    it('ignores an abort after the end', async () => {
      const controller = new AbortController();
      const origin = await start((_request, response) => void response.end('ok'));
      const response = await send(origin.url, { signal: controller.signal });
      assert.equal(String(await readAll(response.body)), 'ok');
      controller.abort();
      assert.equal(String(await readAll((await send(origin.url)).body)), 'ok');
    });

    it('aborts requests in progress when it is closed', async () => {
      let onRequest = () => {};
      const requested = new Promise<void>((resolve) => (onRequest = resolve));
      const origin = await start(() => onRequest());
      const failing = failureOf(send(origin.url));
      await requested;
      await closeStack();
      assert.equal((await failing).kind, 'aborted');
      await origin.allClosed();
    });
  });

  describe('timers', () => {
    const { send, start } = setUpStack(subject);

    it('connect: a server that never finishes the handshake', async () => {
      const sockets: net.Socket[] = [];
      const silent = net.createServer((socket) => void sockets.push(socket.on('error', () => {})));
      silent.listen(0, '127.0.0.1');
      await once(silent, 'listening');
      const { port } = silent.address() as AddressInfo;
      const error = await failureOf(send(`https://127.0.0.1:${port}/`, { timers: { connectMs: 60 } }));
      assert.deepEqual(facts(error), { kind: 'timeout', phase: 'connect', sent: false });
      silent.close();
      for (const socket of sockets) socket.destroy();
    });

    it('firstByte: a server that never responds', async () => {
      const origin = await start(() => {});
      const error = await failureOf(send(origin.url, { body: '{}', timers: { firstByteMs: 60 } }));
      assert.deepEqual(facts(error), { kind: 'timeout', phase: 'firstByte', sent: true });
      await origin.allClosed();
    });

    it('idle: a server that stops in the middle, after the received chunks were delivered', async () => {
      const origin = await start((_request, response) => void response.write('half'));
      const response = await send(origin.url, { timers: { idleMs: 60 } });
      let seen = '';
      const error = await failureOf(
        (async () => {
          for await (const chunk of response.body) seen += String(Buffer.from(chunk));
        })(),
      );
      assert.deepEqual([seen, facts(error)], ['half', { kind: 'timeout', phase: 'idle', sent: true }]);
      await origin.allClosed();
    });

    it('idle excludes time in which the reader is slow', async () => {
      const origin = await start((_request, response) => {
        response.write('a');
        response.end('b');
      });
      const response = await send(origin.url, { timers: { idleMs: 30 } });
      let seen = '';
      for await (const chunk of response.body) {
        seen += String(Buffer.from(chunk));
        await new Promise((resolve) => setTimeout(resolve, 90));
      }
      assert.equal(seen, 'ab');
    });

    it('total: a server that never stops sending', async () => {
      const origin = await start((_request, response) => {
        const timer = setInterval(() => response.write('x'), 5);
        response.on('close', () => clearInterval(timer));
      });
      const response = await send(origin.url, { timers: { totalMs: 80 } });
      const error = await failureOf(readAll(response.body));
      assert.deepEqual(facts(error), { kind: 'timeout', phase: 'total', sent: true });
      await origin.allClosed();
    });
  });
}
