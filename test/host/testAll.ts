import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { builtVariable, buildProduct } from './buildProduct.ts';
import { changedFiles, kinds, reachedBy, type Reached } from './changed.ts';
import { runMain } from './command.ts';
import { countsIn, lanesVariable, tell } from './lanes.ts';
import { resultVariable, sumOf, type Counts, type Failure } from './mocha.ts';
import { root } from './places.ts';
import { runStep } from './runStep.ts';

interface Step {
  /** An npm script. */
  readonly script: string;
  /** Processes it may have while the other track runs; as many as it has alone where none is said. */
  readonly lanes?: number;
  /** Not begun before that one has ended. */
  readonly after?: string;
  /** Part of `npm test`; the others are what an integration server runs besides. */
  readonly isUsual: boolean;
}

/**
 * Two tracks that run side by side, each one step after the other: what waits for an editor a third of its time, and what keeps a core
 * busy. Within a track, what fails fastest comes first.
 */
const tracks: readonly (readonly Step[])[] = [
  [
    { script: 'test:integration', isUsual: true },
    { script: 'test:e2e', isUsual: true },
    { script: 'test:floor', isUsual: false },
    { script: 'test:package', after: 'package', isUsual: false },
  ],
  [
    { script: 'check', isUsual: true },
    { script: 'test:unit', lanes: 2, isUsual: true },
    { script: 'test:pages', lanes: 1, isUsual: true },
    { script: 'package', isUsual: false },
  ],
];

/** Longer than any of them takes on a slow machine: a hang ends as a failure, not as a job that never ends. */
const limitMs = 3_600_000;

/** `--changed [commit]`: the test files that what changed can reach. */
async function reachedSince(since: string | undefined): Promise<Reached> {
  const changed = await changedFiles(since);
  const reached = reachedBy(changed);
  console.log(`${changed.length} files changed.`);
  for (const kind of kinds)
    console.log(`${kind}: ${reached[kind] === 'all' ? 'all' : reached[kind].length} test files`);
  return reached;
}

/** The files that a step is to run, as words for its script: none for all of them. Undefined where it has nothing to run. */
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

async function run({ script, lanes }: Step, words: readonly string[], folder: string): Promise<Ended> {
  console.log(`\n=== npm run ${script}`);
  const file = path.join(folder, `${script.replace(':', '-')}.json`);
  const started = Date.now();
  const code = await runStep('npm', ['run', '--silent', script, '--', ...words], {
    cwd: root,
    limitMs,
    env: { [resultVariable]: file, [builtVariable]: '1', ...(lanes && { [lanesVariable]: String(lanes) }) },
  });
  const counts = countsIn(file, code);
  const named = (all: readonly Failure[] = []) => all.map((one) => ({ ...one, title: `${script}: ${one.title}` }));
  const seconds = Math.round((Date.now() - started) / 1000);
  const line = `${script}: ${counts.passed} passed, ${counts.failed} failed, ${seconds} s`;
  console.log(`\n=== ${line}`);
  return { line, counts: { ...counts, failures: named(counts.failures), unsteady: named(counts.unsteady) } };
}

/**
 * `npm test [-- --changed [commit]]`. With `--ci`, all that an integration server runs. Every step is run, also after a failure; what the
 * tracks print is mixed, a test file in one piece.
 */
await runMain(async () => {
  const args = process.argv.slice(2);
  const at = args.indexOf('--changed');
  const reached = at < 0 ? undefined : await reachedSince(args[at + 1]);
  const folder = mkdtempSync(path.join(os.tmpdir(), 'desk-counts-'));
  await buildProduct();
  const running = new Map<string, Promise<Ended>>();
  for (const track of tracks) {
    let before: Promise<unknown> = Promise.resolve();
    for (const step of track.filter(({ isUsual }) => isUsual || args.includes('--ci'))) {
      const words = wordsFor(step.script, reached);
      if (words === undefined) continue;
      const ready = before;
      before = (async () => {
        await ready;
        // Of a later track: it is there by then.
        if (step.after !== undefined) await running.get(step.after);
        return run(step, words, folder);
      })();
      running.set(step.script, before as Promise<Ended>);
    }
  }
  const ended = await Promise.all(running.values());
  rmSync(folder, { recursive: true, force: true });
  console.log(`\n${ended.map(({ line }) => line).join('\n')}`);
  tell(sumOf(ended.map(({ counts }) => counts)));
});
