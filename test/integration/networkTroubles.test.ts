import { deepEqual, doesNotMatch, equal, match, ok } from 'node:assert/strict';
import { once } from 'node:events';
import net from 'node:net';
import type { AddressInfo } from 'node:net';
import tls from 'node:tls';
import * as vscode from 'vscode';
import { diagnose } from '../../src/core/profiles/signInProblem';
import { createEditorStack } from '../../src/core/api/transport/editorTransport';
import type { HttpStack } from '../../src/core/api/transport/transport';
import { createUndiciStack } from '../../src/core/api/transport/undiciTransport';
import { describe as wordsFor } from '../../src/platform/errors/reportError';
import { createTestClient, failureOf, testKey } from '../support/apiClient';
import { startForwardProxy } from '../support/forwardProxy';
import { startOrigin } from '../support/originServer';
import type { OriginHandler, OriginServer, OriginServerOptions } from '../support/originServer';
import { createPrivateAuthority } from '../support/privateAuthority';

/** Since Node 22.19; older editors have an older one. */
const canTrust = 'setDefaultCACertificates' in tls;

describe('network errors on this machine', () => {
  const closing: (() => Promise<unknown>)[] = [];
  const start = async (handler: OriginHandler, options?: OriginServerOptions): Promise<OriginServer> => {
    const server = await startOrigin(handler, options);
    closing.push(() => server.close());
    return server;
  };
  const gone = async (): Promise<URL> => {
    const server = await startOrigin(() => {});
    await server.close();
    return server.url;
  };
  const useProxy = (address: string | undefined) =>
    vscode.workspace.getConfiguration('http').update('proxy', address, vscode.ConfigurationTarget.Global);
  /** How asking for the models fails, as a person reads it. */
  const tell = async (stack: HttpStack, address: URL | string) => {
    closing.push(() => stack.close());
    const baseUrl = new URL('v1', address).href;
    const { client, exchanges } = createTestClient(baseUrl, { stack });
    const error = await failureOf(client.models.list({}));
    const { title, detail, actions } = wordsFor(error);
    for (const words of [title, detail]) doesNotMatch(words, /undefined|!|\bstack:|at .*\.js/);
    ok(!JSON.stringify([title, detail, exchanges]).includes(testKey));
    const { cause } = diagnose(error, { baseUrl, key: testKey });
    return { title, detail, steps: actions.map(({ id }) => id.split(':')[0]), cause };
  };

  afterEach(async () => {
    await useProxy(undefined);
    for (const close of closing.splice(0).toReversed()) await close();
  });

  for (const [name, create] of Object.entries({ undici: createUndiciStack, editor: () => createEditorStack() })) {
    describe(`over ${name}`, () => {
      it('explains a refused connection', async () => {
        const { title, detail, steps, cause } = await tell(create(), await gone());
        equal(title, 'No service is running at this URL');
        match(detail, /Check the port, and that the service is running/);
        deepEqual(steps, ['retry', 'changeBaseUrl', 'networkSetting', 'showExchange']);
        equal(cause, 'refused');
      });

      it('explains an unknown host name', async () => {
        const { title, detail, cause } = await tell(create(), 'https://no-such-host.invalid/');
        equal(title, "Couldn't find the service's host name");
        match(detail, /offline.*mistyped.*proxy/);
        equal(cause, 'nameNotFound');
      });

      it('explains https at an http port', async () => {
        const { port } = await start((_request, response) => void response.end());
        const { title, detail } = await tell(create(), `https://127.0.0.1:${port}/`);
        equal(title, "Couldn't establish a secure connection");
        match(detail, /Check the URL, its port/);
      });

      it('explains a self-signed certificate', async () => {
        const identity = await (await createPrivateAuthority()).issue(['127.0.0.1']);
        const { title, detail, steps, cause } = await tell(create(), (await start(() => {}, { identity })).url);
        equal(title, "The service's certificate isn't trusted");
        match(detail, /^Not sent\. .*own certificate/);
        deepEqual(steps.slice(0, 2), ['retry', 'networkSetting']);
        equal(cause, 'certificate');
      });

      it('explains a connection closed before or during a response', async () => {
        const closes = await start((request) => void request.socket.destroy());
        equal((await tell(create(), closes.url)).title, 'Connection closed before a response arrived');
        const cuts = await start((_request, response) => {
          response.writeHead(200, { 'content-type': 'application/json', 'content-length': 100 });
          response.write('{"data":', () => response.socket?.end());
        });
        equal((await tell(create(), cuts.url)).title, 'The response is incomplete');
      });

      it('explains an endless response, which is stopped and keeps its text', async () => {
        const endless = await start(async (request, response) => {
          request.resume();
          response.writeHead(200, { 'content-type': 'text/event-stream' });
          const piece = `data: ${JSON.stringify({ choices: [{ delta: { content: 'x'.repeat(60_000) } }] })}\n\n`;
          const closed = once(response, 'close');
          while (!response.destroyed) if (!response.write(piece)) await Promise.race([once(response, 'drain'), closed]);
        });
        const stack = create();
        closing.push(() => stack.close());
        const { client } = createTestClient(new URL('v1', endless.url).href, { stack });
        let chars = 0;
        const read = async () => {
          const question = { model: 'm', messages: [{ role: 'user' as const, content: 'hi' }] };
          for await (const event of client.chatCompletions.chunks(question)) chars += JSON.stringify(event).length;
        };
        const { title, detail } = wordsFor(await failureOf(read()));
        equal(title, 'Response stopped at 8 MB');
        match(detail, /The (text|part) received is saved\. You may have been charged\./);
        ok(chars > 8_000_000 && chars < 10_000_000, String(chars));
      });

      it('explains successful responses without a body (204 and 200)', async () => {
        for (const status of [204, 200]) {
          const { url } = await start((_request, response) => void response.writeHead(status).end());
          const { title, detail, steps, cause } = await tell(create(), url);
          equal(title, 'The response is empty');
          match(detail, /Try again/);
          deepEqual(steps, ['retry', 'changeBaseUrl', 'showExchange']);
          equal(cause, 'notTheInterface');
        }
      });

      it('explains the sign-in page of a network', async () => {
        const { url } = await start((_request, response) => {
          response.writeHead(200, { 'content-type': 'text/html' });
          response.end('<!doctype html><html><head><title>Airport Wi-Fi</title></head><body>Hi</body></html>');
        });
        const { title, detail } = await tell(create(), url);
        equal(title, 'Received a web page instead of an API response');
        match(detail, /network in the browser/);
      });

      it('explains responses of another kind of API, and of no web server', async () => {
        const { url } = await start((_request, response) => void response.end('[1, 2'));
        const { title, steps } = await tell(create(), url);
        equal(title, 'Unexpected response');
        ok(steps.includes('reportProblem'));
        const server = net.createServer((socket) => {
          socket.on('error', () => {});
          socket.once('data', () => socket.end('SSH-2.0-OpenSSH_9.2\r\n'));
        });
        await once(server.listen(0, '127.0.0.1'), 'listening');
        closing.push(async () => server.close());
        const { port } = server.address() as AddressInfo;
        equal((await tell(create(), `http://127.0.0.1:${port}/`)).title, 'Unexpected response');
      });

      it('explains a proxy that requires a name and a password', async () => {
        const { url } = await start((_request, response) => void response.writeHead(407).end());
        const { title, detail, steps, cause } = await tell(create(), url);
        equal(title, 'The proxy requires a password');
        match(detail, /Not sent\. .*http\.proxy/);
        ok(steps.includes('proxySetting'));
        equal(cause, 'proxy');
      });
    });
  }

  describe('over the proxy from the settings', () => {
    const hidden = 'https://inference.test/';
    before(() => vscode.workspace.getConfiguration('http').update('noProxy', [], vscode.ConfigurationTarget.Global));
    after(() =>
      vscode.workspace.getConfiguration('http').update('noProxy', undefined, vscode.ConfigurationTarget.Global),
    );

    it('explains an unreachable proxy', async () => {
      await useProxy((await gone()).origin);
      const { title, detail } = await tell(createEditorStack(), hidden);
      equal(title, "Couldn't reach the proxy");
      match(detail, /Correct the proxy URL in the setting http\.proxy/);
    });

    it("explains a proxy that can't reach the service", async function () {
      // The fetch of 1.106 does not tell what the proxy answered.
      if (vscode.version.startsWith('1.106.')) this.skip();
      const proxy = await startForwardProxy({ routes: {} });
      closing.push(() => proxy.close());
      await useProxy(proxy.url.origin);
      const { title, detail } = await tell(createEditorStack(), hidden);
      equal(title, 'The proxy rejected the request');
      match(detail, /^The proxy responded with 502\./);
    });
  });

  (canTrust ? describe : describe.skip)('a certificate of an authority that is trusted', () => {
    const before = canTrust ? tls.getCACertificates('default') : [];
    afterEach(() => tls.setDefaultCACertificates(before));
    const cases = {
      'of yesterday': { options: { expired: true }, title: "The service's certificate has expired" },
      'of tomorrow': { options: { early: true }, title: "The service's certificate isn't valid yet" },
      'for another name': {
        names: ['another.test'],
        options: {},
        title: 'The certificate is for another host name',
      },
    };
    for (const [name, { title, options, ...more }] of Object.entries(cases)) {
      it(name, async () => {
        const authority = await createPrivateAuthority();
        tls.setDefaultCACertificates([...before, authority.certificate]);
        const identity = await authority.issue('names' in more ? more.names : ['127.0.0.1'], options);
        const { url } = await start(() => {}, { identity });
        const reported = await tell(createUndiciStack(), url);
        equal(reported.title, title);
        match(reported.detail, /^Not sent\. /);
        equal(reported.cause, 'names' in more ? 'certificate' : 'certificateTime');
        if (!('names' in more)) match(reported.detail, /this machine's clock/);
      });
    }
  });
});
