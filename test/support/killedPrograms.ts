import { ok } from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';

export interface Kill {
  /** The line after which the program is killed. */
  readonly line: string;
  /** The delay after the line. */
  readonly delayMs: number;
}

/** Runs a Node program that is killed after a line. Resolves to whether it was, instead of having ended before. */
export async function runAndKill(args: readonly string[], { line, delayMs }: Kill): Promise<boolean> {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  let isSeen = false;
  createInterface({ input: child.stdout }).on('line', (printed) => {
    if (printed !== line || isSeen) return;
    isSeen = true;
    void delay(delayMs).then(() => child.kill('SIGKILL'));
  });
  await exited;
  return child.signalCode === 'SIGKILL';
}

/** Repeats until this many rounds were killed. Fails if too many rounds end on their own. */
export async function untilKilled(kills: number, runRound: (round: number) => Promise<boolean>): Promise<void> {
  let killed = 0;
  for (let round = 0; killed < kills; round++) {
    ok(round < kills * 2 + 10, `only ${killed} kills fell into the run`);
    if (await runRound(round)) killed++;
  }
}
