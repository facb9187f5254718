import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { changedFiles, reachedBy } from './changed.ts';
import { runMain } from './command.ts';
import { countsIn, tell } from './lanes.ts';
import { resultVariable, sumOf, type Counts, type Failure } from './mocha.ts';
import { root } from './places.ts';
import { runStep } from './runStep.ts';

/** The npm scripts that `npm test` is made of, in the order of what fails fastest. */
const steps = ['check', 'test:unit', 'test:integration', 'test:e2e'] as const;

/** What an integration server runs besides: the engine floor, the package, and a window that runs it. */
const serverSteps = ['test:floor', 'package', 'test:package'] as const;

/** Longer than any of them takes on a slow machine: a hang ends as a failure, not as a job that never ends. */
const limitMs = 3_600_000;

interface Step {
  readonly script: string;
  /** Words for the script: the files it runs; all without any. */
  readonly files?: readonly string[];
}

/** `--changed [commit]`: the steps that what changed can reach, with the tests it can reach. */
async function stepsOfChange(since: string | undefined): Promise<readonly Step[]> {
  const changed = await changedFiles(since);
  const reached = reachedBy(changed);
  console.log(`${changed.length} files changed.`);
  const kinds = (['unit', 'integration', 'e2e'] as const).flatMap((kind): readonly Step[] => {
    const files = reached[kind];
    console.log(`${kind}: ${files === 'all' ? 'all' : files.length} test files`);
    if (files === 'all') return [{ script: `test:${kind}` }];
    return files.length === 0 ? [] : [{ script: `test:${kind}`, files }];
  });
  return [{ script: 'check' }, ...kinds];
}

/**
 * `npm test [-- --changed [commit]]`. With `--ci`, all that an integration server runs. One step after the other, each on all cores, also
 * after a failure.
 */
await runMain(async () => {
  const args = process.argv.slice(2);
  const at = args.indexOf('--changed');
  const all = args.includes('--ci') ? [...steps, ...serverSteps] : steps;
  const chosen = at < 0 ? all.map((script): Step => ({ script })) : await stepsOfChange(args[at + 1]);
  const folder = mkdtempSync(path.join(os.tmpdir(), 'desk-counts-'));
  const counted: Counts[] = [];
  const words: string[] = [];
  for (const { script, files = [] } of chosen) {
    console.log(`\n=== npm run ${script}`);
    const file = path.join(folder, `${counted.length}.json`);
    const started = Date.now();
    const code = await runStep('npm', ['run', '--silent', script, '--', ...files], {
      cwd: root,
      limitMs,
      env: { [resultVariable]: file },
    });
    const counts = countsIn(file, code);
    const seconds = Math.round((Date.now() - started) / 1000);
    words.push(`${script}: ${counts.passed} passed, ${counts.failed} failed, ${seconds} s`);
    const named = (all: readonly Failure[] = []) => all.map((one) => ({ ...one, title: `${script}: ${one.title}` }));
    counted.push({ ...counts, failures: named(counts.failures), unsteady: named(counts.unsteady) });
  }
  rmSync(folder, { recursive: true, force: true });
  console.log(`\n${words.join('\n')}`);
  tell(sumOf(counted));
});
