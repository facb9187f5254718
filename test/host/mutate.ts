import { spawn, spawnSync } from 'node:child_process';
import { createHash, randomInt } from 'node:crypto';
import { once } from 'node:events';
import {
  appendFileSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { targets } from '../../esbuild.mjs';
import { startBrowser } from './browser.ts';
import { bundleTests, testOptions } from './bundle.ts';
import { runMain, SetupError } from './command.ts';
import { runInHost, startSuiteServer } from './hostSuite.ts';
import { jobVariable, readNews, type MutantJob, type MutantNews, type Reach } from './mutantRunner.ts';
import { drawMutants, switchedMutants, type Mutant } from './mutants.ts';
import { newest, obtainEditor } from './obtain.ts';
import { root } from './places.ts';

type Tests = MutantJob['tests'];

interface Outcome extends Omit<Mutant, 'pieces' | 'start' | 'end'> {
  /** `refused`: doesn't compile, so it isn't run. `at load`: reached only while files are loaded, before a mutant is on. */
  readonly state: 'killed' | 'refused' | 'survived' | 'not reached' | 'at load';
  /** The test that detected it, and its file. */
  readonly by?: string | undefined;
  readonly test?: string | undefined;
}

interface Report {
  readonly seed: number;
  readonly tests: readonly Tests[];
  readonly mutants: readonly Outcome[];
  /** Digests of the files that an outcome depends on most: those of the mutants and of the tests. */
  readonly files?: Readonly<Record<string, string>>;
}

const allTests: readonly Tests[] = ['unit', 'integration', 'pages'];
/** A process that is silent for the first time is stuck in a loop. A mutant that is on for the second time doesn't end. */
const [silentMs, mutantMs] = [60_000, 180_000];
/** Some tests calculate for a long time, and VS Code takes a while to start. */
const firstSilentMs = 300_000;

/** The limit for all mutants in one extension host. */
const hostMs = 14_400_000;

/** Starts a process for the job in a file, and ends it when the signal aborts. */
type Start = (jobFile: string, signal: AbortSignal) => Promise<void>;

async function startNode(jobFile: string, signal: AbortSignal, cwd: string = root): Promise<void> {
  const log = path.join(path.dirname(jobFile), 'log.txt');
  const child = spawn(process.execPath, [path.join(root, 'test/host/mutantRunner.ts')], {
    cwd,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, [jobVariable]: jobFile },
  });
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text: Buffer) => appendFileSync(log, text.toString()));
  // Ends the process group, which includes the tests' browsers and programs.
  const end = (): void => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    } catch {
      // It has already ended.
    }
  };
  signal.addEventListener('abort', end);
  process.once('exit', end);
  await once(child, 'exit');
  end();
  process.off('exit', end);
}

function startHost(extension: string, testsPath: string): Start {
  return async (jobFile, signal) => {
    const browser = await startBrowser();
    const server = await startSuiteServer(await obtainEditor(newest), { [jobVariable]: jobFile });
    const aborted = once(signal, 'abort');
    try {
      await Promise.race([aborted, runInHost(server, browser, testsPath, extension, hostMs)]);
    } catch (error) {
      appendFileSync(path.join(path.dirname(jobFile), 'log.txt'), String(error));
    } finally {
      appendFileSync(path.join(path.dirname(jobFile), 'log.txt'), server.logs());
      await server.stop();
      await browser.close();
    }
  };
}

