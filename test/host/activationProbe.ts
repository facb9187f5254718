import { writeFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import * as vscode from 'vscode';
import { resultVariable } from './mocha.ts';

/** Runs in an extension host in place of a suite: activates the extension and leaves what that took, in milliseconds. */
export async function run(): Promise<void> {
  const file = process.env[resultVariable];
  const extension = vscode.extensions.getExtension('inference-desk.inference-desk');
  if (file === undefined || extension === undefined) throw new Error('Nothing to measure.');
  const started = performance.now();
  const before = process.cpuUsage();
  await extension.activate();
  const { user, system } = process.cpuUsage(before);
  writeFileSync(file, JSON.stringify({ cpuMs: (user + system) / 1000, wallMs: performance.now() - started }));
}
