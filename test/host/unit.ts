import path from 'node:path';
import { rmSync } from 'node:fs';
import fc from 'fast-check';
import { bundleTests, readTestArguments } from './bundle.ts';
import { runMain, SetupError } from './command.ts';
import { isLane, runInLanes, takenFiles, usualLanes } from './lanes.ts';
import { leaveCounts, runMocha, testFilesIn } from './mocha.ts';
import { root } from './places.ts';

/** A server that a test left open would keep the run going for ever. */
function endWithin(milliseconds: number): void {
  const end = (): void => {
    console.error(`A test left something open: ${process.getActiveResourcesInfo().join(', ')}.`);
    process.exit(1);
  };
  setTimeout(end, milliseconds).unref();
}

async function runLane(grep: string | undefined): Promise<void> {
  process.setSourceMapsEnabled(true);
  // The same cases each time: what chance finds is found by `npm run test:long`, not in a change that has nothing to do with it.
  fc.configureGlobal({ seed: 16 });
  const counts = await runMocha(takenFiles(), { timeoutMs: 60_000, grep });
  leaveCounts(counts);
  if (counts.failed > 0) process.exitCode = 1;
  endWithin(30_000);
}

/** `npm run test:unit [-- part of a path …] [--grep pattern]`: bundles the unit tests (or those named) and runs them in plain node. */
await runMain(async () => {
  process.chdir(root);
  const { requested, grep } = readTestArguments(process.argv.slice(2));
  if (isLane()) return runLane(grep);
  const outdir = path.join(root, requested.length === 0 ? 'dist/test/unit' : `dist/test/unit-${process.pid}`);
  try {
    if ((await bundleTests('unit', outdir, requested)).length === 0)
      throw new SetupError(`No unit test has ${requested.join(' or ')} in its path.`);
    // One more than cores: they wait for timers and other processes now and then.
    await runInLanes(import.meta.filename, testFilesIn(outdir), usualLanes + 1);
  } finally {
    if (requested.length > 0) rmSync(outdir, { recursive: true, force: true });
  }
});
