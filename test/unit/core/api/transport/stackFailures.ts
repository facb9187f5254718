import assert from 'node:assert/strict';
import { once } from 'node:events';
import net from 'node:net';
import type { AddressInfo } from 'node:net';
import { readAll } from '../../../../support/originServer';
import { createPrivateAuthority } from '../../../../support/privateAuthority';
import { failureOf, facts, setUpStack, type Subject } from './stackHarness';

/** How failures are told apart, and whether anything was sent. */
export function describeFailures(subject: Subject): void {
  describe('failures', () => {
    const { send, start } = setUpStack(subject);

    it('refused: no request was sent', async () => {
      const origin = await start(() => {});
      await origin.close();
      const error = await failureOf(send(origin.url));
      assert.deepEqual(facts(error), { kind: 'network', sent: false });
      assert.match(error.message, /ECONNREFUSED/);
    });

    it('unknown host name: no request was sent', async () => {
      const error = await failureOf(send('http://no-such-host.invalid/'));
      assert.deepEqual(facts(error), { kind: 'network', sent: false });
      assert.match(error.message, /ENOTFOUND|EAI_AGAIN/);
    });

    it('reset before the response: the request may have been sent', async () => {
      const origin = await start((request) => void request.socket.resetAndDestroy());
      assert.deepEqual(facts(await failureOf(send(origin.url, { body: '{}' }))), { kind: 'network', sent: true });
    });

    it('closed before the response: the request may have been sent', async () => {
      const origin = await start((request) => void request.socket.end());
      assert.deepEqual(facts(await failureOf(send(origin.url, { body: '{}' }))), { kind: 'network', sent: true });
    });

    it('closed on a reused connection: the request may have been sent', async () => {
      const origin = await start((request, response) => {
        if (request.url === '/second') request.socket.destroy();
        else response.end('ok');
      });
      await readAll((await send(origin.url)).body);
      const error = await failureOf(send(new URL('second', origin.url), { body: '{}' }));
      assert.deepEqual(facts(error), { kind: 'network', sent: true });
    });

    it('closed before the stated length: truncated, after the received bytes', async () => {
      const origin = await start((_request, response) => {
        response.writeHead(200, { 'content-length': 100 });
        response.write('half', () => response.socket?.end());
      });
      const response = await send(origin.url);
      let seen = '';
      const error = await failureOf(
        (async () => {
          for await (const chunk of response.body) seen += String(Buffer.from(chunk));
        })(),
      );
      assert.deepEqual([seen, facts(error)], ['half', { kind: 'truncated', sent: true }]);
    });

    it('closed within a chunked body: truncated', async () => {
      const origin = await start((_request, response) => void response.write('half', () => response.socket?.end()));
      const response = await send(origin.url);
      assert.deepEqual(facts(await failureOf(readAll(response.body))), { kind: 'truncated', sent: true });
    });

    it("a response that isn't HTTP: protocol error", async () => {
      const server = net.createServer((socket) => {
        socket.on('error', () => {});
        socket.once('data', () => socket.end('SSH-2.0-OpenSSH_9.2\r\n'));
      });
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      const error = await failureOf(send(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`));
      assert.deepEqual(facts(error), { kind: 'badResponse', sent: true }, String(error.message));
      server.close();
    });

    it('407: the proxy, not the service', async () => {
      const origin = await start((_request, response) => void response.writeHead(407).end());
      const error = await failureOf(send(origin.url));
      assert.deepEqual([facts(error), error.details.status], [{ kind: 'proxy', sent: false }, 407]);
    });

    it('rejects an invalid header without repeating its value', async () => {
      const error = await failureOf(send('http://127.0.0.1:1/', { headers: { authorization: 'Bearer sk-secret\nx' } }));
      assert.deepEqual(facts(error), { kind: 'invalidParameter', sent: false });
      const reported = `${error.message} ${String(error.cause)} ${JSON.stringify(error.details)}`;
      assert.ok(!reported.includes('sk-secret') && reported.includes('authorization'));
    });
  });

  describe('certificates', () => {
    const { send, start } = setUpStack(subject);

    it('reports an unknown authority, a mismatched name, and an expired date', async () => {
      const authority = await createPrivateAuthority();
      const cases = [
        [await authority.issue(['127.0.0.1']), /UNABLE_TO_VERIFY_LEAF_SIGNATURE.*not trusted/],
        [await authority.issue(['127.0.0.1'], { expired: true }), /CERT_HAS_EXPIRED|UNABLE_TO_VERIFY/],
      ] as const;
      for (const [identity, words] of cases) {
        const origin = await start(() => assert.fail('no request may arrive'), { identity });
        const error = await failureOf(send(origin.url));
        assert.deepEqual(facts(error), { kind: 'certificate', sent: false });
        assert.match(error.message, words);
      }
    });

    it('distinguishes a server without TLS from one with a bad certificate', async () => {
      const origin = await start(() => assert.fail('no request may arrive'));
      const error = await failureOf(send(`https://127.0.0.1:${origin.port}/`));
      assert.deepEqual(facts(error), { kind: 'network', sent: false });
      assert.match(error.message, /secure connection failed/);
    });
  });
}
