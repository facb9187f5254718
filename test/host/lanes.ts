import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { leaveCounts, noCounts, resultVariable, sumOf, type Counts } from './mocha.ts';
import { root } from './places.ts';
import { runStep } from './runStep.ts';

/** Longer than any run takes on a slow machine, so that a hang ends as a failure instead of a job that never ends. */
const limitMs = 2_400_000;

/** The number of parallel processes: one per core, and at most two, because each can drive a VS Code and a browser. */
export const usualLanes = Math.min(2, os.availableParallelism());

/**
 * Runs test files in several processes of `script`, each of which takes the next free file until none is left (`takenFiles`), and adds up
 * their counts. A process that ends without counts is one failure, and so is a run without tests.
 */
export async function runInLanes(script: string, files: readonly string[], most = usualLanes): Promise<void> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'desk-lanes-'));
  writeFileSync(path.join(folder, listName), JSON.stringify(files));
  const lanes = Array.from({ length: Math.min(most, files.length) }, async (_, lane): Promise<Counts> => {
    const result = path.join(folder, `counts-${lane}.json`);
    const code = await runStep(process.execPath, [script, ...process.argv.slice(2)], {
      cwd: root,
      limitMs,
      env: { [resultVariable]: result, [laneVariable]: folder },
    });
    // A process that exits successfully without counts hasn't run its tests.
    return countsIn(result, existsSync(result) ? code : 1);
  });
  const sum = sumOf(await Promise.all(lanes));
  rmSync(folder, { recursive: true, force: true });
  tell(sum.passed + sum.failed === 0 ? { ...sum, failed: 1 } : sum);
}

/** Ends a run: repeats the failures, prints the total in the last line, and sets the exit code to whether all passed. */
export function tell(counts: Counts): void {
  leaveCounts(counts);
  const isPart = process.env[resultVariable] !== undefined;
  for (const { title, message } of isPart ? [] : counts.failures)
    console.log(`\nFailed: ${title}\n  ${message.slice(0, 2000)}`);
  console.log(`\n${counts.passed} passed, ${counts.failed} failed`);
  if (counts.failed > 0) process.exitCode = 1;
}

/** Returns the counts that a process left. One that broke before, or failed outside of its tests, has one failure. */
export function countsIn(file: string, code: number): Counts {
  let counts = noCounts;
  try {
    counts = JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    if (code === 0) return { ...noCounts, passed: 1 };
  }
  return code !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts;
}

const listName = 'files.json';
/** Marks a process, and the extension host it opens, as one of several, and names the list of their files. */
export const laneVariable = 'INFERENCE_DESK_LANE';

export function isLane(): boolean {
  return process.env[laneVariable] !== undefined;
}

/** Yields the files of the run that this lane takes, each of which no other lane has taken. */
export function* takenFiles(): Generator<string> {
  const folder = process.env[laneVariable]!;
  const files: readonly string[] = JSON.parse(readFileSync(path.join(folder, listName), 'utf8'));
  for (const [at, file] of files.entries()) if (isMine(path.join(folder, String(at)))) yield file;
}

function isMine(mark: string): boolean {
  try {
    mkdirSync(mark);
    return true;
  } catch {
    return false;
  }
}
