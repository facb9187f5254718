import assert from 'node:assert/strict';
import { extensionHostsOf } from '../host/extensionHosts';
import type { DeskWindow } from '../host/window';
import { until } from './until';

/**
 * As a crash: nothing in the window's extensions gets to finish. The page is loaded anew afterwards. Tabs of extensions are open then only
 * where the editor had not yet noticed the crash, upon which it closes them.
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
