import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict';
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { mock } from 'node:test';
import path from 'node:path';
import * as vscode from 'vscode';
import { ApiError } from '../../src/core/api/errors';
import { listRunFolders } from '../../src/core/batch/results/runFolder';
import { Leases, HeldElsewhere } from '../../src/core/storage/leases';
import { confirmGoOn } from '../../src/features/batchLocal/continueRun';
import { newLocalFolder, readLocalFolder } from '../../src/features/batchLocal/logic/localFolder';
import { planRun } from '../../src/features/batchLocal/localPlan';
import { endWords, stateWords } from '../../src/features/batchLocal/localRunWords';
import { createLocalRuns } from '../../src/features/batchLocal/localRuns';
import type { LocalRuns } from '../../src/features/batchLocal/localRuns';
import { createUnfinishedRuns } from '../../src/features/batchLocal/logic/unfinishedRuns';
import { leaseIdOf } from '../../src/services/batches/resultsRoot';
import { isUserError } from '../../src/platform/errors/userError';
import type { Services } from '../../src/services/services';
import { beginAnew, deskServices, ensureSettings, signInAnew } from '../support/deskServices';
import { startFilledDemo } from '../support/filledDemo';
import type { FilledDemo } from '../support/filledDemo';
import { localRequest, resultsOf } from '../support/localRuns';
import { createOwnMeter } from '../support/ownMeter';
import { until } from '../support/until';

const noBudget = { soft: 0, hard: 0 };

