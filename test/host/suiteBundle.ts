import path from 'node:path';
import { build } from 'esbuild';
import { bundleTests, testOptions } from './bundle.ts';
import { SetupError } from './command.ts';
import { root } from './places.ts';

/** The folder of the compiled suite that runs in an extension host. Its entry is `suite.js`. */
export const suiteFolder = path.join(root, 'dist/test/integration');

export async function bundleSuite(requested: readonly string[]): Promise<void> {
  if ((await bundleTests('integration', suiteFolder, requested)).length === 0)
    throw new SetupError('No integration test has such a name.');
  await build({ ...testOptions, entryPoints: [path.join(root, 'test/host/suite.ts')], outdir: suiteFolder });
}
