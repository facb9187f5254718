import { readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { build, type BuildOptions, type Metafile, type Plugin } from 'esbuild';
import { assembly, oneLocalization, temmlSources } from '../../esbuild.mjs';
import { SetupError } from './command.ts';
import { root } from './places.ts';

/** Tests are bundled, so that they see the same TypeScript as the product; packages stay outside. */
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
  /** What it is made of, as paths below the root with `/`, and the packages it imports. */
  readonly inputs: readonly string[];
  /** With all that it imports of the bundle. */
  readonly bytes: number;
}

/**
 * Compiles the tests of `test/<kind>` whose path holds one of `requested` (all when empty) into `outdir`, without a warning. Gives the files.
 * What several of them are made of is compiled once, unless `plugins` change it.
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

/** Words that name test files, and `--grep <pattern>` or `-g`, as mocha has it. */
export function readTestArguments(args: readonly string[]): {
  readonly requested: string[];
  readonly grep: string | undefined;
} {
  const at = args.findIndex((word) => word === '--grep' || word === '-g');
  const requested = args.filter((word, index) => !word.startsWith('-') && (at < 0 || index !== at + 1));
  return { requested, grep: at < 0 ? undefined : args[at + 1] };
}