/** Builds the product with all mutants in a folder that replaces the repository for the tests. */
async function buildMutants(folder: string, mutants: readonly Mutant[]): Promise<string> {
  const extension = path.join(folder, 'extension');
  rmSync(extension, { recursive: true, force: true });
  mkdirSync(path.join(extension, 'dist'), { recursive: true });
  for (const name of readdirSync(root)) {
    if (/^package.*\.json$/.test(name)) cpSync(path.join(root, name), path.join(extension, name));
    else if (!/^(\..*|dist)$/.test(name)) symlinkSync(path.join(root, name), path.join(extension, name));
  }
  const plugin = switchedMutants(mutants);
  const { host, math, webview } = targets;
  const [{ metafile }] = await Promise.all([
    build({ ...host, plugins: [plugin, ...host.plugins], outdir: path.join(extension, 'dist') }),
    build({ ...webview, plugins: [plugin, ...webview.plugins], outfile: path.join(extension, 'dist/webview.js') }),
    build({ ...math, outdir: path.join(extension, 'dist') }),
  ]);
  writeFileSync(path.join(extension, 'dist/host.meta.json'), JSON.stringify(metafile));
  return extension;
}

async function prepare(
  tests: Tests,
  folder: string,
  mutants: readonly Mutant[],
  requested: readonly string[],
): Promise<Start> {
  const compiled = path.join(folder, tests, 'tests');
  const plugin = switchedMutants(mutants);
  if ((await bundleTests(tests, compiled, requested, [plugin])).length === 0)
    throw new SetupError(`None of the ${tests} tests has such a name.`);
  if (tests === 'unit') return startNode;
  const extension = await buildMutants(folder, mutants);
  if (tests === 'pages') return (jobFile, signal) => startNode(jobFile, signal, extension);
  await build({ ...testOptions, entryPoints: [path.join(root, 'test/host/mutantRunner.ts')], outdir: compiled });
  return startHost(extension, path.join(compiled, 'mutantRunner.js'));
}

const knownIn = ({ id, state }: MutantNews): readonly number[] => (/killed|survived/.test(state) ? [id] : []);

/** Starts processes until the outcome of each mutant of the job and the reach are known. */
async function runJob(start: Start, name: string, job: MutantJob): Promise<void> {
  const jobFile = job.news.replace(/jsonl$/, 'job.json');
  for (;;) {
    const before = readNews(job.news);
    const known = new Set(before.flatMap(knownIn));
    const ids = job.ids.filter((id) => !known.has(id));
    const isFirst = !existsSync(job.reach);
    if (ids.length === 0 && !isFirst) return;
    if (ids.length > 0) console.log(`${name}: ${ids.length} mutants to run`);
    writeFileSync(jobFile, JSON.stringify({ ...job, ids }));
    appendFileSync(job.news, '');
    await runUntilSilent(start, jobFile, job.news, isFirst ? firstSilentMs : silentMs);
    const after = readNews(job.news);
    const last = after.at(-1);
    if (after.length > before.length && last?.state === 'started')
      appendFileSync(
        job.news,
        `${JSON.stringify({ id: last.id, state: 'killed', by: 'the process hung or ended' })}\n`,
      );
    else if (after.length === before.length && !(isFirst && existsSync(job.reach)))
      throw new SetupError(`The ${name} tests did not run: see ${path.dirname(jobFile)}/log.txt.`);
  }
}

async function runUntilSilent(start: Start, jobFile: string, news: string, limitMs: number): Promise<void> {
  const abort = new AbortController();
  const began = Date.now();
  let isRunning = true;
  const ended = start(jobFile, abort.signal).finally(() => (isRunning = false));
  let [lines, since] = [0, began];
  while (isRunning) {
    await Promise.race([ended, wait(2000)]);
    const all = readNews(news);
    if (all.length !== lines) [lines, since] = [all.length, Date.now()];
    const lastSign = statSync(news).mtimeMs;
    const isSilent = Date.now() - Math.max(began, lastSign) > (lastSign > began ? limitMs : firstSilentMs);
    if (isSilent || (all.at(-1)?.state === 'started' && Date.now() - since > mutantMs)) abort.abort();
  }
  await ended;
}

