import assert from 'node:assert/strict';
import { extensionHostsOf } from '../host/extensionHosts';
import type { DeskWindow } from '../host/window';
import { until } from './until';

/**
 * Kills the extension hosts like a crash, without cleanup, and reloads the page. Tabs of extensions are restored only if VS Code hadn't
 * noticed the crash, after which it closes them.
 */
export async function killExtensionHosts(desk: DeskWindow): Promise<void> {
  const hosts = extensionHostsOf(desk.server.pid);
  assert.ok(hosts.length > 0);
  for (const pid of hosts) process.kill(pid, 'SIGKILL');
  await until(
    () => (extensionHostsOf(desk.server.pid).some((pid) => hosts.includes(pid)) ? undefined : true),
    'the end of the extension hosts',
  );
  await desk.reload();
}
