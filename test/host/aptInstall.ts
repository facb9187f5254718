import { accessSync, constants } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { runCommand } from './command.ts';
import { withLock } from './folderLock.ts';

/** Returns the full path of the first of these programs on PATH. */
export function findProgram(...names: readonly string[]): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(path.delimiter);
  for (const name of names) {
    for (const folder of path.isAbsolute(name) ? [''] : folders) {
      const file = path.join(folder, name);
      try {
        accessSync(file, constants.X_OK);
        return file;
      } catch {
        continue;
      }
    }
  }
  return undefined;
}

/** Installs Debian packages if that requires no confirmation (root on a machine with apt-get). Returns false otherwise. */
export async function aptInstall(packages: readonly string[]): Promise<boolean> {
  const apt = findProgram('apt-get');
  if (apt === undefined || process.getuid?.() !== 0) return false;
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const purpose = `install ${packages.join(', ')}`;
  console.log(`Installing ${packages.join(', ')} with apt-get ...`);
  // apt-get fails if it runs twice at the same time.
  await withLock(path.join(os.tmpdir(), 'inference-desk-apt.lock'), async () => {
    await runCommand(apt, ['-q', 'update'], { env, purpose, timeoutMs: 300_000 });
    await runCommand(apt, ['-q', 'install', '-y', '--no-install-recommends', ...packages], { env, purpose });
  });
  return true;
}
