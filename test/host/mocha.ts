import { readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { format } from 'node:util';
import Mocha from 'mocha';

export interface Failure {
  /** The test's full title. */
  readonly title: string;
  readonly message: string;
}

export interface Counts {
  readonly passed: number;
  readonly failed: number;
  /** The failures with a title. A runner that breaks fails without one. */
  readonly failures: readonly Failure[];
}

export const noCounts: Counts = { passed: 0, failed: 0, failures: [] };

export function sumOf(all: readonly Counts[]): Counts {
  return {
    passed: all.reduce((sum, { passed }) => sum + passed, 0),
    failed: all.reduce((sum, { failed }) => sum + failed, 0),
    failures: all.flatMap(({ failures }) => failures),
  };
}

/** Prefixes mocha's output from an extension host, whose console contains other messages. */
export const linePrefix = '[test] ';

/** The path where a runner that was started by another leaves its counts. Unset if a person started it. */
export const resultVariable = 'INFERENCE_DESK_RESULT';

/** Writes the counts for the parent process. */
export function leaveCounts(counts: Counts): void {
  const file = process.env[resultVariable];
  if (file !== undefined && file !== '') writeFileSync(file, JSON.stringify(counts));
}

/** Returns every compiled test in a folder in a stable order, with those in `first/` before all others. */
export function testFilesIn(folder: string): string[] {
  const isFirst = (name: string): number => (name.startsWith(`first${path.sep}`) ? 0 : 1);
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.js'))
    .toSorted((a, b) => isFirst(a) - isFirst(b) || (a < b ? -1 : 1))
    .map((name) => path.join(folder, name));
}

export interface MochaOptions {
  readonly timeoutMs: number;
  /** Only tests whose full title matches. */
  readonly grep?: string | undefined;
  readonly slowMs?: number;
  /** Available to every test as properties of `this`. */
  readonly context?: Readonly<Partial<Mocha.Context>>;
  /** Awaited before each file. */
  readonly prepare?: () => Promise<void>;
  /** Awaited after every test that failed, with its full title. */
  readonly onFailure?: (title: string) => Promise<void>;
  /** Receives mocha's output. Defaults to stdout. */
  readonly print?: (lines: string) => void;
}

/**
 * Runs compiled tests in this process, one file at a time, and prints mocha's output for a file at its end, so that other output isn't
 * mixed with it.
 */
export async function runMocha(files: Iterable<string>, options: MochaOptions): Promise<Counts> {
  const { print = (lines) => process.stdout.write(`${lines}\n`) } = options;
  const all: Counts[] = [];
  for (const file of files) {
    const lines: string[] = [];
    Mocha.reporters.Base.consoleLog = (...values: readonly unknown[]) => void lines.push(format(...values));
    const began = performance.now();
    await options.prepare?.();
    const counts = await runFile(file, options);
    all.push(counts);
    const seconds = Math.round((performance.now() - began) / 100) / 10;
    if (counts.passed + counts.failed > 0)
      print([...lines, `  ${seconds} s: ${path.basename(file, '.test.js')}`].join('\n'));
  }
  return sumOf(all);
}

async function runFile(
  file: string,
  { timeoutMs, grep, slowMs = 500, context, onFailure }: MochaOptions,
): Promise<Counts> {
  const mocha = new Mocha({
    ui: 'bdd',
    reporter: 'spec',
    timeout: timeoutMs,
    slow: slowMs,
    forbidOnly: process.env['CI'] !== undefined,
  });
  if (grep !== undefined) mocha.grep(grep);
  Object.assign(mocha.suite.ctx, context);
  mocha.suite.afterEach('after a failure', async function () {
    if (this.currentTest?.state === 'failed') await onFailure?.(this.currentTest.fullTitle());
  });
  mocha.suite.emit('pre-require', globalThis, file, mocha);
  // Doesn't use mocha's loader, which tries `require` first. A required ES module that imports `vscode` blocks 1.106 forever.
  try {
    await import(pathToFileURL(file).href);
  } catch (error) {
    // The other files still run.
    const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
    const title = `${path.basename(file, '.test.js')} can be loaded`;
    Mocha.reporters.Base.consoleLog(`${title}: ${message}`);
    return { passed: 0, failed: 1, failures: [{ title, message }] };
  }
  const failures: Failure[] = [];
  const isOld = new Set(process.listeners('uncaughtException'));
  const { passes = 0, failures: failed = 1 } =
    (await new Promise<Mocha.Stats | undefined>((resolve) => {
      const runner = runAlone(mocha, () => resolve(runner.stats));
      runner.on('fail', (test, error: Error) => failures.push({ title: test.fullTitle(), message: error.message }));
    })) ?? {};
  for (const listener of process.listeners('uncaughtException'))
    if (!isOld.has(listener)) process.off('uncaughtException', listener);
  return { passed: passes, failed, failures };
}

/**
 * Runs the loaded tests. Mocha passes rejections to other listeners and they pass them back, endlessly if VS Code wraps the listeners. They
 * are left to Node, which fails the test, or to VS Code, which logs them.
 */
export function runAlone(mocha: Mocha, onEnd: () => void): Mocha.Runner {
  const isOld = new Set(process.listeners('unhandledRejection'));
  const runner = mocha.run(onEnd);
  for (const listener of process.listeners('unhandledRejection'))
    if (!isOld.has(listener)) process.off('unhandledRejection', listener);
  return runner;
}
