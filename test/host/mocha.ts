import { readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { format } from 'node:util';
import Mocha from 'mocha';
import { watchSlowFiles } from './slowFiles.ts';

export interface Failure {
  /** The test's full title. */
  readonly title: string;
  readonly message: string;
  /** The compiled file it is in. */
  readonly file?: string | undefined;
}

export interface Counts {
  readonly passed: number;
  readonly failed: number;
  /** Those that have a title; a runner that breaks fails without one. */
  readonly failures: readonly Failure[];
  /** How many passed in each compiled file. */
  readonly passedIn?: Readonly<Record<string, number>>;
  /** Those that failed, and passed when their files were run once more. */
  readonly unsteady?: readonly Failure[];
}

/** Begins every line of mocha that comes out of an extension host, whose console carries much else. */
export const linePrefix = '[test] ';

/** Where a runner that was started by another leaves its counts; unset when a person started it. */
export const resultVariable = 'INFERENCE_DESK_RESULT';

/** Writes the counts down for whoever asked for them. */
export function leaveCounts(counts: Counts): void {
  const file = process.env[resultVariable];
  if (file !== undefined && file !== '') writeFileSync(file, JSON.stringify(counts));
}

/** Every compiled test under a folder, in a stable order: those in `first/` before all others. */
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
  /** Names at the end the files that took longest. */
  readonly namesSlow?: boolean;
  /** Found by every test as properties of `this`. */
  readonly context?: Readonly<Partial<Mocha.Context>>;
  /** Awaited after every test that failed, with its full title. */
  readonly onFailure?: (title: string) => Promise<void>;
  /** Above 1 for files that this process ran before. */
  readonly round?: number;
  /** Where mocha's lines go; stdout by default. */
  readonly print?: (line: string) => void;
}

/** Runs compiled tests in this process, printing mocha's lines as they come. No test at all counts as one failure. */
export async function runMocha(files: readonly string[], options: MochaOptions): Promise<Counts> {
  const { timeoutMs, grep, slowMs = 500, round = 1, print = (line) => process.stdout.write(`${line}\n`) } = options;
  Mocha.reporters.Base.consoleLog = (...values: readonly unknown[]) => print(format(...values));
  const mocha = new Mocha({
    ui: 'bdd',
    reporter: 'spec',
    timeout: timeoutMs,
    slow: slowMs,
    forbidOnly: process.env['CI'] !== undefined,
  });
  if (grep !== undefined) mocha.grep(grep);
  Object.assign(mocha.suite.ctx, options.context);
  mocha.suite.afterEach('after a failure', async function () {
    if (this.currentTest?.state === 'failed') await options.onFailure?.(this.currentTest.fullTitle());
  });
  for (const file of files) {
    mocha.suite.emit('pre-require', globalThis, file, mocha);
    // Not mocha's own loader: it tries `require` first, and a required ES module that imports `vscode` blocks 1.106 for ever.
    await import(`${pathToFileURL(file).href}?round=${round}`);
  }
  const failures: Failure[] = [];
  const passedIn: Record<string, number> = {};
  let slowest = (): readonly string[] => [];
  const stats = await new Promise<Mocha.Stats | undefined>((resolve) => {
    const runner = mocha.run(() => resolve(runner.stats));
    slowest = watchSlowFiles(runner);
    runner.on('pass', ({ file = '' }) => (passedIn[file] = (passedIn[file] ?? 0) + 1));
    runner.on('fail', (test, error: Error) =>
      failures.push({ title: test.fullTitle(), message: error.message, file: test.file }),
    );
  });
  if (options.namesSlow === true) print(['  slowest files:', ...slowest(), ''].join('\n'));
  const passed = stats?.passes ?? 0;
  const failed = stats?.failures ?? 0;
  return { passed, failed: passed + failed === 0 ? 1 : failed, failures, passedIn };
}