/** Runs one kind of tests, except for mutants that are already detected. */
async function runTests(
  tests: Tests,
  folder: string,
  mutants: readonly Mutant[],
  noticed: ReadonlySet<number>,
  requested: readonly string[],
  processes: number,
): Promise<void> {
  if (mutants.every(({ id }) => noticed.has(id))) return;
  const own = path.join(folder, tests);
  mkdirSync(own, { recursive: true });
  let preparing: Promise<Start> | undefined;
  const start: Start = async (...of) => (await (preparing ??= prepare(tests, folder, mutants, requested)))(...of);
  const job = { tests, folder: path.join(own, 'tests'), reach: path.join(own, 'reach.json') };
  const each = Array.from({ length: processes }, (_, part) => part);
  const reachOf = (part: number): string => path.join(own, `reach-${part}.json`);
  if (!existsSync(job.reach)) {
    const firstOf = (part: number): MutantJob => {
      const news = path.join(own, `first-${part}.jsonl`);
      return { ...job, reach: reachOf(part), news, ids: [], part: [part, processes] };
    };
    await Promise.all(each.map((part) => runJob(start, tests, firstOf(part))));
    writeFileSync(job.reach, JSON.stringify(sumOfReaches(each.flatMap((part) => readReach(reachOf(part)) ?? []))));
  }
  const { tests: passed, failed, reached } = readReach(job.reach)!;
  console.log(`${tests}: ${passed.length} tests pass, ${failed.length} fail without a mutant`);
  for (const title of failed) console.log(`  ${title}`);
  const known = new Set(globSync(`${own}/*.jsonl`).flatMap(readNews).flatMap(knownIn));
  const ids = mutants.map(({ id }) => id).filter((id) => reached[id] && !noticed.has(id) && !known.has(id));
  await Promise.all(
    each.map((part) => {
      const news = path.join(own, `${part}.jsonl`);
      return runJob(start, tests, { ...job, news, ids: ids.filter((_id, index) => index % processes === part) });
    }),
  );
}

function sumOfReaches(all: readonly Reach[]): Reach {
  const reached: Record<string, number[]> = {};
  const tests: Reach['tests'][number][] = [];
  for (const one of all) {
    for (const [id, places] of Object.entries(one.reached))
      (reached[id] ??= []).push(...places.map((place) => place + tests.length));
    tests.push(...one.tests);
  }
  return {
    tests,
    reached,
    atLoad: all.flatMap(({ atLoad }) => atLoad),
    failed: all.flatMap(({ failed }) => failed),
  };
}

const readReach = (file: string): Reach | undefined =>
  existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;

function outcomes(
  folder: string,
  mutants: readonly Mutant[],
  kinds: readonly Tests[],
  known: ReadonlyMap<string, Outcome>,
  refused: ReadonlySet<number>,
): readonly Outcome[] {
  const news = kinds.flatMap((kind) => globSync(`${folder}/${kind}/*.jsonl`).flatMap(readNews));
  const atLoad = kinds.flatMap((kind) => readReach(path.join(folder, kind, 'reach.json'))?.atLoad ?? []);
  return mutants.map(({ pieces: _pieces, start: _start, end: _end, ...mutant }) => {
    if (refused.has(mutant.id)) return { ...mutant, state: 'refused' };
    const own = news.filter(({ id }) => id === mutant.id);
    const killed = own.find(({ state }) => state === 'killed') ?? known.get(keyOf(mutant));
    if (killed) return { ...mutant, state: 'killed', by: killed.by, test: killed.test };
    if (own.some(({ state }) => state === 'survived')) return { ...mutant, state: 'survived' };
    return { ...mutant, state: atLoad.includes(mutant.id) ? 'at load' : 'not reached' };
  });
}

/** The same in every run, as long as the number of lines above it is unchanged. */
const keyOf = ({ file, line, column, mutator }: Omit<Mutant, 'pieces' | 'start' | 'end'>): string =>
  [file, line, column, mutator].join(':');

