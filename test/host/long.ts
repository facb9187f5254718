import path from 'node:path';
import { wholeVariable } from '../support/runs.ts';
import { buildProduct } from './buildProduct.ts';
import { bundleTests, readTestArguments } from './bundle.ts';
import { runMain, SetupError } from './command.ts';
import { leaveCounts, runMocha } from './mocha.ts';
import { root } from './places.ts';

/** If a unit test imports one of these, `npm run test:unit` runs only a fixed selection of its cases. */
const choices = ['test/support/runs.ts', 'fast-check'];

/**
 * `npm run test:long [-- part of a path …] [--grep pattern]`: runs tests that take minutes (kills, soaks, large files, and every case of
 * unit tests that select some) in plain Node, outside `npm test`.
 */
await runMain(async () => {
  process.chdir(root);
  process.setSourceMapsEnabled(true);
  const { requested, grep } = readTestArguments(process.argv.slice(2));
  await buildProduct();
  const long = await bundleTests('long', path.join(root, 'dist/test/long'), requested);
  const unit = await bundleTests('unit', path.join(root, 'dist/test/long-unit'), requested);
  const files = [...long, ...unit.filter(({ inputs }) => choices.some((choice) => inputs.includes(choice)))]
    .map(({ file }) => file)
    .toSorted();
  if (files.length === 0) throw new SetupError('There is no such long test.');
  process.env[wholeVariable] = '1';
  const counts = await runMocha(files, { timeoutMs: 1_800_000, slowMs: 600_000, grep });
  leaveCounts(counts);
  for (const { title, message } of counts.failures) console.log(`\nFailed: ${title}\n  ${message.slice(0, 2000)}`);
  console.log(`${counts.passed} passed, ${counts.failed} failed`);
  if (counts.failed > 0) process.exitCode = 1;
});
