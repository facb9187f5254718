import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { deflateRawSync } from 'node:zlib';
import type { Metafile } from 'esbuild';
import { buildTarget, targets } from '../../esbuild.mjs';
import budget from './budget.json' with { type: 'json' };
import { builtVariable } from './buildProduct.ts';
import { runMain, SetupError } from './command.ts';
import { root } from './places.ts';

/**
 * The size limits: what VS Code loads when it activates the extension, and when the features start, the bytes of each build target, all of
 * these with each file deflated as fast tools do (the package's own compression takes a twentieth less), and the VSIX. Raise a limit here
 * explicitly.
 */
const budgetFile = 'test/host/budget.json';

/** Returns what exceeds its budget and by how much, or undefined. */
export function overBudget(what: string, size: number, limit: number): string | undefined {
  if (size <= limit) return undefined;
  const [actual, allowed, more] = [size, limit, size - limit].map((number) => number.toLocaleString('en'));
  return `${what}: ${actual}, which is ${more} more than the ${allowed} of ${budgetFile}.`;
}

type Files = ReadonlyMap<string, Uint8Array>;

interface Built {
  readonly files: Files;
  readonly metafile: string;
}

/** Returns the output of this run's build, or builds it in memory. */
async function builtOf(name: keyof typeof targets): Promise<Built> {
  if (process.env[builtVariable] === undefined) return buildTarget(name);
  const metafile = readFileSync(`dist/${name}.meta.json`, 'utf8');
  // A page's workers are part of its script rather than files.
  const made = new Set(readdirSync('dist', { recursive: true, encoding: 'utf8' }));
  const names = Object.keys((JSON.parse(metafile) as Metafile).outputs).filter((file) =>
    made.has(path.relative('dist', file)),
  );
  return { metafile, files: new Map(names.map((file) => [file, readFileSync(file)])) };
}

const bytesOf = (files: Files): number => [...files.values()].reduce((sum, { length }) => sum + length, 0);

/** Returns the output file that contains a source, with all files that it imports at load time. */
function loadedWith(source: string, { files, metafile }: Built): Files {
  const { outputs } = JSON.parse(metafile) as Metafile;
  const names = new Set(Object.keys(outputs).filter((name) => source in outputs[name]!.inputs));
  for (const name of names)
    for (const { path: imported, kind, external } of outputs[name]?.imports ?? [])
      if (kind === 'import-statement' && external !== true) names.add(imported);
  return new Map([...files].filter(([name]) => names.has(name)));
}

/** `node test/host/budget.ts`: fails with a sentence for each size above its budget. */
if (import.meta.main)
  await runMain(async () => {
    process.chdir(root);
    const names = Object.keys(targets) as (keyof typeof targets)[];
    const built = await Promise.all(names.map(builtOf));
    const all = new Map(built.flatMap(({ files }) => [...files]));
    const host = built[names.indexOf('host')]!;
    const [atStart, withFeatures] = [loadedWith('src/extension.ts', host), loadedWith('src/desk.ts', host)];
    const deflated = [...all.values()].reduce((sum, file) => sum + deflateRawSync(file, { level: 9 }).length, 0);
    const sizes: readonly (readonly [what: string, size: number, limit: number])[] = [
      ...names.map(
        (name, at) => [`Bytes of the ${name} bundle`, bytesOf(built[at]!.files), budget.built[name]] as const,
      ),
      ['Bytes of all bundles, deflated', deflated, budget.deflated],
      ['Files loaded at the start', atStart.size, budget.activation.files],
      ['Bytes loaded at the start', bytesOf(atStart), budget.activation.bytes],
      ['Files loaded with the features', withFeatures.size, budget.features.files],
      ['Bytes loaded with the features', bytesOf(withFeatures), budget.features.bytes],
    ];
    const over = sizes.flatMap((size) => overBudget(...size) ?? []);
    if (over.length > 0) throw new SetupError(over.join('\n'));
    for (const [what, size, limit] of sizes)
      console.log(`${what}: ${size.toLocaleString('en')} of ${limit.toLocaleString('en')}`);
  });
