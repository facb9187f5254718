import assert from 'node:assert/strict';
import { once } from 'node:events';
import net from 'node:net';
import * as vscode from 'vscode';
import { createEditorStack } from '../../../src/core/api/transport/editorTransport';
import { createPickingStack, type StackName } from '../../../src/core/api/transport/pickTransport';
import type { HttpRequest, HttpStack, StreamedBody, Timers } from '../../../src/core/api/transport/transport';
import { createUndiciStack } from '../../../src/core/api/transport/undiciTransport';
import { type ForwardProxy, type ForwardProxyOptions, startForwardProxy } from '../../support/forwardProxy';
import {
  type OriginHandler,
  type OriginServer,
  type OriginServerOptions,
  readAll,
  startOrigin,
} from '../../support/originServer';
import { createPrivateAuthority } from '../../support/privateAuthority';
import { describeStack } from '../../unit/core/api/transport/stackConformance';
import { facts, failureOf } from '../../unit/core/api/transport/stackHarness';

// The system trusts it: see who starts this editor.
const authority = await createPrivateAuthority(JSON.parse(process.env['INFERENCE_DESK_AUTHORITY'] ?? ''));

const patient: Timers = { connectMs: 20_000, firstByteMs: 20_000, idleMs: 20_000, totalMs: 20_000 };
/** Makes the editor's stack go over `node:http(s)`. */
const long: Timers = { ...patient, firstByteMs: 300_000, idleMs: 300_000 };
const ways = { fetch: patient, 'node:https': long } as const;

