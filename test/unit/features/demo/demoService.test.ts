import { deepEqual, equal, notEqual, ok } from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDemoService } from '../../../../src/features/demo/demoService';
import type { DemoService } from '../../../../src/features/demo/demoService';

/** A real HTTP server that answers as far as the probe asks: the right key gets 200. */
async function serve(port: number, apiKey: string) {
  const server: Server = createServer((request, response) => {
    response.statusCode = request.headers.authorization === `Bearer ${apiKey}` ? 200 : 401;
    response.end('{}');
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const chosen = (server.address() as AddressInfo).port;
  const close = async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
  return { port: chosen, baseUrl: `http://127.0.0.1:${chosen}/v1`, apiKey, close };
}

describe('the demo service of a window', () => {
  let folder: string;
  const windows: DemoService[] = [];
  let starts = 0;
  const openWindow = () => {
    const service = createDemoService({
      folder,
      start: ({ port }) => {
        starts += 1;
        return serve(port, 'sk-demo');
      },
    });
    windows.push(service);
    return service;
  };

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'demo-service-'));
    starts = 0;
  });
  afterEach(async () => {
    for (const window of windows.splice(0)) await window.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('starts once, however many ask at the same time', async () => {
    const window = openWindow();
    const [first, second] = await Promise.all([window.ensureRunning(), window.ensureRunning()]);
    equal(first, second);
    equal(starts, 1);
    equal(window.isRunHere, true);
  });

  it('is the same origin with the same key after a restart', async () => {
    const before = openWindow();
    const { baseUrl, apiKey } = await before.ensureRunning();
    await before.stop();
    const after = await openWindow().ensureRunning();
    deepEqual({ baseUrl: after.baseUrl, apiKey: after.apiKey }, { baseUrl, apiKey });
    equal(starts, 2);
  });

  it('is attached to where another window runs it, and started here once that window is gone', async () => {
    const first = openWindow();
    const { baseUrl } = await first.ensureRunning();
    const second = openWindow();
    equal((await second.ensureRunning()).baseUrl, baseUrl);
    equal(second.isRunHere, false);
    equal(await second.stop(), false);
    await first.stop();
    equal((await second.ensureRunning()).baseUrl, baseUrl);
    equal(second.isRunHere, true);
  });

  it('moves to another port when a stranger took its own, and remembers that', async () => {
    const before = openWindow();
    const { baseUrl } = await before.ensureRunning();
    await before.stop();
    const stranger = await serve(Number(new URL(baseUrl).port), 'sk-of-someone-else');
    try {
      const moved = await openWindow().ensureRunning();
      notEqual(moved.baseUrl, baseUrl);
      ok((await readFile(join(folder, 'endpoint.json'), 'utf8')).includes(moved.baseUrl));
    } finally {
      await stranger.close();
    }
  });

  it('does not follow a remembered address that is not on this machine', async () => {
    const lie = { port: 80, baseUrl: 'http://example.com/v1', apiKey: 'sk-demo' };
    await writeFile(join(folder, 'endpoint.json'), JSON.stringify(lie));
    const window = openWindow();
    equal(await window.lastAddress(), undefined);
    equal(new URL((await window.ensureRunning()).baseUrl).hostname, '127.0.0.1');
  });
});