/** Returns mutants that a test detected earlier, if neither the changed file nor the test's has changed since. */
function stillKilled({ mutants, files = {} }: Report): ReadonlyMap<string, Outcome> {
  const now = digests();
  const isSame = (file: string | undefined): boolean => file !== undefined && files[file] === now[file];
  const saved = mutants.filter(({ state, file, test }) => state === 'killed' && isSame(file) && isSame(test));
  return new Map(saved.map((mutant) => [keyOf(mutant), mutant]));
}

function describe({ mutants }: Report, old: Report | undefined): string {
  const states = ['killed', 'refused', 'survived', 'not reached', 'at load'] as const;
  const areaOf = ({ file }: Outcome): string => file.split('/').slice(0, -1).slice(0, 2).join('/');
  const areas = [...new Set(mutants.map(areaOf))];
  const row = (name: string, cells: readonly (string | number)[]): string =>
    `${name.padEnd(24)}${cells.map((cell) => String(cell).padStart(13)).join('')}`;
  const count = (list: readonly Outcome[]) => [
    list.length,
    ...states.map((state) => list.filter((mutant) => mutant.state === state).length),
  ];
  const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').slice(0, 100);
  const line = (mutant: Outcome): string =>
    `${mutant.file}:${mutant.line}  ${mutant.mutator}  ${oneLine(mutant.original)} -> ${oneLine(mutant.replacement)}`;
  const before = new Map(old?.mutants.map((mutant) => [keyOf(mutant), mutant.state]));
  const changed = mutants.filter((mutant) => (before.get(keyOf(mutant)) ?? mutant.state) !== mutant.state);
  const countOf = (requested: Outcome['state']): number => mutants.filter(({ state }) => state === requested).length;
  const share = (part: number, of: number): string =>
    `${part} of ${of}, ${((100 * part) / Math.max(1, of)).toFixed(1)} %`;
  const [killed, refused] = [countOf('killed'), countOf('refused')];
  return [
    row('', ['mutants', ...states]),
    ...areas.map((name) => row(name, count(mutants.filter((mutant) => areaOf(mutant) === name)))),
    row('all', count(mutants)),
    ...states.slice(1).flatMap((state) => ['', `${state}:`, ...mutants.filter((one) => one.state === state).map(line)]),
    ...(old
      ? ['', 'changed:', ...changed.map((one) => `${before.get(keyOf(one))} -> ${one.state}  ${line(one)}`)]
      : []),
    '',
    `by tests, of those that compile: ${share(killed, mutants.length - refused)}`,
    `by tests or the compiler, of all: ${share(killed + refused, mutants.length)}`,
  ].join('\n');
}

/** Returns the mutants that don't compile, which can't be submitted whatever the tests say. */
function refusedByCompiler(folder: string, mutants: readonly Mutant[]): ReadonlySet<number> {
  const found = path.join(folder, 'refused.json');
  if (existsSync(found)) return new Set<number>(JSON.parse(readFileSync(found, 'utf8')));
  const own = path.join(folder, 'types');
  rmSync(own, { recursive: true, force: true });
  for (const name of ['src', 'webview', 'media', 'package.json', 'tsconfig.json'])
    cpSync(path.join(root, name), path.join(own, name), { recursive: true });
  symlinkSync(path.join(root, 'node_modules'), path.join(own, 'node_modules'));
  const compiler = path.join(root, 'node_modules/.bin/tsc');
  const compiles = (): boolean => spawnSync(compiler, ['-b', 'src', 'webview'], { cwd: own }).status === 0;
  if (!compiles()) throw new SetupError('The product does not compile.');
  const refused = mutants.filter(({ file, mutator, pieces, start, end }, index) => {
    if (index % 100 === 0) console.log(`compiler: ${mutants.length - index} mutants to look at`);
    const source = readFileSync(path.join(root, file), 'utf8');
    const changed = pieces.map((piece) => (typeof piece === 'string' ? piece : source.slice(...piece))).join('');
    const text = mutator === 'key' ? changed : `(${changed})`;
    writeFileSync(path.join(own, file), `${source.slice(0, start)}${text}${source.slice(end)}`);
    const isRefused = !compiles();
    writeFileSync(path.join(own, file), source);
    return isRefused;
  });
  writeFileSync(found, JSON.stringify(refused.map(({ id }) => id)));
  return new Set(refused.map(({ id }) => id));
}

