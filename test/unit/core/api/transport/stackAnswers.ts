import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { isApiError } from '../../../../../src/core/api/errors';
import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib';
import { readAll } from '../../../../support/originServer';
import { setUpStack, type Subject } from './stackHarness';

/** What a stack makes of answers. */
export function describeAnswers(subject: Subject): void {
  describe('responses', () => {
    const { send, start } = setUpStack(subject);

    it('returns every status, including redirects, with lower-case headers and the complete body', async () => {
      const origin = await start((request, response) => {
        const status = Number(request.url?.slice(1));
        response.writeHead(status, { 'X-Trace': `t${status}`, ...(status === 302 ? { Location: '/200' } : {}) });
        response.end(`body ${status}`);
      });
      for (const status of [200, 201, 302, 400, 404, 429, 500, 503]) {
        const response = await send(new URL(String(status), origin.url));
        assert.equal(response.status, status);
        assert.equal(response.headers['x-trace'], `t${status}`);
        assert.equal(String(await readAll(response.body)), `body ${status}`);
      }
      assert.equal(origin.requests.length, 8);
    });

    it('sends method, path, query, headers, and a text body with its length, without requesting compression', async () => {
      const origin = await start(async (request, response) => {
        const body = await readAll(request);
        response.end(
          JSON.stringify({ method: request.method, url: request.url, headers: request.headers, body: String(body) }),
        );
      });
      const response = await send(new URL('v1/x%20y?sub_type=chat&b=%26', origin.url), {
        headers: { authorization: 'Bearer k', 'content-type': 'application/json' },
        body: '{"text":"héllo"}',
      });
      const seen = JSON.parse(String(await readAll(response.body)));
      assert.equal(seen.method, 'POST');
      assert.equal(seen.url, '/v1/x%20y?sub_type=chat&b=%26');
      assert.equal(seen.body, '{"text":"héllo"}');
      assert.equal(seen.headers.authorization, 'Bearer k');
      assert.equal(seen.headers['content-type'], 'application/json');
      assert.equal(seen.headers['content-length'], '17');
      assert.equal(seen.headers['accept-encoding'], 'identity');
    });

    it('returns an empty body as no chunks', async () => {
      const origin = await start((_request, response) => void response.writeHead(204).end());
      const response = await send(origin.url, { method: 'DELETE' });
      assert.deepEqual(
        [response.status, (await readAll(response.body)).length, origin.requests[0]],
        [204, 0, 'DELETE /'],
      );
    });

    it('delivers each chunk when it arrives, before the next is written', async () => {
      let writing: ServerResponse | undefined;
      const origin = await start((_request, response) => {
        writing = response;
        response.flushHeaders();
      });
      const response = await send(origin.url);
      const seen: string[] = [];
      writing?.write('0');
      for await (const chunk of response.body) {
        seen.push(String(Buffer.from(chunk)));
        if (seen.length < 4) writing?.write(String(seen.length));
        else writing?.end();
      }
      assert.deepEqual(seen, ['0', '1', '2', '3']);
    });

    it('decodes an unrequested compressed response, and drops its encoded length', async () => {
      const text = 'word '.repeat(50_000);
      const zipped = gzipSync(text);
      const origin = await start((_request, response) => {
        response.writeHead(200, { 'content-encoding': 'gzip', 'content-length': zipped.length }).end(zipped);
      });
      const response = await send(origin.url);
      assert.equal(String(await readAll(response.body)), text);
      assert.equal(response.headers['content-length'], undefined);
      assert.equal(response.headers['content-encoding'], undefined);
    });

    const zeros = Buffer.alloc(64 * 1024 * 1024);
    const bombs: Readonly<Record<string, () => Buffer>> = {
      gzip: () => gzipSync(zeros),
      br: () => brotliCompressSync(zeros, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
      deflate: () => deflateSync(zeros),
    };
    for (const [encoding, zip] of Object.entries(bombs)) {
      it(`rejects a response in ${encoding} that expands a thousandfold, whether or not its length is known`, async () => {
        const zipped = zip();
        for (const length of [{ 'content-length': zipped.length }, {}]) {
          const origin = await start((_request, response) => {
            response.writeHead(200, { 'content-encoding': encoding, ...length }).write(zipped.subarray(0, 1000));
            response.end(zipped.subarray(1000));
          });
          const { body } = await send(origin.url);
          let bytes = 0;
          const read = async () => {
            for await (const chunk of body) bytes += chunk.byteLength;
          };
          await assert.rejects(read(), (error) => isApiError(error) && error.kind === 'badResponse');
          assert.ok(bytes < 16 * 1024 * 1024, `${bytes} bytes`);
        }
      });
    }

    it('decodes a long response of unknown length that was compressed unasked', async () => {
      const text = Array.from({ length: 1_400_000 }, (_, at) => `${(at * 7919) % 1000003}`).join(',');
      const zipped = gzipSync(text, { level: 1 });
      const origin = await start((_request, response) => {
        response.writeHead(200, { 'content-encoding': 'gzip' }).end(zipped);
      });
      const { body } = await send(origin.url);
      assert.equal((await readAll(body)).byteLength, text.length);
    });

    it('ignores an unrequested `100 Continue`, and other informational responses', async () => {
      const interim: readonly (readonly string[])[] = [
        ['HTTP/1.1 100 Continue\r\n\r\n'],
        ['HTTP/1.1 100 Continue\r\nX-A: b\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n'],
        ['HTT', 'P/1.1 1', '00 Continue\r\n\r', '\n'],
        ['HTTP/1.1 102 Processing\r\n\r\n', 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'],
        [],
      ];
      const origin = await start(async (request, response) => {
        const { socket } = request;
        await readAll(request);
        for (const piece of interim[Number(request.url?.slice(1))] ?? []) {
          socket.write(piece);
          await new Promise((resolve) => setTimeout(resolve, 20));
        }
        response.writeHead(201, { 'x-trace': 't' }).end('HTTP/1.1 100 Continue\r\n\r\nbody');
      });
      for (const index of interim.keys()) {
        const response = await send(new URL(String(index), origin.url), { body: '{}' });
        assert.deepEqual([response.status, response.headers['x-trace']], [201, 't']);
        assert.equal(String(await readAll(response.body)), 'HTTP/1.1 100 Continue\r\n\r\nbody');
      }
      assert.equal(origin.requests.length, interim.length);
    });

    it('ignores `100 Continue` that arrives with its response, or before the body was sent', async () => {
      const origin = await start((request, response) => {
        request.socket.write(
          'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\nok',
        );
        response.detachSocket(request.socket);
        request.socket.end();
      });
      assert.equal(String(await readAll((await send(origin.url, { body: '{}' })).body)), 'ok');
    });

    it('handles many concurrent requests without mixing them', async () => {
      const origin = await start((request, response) => void response.end(`${request.url}`.repeat(2000)));
      await Promise.all(
        Array.from({ length: 50 }, async (_, index) => {
          const response = await send(new URL(`n${index}-`, origin.url));
          assert.equal(String(await readAll(response.body)), `/n${index}-`.repeat(2000));
        }),
      );
    });

    it('applies backpressure to a fast server without a reader', async () => {
      const chunk = Buffer.alloc(1024 * 1024, 1);
      let written = 0;
      let onFull = () => {};
      const full = new Promise<void>((resolve) => (onFull = resolve));
      const origin = await start((_request, response) => {
        const write = () => {
          while (written < 64) {
            written += 1;
            if (!response.write(chunk)) {
              onFull();
              response.once('drain', write);
              return;
            }
          }
          response.end();
        };
        write();
      });
      const response = await send(origin.url);
      await full;
      // Kernel buffers take some megabytes; 64 would mean that nothing holds back.
      assert.ok(written < 64, `${written} MiB were taken`);
      assert.equal((await readAll(response.body)).length, 64 * 1024 * 1024);
    });
  });
}
