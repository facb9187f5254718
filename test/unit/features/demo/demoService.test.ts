import { deepEqual, equal, notEqual } from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { attachOrStart, lastAddress } from '../../../../src/demo/attachOrStart';
import { createDemoService } from '../../../../src/features/demo/logic/demoService';
import type { DemoService } from '../../../../src/features/demo/logic/demoService';

describe('the demo service of a window', () => {
  let folder: string;
  const windows: DemoService[] = [];
  const openWindow = () => {
    const service = createDemoService(() => attachOrStart({ dataDir: folder, pace: 'instant' }));
    windows.push(service);
    return service;
  };

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'demo-service-'));
  });
  afterEach(async () => {
    for (const window of windows.splice(0)) await window.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('starts once for simultaneous requests', async () => {
    const window = openWindow();
    const [first, second] = await Promise.all([window.ensureRunning(), window.ensureRunning()]);
    equal(first, second);
    equal(window.isRunHere, true);
  });

  it('runs in one of two windows that request it at the same time, and is shared', async () => {
    const [one, other] = [openWindow(), openWindow()];
    const [first, second] = await Promise.all([one.ensureRunning(), other.ensureRunning()]);
    equal(first.baseUrl, second.baseUrl);
    equal([one, other].filter(({ isRunHere }) => isRunHere).length, 1);
  });

  it('keeps its origin and key after a restart', async () => {
    const before = openWindow();
    const { baseUrl, apiKey } = await before.ensureRunning();
    await before.stop();
    const after = await openWindow().ensureRunning();
    deepEqual({ baseUrl: after.baseUrl, apiKey: after.apiKey }, { baseUrl, apiKey });
  });

  it('is shared with another window that runs it, and restarts here when that window closes', async () => {
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

  it('moves to another port when another program uses its own, and remembers that', async () => {
    const before = openWindow();
    const { baseUrl } = await before.ensureRunning();
    await before.stop();
    const stranger = createServer((_request, response) => response.end('{}'));
    stranger.listen(Number(new URL(baseUrl).port), '127.0.0.1');
    await once(stranger, 'listening');
    try {
      const moved = await openWindow().ensureRunning();
      notEqual(moved.baseUrl, baseUrl);
      equal((await lastAddress(folder))?.baseUrl, moved.baseUrl);
    } finally {
      stranger.closeAllConnections();
      stranger.close();
      await once(stranger, 'close');
    }
  });

  it('is searched only on this machine, whatever its folder says', async () => {
    const lie = { port: 80, baseUrl: 'http://example.com/v1', apiKey: 'sk-demo', pid: 1 };
    await writeFile(join(folder, 'service.json'), JSON.stringify(lie));
    equal(new URL((await lastAddress(folder))?.baseUrl ?? '').hostname, '127.0.0.1');
  });
});