describe('a batch file run on this machine', function () {
  this.timeout(120_000);
  let services: Services;
  let demo: FilledDemo;
  let folder: string;
  const made: LocalRuns[] = [];
  const meters: vscode.Disposable[] = [];

  before(async () => {
    services = await deskServices();
    demo = await startFilledDemo({ pace: { firstTokenMs: 30, tokenMs: 1 } });
    await signInAnew(services, 'local', demo);
  });
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'local-'));
  });
  afterEach(async () => {
    for (const runs of made.splice(0)) runs.dispose();
    await until(() => (services.activity.running.length === 0 ? true : undefined), 'the end of all runs');
    for (const meter of meters.splice(0)) meter.dispose();
    await vscode.commands.executeCommand('notifications.clearAll');
    rmSync(folder, { recursive: true });
  });
  after(async () => {
    await services.settings.set('chat.dailyTokenBudget', noBudget);
    await vscode.commands.executeCommand('notifications.clearAll');
    await beginAnew(services);
    await demo.close();
  });

  /** As a window has it, with results in a folder of the test, and a person who says yes. */
  const openRuns = () => {
    const context = { ...services.context, globalStorageUri: vscode.Uri.file(path.join(folder, 'storage')) };
    const unfinished = createUnfinishedRuns(path.join(folder, 'storage', 'localRuns'));
    const questions = {
      confirmRun: async () => ({ model: undefined }),
      confirmGoOn: async () => 'local',
    };
    const asset = (name: string) => services.context.asAbsolutePath(name);
    const own = { ...services, context: { ...context, asAbsolutePath: asset } as vscode.ExtensionContext };
    const { usage, connections } = createOwnMeter(own);
    meters.push(connections);
    const parts = { ...own, usage: async () => usage, connections };
    const open = (of = unfinished) => {
      const runs = createLocalRuns(parts, of, questions);
      made.push(runs);
      return runs;
    };
    return { runs: open(), unfinished, parts, open };
  };
  const write = (name: string, lines: readonly string[]) => {
    const file = path.join(folder, name);
    writeFileSync(file, `${lines.join('\n')}\n`);
    return vscode.Uri.file(file);
  };
  const ids = (count: number) => Array.from({ length: count }, (_, index) => `r${index + 1}`);
  const theRun = async () => (await listRunFolders(path.join(folder, 'storage', 'results')))[0]!;
  const isIdle = () => until(() => (services.activity.running.length === 0 ? true : undefined), 'the end of the run');
  /** Of 30 requests, some are left then. */
  const runAndStop = async (runs: ReturnType<typeof openRuns>['runs']) => {
    const file = write(
      'requests.jsonl',
      ids(30).map((id) => localRequest(id)),
    );
    await runs.runFile(file);
    runs.stop();
    await isIdle();
    return file;
  };
  const words = (error: unknown) => (isUserError(error) ? `${error.title}. ${error.detail}` : String(error));

  it('saves results in its own folder, counts usage, and has nothing to resume', async () => {
    const { runs, unfinished } = openRuns();
    const file = write(
      'requests.jsonl',
      ids(5).map((id) => localRequest(id)),
    );
    await runs.runFile(file);
    deepEqual(
      services.activity.running.map(({ paid }) => paid),
      [true],
    );
    await isIdle();
    const { path: place, run } = await untilAsked(theRun, ({ run: { ended } }) => ended);
    deepEqual(
      [run.kind, run.name, run.profileId, run.input?.path, run.input?.requests],
      ['local', 'requests', 'local', file.fsPath, 5],
    );
    deepEqual(new Set(resultsOf(place).output.map(({ custom_id: id }) => id)), new Set(ids(5)));
    deepEqual(await unfinished.list(), []);
    const day = readdirSync(path.join(folder, 'storage', 'usage', 'local'))[0]!;
    equal(
      readFileSync(path.join(folder, 'storage', 'usage', 'local', day), 'utf8')
        .split('\n')
        .filter(Boolean).length,
      5,
    );
  });

  it('stops and resumes, also after the batch file has changed', async () => {
    const { runs, unfinished } = openRuns();
    const file = await runAndStop(runs);
    const { path: place, run } = await theRun();
    equal(run.ended, false);
    const before = resultsOf(place).output;
    ok(before.length < 30);
    deepEqual(await unfinished.list(), [{ folder: place, input: file.fsPath }]);
    write('requests.jsonl', [localRequest('other')]);
    await ensureSettings(services.settings, { prices: { '*': { input: 1, output: 1 } } });
    const asked = mock.method(vscode.window, 'showInformationMessage', async () => undefined);
    equal(await confirmGoOn(await readLocalFolder(place), services), undefined);
    match(JSON.stringify(asked.mock.calls[0]?.arguments), /remaining\\nPrice: [^u]/);
    asked.mock.restore();
    await ensureSettings(services.settings, { prices: {} });
    const again = openRuns();
    await again.runs.goOn(place);
    await isIdle();
    await untilAsked(theRun, (found) => found.run.ended);
    const { output } = resultsOf(place);
    deepEqual(output.slice(0, before.length), before);
    deepEqual(new Set(output.map(({ custom_id: id }) => id)), new Set(ids(30)));
    equal(output.length, 30);
  });

  it('counts earlier responses when it offers to resume, without changing them', async () => {
    const { runs, unfinished } = openRuns();
    await runAndStop(runs);
    const output = path.join((await theRun()).path, 'output.jsonl');
    // As a window that was killed leaves it.
    appendFileSync(output, '{"custom_id":"torn","respo');
    const before = readFileSync(output, 'utf8');
    const offered = openRuns().runs.offer(await unfinished.list());
    await dismissed(offered);
    equal(readFileSync(output, 'utf8'), before);
  });

  it('is run by one window at a time, and once per window', async () => {
    const one = openRuns();
    const two = openRuns();
    await one.runs.runFile(
      write(
        'requests.jsonl',
        ids(30).map((id) => localRequest(id)),
      ),
    );
    const { path: place } = await theRun();
    await rejects(one.runs.goOn(place), (error) => /A batch file is already running/.test(words(error)));
    await rejects(two.runs.goOn(place), (error) => /continues in another window/.test(words(error)));
    await two.runs.offer(await two.unfinished.list());
    one.runs.stop();
  });

  it("isn't sent if another window takes it over at the start", async () => {
    const { unfinished, open } = openRuns();
    const others = new Leases(path.join(folder, 'storage', 'localRuns', 'leases'), () => 'another window');
    const add: typeof unfinished.add = async (run) => {
      await unfinished.add(run);
      await others.take(leaseIdOf(run.folder), { force: true });
    };
    await open({ ...unfinished, add }).runFile(write('requests.jsonl', [localRequest('taken')]));
    await isIdle();
    const { output, errors } = resultsOf((await theRun()).path);
    deepEqual([output, errors], [[], []]);
    others.dispose();
  });

  it('stops at the daily budget', async () => {
    await services.settings.set('chat.dailyTokenBudget', { soft: 0, hard: 40 });
    const { runs, parts } = openRuns();
    await runs.runFile(
      write(
        'requests.jsonl',
        ids(30).map((id) => localRequest(id)),
      ),
    );
    await isIdle();
    const { path: place, run } = await theRun();
    equal(run.ended, false);
    const { output } = resultsOf(place);
    ok(output.length > 0 && output.length < 15, `${output.length} were answered`);
    await rejects(openRuns().runs.goOn(place), (error) => /Daily token limit reached/.test(words(error)));
    await services.settings.set('chat.dailyTokenBudget', noBudget);
    equal(parts.settings.get('batch.localRequests'), 4);
  });

  it('sends no requests of an empty or changed file', async () => {
    const { runs, parts } = openRuns();
    await rejects(runs.runFile(write('empty.jsonl', [''])), (error) => /No valid requests in/.test(words(error)));
    const file = write(
      'requests.jsonl',
      ids(3).map((id) => localRequest(id)),
    );
    const plan = await planRun(file.fsPath, parts);
    write('requests.jsonl', [localRequest('other')]);
    const root = path.join(folder, 'storage', 'results');
    await rejects(newLocalFolder(root, plan!, undefined), (error) => /has changed/.test(words(error)));
    deepEqual(readdirSync(root), []);
    writeFileSync(path.join(folder, 'taken'), '');
    const other = await planRun(file.fsPath, parts);
    await rejects(newLocalFolder(path.join(folder, 'taken'), other!, undefined), (error) =>
      /Couldn't write to the results folder/.test(words(error)),
    );
    await rejects(runs.goOn(path.join(folder, 'nowhere')), (error) => /Couldn't resume the run/.test(words(error)));
    await rejects(runs.runFile(vscode.Uri.parse('untitled:a.jsonl')), (error) => /isn't on disk/.test(words(error)));
  });

  it('shows waits, pauses, stops, and speed', () => {
    const now = Date.UTC(2026, 0, 2);
    const text = (part: Partial<Parameters<typeof stateWords>[0]>) => {
      const usage = { inputTokens: 0, outputTokens: 0 };
      const counts = { answered: 12, incomplete: 0, failed: 1, underWay: 0, usage, tokensPerMinute: 0, concurrency: 4 };
      return stateWords({ phase: 'running', ...counts, ...part }, 50, now);
    };
    const until = now + 72_000;
    equal(text({}), '12 of 50 completed, 1 failed');
    equal(text({ incomplete: 2 }), '10 of 50 completed, 2 incomplete, 1 failed');
    equal(text({ tokensPerMinute: 1200 }), '12 of 50 completed, 1 failed · 1,200 tokens/min');
    match(
      text({ wait: { reason: 'rateLimit', limit: 'RPM', until } }),
      /^Rate limit reached \(RPM\)\. Resuming in 1:12 · 12 of 50/,
    );
    match(text({ wait: { reason: 'rateLimit', until } }), /^Rate limit reached\. Resuming in 1:12 · /);
    match(text({ wait: { reason: 'network', until } }), /^No connection. Retrying in 1:12 · /);
    match(text({ wait: { reason: 'overloaded', until } }), /^Service overloaded\. Resuming in 1:12 · /);
    match(text({ phase: 'paused' }), /^Paused · /);
    match(text({ phase: 'paused', underWay: 3 }), /^Paused, 3 still in progress · /);
    match(text({ phase: 'stopping' }), /^Stopping · /);
    match(text({ phase: 'stopping', underWay: 1 }), /^Stopping after the current response · /);
    match(text({ phase: 'stopping', underWay: 2 }), /^Stopping after 2 responses in progress · /);
  });

  it('reports every outcome', () => {
    const counts = { requests: 50, answered: 12, failed: 1 };
    const error = new ApiError({
      kind: 'balance',
      status: 402,
      message: 'Sorry, your account balance is insufficient',
      fromService: true,
    });
    const text = (end: Parameters<typeof endWords>[0], now = counts) => endWords(end, 'a.jsonl', now).text;
    equal(text({ kind: 'finished' }, { requests: 2, answered: 2, failed: 0 }), 'a.jsonl: 2 responses.');
    equal(text({ kind: 'finished' }, { requests: 3, answered: 2, failed: 1 }), 'a.jsonl: 2 of 3 completed, 1 failed.');
    match(text({ kind: 'stopped' }), /Stopped the run of .*\. 12 of 50 completed, 1 failed\./);
    const limit = new ApiError({ kind: 'rateLimit', limit: 'TPD', message: 'limit' });
    match(
      text({ kind: 'dailyLimit', error: limit }),
      /Daily limit reached \(TPD\)\. .* Resume tomorrow, or submit the rest \(37\) as a batch/,
    );
    match(text({ kind: 'refused', error }), /balance.*12 of 50 completed, 1 failed\. Responses so far are saved/);
    match(text({ kind: 'unreachable', error: limit }), /12 of 50/);
    match(text({ kind: 'failing', error }), /Stopped after repeated errors/);
    match(text({ kind: 'held', error: new HeldElsewhere('') }), /another window/);
    const full = Object.assign(new Error('no space'), { code: 'ENOSPC', path: '/x/output.jsonl' });
    match(text({ kind: 'broken', error: full }), /failed at output\.jsonl: the disk is full/);
  });
});

/** Closes notices until something that asks by one came to its end. */
async function dismissed(asking: Promise<unknown>): Promise<void> {
  let isOver = false;
  const over = asking.finally(() => (isOver = true));
  while (!isOver) await vscode.commands.executeCommand('notifications.clearAll');
  await over;
}

/** Asks until the answer is as wanted; the test's own timeout ends it. */
async function untilAsked<T>(ask: () => Promise<T>, isIt: (value: T) => boolean): Promise<T> {
  for (;;) {
    const value = await ask();
    if (isIt(value)) return value;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
