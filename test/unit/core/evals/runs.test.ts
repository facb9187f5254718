import { deepEqual, equal, rejects } from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { delayText } from '../../../../src/core/batch/local/localRun';
import type { LocalCall } from '../../../../src/core/batch/local/localRun';
import { planEval, usesJudge } from '../../../../src/core/evals/evalPlan';
import { readEval } from '../../../../src/core/evals/readEval';
import { AccountEvals } from '../../../../src/core/evals/run/evalJobs';
import type { EvalAccount } from '../../../../src/core/evals/run/evalJobs';
import { EvalRun } from '../../../../src/core/evals/run/evalRun';
import type { EvalService, SentState } from '../../../../src/core/evals/run/evalRun';
import { EvalRunFolder, writeSubmission } from '../../../../src/core/evals/run/runFolder';
import type { Submitter } from '../../../../src/core/evals/run/runFolder';
import type { BatchJob } from '../../../../src/core/jobs/batch/batchJob';
import { rulesOf } from '../../../../src/core/profiles/vendorRules';
import { HeldElsewhere } from '../../../../src/core/storage/leases';
import { setUpFolder } from '../../../support/temporaryFolder';

const origin = 'https://one.example';
const { signal } = new AbortController();
const form = { url: '/v1/chat/completions', idOf: (id: string) => id };

const planOf = async (rows: string) =>
  planEval(
    await readEval('x.yaml', `prompts: ['{{q}}']\nproviders: [openai:m]\ntests: ${rows}`, {
      read: async () => ({ problem: 'missing' }),
    }),
  );
const questions = (...all: readonly string[]) => JSON.stringify(all.map((q) => ({ vars: { q } })));

const prices = { pricesOf: () => ({ input: 0, output: 0 }), batchDiscount: 1 };

