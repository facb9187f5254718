import { writeFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import * as vscode from 'vscode';
import { resultVariable } from './mocha.ts';

/** Milliseconds that one activation took. */
export interface Activation {
  /** Of the whole extension host: the editor's own part of an activation is in it. */
  readonly cpuMs: number;
  readonly wallMs: number;
}

export const emptyExtension = 'inference-desk.empty';

/** A host that has just started is busy with itself for a second; that is not ours to count. */
async function hostIsQuiet(): Promise<void> {
  for (;;) {
    const before = process.cpuUsage();
    await wait(300);
    const { user, system } = process.cpuUsage(before);
    if ((user + system) / 1000 < 15) return;
  }
}

async function measure(id: string): Promise<Activation> {
  const extension = vscode.extensions.getExtension(id);
  if (extension === undefined || extension.isActive) throw new Error(`${id} cannot be activated.`);
  await hostIsQuiet();
  const started = performance.now();
  const before = process.cpuUsage();
  await extension.activate();
  const { user, system } = process.cpuUsage(before);
  return { cpuMs: (user + system) / 1000, wallMs: performance.now() - started };
}

/** Runs in an extension host in place of a suite: activates an empty extension, then ours, and leaves what that took. */
export async function run(): Promise<void> {
  const file = process.env[resultVariable];
  if (file === undefined) throw new Error('Nobody asked.');
  const empty = await measure(emptyExtension);
  const ours = await measure('inference-desk.inference-desk');
  writeFileSync(file, JSON.stringify({ empty, ours }));
}
