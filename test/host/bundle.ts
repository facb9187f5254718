import { readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { build, type BuildOptions, type Metafile, type Plugin } from 'esbuild';
import { assembly, oneLocalization, temmlSources } from '../../esbuild.mjs';
import { SetupError } from './command.ts';
import { root } from './places.ts';

/** Tests are bundled like the product's TypeScript, and packages stay external. */
export const testOptions = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node22',
  sourcemap: 'inline',
  packages: 'external',
  external: ['vscode'],
  jsx: 'automatic',
  jsxImportSource: 'preact',
  logLevel: 'warning',
  plugins: [oneLocalization, assembly, temmlSources],
} as const satisfies BuildOptions;

export interface TestBundle {
  readonly file: string;
  /** The sources, as paths from the root with `/`, and the imported packages. */
  readonly inputs: readonly string[];
  /** Including everything it imports from the bundle. */
  readonly bytes: number;
}

/**
 * Compiles the tests in `test/<kind>` whose path contains one of `requested` (all if empty) into `outdir`, without warnings. Returns the
 * files. Shared code is compiled once, unless `plugins` change it.
 */
export async function bundleTests(
  kind: string,
  outdir: string,
  requested: readonly string[] = [],
  plugins: readonly Plugin[] = [],
): Promise<TestBundle[]> {
  const folder = path.join(root, 'test', kind);
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (name) => /\.test\.tsx?$/.test(name) && (requested.length === 0 || requested.some((part) => name.includes(part))),
  );
  rmSync(outdir, { recursive: true, force: true });
  const { warnings, metafile } = await build({
    ...testOptions,
    plugins: [...plugins, ...testOptions.plugins],
    entryPoints: files.map((name) => path.join(folder, name)),
    outdir,
    outbase: folder,
    splitting: plugins.length === 0 && kind !== 'integration',
    metafile: true,
  });
  if (warnings.length > 0) throw new SetupError('The tests are bundled with warnings; they are printed above.');
  return Object.keys(metafile.outputs)
    .filter((name) => name.endsWith('.test.js'))
    .map((name) => bundleOf(name, metafile));
}

function bundleOf(name: string, { outputs }: Metafile): TestBundle {
  const all = new Set([name]);
  for (const one of all) for (const imported of outputs[one]?.imports ?? []) all.add(imported.path);
  return {
    file: path.join(root, name),
    inputs: [...all].flatMap((one) => Object.keys(outputs[one]?.inputs ?? { [one]: {} })),
    bytes: [...all].reduce((sum, one) => sum + (outputs[one]?.bytes ?? 0), 0),
  };
}

/** Reads parts of test file names, and `--grep <pattern>` or `-g`, like mocha. */
export function readTestArguments(args: readonly string[]): {
  readonly requested: string[];
  readonly grep: string | undefined;
} {
  const at = args.findIndex((word) => word === '--grep' || word === '-g');
  const requested = args.filter((word, index) => !word.startsWith('-') && (at < 0 || index !== at + 1));
  return { requested, grep: at < 0 ? undefined : args[at + 1] };
}