describe('the network in the extension host', () => {
  const closing: (() => Promise<void>)[] = [];
  const origin = async (handler: OriginHandler, options?: OriginServerOptions): Promise<OriginServer> => {
    const server = await startOrigin(handler, options);
    closing.push(() => server.close());
    return server;
  };
  const open = (stack: HttpStack): HttpStack => {
    closing.push(() => stack.close());
    return stack;
  };
  const useProxy = async (
    options: ForwardProxyOptions,
    address = (proxy: ForwardProxy) => proxy.url.href,
  ): Promise<ForwardProxy> => {
    const proxy = await startForwardProxy(options);
    closing.push(() => proxy.close());
    await setProxy(address(proxy));
    return proxy;
  };
  const setProxy = (address: string | undefined) =>
    vscode.workspace.getConfiguration('http').update('proxy', address, vscode.ConfigurationTarget.Global);
  const get = (url: URL, timers: Timers, more: Partial<HttpRequest> = {}): HttpRequest => ({
    method: more.body === undefined ? 'GET' : 'POST',
    headers: {},
    ...more,
    url,
    timers,
  });
  /** A server of a private authority, under a name only a proxy knows. */
  const hidden = async (handler: OriginHandler) => {
    const server = await origin(handler, {
      identity: await authority.issue(['inference.test', '127.0.0.1']),
      hostname: 'inference.test',
    });
    return { ...server, routes: { [`inference.test:${server.port}`]: server.port } };
  };

  const configure = async (settings: Readonly<Record<string, unknown>>) => {
    const http = vscode.workspace.getConfiguration('http');
    for (const [name, value] of Object.entries(settings))
      await http.update(name, value, vscode.ConfigurationTarget.Global);
  };
  // Older editors read the system's certificates from a fixed file unless told to ask Node.
  before(() => configure({ noProxy: [], systemCertificatesNode: true }));
  afterEach(async () => {
    await setProxy(undefined);
    for (const close of closing.splice(0).toReversed()) await close();
  });
  after(async () => {
    await configure({ noProxy: undefined, systemCertificatesNode: undefined });
  });

  // The stack that knows nothing of the editor is held to the same in plain node.
  describeStack('editor stack over fetch', { create: () => createEditorStack() });
  describeStack('editor stack over node:http', { create: () => createEditorStack(), timers: long });

  for (const [way, timers] of Object.entries(ways)) {
    // The oldest editors' `fetch` keeps the first proxy it met until the window is loaded again.
    const itWithNextProxy = way === 'fetch' && vscode.version.startsWith('1.106.') ? it.skip : it;
    describe(`the VS Code network stack over ${way}`, () => {
      it("trusts the system's certificate authorities", async () => {
        const server = await origin((_request, response) => void response.end('ok'), {
          identity: await authority.issue(['127.0.0.1']),
        });
        const response = await open(createEditorStack()).send(get(server.url, timers));
        assert.deepEqual([response.status, String(await readAll(response.body))], [200, 'ok']);
      });

      it('uses the proxy from the settings, streams, and resolves a name that only the proxy knows', async () => {
        let writeNext = () => {};
        const server = await hidden((_request, response) => {
          response.write('0');
          let count = 1;
          writeNext = () => void (count < 4 ? response.write(String(count++)) : response.end());
        });
        const proxy = await useProxy(server);
        const response = await open(createEditorStack()).send(get(server.url, timers));
        const seen: string[] = [];
        for await (const chunk of response.body) {
          seen.push(String(Buffer.from(chunk)));
          writeNext();
        }
        assert.deepEqual(seen, ['0', '1', '2', '3']);
        assert.deepEqual(proxy.requests, [`CONNECT inference.test:${server.port}`]);
      });

      itWithNextProxy('gives the proxy the name and password of its address', async () => {
        const server = await hidden((_request, response) => void response.end('ok'));
        const credentials = { user: 'me', password: 'p' };
        await useProxy({ routes: server.routes, credentials }, ({ url }) => `http://me:p@${url.host}`);
        const response = await open(createEditorStack()).send(get(server.url, timers));
        assert.equal(String(await readAll(response.body)), 'ok');
      });

      itWithNextProxy(
        'names the proxy when it wants credentials it did not get, knows no such host, or is gone',
        async () => {
          const server = await hidden(() => assert.fail('no request may arrive'));
          const stack = open(createEditorStack());
          const body = '{}';
          const credentials = { user: 'me', password: 'p' };
          await useProxy({ routes: server.routes, credentials, challenge: 'Unknown realm="test"' });
          const unnamed = await failureOf(stack.send(get(server.url, timers, { body })));
          assert.deepEqual([facts(unnamed), unnamed.details.status], [{ kind: 'proxy', sent: false }, 407]);
          await useProxy({ routes: {} });
          assert.deepEqual(facts(await failureOf(stack.send(get(server.url, timers, { body })))), {
            kind: 'proxy',
            sent: false,
          });
          const gone = await useProxy({ routes: {} });
          await gone.close();
          closing.pop();
          assert.deepEqual(facts(await failureOf(stack.send(get(server.url, timers, { body })))), {
            kind: 'proxy',
            sent: false,
          });
        },
      );

      itWithNextProxy('says a certificate is not trusted behind a proxy too, before anything was sent', async () => {
        const stranger = await createPrivateAuthority();
        const server = await origin(() => assert.fail('no request may arrive'), {
          identity: await stranger.issue(['inference.test']),
          hostname: 'inference.test',
        });
        await useProxy({ routes: { [`inference.test:${server.port}`]: server.port } });
        const error = await failureOf(open(createEditorStack()).send(get(server.url, timers, { body: '{}' })));
        assert.deepEqual(facts(error), { kind: 'certificate', sent: false });
      });

      itWithNextProxy('tells a proxy that never answers as a connection that did not come', async () => {
        const sockets: net.Socket[] = [];
        const silent = net.createServer((socket) => void sockets.push(socket.on('error', () => {}).resume()));
        await once(silent.listen(0, '127.0.0.1'), 'listening');
        closing.push(async () => {
          for (const socket of sockets) socket.destroy();
          silent.close();
        });
        await setProxy(`http://127.0.0.1:${(silent.address() as net.AddressInfo).port}`);
        const server = await hidden(() => assert.fail('no request may arrive'));
        const error = await failureOf(open(createEditorStack()).send(get(server.url, { ...timers, connectMs: 300 })));
        assert.deepEqual(facts(error), { kind: 'timeout', phase: 'connect', sent: false });
      });
    });
  }

  it('uploads through the proxy with the exact length', async () => {
    const server = await hidden(async (request, response) => {
      const { length } = await readAll(request);
      response.end(`${length} of ${request.headers['content-length']}`);
    });
    await useProxy(server);
    const body: StreamedBody = {
      contentLength: 20_000_000,
      async *open() {
        for (let index = 0; index < 200; index += 1) yield Buffer.alloc(100_000, index);
      },
    };
    const response = await open(createEditorStack()).send(get(server.url, patient, { body }));
    assert.equal(String(await readAll(response.body)), '20000000 of 20000000');
  });

  describe('undici', () => {
    it("ignores the proxy and the system's certificate authorities", async () => {
      const server = await hidden(() => assert.fail('no request may arrive'));
      const proxy = await useProxy(server);
      const stack = open(createUndiciStack());
      assert.deepEqual(facts(await failureOf(stack.send(get(server.url, patient)))), { kind: 'network', sent: false });
      const direct = new URL(`https://127.0.0.1:${server.port}/`);
      assert.deepEqual(facts(await failureOf(stack.send(get(direct, patient)))), { kind: 'certificate', sent: false });
      assert.deepEqual(proxy.requests, []);
    });
  });

  describe('auto', () => {
    const auto = () => {
      const memory = new Map<string, StackName>();
      const remembered = {
        get: (at: string) => memory.get(at),
        set: (at: string, name: StackName) => void memory.set(at, name),
      };
      const stack = createPickingStack({
        preference: () => 'auto',
        proxyConfigured: () => false,
        undici: async () => createUndiciStack(),
        editor: async () => createEditorStack(),
        remembered,
      });
      return { stack: open(stack), memory };
    };

    it('detects the proxy, sends the request once, and remembers the stack', async () => {
      const server = await hidden((_request, response) => void response.end('ok'));
      await useProxy(server);
      const { stack, memory } = auto();
      for (let round = 0; round < 2; round += 1) {
        assert.equal(String(await readAll((await stack.send(get(server.url, long, { body: '{}' }))).body)), 'ok');
      }
      assert.deepEqual([...memory], [[server.url.origin, 'editor']]);
      assert.deepEqual(server.requests, ['POST /', 'POST /']);
    });

    it('connects to a server with a private certificate authority', async () => {
      const server = await origin((_request, response) => void response.end('ok'), {
        identity: await authority.issue(['127.0.0.1']),
      });
      const { stack, memory } = auto();
      assert.equal(String(await readAll((await stack.send(get(server.url, patient))).body)), 'ok');
      assert.equal(memory.get(server.url.origin), 'editor');
    });
  });
});
