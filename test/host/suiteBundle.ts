import path from 'node:path';
import { build } from 'esbuild';
import { bundleTests, testOptions } from './bundle.ts';
import { Trouble } from './command.ts';
import { root } from './places.ts';

/** Compiles the suite that runs in an extension host, and gives its entry file. */
export async function bundleSuite(wanted: readonly string[]): Promise<string> {
  const outdir = path.join(root, 'dist/test/integration');
  if ((await bundleTests('integration', outdir, wanted)) === 0)
    throw new Trouble('No integration test has such a name.');
  await build({ ...testOptions, entryPoints: [path.join(root, 'test/host/suite.ts')], outdir });
  return path.join(outdir, 'suite.js');
}
