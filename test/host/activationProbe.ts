import { createHook } from 'node:async_hooks';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { performance } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import * as vscode from 'vscode';
import { loadedScripts } from '../support/loadedScripts.ts';
import { resultVariable } from './mocha.ts';

/** Milliseconds of one activation. */
export interface Activation {
  /** Of the entire extension host, including VS Code's own part of an activation. */
  readonly cpuMs: number;
  readonly wallMs: number;
}

/** Background activity of an unused extension. */
export interface Idle {
  /** The number of files loaded by its activation. */
  readonly files: number;
  readonly bytes: number;
  /** The number of timers that it set and that are still running. */
  readonly timers: number;
  readonly watchers: number;
  /** CPU time of its own code in an hour. */
  readonly cpuMsPerHour: number;
}

const idleSeconds = 20;

/** Waits until a new host is idle, which takes about a second that isn't caused by us. */
async function hostIsQuiet(): Promise<void> {
  for (;;) {
    const before = process.cpuUsage();
    await wait(300);
    const { user, system } = process.cpuUsage(before);
    if ((user + system) / 1000 < 15) return;
  }
}

/** Returns undefined for an extension that isn't in this host or is already active. */
function inactive(id: string): vscode.Extension<unknown> | undefined {
  const extension = vscode.extensions.getExtension(id);
  return extension?.isActive === false ? extension : undefined;
}

async function measure(id: string): Promise<Activation | undefined> {
  const extension = inactive(id);
  if (extension === undefined) return undefined;
  await hostIsQuiet();
  const started = performance.now();
  const before = process.cpuUsage();
  await extension.activate();
  const { user, system } = process.cpuUsage(before);
  return { cpuMs: (user + system) / 1000, wallMs: performance.now() - started };
}

async function idle(id: string): Promise<Idle> {
  const extension = inactive(id);
  if (extension === undefined) throw new Error(`${id} cannot be activated.`);
  const folder = extension.extensionPath;
  const isOurs = (text: string | undefined): boolean => text?.includes(folder) ?? false;
  const alive = new Map<number, 'timers' | 'watchers'>();
  const hook = createHook({
    init(asyncId, type) {
      const kind = type === 'Timeout' ? 'timers' : /^(FSEVENTWRAP|STATWATCHER)$/i.test(type) ? 'watchers' : undefined;
      if (kind !== undefined && isOurs(new Error('where').stack)) alive.set(asyncId, kind);
    },
    destroy: (asyncId) => void alive.delete(asyncId),
  });
  const depth = Error.stackTraceLimit;
  Error.stackTraceLimit = 30;
  hook.enable();
  await extension.activate();
  // Job records are searched for once, after 6 s.
  await wait(7000);
  await hostIsQuiet();
  hook.disable();
  Error.stackTraceLimit = depth;
  const count = (kind: 'timers' | 'watchers') => [...alive.values()].filter((one) => one === kind).length;
  const scripts = loadedScripts(folder).map((name) => `${folder}/${name}`);
  return {
    files: scripts.length,
    bytes: scripts.reduce((sum, file) => sum + statSync(file).size, 0),
    timers: count('timers'),
    watchers: count('watchers'),
    cpuMsPerHour: (await cpuOf(isOurs, idleSeconds)) * (3600 / idleSeconds),
  };
}

/** Returns the milliseconds that code of these files ran within this many seconds, measured by the engine's profiler. */
export async function cpuOf(isOurs: (url: string) => boolean, seconds: number): Promise<number> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.setSamplingInterval', { interval: 500 });
  await session.post('Profiler.start');
  await wait(seconds * 1000);
  const { profile } = await session.post('Profiler.stop');
  session.disconnect();
  const { nodes, samples = [], timeDeltas = [] } = profile;
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)));
  const own = new Set(nodes.filter(({ callFrame }) => isOurs(callFrame.url)).map(({ id }) => id));
  const isBelow = (id: number | undefined): boolean => id !== undefined && (own.has(id) || isBelow(parents.get(id)));
  // Calls into VS Code and Node count as its work, too.
  return samples.reduce((sum, id, at) => sum + (isBelow(id) ? (timeDeltas[at] ?? 0) / 1000 : 0), 0);
}

/**
 * Runs in an extension host instead of a suite. `<result>.asked` contains IDs to activate in order, separated by commas, or `idle:` and an
 * ID whose idle activity is measured. Writes the result as JSON, without extensions that can't be activated.
 */
export async function run(): Promise<void> {
  const file = process.env[resultVariable];
  if (file === undefined) throw new Error('Nobody asked.');
  const asked = readFileSync(`${file}.asked`, 'utf8');
  const [, id] = /^idle:(.+)$/.exec(asked) ?? [];
  if (id !== undefined) return writeFileSync(file, JSON.stringify(await idle(id)));
  const measured: Record<string, Activation | undefined> = {};
  for (const one of asked.split(',')) measured[one] = await measure(one);
  writeFileSync(file, JSON.stringify(measured));
}
