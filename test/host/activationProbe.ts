import { writeFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import * as vscode from 'vscode';
import { resultVariable } from './mocha.ts';

/** A host that has just started is busy with itself for a second; that is not ours to count. */
async function hostIsQuiet(): Promise<void> {
  for (;;) {
    const before = process.cpuUsage();
    await wait(300);
    const { user, system } = process.cpuUsage(before);
    if ((user + system) / 1000 < 15) return;
  }
}

/** Runs in an extension host in place of a suite: activates the extension and leaves what that took, in milliseconds. */
export async function run(): Promise<void> {
  const file = process.env[resultVariable];
  const extension = vscode.extensions.getExtension('inference-desk.inference-desk');
  if (file === undefined || extension === undefined) throw new Error('Nothing to measure.');
  await hostIsQuiet();
  const started = performance.now();
  const before = process.cpuUsage();
  await extension.activate();
  const { user, system } = process.cpuUsage(before);
  writeFileSync(file, JSON.stringify({ cpuMs: (user + system) / 1000, wallMs: performance.now() - started }));
}
