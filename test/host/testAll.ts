import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { leaveCounts, resultVariable, type Counts, type Failure } from './mocha.ts';
import { root } from './places.ts';
import { runStep } from './runStep.ts';

/** The npm scripts that `npm test` is made of, in the order of what fails fastest. */
const steps = ['check', 'test:unit', 'test:integration', 'test:e2e'] as const;

/** What an integration server runs besides: the engine floor, the package, and a window that runs it. */
const serverSteps = ['test:floor', 'package', 'test:package'] as const;

/** Longer than any of them takes on a slow machine: a hang ends as a failure, not as a job that never ends. */
const limitMs = 3_600_000;

/** A step that leaves no counts (it has none, or it broke before its first test) counts as one test. */
function countsOf(file: string, code: number): Counts {
  let counts: Counts;
  try {
    counts = JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return code === 0 ? { passed: 1, failed: 0, failures: [] } : { passed: 0, failed: 1, failures: [] };
  }
  return code !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts;
}

/** Runs npm scripts one after the other, also after a failure, and adds up what they counted. */
export async function runSteps(scripts: readonly string[]): Promise<Counts> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'desk-counts-'));
  let sum: Counts = { passed: 0, failed: 0, failures: [] };
  const words: string[] = [];
  for (const script of scripts) {
    console.log(`\n=== npm run ${script}`);
    const file = path.join(folder, 'counts.json');
    rmSync(file, { force: true });
    const started = Date.now();
    const code = await runStep('npm', ['run', '--silent', script], {
      cwd: root,
      limitMs,
      env: { [resultVariable]: file },
    });
    const counts = countsOf(file, code);
    words.push(
      `${script}: ${counts.passed} passed, ${counts.failed} failed, ${Math.round((Date.now() - started) / 1000)} s`,
    );
    sum = {
      passed: sum.passed + counts.passed,
      failed: sum.failed + counts.failed,
      failures: [...sum.failures, ...named(script, counts.failures)],
      unsteady: [...(sum.unsteady ?? []), ...named(script, counts.unsteady ?? [])],
    };
  }
  rmSync(folder, { recursive: true, force: true });
  console.log(`\n${words.join('\n')}`);
  return sum;
}

function named(script: string, failures: readonly Failure[]): readonly Failure[] {
  return failures.map((one) => ({ ...one, title: `${script}: ${one.title}` }));
}

/** Ends a run: what failed once more, far from where it did; the last line is the sum, and the exit code says whether all passed. */
export function tell(sum: Counts): void {
  leaveCounts(sum);
  for (const { title, message } of sum.unsteady ?? [])
    console.log(`\nFailed, and passed when tried once more: ${title}\n  ${message.slice(0, 2000)}`);
  for (const { title, message } of sum.failures) console.log(`\nFailed: ${title}\n  ${message.slice(0, 2000)}`);
  console.log(`${sum.passed} passed, ${sum.failed} failed`);
  if (sum.failed > 0) process.exitCode = 1;
}

/** `npm test`. With `--ci`, all that an integration server runs. */
if (import.meta.main) {
  tell(await runSteps(process.argv.includes('--ci') ? [...steps, ...serverSteps] : steps));
}
