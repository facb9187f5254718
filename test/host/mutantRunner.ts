import { appendFileSync, existsSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import Mocha from 'mocha';
import type { Browser, BrowserContext } from 'playwright-core';
import { linePrefix, runAlone, testFilesIn } from './mocha.ts';

/** A job for a process that runs tests against mutants, in the file named by `jobVariable`. */
export interface MutantJob {
  readonly tests: 'unit' | 'integration' | 'pages';
  /** The folder of the compiled tests. */
  readonly folder: string;
  /** Which mutants each test reaches. Without this file, the tests run once without a mutant, and it is written. */
  readonly reach: string;
  /** A file of JSON lines that is appended to at least once a second while the process isn't stuck. */
  readonly news: string;
  readonly ids: readonly number[];
  /** Selects every nth test file, from the first, which is 0. */
  readonly part?: readonly [first: number, step: number];
}

export const jobVariable = 'INFERENCE_DESK_MUTANTS';

export interface Reach {
  /** The tests that passed. */
  readonly tests: readonly { readonly title: string; readonly ms: number }[];
  /** By mutant, the indexes in `tests`. */
  readonly reached: Readonly<Record<number, readonly number[]>>;
  /** Mutants that are reached before the first test. */
  readonly atLoad: readonly number[];
  readonly failed: readonly string[];
}

export interface MutantNews {
  readonly id: number;
  /** After `unsteady`, a test fails without a mutant too, so the process is no longer usable. */
  readonly state: 'started' | 'killed' | 'survived' | 'unsteady';
  /** The failed test, or another reason. */
  readonly by?: string;
  /** The test's file. */
  readonly test?: string | undefined;
  readonly ms?: number;
}

export function readNews(file: string): readonly MutantNews[] {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
  return lines.filter((line) => line.endsWith('}')).map((line): MutantNews => JSON.parse(line));
}

/** Prints text as the parent of an extension host reads it. */
const say = (text: string): void => console.log(`${linePrefix}${JSON.stringify(text)}`);

/** The timeouts of normal runs. */
const timeouts = { unit: 30_000, integration: 60_000, pages: 90_000 } as const;

/**
 * A test that usually takes longer is omitted, and so are the slowest tests of a mutant that together take longer than the second limit.
 * Its quickest test always runs.
 */
const [longTestMs, longMutantMs] = [20_000, 40_000];
/** After this many tests that fail even without the mutant, the mutant counts as undetected. */
const mostUnsteady = 3;
const quickTestMs = 100;

interface Failure {
  readonly title: string;
  /** Relative to the repository's root. */
  readonly file: string | undefined;
  /** Whether a test is affected: the failed test, or its entire suite if a hook failed. */
  readonly isAmong: (test: string) => boolean;
}

/** Tests that are loaded once and run many times. */
interface LoadedTests {
  /** Runs the tests with these titles until the first failure, with one mutant on, or none (0). Resolves to the failure. */
  run(titles: ReadonlySet<string>, id: number): Promise<Failure | undefined>;
  reach(): Promise<Reach>;
}

class Titles extends RegExp {
  readonly #among: ReadonlySet<string>;
  constructor(among: ReadonlySet<string>) {
    super('');
    this.#among = among;
  }
  override test(title: string): boolean {
    return this.#among.has(title);
  }
}

/** The main function of such a process. An extension host calls it like any suite. */
export async function run(): Promise<void> {
  const job: MutantJob = JSON.parse(readFileSync(process.env[jobVariable] ?? '', 'utf8'));
  const beat = setInterval(() => utimesSync(job.news, new Date(), new Date()), 1000);
  const browser = job.tests === 'pages' ? await (await import('./browser.ts')).startBrowser() : undefined;
  try {
    const tests = await load(job, browser && { browser });
    if (existsSync(job.reach)) await runEach(tests, job);
    else writeFileSync(job.reach, JSON.stringify(await tests.reach()));
  } catch (error) {
    say(error instanceof Error ? (error.stack ?? error.message) : String(error));
    throw error;
  } finally {
    await browser?.close();
    clearInterval(beat);
  }
}

async function runEach(tests: LoadedTests, { reach: file, news, ids }: MutantJob): Promise<void> {
  const reach: Reach = JSON.parse(readFileSync(file, 'utf8'));
  const unsteady = new Set(readNews(news).flatMap(({ id, state }) => (state === 'unsteady' ? [id] : [])));
  for (const id of ids) {
    const tell = (one: Omit<MutantNews, 'id'>): void => appendFileSync(news, `${JSON.stringify({ id, ...one })}\n`);
    tell({ state: 'started' });
    const began = performance.now();
    const parts = testsOf(reach, id);
    const first = async (on: number) => {
      for (const part of parts) {
        const failure = part.size > 0 ? await tests.run(part, on) : undefined;
        if (failure) return failure;
      }
      return undefined;
    };
    let before = unsteady.has(id) ? await first(0) : undefined;
    // Other tests might still detect it.
    for (let tries = 1; before && tries < mostUnsteady; tries++) {
      for (const part of parts) for (const title of part) if (before.isAmong(title)) part.delete(title);
      before = await first(0);
    }
    const failure = before ? undefined : await first(id);
    const ms = Math.round(performance.now() - began);
    if (!failure) tell({ state: 'survived', ms, ...(before && { by: `fails without it: ${before.title}` }) });
    else {
      const among = new Set(reach.tests.flatMap(({ title }) => (failure.isAmong(title) ? [title] : [])));
      const isOwn = unsteady.has(id) || !(await tests.run(among, 0));
      tell({ state: isOwn ? 'killed' : 'unsteady', by: failure.title, test: failure.file, ms });
      if (!isOwn) return;
    }
  }
}

/** Returns the quick tests, then the others. */
function testsOf({ tests, reached }: Reach, id: number): readonly [Set<string>, Set<string>] {
  const own = (reached[id] ?? []).flatMap((index) => tests[index] ?? []).toSorted((a, b) => a.ms - b.ms);
  let sum = 0;
  const taken = own.filter(({ ms }, index) => (ms <= longTestMs && (sum += ms) <= longMutantMs) || index === 0);
  const titles = (isQuick: boolean) =>
    new Set(taken.filter(({ ms }) => ms <= quickTestMs === isQuick).map(({ title }) => title));
  return [titles(true), titles(false)];
}

async function load(job: MutantJob, context: Readonly<Partial<Mocha.Context>> = {}): Promise<LoadedTests> {
  let on = 0;
  let reached = new Set<number>();
  Object.assign(globalThis, {
    __mutant: (id: number) => {
      reached.add(id);
      return id === on;
    },
  });
  // Outside a run there are no other listeners, and a late error of a failed test must not end the process.
  for (const event of ['uncaughtException', 'unhandledRejection']) process.on(event, () => {});
  const mocha = new Mocha({ ui: 'bdd', reporter: class extends Mocha.reporters.Base {}, timeout: timeouts[job.tests] });
  mocha.cleanReferencesAfterRun(false);
  Object.assign(mocha.suite.ctx, context);
  let pages: WatchedPages | undefined;
  if (context.browser) {
    pages = watchPages(context.browser, (id) => reached.add(id));
    mocha.suite.beforeEach('reach anew', pages.forget);
  }
  const [first, step] = job.part ?? [0, 1];
  for (const file of testFilesIn(job.folder).filter((_file, index) => index % step === first)) {
    mocha.suite.emit('pre-require', globalThis, file, mocha);
    await import(pathToFileURL(file).href);
  }
  const take = (): ReadonlySet<number> => {
    const taken = reached;
    reached = new Set();
    return taken;
  };
  if (existsSync(job.reach)) limitTests(mocha.suite, JSON.parse(readFileSync(job.reach, 'utf8')));
  return {
    run: async (titles, id) => {
      on = id;
      await pages?.turnOn(id);
      mocha.grep(new Titles(titles));
      try {
        return await new Promise((resolve) => {
          let failure: Failure | undefined;
          const runner = runAlone(mocha, () => resolve(failure));
          runner.on('fail', (test: Mocha.Runnable) => {
            const title = test.fullTitle();
            const suite = test instanceof Mocha.Hook ? (test.parent?.fullTitle() ?? '') : undefined;
            failure ??= {
              title,
              file: test.file && sourceOf(test.file, job),
              isAmong: (other) => (suite === undefined ? other === title : other.startsWith(suite)),
            };
          });
        });
      } finally {
        on = 0;
      }
    },
    reach: () => findReach(mocha, take),
  };
}

const sourceOf = (compiled: string, { tests, folder }: MutantJob): string =>
  `test/${tests}/${path.relative(folder, compiled).replaceAll(path.sep, '/').replace(/js$/, 'ts')}`;

/** Applies to all suites, which read at their creation whether they end at the first failure. */
function limitTests(suite: Mocha.Suite, { tests }: Reach): void {
  const usual = new Map(tests.map(({ title, ms }) => [title, ms]));
  suite.eachTest((test) => void test.timeout(Math.max(5000, 3 * (usual.get(test.fullTitle()) ?? 0))));
  const endEarly = (one: Mocha.Suite): void => {
    one.bail(true);
    one.suites.forEach(endEarly);
  };
  endEarly(suite);
}

async function findReach(mocha: Mocha, take: () => ReadonlySet<number>): Promise<Reach> {
  const atLoad = [...take()];
  const byTitle = new Map<string, Set<number>>();
  const usual = new Map<string, number>();
  const failed: string[] = [];
  let owner: Mocha.Test | Mocha.Suite = mocha.suite;
  const pass = (next: Mocha.Test | Mocha.Suite): void => {
    const ids = take();
    const give = (test: Mocha.Test): void => {
      const title = test.fullTitle();
      byTitle.set(title, new Set([...(byTitle.get(title) ?? []), ...ids]));
    };
    if ('eachTest' in owner) owner.eachTest(give);
    else give(owner);
    owner = next;
  };
  await new Promise<void>((resolve) => {
    const runner = runAlone(mocha, () => resolve());
    runner.on('test', pass);
    runner.on('hook', (hook) => {
      if (/^"(before|after) all"/.test(hook.title) && hook.parent) pass(hook.parent);
    });
    runner.on('pass', (test) => {
      usual.set(test.fullTitle(), (usual.get(test.fullTitle()) ?? 0) + (test.duration ?? 0));
      if (usual.size % 100 === 0) say(`${usual.size} tests`);
    });
    runner.on('fail', (test) => failed.push(test.fullTitle()));
  });
  pass(mocha.suite);
  const tests = [...usual].filter(([title]) => !failed.includes(title)).map(([title, ms]) => ({ title, ms }));
  const reached: Record<number, number[]> = {};
  for (const [index, { title }] of tests.entries())
    for (const id of byTitle.get(title) ?? []) (reached[id] ??= []).push(index);
  return { tests, reached, atLoad, failed };
}

interface WatchedPages {
  /** Selects the active mutant for pages that are shown from here on. */
  readonly turnOn: (id: number) => Promise<void>;
  /** Makes open pages report mutants again that they have already reported. */
  readonly forget: () => Promise<void>;
}

/** Makes every page of a browser report the mutants it reaches. Pages are shown repeatedly, and a cookie holds the active mutant. */
function watchPages(browser: Browser, onReached: (id: number) => void): WatchedPages {
  const open = browser.newContext.bind(browser);
  let on = 0;
  const cookies = () => [{ name: 'mutant', value: String(on), domain: '127.0.0.1', path: '/' }];
  browser.newContext = async (options): Promise<BrowserContext> => {
    const context = await open(options);
    await context.addCookies(cookies());
    await context.exposeBinding('__toldMutant', (_source, id: number) => onReached(id));
    await context.addInitScript(() => {
      const reported = new Set<number>();
      const active = Number(/(?:^|; )mutant=(\d+)/.exec(document.cookie)?.[1]);
      const mutant = (id: number): boolean => {
        if (!reported.has(id)) {
          reported.add(id);
          (globalThis as { __toldMutant?: (id: number) => unknown }).__toldMutant?.(id);
        }
        return id === active;
      };
      Object.assign(globalThis, { __mutant: mutant, __forgetMutants: () => reported.clear() });
    });
    return context;
  };
  return {
    turnOn: async (id) => {
      on = id;
      await Promise.all(browser.contexts().map((context) => context.addCookies(cookies())));
    },
    forget: async () => {
      const pages = browser.contexts().flatMap((context) => context.pages());
      const forget = () => (globalThis as { __forgetMutants?: () => void }).__forgetMutants?.();
      await Promise.all(pages.map((page) => page.evaluate(forget).catch(() => undefined)));
    },
  };
}

// Not awaited, because VS Code can't load a suite that waits.
if (import.meta.main) void run().finally(() => process.exit());
