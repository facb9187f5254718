import { rmSync, statSync } from 'node:fs';
import type { BenchLine } from '../host/benchLine';
import budget from '../host/budget.json' with { type: 'json' };
import { builtVariable } from '../host/buildProduct';
import { runCommand } from '../host/command';
import { packageFile, root } from '../host/places';

const kilobyte = 1024;

/** Packages the extension, and measures the size. */
export async function run(): Promise<readonly BenchLine[]> {
  rmSync(packageFile, { force: true });
  await runCommand(process.execPath, ['test/host/package.ts'], {
    cwd: root,
    purpose: 'make the package',
    env: { ...process.env, [builtVariable]: '1' },
  }).catch((error: unknown) => console.error(String(error)));
  // Packaging fails if the package exceeds its budget, but leaves the file.
  const { size } = statSync(packageFile);
  return [
    {
      name: 'package',
      ours: size / kilobyte,
      unit: 'kB',
      atMost: budget.package / kilobyte,
    },
  ];
}
