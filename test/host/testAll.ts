import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { builtVariable, buildProduct } from './buildProduct.ts';
import { changedFiles, kinds, reachedBy, type Reached } from './changed.ts';
import { runMain } from './command.ts';
import { countsIn, tell } from './lanes.ts';
import { resultVariable, sumOf, type Counts } from './mocha.ts';
import { root } from './places.ts';
import { runStep } from './runStep.ts';

/** The npm scripts of `npm test`, in the order of how fast they fail. */
const usual = ['check', 'test:unit', 'test:integration', 'test:pages', 'test:e2e'] as const;

/**
 * Additional steps of an integration server: the engine floor, the package, and a window that runs it. Steps of a group run in parallel:
 * two windows leave a core idle for a third of the time, which is enough for packaging, but not for more windows.
 */
const serverGroups = [['test:floor', 'package'], ['test:package']] as const;

/** Longer than any of them takes on a slow machine, so that a hang ends as a failure instead of a job that never ends. */
const limitMs = 3_600_000;

/** `--changed [commit]`: returns the test files that the changes can affect. */
async function reachedSince(since: string | undefined): Promise<Reached> {
  const changed = await changedFiles(since);
  const reached = reachedBy(changed);
  console.log(`${changed.length} files changed.`);
  for (const kind of kinds)
    console.log(`${kind}: ${reached[kind] === 'all' ? 'all' : reached[kind].length} test files`);
  return reached;
}

/** Returns a step's files as arguments for its script, empty for all, or undefined if it has nothing to run. */
function wordsFor(script: string, reached: Reached | undefined): readonly string[] | undefined {
  const kind = kinds.find((one) => script === `test:${one}`);
  const files = kind && reached?.[kind];
  if (files === undefined || files === 'all') return [];
  return files.length === 0 ? undefined : files;
}

interface Ended {
  readonly line: string;
  readonly counts: Counts;
}

async function run(script: string, words: readonly string[], folder: string): Promise<Ended> {
  console.log(`\n=== npm run ${script}`);
  const file = path.join(folder, `${script.replace(':', '-')}.json`);
  const started = Date.now();
  const code = await runStep('npm', ['run', '--silent', script, '--', ...words], {
    cwd: root,
    limitMs,
    env: { [resultVariable]: file, [builtVariable]: '1' },
  });
  const counts = countsIn(file, code);
  const failures = counts.failures.map((one) => ({ ...one, title: `${script}: ${one.title}` }));
  const seconds = Math.round((Date.now() - started) / 1000);
  const line = `${script}: ${counts.passed} passed, ${counts.failed} failed, ${seconds} s`;
  console.log(`\n=== ${line}`);
  return { line, counts: { ...counts, failures } };
}

/** `npm test [-- --changed [commit]]`. With `--ci`, runs everything for an integration server. Every step runs, even after a failure. */
await runMain(async () => {
  const args = process.argv.slice(2);
  const at = args.indexOf('--changed');
  const reached = at < 0 ? undefined : await reachedSince(args[at + 1]);
  const folder = mkdtempSync(path.join(os.tmpdir(), 'desk-counts-'));
  await buildProduct();
  const ended: Ended[] = [];
  for (const group of [...usual.map((script) => [script]), ...(args.includes('--ci') ? serverGroups : [])]) {
    const steps = group.flatMap((script) => {
      const words = wordsFor(script, reached);
      return words === undefined ? [] : [run(script, words, folder)];
    });
    ended.push(...(await Promise.all(steps)));
  }
  rmSync(folder, { recursive: true, force: true });
  console.log(`\n${ended.map(({ line }) => line).join('\n')}`);
  tell(sumOf(ended.map(({ counts }) => counts)));
});
