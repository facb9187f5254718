import { readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import type { BenchLine } from './benchLine.ts';
import { buildProduct } from './buildProduct.ts';
import { readTestArguments, testOptions } from './bundle.ts';
import { runMain, SetupError } from './command.ts';
import { root } from './places.ts';

interface BenchModule {
  readonly run: () => Promise<readonly BenchLine[]>;
}

const figure = (value: number | undefined): string =>
  value === undefined ? '' : value.toLocaleString('en', { maximumSignificantDigits: value < 1000 ? 3 : 6 });

/** Lines of equal columns: names to the left, figures to the right. */
function table(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  return rows
    .map((row) =>
      row
        .map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)))
        .join('  '),
    )
    .join('\n');
}

function toRow(line: BenchLine): readonly string[] {
  const peer =
    line.peer === undefined ? '' : `${figure(line.peer)}${line.peerName === undefined ? '' : ` (${line.peerName})`}`;
  const met = line.met === undefined ? '' : line.met ? 'met' : 'MISSED';
  return [line.name, figure(line.ours), line.unit, peer, figure(line.ratio), line.goal ?? '', met];
}

/** `npm run bench [-- part of a name …]`: runs every `test/bench/*.bench.ts` one after the other and prints a table. */
await runMain(async () => {
  process.chdir(root);
  const { wanted } = readTestArguments(process.argv.slice(2));
  const names = readdirSync('test/bench', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.bench.ts') && (wanted.length === 0 || wanted.some((part) => name.includes(part))))
    .toSorted();
  if (names.length === 0) throw new SetupError('There is no such bench.');
  await buildProduct();
  const outdir = path.join(root, 'dist/test/bench');
  rmSync(outdir, { recursive: true, force: true });
  await build({
    ...testOptions,
    entryPoints: names.map((name) => path.join(root, 'test/bench', name)),
    outdir,
    outbase: 'test/bench',
  });
  const lines: BenchLine[] = [];
  for (const name of names) {
    console.log(`... ${name}`);
    const bench: BenchModule = await import(pathToFileURL(path.join(outdir, name.replace(/ts$/, 'js'))).href);
    lines.push(...(await bench.run()));
  }
  console.log(`\n${table([['', 'ours', 'unit', 'peer', 'ratio', 'goal', ''], ...lines.map(toRow)])}`);
  if (lines.some((line) => line.met === false)) process.exitCode = 1;
});