/** Returns digests of everything that determines an outcome: the product, the tests, and their helpers. */
function digests(): Readonly<Record<string, string>> {
  const files = globSync('{src,webview,test}/**/*.{ts,tsx,json,jsonl,mjs}', { cwd: root });
  const digestOf = (file: string): string =>
    createHash('sha256')
      .update(readFileSync(path.join(root, file)))
      .digest('base64url');
  const deciding = files.filter((name) => !/^test.host/.test(name)).toSorted();
  return Object.fromEntries(deciding.map((file) => [file.replaceAll(path.sep, '/'), digestOf(file)]));
}

/**
 * `npm run mutate [-- start of a path …] [--seed n] [--count n] [--of part of a path,…] [--only unit,integration,pages] [--tests part of a
 * path,…] [--out file.json] [--known old.json] [--report old.json] [--processes n]`: makes small changes in the product, one at a time, and
 * reports which of them no test detects. `--of` selects those of the same mutants whose path contains one of these, and `--tests` selects
 * test files by path. An interrupted run is continued as long as no file has changed. `--known` reuses detections from an earlier outcome
 * if neither the changed file nor the test has changed since. `--report` lists the differences from an earlier outcome. Mutants that don't
 * compile aren't run, and are excluded from the rate.
 *
 * Journeys in windows aren't included, and neither is code in separate processes or workers, where no mutant is ever on.
 */
await runMain(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      seed: { type: 'string', default: String(randomInt(2 ** 31)) },
      count: { type: 'string', default: '400' },
      of: { type: 'string', default: '' },
      only: { type: 'string', default: allTests.join() },
      tests: { type: 'string', default: '' },
      processes: { type: 'string', default: '2' },
      out: { type: 'string' },
      known: { type: 'string' },
      report: { type: 'string' },
    },
  });
  const out = path.resolve(values.out ?? path.join(root, `dist/mutants-${values.seed}.json`));
  const read = (file: string | undefined): Report | undefined => file && JSON.parse(readFileSync(file, 'utf8'));
  const [earlier, before] = [read(values.report), read(values.known)];
  console.log(`seed: ${values.seed}`);
  process.chdir(root);
  const parts = (list: string): readonly string[] => list.split(',').filter((part) => part !== '');
  const kinds = allTests.filter((kind) => parts(values.only).includes(kind));
  const [requested, of] = [parts(values.tests), parts(values.of)];
  const mutants = drawMutants(positionals, Number(values.seed), Number(values.count)).filter(
    ({ file }) => of.length === 0 || of.some((part) => file.includes(part)),
  );
  const folder = path.join(root, 'dist/mutants', path.basename(out, '.json'));
  const files = digests();
  const state = JSON.stringify([files, requested, mutants]);
  const stateFile = path.join(folder, 'state.json');
  if (!existsSync(stateFile) || readFileSync(stateFile, 'utf8') !== state)
    rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(stateFile, state);
  const known = before ? stillKilled(before) : new Map<string, Outcome>();
  const refused = refusedByCompiler(folder, mutants);
  for (const kind of kinds) {
    const noticed = outcomes(folder, mutants, allTests, known, refused).filter(({ state }) =>
      /killed|refused/.test(state),
    );
    await runTests(kind, folder, mutants, new Set(noticed.map(({ id }) => id)), requested, Number(values.processes));
  }
  const reported = outcomes(folder, mutants, kinds, known, refused);
  const report: Report = { seed: Number(values.seed), tests: kinds, mutants: reported, files };
  writeFileSync(out, JSON.stringify(report, null, 1));
  console.log(describe(report, earlier ?? before));
});