describe('eval runs', () => {
  const temporary = setUpFolder();
  const open = (at = origin) => EvalRunFolder.open(temporary.in('x.eval'), at);
  const accountAt = (
    baseUrl: string,
    more: {
      readonly call?: LocalCall;
      readonly jobs?: readonly BatchJob[];
      readonly by?: Submitter;
      readonly submit?: EvalAccount['submit'];
      readonly onState?: EvalAccount['onState'];
    } = {},
  ) =>
    new AccountEvals({
      baseUrl,
      rules: rulesOf(baseUrl).batch,
      by: more.by ?? 'window',
      results: temporary.in('x.eval/results'),
      jobs: () => more.jobs ?? [],
      submit: more.submit ?? (async () => undefined),
      check: async () => undefined,
      call: more.call ?? (() => Promise.reject(new Error('Called'))),
      concurrency: () => 1,
      onError: () => undefined,
      ...(more.onState && { onState: more.onState }),
    });

  it('require a judge for model-graded assertions, also in a set', async () => {
    const isJudged = async (assert: string) => usesJudge(await planOf(`[{ assert: [${assert}] }]`));
    const rubric = '{ type: llm-rubric, value: polite }';
    equal(await isJudged(rubric), true);
    equal(await isJudged(`{ type: assert-set, assert: [${rubric}] }`), true);
    equal(await isJudged('{ type: assert-set, assert: [{ type: equals, value: a }] }'), false);
  });

  /** Grades of `max-score` by variant, whose responses are these texts: 1 for the chosen one, 0 for others, or why they are missing. */
  const chosen = async (assertions: string, texts: readonly string[]) => {
    const prompts = JSON.stringify(texts);
    const text = `prompts: ${prompts}\nproviders: [echo]\ntests: [{ vars: { q: a }, assert: [${assertions}] }]`;
    const plan = planEval(await readEval('x.yaml', text, { read: async () => ({ problem: 'missing' }) }));
    const folder = await open();
    const graded = new EvalRun(plan, folder, accountAt(origin), { prices }).graded();
    await folder.close();
    return Array.from(graded.values(), ([cell]) => {
      const { grade } = cell!.scores.find(({ name }) => name.endsWith('max-score'))!;
      return 'missing' in grade ? grade.missing : Number(grade.pass);
    });
  };

  it('choose the response with the highest score by its other assertions', async () => {
    const letters = '{ type: contains, value: b }, { type: contains, value: c }';
    const texts = ['ab', 'abc', 'abcd'];
    deepEqual(await chosen(`${letters}, { type: max-score }`, texts), [0, 1, 0]);
    deepEqual(await chosen(`${letters}, { type: not-max-score }`, texts), [1, 0, 1]);
    deepEqual(await chosen(`${letters}, { type: max-score }`, texts.toReversed()), [1, 0, 0]);
    const set = `{ type: assert-set, assert: [${letters}] }, { type: not-contains, value: d, metric: m }`;
    const weighed = (value: string) => chosen(`${set}, { type: max-score, value: ${value} }`, ['ab', 'abcd', 'bd']);
    // Of 3 assertions, with weights 1, 1, and 1: 2, 2, and 1 pass.
    deepEqual(await weighed('{}'), [1, 0, 0]);
    deepEqual(await weighed('{ weights: { not-contains: 0.5 } }'), [0, 1, 0]);
    deepEqual(await weighed('{ method: sum, weights: { contains: 0.25 }, threshold: 1.25 }'), [1, 0, 0]);
    deepEqual(await weighed('{ method: sum, weights: { contains: 0.25 }, threshold: 1.3 }'), [0, 0, 0]);
    deepEqual(await weighed('{ weights: { contains: 0.25 }, threshold: 0.8 }'), [1, 0, 0]);
  });

  it('choose no response by max-score if there is nothing to compare', async () => {
    const letter = '{ type: contains, value: b }';
    const bad = ['badExpectation', 'badExpectation', 'badExpectation'];
    deepEqual(await chosen(`${letter}, { type: max-score }`, ['ab']), ['notGraded']);
    deepEqual(await chosen('{ type: max-score }', ['a', 'b', 'c']), bad);
    for (const value of ['best', '{ method: median }', '{ weights: { contains: high } }', '{ threshold: high }'])
      deepEqual(await chosen(`${letter}, { type: max-score, value: ${value} }`, ['a', 'b', 'c']), bad);
    deepEqual(await chosen(`{ type: llm-rubric, value: good }, { type: max-score }`, ['a', 'b']), [
      'noVerdict',
      'noVerdict',
    ]);
    // Never graded, so the other one decides.
    deepEqual(await chosen(`{ type: is-sql }, ${letter}, { type: max-score }`, ['a', 'b']), [0, 1]);
    deepEqual(await chosen(`{ type: is-sql }, { type: max-score }`, ['a', 'b']), ['notGraded', 'notGraded']);
  });

  it('choose among the responses that came once the other requests have failed', async () => {
    const text = `prompts: ['{{q}}']\nproviders: [echo, openai:m]\ntests: [{ vars: { q: a }, assert: [{ type: contains, value: b }, { type: max-score }] }]`;
    const plan = planEval(await readEval('x.yaml', text, { read: async () => ({ problem: 'missing' }) }));
    const outcomes = async () => {
      const folder = await open();
      const run = new EvalRun(plan, folder, accountAt(origin), { prices });
      const [request] = run.next();
      const grades = Array.from(run.graded().values(), ([cell]) => cell!.scores[1]!.grade);
      await folder.close();
      return { request, grades: grades.map((grade) => ('missing' in grade ? grade.missing : Number(grade.pass))) };
    };
    const { request, grades } = await outcomes();
    deepEqual(grades, ['noResponse', 'noResponse']);
    const failed = {
      ...request,
      sentIn: '',
      how: 'now',
      model: 'm',
      text: '',
      calls: [],
      failure: 'No',
      tokens: { input: 0, output: 0 },
    };
    writeFileSync(temporary.in('x.eval/responses.jsonl'), `${JSON.stringify(failed)}\n`);
    deepEqual((await outcomes()).grades, [1, 'noResponse']);
  });

  it('send requests without a result once, even if all batches have ended', async () => {
    const folder = await open();
    const service: EvalService = {
      origin,
      submit: async () => undefined,
      runNow: async () => undefined,
      look: async () => ({ isOver: true, problem: 'The batch failed' }),
    };
    for (const retriesFailed of [false, true]) {
      const run = new EvalRun(await planOf(questions('a', String(retriesFailed))), folder, service, {
        prices,
        retriesFailed,
      });
      await run.refresh(signal);
      await folder.write(run.next(), { how: 'batch', ...form });
      await run.refresh(signal);
      deepEqual(run.next(), []);
    }
    await folder.close();
  });

  it('send only requests of the current plan after an interruption, and none that may have been charged', async () => {
    const before = await open();
    const service = accountAt(origin);
    const run = (folder: EvalRunFolder, plan: Awaited<ReturnType<typeof planOf>>) =>
      new EvalRun(plan, folder, service, { prices });
    const [sent] = await before.write(run(before, await planOf(questions('a', 'b', 'c', 'd'))).next(), {
      how: 'now',
      ...form,
    });
    await before.close();
    const { folder: results = '' } = await service.look(sent!);
    mkdirSync(results, { recursive: true });
    writeFileSync(`${results}/sent.txt`, '1\n');
    const after = await open();
    const smaller = run(after, await planOf(questions('a', 'b')));
    await smaller.refresh(signal);
    deepEqual(
      smaller.next().map(({ body }) => (body['messages'] as readonly { content: string }[])[0]!.content),
      ['b'],
    );
    equal(smaller.progress.failed, 1);
    await after.close();
  });

  it('keep a response without its line ending, and repeat one with a truncated line', async () => {
    const plan = await planOf(questions('a', 'b'));
    const service = accountAt(origin);
    const path = temporary.in('x.eval/responses.jsonl');
    const next = async () => {
      const folder = await open();
      const requests = new EvalRun(plan, folder, service, { prices }).next();
      const { unreadableLines } = folder;
      await folder.close();
      return { requests, unreadableLines };
    };
    const lines = (await next()).requests.map(({ id, key }) =>
      JSON.stringify({
        key,
        id,
        sentIn: '',
        how: 'now',
        model: 'm',
        text: id,
        calls: [],
        tokens: { input: 1, output: 1 },
      }),
    );
    writeFileSync(path, lines.join('\n'));
    deepEqual(await next(), { requests: [], unreadableLines: 0 });
    writeFileSync(path, lines.join('\n').slice(0, -9));
    const { requests, unreadableLines } = await next();
    deepEqual([requests.length, unreadableLines], [1, 1]);
  });

  it('send no request once they were canceled', async () => {
    const folder = await open();
    let calls = 0;
    const service = accountAt(origin, {
      call: () => {
        calls++;
        return Promise.reject(new Error('Called'));
      },
    });
    const run = new EvalRun(await planOf(questions('a', 'b')), folder, service, { prices });
    const [sent] = await folder.write(run.next(), { how: 'now', ...form });
    equal(await service.runNow(sent!, AbortSignal.abort()), 'stopped');
    equal(calls, 0);
    const leaving = new AbortController();
    const stoppable = accountAt(origin, {
      async *call() {
        calls++;
        leaving.abort();
        yield { choices: [{ index: 0, delta: { content: 'yes' }, finish_reason: 'stop' }] };
      },
    });
    equal(await stoppable.runNow(sent!, leaving.signal), 'stopped');
    // A request in progress is paid for, so its response is awaited.
    equal(calls, 1);
    const early = new AbortController();
    const opening = stoppable.runNow(sent!, early.signal);
    early.abort();
    equal(await opening, 'stopped');
    await folder.close();
  });

  it('wait for the requests of a batch until it has ended', async () => {
    const folder = await open();
    let state: SentState = { isOver: false, problem: 'The key is invalid' };
    const service = { origin, submit: async () => undefined, runNow: async () => undefined, look: async () => state };
    const run = new EvalRun(await planOf(questions('a')), folder, service, { prices });
    await folder.write(run.next(), { how: 'batch', ...form });
    const waiting = async () => {
      await run.refresh(signal);
      return [run.progress.waiting, run.progress.problems];
    };
    deepEqual(await waiting(), [1, ['The key is invalid']]);
    state = { isOver: true };
    deepEqual(await waiting(), [0, []]);
    await folder.close();
  });

  it('report why requests wait', async () => {
    const folder = await open();
    const texts = new Set<string | undefined>();
    const full = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
    const service = accountAt(origin, {
      async *call(_, { onWait }) {
        onWait({ reason: 'network', until: Date.now() + 60_000 });
        yield { choices: [{ index: 0, delta: { content: 'yes' }, finish_reason: 'stop' }] };
      },
      onState(state) {
        texts.add(delayText(state, Infinity, String));
        texts.add(delayText({ ...state, diskError: full }, 0, String));
        texts.add(delayText({ ...state, diskError: new Error('read-only') }, 0, String));
      },
    });
    const run = new EvalRun(await planOf(questions('a')), folder, service, { prices });
    const [sent] = await folder.write(run.next(), { how: 'now', ...form });
    equal(await service.runNow(sent!, signal), undefined);
    deepEqual(
      texts,
      new Set([
        undefined,
        'No connection. Retrying in 0:00',
        'Disk full. Responses will be saved when space is available.',
        "Responses can't be saved yet (Error: read-only)",
      ]),
    );
    await folder.close();
  });

  it('read responses that are longer than what is read at once', async () => {
    const folder = await open();
    const plan = await planOf(questions('a', 'b'));
    const keys = new EvalRun(plan, folder, accountAt(origin), { prices }).next().map(({ key }) => key);
    await folder.close();
    const text = '好'.repeat(100_000);
    const lines = keys.map((key) =>
      JSON.stringify({
        key,
        id: key,
        sentIn: 'requests-0001-now.jsonl',
        text,
        calls: [],
        tokens: { input: 1, output: 1 },
      }),
    );
    writeFileSync(temporary.in('x.eval/responses.jsonl'), lines.join('\n'));
    const viewed = await EvalRunFolder.view(temporary.in('x.eval'), origin);
    deepEqual(
      keys.map((key) => viewed.responseTo(key)?.text === text),
      [true, true],
    );
    equal(viewed.unreadableLines, 0);
  });

  it('lock their folder', async () => {
    const first = await open();
    await rejects(open(), HeldElsewhere);
    await first.close();
    await (await open()).close();
  });

  it('reject symbolic links in their folder, which could lead anywhere', async () => {
    mkdirSync(temporary.in('other'));
    symlinkSync(temporary.in('other'), temporary.in('x.eval'), 'junction');
    await rejects(open(), /x\.eval is a symbolic link/);
    mkdirSync(temporary.in('y.eval/results/a'), { recursive: true });
    symlinkSync(temporary.in('other'), temporary.in('y.eval/results/a/b'), 'junction');
    await rejects(EvalRunFolder.open(temporary.in('y.eval'), origin), /b is a symbolic link/);
    equal(existsSync(temporary.in('other/lock')), false);
  });

  it("send requests of a batch without a job only if it certainly wasn't submitted here, or on request", async () => {
    const next = async (by: Submitter, retriesFailed = false, at = origin) => {
      const folder = await open(at);
      const run = new EvalRun(await planOf(questions('a')), folder, accountAt(at, { by }), { prices, retriesFailed });
      await run.refresh(signal);
      const { elsewhere } = run.progress;
      const count = run.next().length;
      await folder.close();
      return [count, [...elsewhere.keys()].map((text) => /VS Code|command line|elsewhere/.exec(text)?.[0])];
    };
    const path = temporary.in('x.eval/requests-0001-batch.jsonl');
    const folder = await open();
    const run = new EvalRun(await planOf(questions('a')), folder, accountAt(origin), { prices });
    await folder.write(run.next(), { how: 'batch', ...form });
    await folder.close();
    deepEqual(
      [await next('window'), await next('commandLine')],
      [
        [1, []],
        [1, []],
      ],
    );
    for (const [state, by, atWindow, atCommandLine] of [
      ['submitting', 'window', [0, ['VS Code']], [0, ['VS Code']]],
      ['submitted', 'window', [0, ['VS Code']], [0, ['VS Code']]],
      ['submitting', 'commandLine', [0, ['command line']], [1, []]],
      ['submitted', 'commandLine', [0, ['command line']], [0, ['command line']]],
    ] as const) {
      await writeSubmission(path, { state, by, origin });
      deepEqual([await next('window'), await next('commandLine')], [atWindow, atCommandLine], `${state} ${by}`);
      equal((await next('window', true))[0], 1);
      deepEqual(await next('window', false, 'https://two.example'), [1, []]);
    }
    writeFileSync(path.replace(/l$/, ''), '{');
    deepEqual(await next('window'), [0, ['elsewhere']]);
  });

  it("store nothing of a batch that wasn't submitted, and find its job in a moved folder", async () => {
    const folder = await open();
    const jobs: BatchJob[] = [];
    const submission = ({ path }: { readonly path: string }) =>
      JSON.parse(readFileSync(path.replace(/l$/, ''), 'utf8')) as object;
    let during: object = {};
    const failing = accountAt(origin, { submit: () => Promise.reject(new Error('The limit is reached')) });
    const submitting = accountAt(origin, {
      jobs,
      submit: async ({ path }) => {
        // Whoever finds the run while the request is in flight must not submit it again.
        during = submission({ path });
        jobs.push({ id: 'j', baseUrl: origin, input: { path } } as BatchJob);
      },
    });
    const run = new EvalRun(await planOf(questions('a')), folder, failing, { prices });
    const requests = run.next();
    const [sent] = await folder.write(requests, { how: 'batch', ...form });
    await rejects(failing.submit(sent!, signal), /The limit is reached/);
    equal(existsSync(sent!.path), false);
    const [again] = await folder.write(requests, { how: 'batch', ...form });
    deepEqual(submission(again!), { version: 1, state: 'unsent' });
    await submitting.submit(again!, signal);
    deepEqual(
      [during, submission(again!)],
      [
        { version: 1, state: 'submitting', by: 'window', origin },
        { version: 1, state: 'submitted', by: 'window', origin, job: 'j' },
      ],
    );
    await folder.close();
    renameSync(temporary.in('x.eval'), temporary.in('y.eval'));
    const moved = await EvalRunFolder.open(temporary.in('y.eval'), origin);
    equal(submitting.jobOf(moved.sentFiles.at(-1)!)?.id, 'j');
    await moved.close();
  });

  it("don't accept another service's responses", async () => {
    const path = temporary.in('x.eval/requests-0001-batch.jsonl');
    const batch = { name: 'requests-0001-batch.jsonl', path, how: 'batch', keys: new Map() } as const;
    const jobs = [{ id: 'j', baseUrl: 'https://one.example/v1', input: { path } } as BatchJob];
    equal(accountAt('https://one.example/v1', { jobs }).jobOf(batch)?.id, 'j');
    equal(accountAt('https://two.example/v1', { jobs }).jobOf(batch), undefined);
    const now = { name: 'requests-0002-now.jsonl', path, how: 'now', keys: new Map() } as const;
    const [one, two] = await Promise.all(
      [accountAt('https://one.example/v1'), accountAt('https://two.example/v1')].map((service) => service.look(now)),
    );
    equal(one!.folder === two!.folder, false);
  });
});
