import path from 'node:path';
import { rmSync } from 'node:fs';
import fc from 'fast-check';
import { bundleTests, readTestArguments } from './bundle.ts';
import { runMain, SetupError } from './command.ts';
import { isLane, runInLanes, takenFiles, usualLanes } from './lanes.ts';
import { leaveCounts, runMocha, testFilesIn } from './mocha.ts';
import { root } from './places.ts';

/** Ends the process, which a server that a test left open would keep running forever. */
function endWithin(milliseconds: number): void {
  const end = (): void => {
    console.error(`A test left something open: ${process.getActiveResourcesInfo().join(', ')}.`);
    process.exit(1);
  };
  setTimeout(end, milliseconds).unref();
}

async function runLane(grep: string | undefined): Promise<void> {
  process.setSourceMapsEnabled(true);
  // The same cases in every run. `npm run test:long` tries random cases, which shouldn't fail an unrelated change.
  fc.configureGlobal({ seed: 16 });
  const counts = await runMocha(takenFiles(), { timeoutMs: 60_000, grep });
  leaveCounts(counts);
  if (counts.failed > 0) process.exitCode = 1;
  endWithin(30_000);
}

/** `npm run test:unit [-- part of a path …] [--grep pattern]`: bundles the unit tests (or the named ones) and runs them in plain Node. */
await runMain(async () => {
  process.chdir(root);
  const { requested, grep } = readTestArguments(process.argv.slice(2));
  if (isLane()) return runLane(grep);
  const outdir = path.join(root, requested.length === 0 ? 'dist/test/unit' : `dist/test/unit-${process.pid}`);
  try {
    if ((await bundleTests('unit', outdir, requested)).length === 0)
      throw new SetupError(`No unit test has ${requested.join(' or ')} in its path.`);
    // One more than the number of cores, because tests sometimes wait for timers and other processes.
    await runInLanes(import.meta.filename, testFilesIn(outdir), usualLanes + 1);
  } finally {
    if (requested.length > 0) rmSync(outdir, { recursive: true, force: true });
  }
});
