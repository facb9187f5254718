import { existsSync } from 'node:fs';
import path from 'node:path';
import { buildProduct } from './buildProduct.ts';
import { bundleTests, readTestArguments } from './bundle.ts';
import { runMain, Trouble } from './command.ts';
import { leaveCounts, runMocha, testFilesIn } from './mocha.ts';
import { root } from './places.ts';

/** `npm run test:long`: what takes minutes (kills, soaks, large files), in plain node, outside `npm test`. */
await runMain(async () => {
  process.chdir(root);
  process.setSourceMapsEnabled(true);
  const { wanted, grep } = readTestArguments(process.argv.slice(2));
  await buildProduct();
  const outdir = path.join(root, 'dist/test/long');
  if (!existsSync('test/long') || (await bundleTests('long', outdir, wanted)) === 0)
    throw new Trouble('There is no such long test.');
  const counts = await runMocha(testFilesIn(outdir), { timeoutMs: 1_800_000, slowMs: 600_000, grep });
  leaveCounts(counts);
  console.log(`${counts.passed} passed, ${counts.failed} failed`);
  if (counts.failed > 0) process.exitCode = 1;
});
