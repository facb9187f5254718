import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import type { BenchLine } from './benchLine.ts';
import { reportTable, saveParts, toReported, type BenchPart } from './benchReport.ts';
import { buildProduct } from './buildProduct.ts';
import { readTestArguments, testOptions } from './bundle.ts';
import { obtainChromium } from './chromium.ts';
import { runMain, SetupError } from './command.ts';
import { writeSpeed } from './howFast.ts';
import { resultVariable } from './mocha.ts';
import { root } from './places.ts';
import { runStep } from './runStep.ts';

/** Unique to this run, because another one might be running at the same time. */
const outdir = path.join(root, `dist/test/bench-${process.pid}`);
/** Longer than any of them takes on a slow machine. */
const limitMs = 1_200_000;

/** Names the compiled bench for a separate process. Code that other benches made the engine compile would affect the figures. */
const partVariable = 'INFERENCE_DESK_BENCH';

async function runHere(file: string): Promise<void> {
  const module: { readonly run: () => Promise<readonly BenchLine[]> } = await import(pathToFileURL(file).href);
  const lines = await module.run();
  writeFileSync(process.env[resultVariable] ?? '', JSON.stringify(lines));
  process.exit();
}

/** Returns undefined after a failure, which it has reported. */
async function runPart(name: string, folder: string): Promise<BenchPart | undefined> {
  const file = path.join(folder, `${name}.json`);
  const started = Date.now();
  const env = { [partVariable]: path.join(outdir, `${name}.bench.js`), [resultVariable]: file };
  await runStep(process.execPath, ['--expose-gc', import.meta.filename], { cwd: root, limitMs, env });
  const seconds = Math.round((Date.now() - started) / 1000);
  console.log(`... ${name}: ${seconds} s`);
  if (!existsSync(file)) return undefined;
  const lines = JSON.parse(readFileSync(file, 'utf8')) as readonly BenchLine[];
  return { name, date: new Date().toISOString().slice(0, 10), seconds, lines: lines.map(toReported) };
}

/**
 * `npm run bench [-- part of a name …] [--save]`: runs every `test/bench/*.bench.ts` in turn, and prints one table. A run of all benches,
 * or of some with `--save`, is saved for the README. Missed goals are reported, but aren't failures, because other machines have other
 * speeds.
 */
await runMain(async () => {
  process.chdir(root);
  const part = process.env[partVariable];
  if (part !== undefined) return runHere(part);
  const { requested } = readTestArguments(process.argv.slice(2));
  const names = readdirSync('test/bench')
    .filter(
      (name) => name.endsWith('.bench.ts') && (requested.length === 0 || requested.some((word) => name.includes(word))),
    )
    .map((name) => path.basename(name, '.bench.ts'))
    .toSorted();
  if (names.length === 0) throw new SetupError('There is no such bench.');
  process.env['CHROME_PATH'] = await obtainChromium();
  await buildProduct();
  const entryPoints = names.map((name) => path.join(root, `test/bench/${name}.bench.ts`));
  await build({ ...testOptions, entryPoints, outdir });
  const folder = mkdtempSync(path.join(os.tmpdir(), 'desk-bench-'));
  const parts: BenchPart[] = [];
  for (const name of names) parts.push(...[(await runPart(name, folder)) ?? []].flat());
  for (const made of [folder, outdir]) rmSync(made, { recursive: true, force: true });
  const lines = parts.flatMap((one) => one.lines);
  console.log(`\n${reportTable(lines)}`);
  const goals = lines.filter(({ met }) => met !== undefined);
  const minutes = parts.reduce((sum, { seconds }) => sum + seconds, 0) / 60;
  console.log(
    `\n${goals.filter(({ met }) => met).length} of ${goals.length} goals met, in ${minutes.toFixed(1)} minutes.`,
  );
  if (requested.length === 0 || process.argv.includes('--save')) {
    saveParts(parts);
    writeSpeed();
  }
  const failed = names.filter((name) => parts.every((one) => one.name !== name));
  if (failed.length > 0) throw new SetupError(`These could not be measured: ${failed.join(', ')}.`);
});
