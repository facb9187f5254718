import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { runEvalCommand } from '../../../src/cli/eval/runEvalCommand';
import { startFilledDemo } from '../../support/filledDemo';
import type { FilledDemo } from '../../support/filledDemo';
import { bundleProgram } from '../../support/programs';
import { setUpFolder } from '../../support/temporaryFolder';
import { until } from '../../support/until';

interface Summary {
  readonly cost?: number;
  readonly variants: readonly {
    readonly id: string;
    readonly passed: number;
    readonly failed: number;
    readonly missing: Record<string, number>;
  }[];
  readonly comparisons: readonly {
    readonly verdict: string;
    readonly gained: number;
    readonly lost: number;
    readonly regressions: readonly string[];
  }[];
}

type Baselines = Readonly<Record<string, { readonly rows: object }>>;

const rowCount = 40;
/** The demo service calculates if a question is nothing else; every third row of the second prompt asks for more. */
const config = `
prompts: ['What is {{a}} + {{b}}?', 'What is {{a}} + {{b}}{{more}}?']
providers: [openai:chat:deepseek-ai/DeepSeek-V3]
defaultTest: { assert: [{ type: contains, value: '{{sum}}' }] }
tests: file://rows.csv
`;
const rows = ['a,b,sum,more']
  .concat(
    Array.from(
      { length: rowCount },
      (_, index) => `${index + 3},${2 * index + 1},${3 * index + 4},${index % 3 === 0 ? ' as a poem' : ''}`,
    ),
  )
  .join('\n');

describe('evals on the command line', function () {
  this.timeout(120_000);
  const temporary = setUpFolder();
  let demo: FilledDemo;

  beforeEach(async () => {
    demo = await startFilledDemo({ pace: 'instant' });
    writeFileSync(temporary.in('e.yaml'), config);
    writeFileSync(temporary.in('rows.csv'), rows);
  });
  afterEach(() => demo.close());

  /** Sets how long new batches are queued. */
  const queueFor = (batchQueueMs: number) => demo.call('POST', '/_control/pace', { pace: { batchQueueMs } });

  const variables = () => ({
    INFERENCE_DESK_BASE_URL: demo.baseUrl,
    INFERENCE_DESK_API_KEY: demo.apiKey,
    INFERENCE_DESK_STATE: temporary.in('state'),
    INFERENCE_DESK_PRICES: '{"*":{"input":1,"output":2}}',
  });
  const runAsking = async (
    args: readonly string[],
    ask?: (question: string) => Promise<string>,
    more: Readonly<Record<string, string>> = {},
  ) => {
    let out = '';
    let err = '';
    const [command = '', ...flags] = args;
    const code = await runEvalCommand([command, temporary.in('e.yaml'), ...flags], {
      out: (text) => void (out += text),
      err: (text) => void (err += text),
      ...(ask && { ask }),
      variables: { ...variables(), ...more },
      language: 'en',
    });
    return { code, out, err };
  };
  const run = (...args: readonly string[]) => runAsking([...args, '--yes']);
  const jobFile = () => {
    const name = readdirSync(temporary.in('e.eval/jobs')).find((one) => one.endsWith('.json'))!;
    return temporary.in(`e.eval/jobs/${name}`);
  };
  const editJob = (edit: (job: Record<string, unknown>) => Record<string, unknown>) => {
    const job = edit(JSON.parse(readFileSync(jobFile(), 'utf8')) as Record<string, unknown>);
    rmSync(jobFile());
    writeFileSync(temporary.in(`e.eval/jobs/${String(job['id'])}.json`), JSON.stringify(job));
  };
  const summary = () => JSON.parse(readFileSync(temporary.in('e.eval/summary.json'), 'utf8')) as Summary;
  const chats = async () =>
    (await demo.requests()).filter(({ method, path: at }) => method === 'POST' && at.endsWith('/chat/completions'));
  const batches = async () =>
    (await demo.requests()).filter(({ method, path: at }) => method === 'POST' && at.endsWith('/batches'));

  it('finds a planted regression, sends each request once, and pays only for what changes', async () => {
    const { code, out } = await run('run', '--junit', temporary.in('j.xml'), '--markdown', temporary.in('r.md'));
    equal(code, 0);
    const { variants, comparisons, cost } = summary();
    deepEqual(
      variants.map(({ passed, failed }) => [passed, failed]),
      [
        [40, 0],
        [26, 14],
      ],
    );
    deepEqual(
      comparisons.map(({ verdict, gained, lost }) => [verdict, gained, lost]),
      [['worse', 0, 14]],
    );
    equal(comparisons[0]!.regressions.length, 14);
    ok(cost! > 0);
    match(
      out,
      /^\*\*Worse\*\*: .*Difference: -35 points \(95%: -50 to -20\), p < 0\.001\. Rows: 40, better: 0, worse: 14\n/,
    );
    equal(readFileSync(temporary.in('r.md'), 'utf8'), out);
    const junit = readFileSync(temporary.in('j.xml'), 'utf8');
    equal(junit.match(/<failure /g)?.length, 14);
    // Both prompts are the same request in 26 rows, which is sent once.
    equal((await chats()).length, 54);
    await run('run');
    equal((await chats()).length, 54);
    writeFileSync(temporary.in('e.yaml'), config.replace('{{more}}?', '{{more}}!'));
    await run('run');
    equal((await chats()).length, 94);
    equal((await run('gate')).code, 1);
  });

  it('submits batches, collects them in another process, and gates by the baseline', async () => {
    equal((await run('gate')).code, 3);
    equal((await run('collect')).code, 3);
    deepEqual([(await chats()).length, (await batches()).length], [0, 0]);
    const submitted = await run('submit');
    equal(submitted.code, 0);
    match(submitted.out, /^Responses: \d+ of 80, waiting: \d+, failed: 0\n/);
    equal((await batches()).length, 1);
    await run('submit');
    const { code } = await run('collect', '--wait');
    equal(code, 0);
    deepEqual([(await chats()).length, (await batches()).length], [0, 1]);
    equal(summary().comparisons[0]!.verdict, 'worse');
    const [first, second] = summary().variants;
    equal((await run('gate', '--accept', '--variant', first!.id)).code, 0);
    const accepted = () =>
      (JSON.parse(readFileSync(temporary.in('baseline.json'), 'utf8')) as { readonly evals: Baselines }).evals;
    equal(Object.keys(accepted()['e.yaml']!.rows).length, 40);
    equal((await run('gate', '--variant', second!.id)).code, 1);
    // The same answers again: no row is lost, but with 40 rows up to 8.8 points might be.
    equal((await run('gate', '--variant', first!.id)).code, 2);
    equal((await run('gate', '--variant', first!.id, '--margin', '10')).code, 0);
    equal((await run('gate', '--variant', 'nobody')).code, 3);
    writeFileSync(temporary.in('rows.csv'), rows.replaceAll(/^(\d+),/gm, '9$1,'));
    await run('run');
    const other = await run('gate');
    equal(other.code, 3);
    match(other.err, /Rows found in the baseline: 0 of 40/);
    writeFileSync(temporary.in('baseline.json'), '{"rows":{"a":7}}');
    match((await run('gate')).err, /baseline\.json isn't a baseline\. Accept a new one with --accept\./);
    equal((await run('gate', '--accept')).code, 0);
    equal((await run('gate', '--variant', first!.id, '--margin', '10')).code, 0);
  });

  for (const how of ['run', 'submit'])
    it(`sends nothing with ${how} that would exceed the spending cap, and explains why`, async () => {
      const { code, out, err } = await runAsking([how, '--yes'], undefined, {
        INFERENCE_DESK_DAILY_SPENDING: '0.5',
        INFERENCE_DESK_PRICES: '{"*":{"input":1,"output":2,"request":1.2}}',
      });
      ok(code !== 0);
      match(`${out}${err}`, /spending cap/);
      deepEqual([await chats(), await batches()], [[], []]);
    });

  it('shows the price before any request, and asks for confirmation unless every response exists', async () => {
    const silent = await runAsking(['run']);
    equal(silent.code, 3);
    match(
      silent.err,
      /^Requests to send: 54\. Price: about 0\.0\d+\.\nThese requests were not sent\. .* add --yes\.\n/,
    );
    equal((await runAsking(['submit'])).code, 3);
    const questions: string[] = [];
    const answering = (answer: string) => (question: string) => {
      questions.push(question);
      return Promise.resolve(answer);
    };
    equal((await runAsking(['run'], answering('no'))).code, 3);
    deepEqual([(await chats()).length, (await batches()).length], [0, 0]);
    equal((await runAsking(['run'], answering('yes'))).code, 0);
    equal((await runAsking(['run'], answering('no'))).code, 0);
    deepEqual(questions, ['Send these requests? Type yes or no: ', 'Send these requests? Type yes or no: ']);
    equal((await chats()).length, 54);
  });

  it('includes model grades in the price, and requests none without consent', async () => {
    writeFileSync(
      temporary.in('e.yaml'),
      config.replace(`[{ type: contains, value: '{{sum}}' }]`, `[{ type: llm-rubric, value: is right }]`),
    );
    const judge = ['--judge', 'deepseek-ai/DeepSeek-V3', '--limit', '2'];
    const { code, err } = await runAsking(['run', ...judge]);
    equal(code, 3);
    match(err, /Price: about 0\.00\d+\.\nModel grades: about 0\.00\d+\n/);
    equal((await run('run', '--limit', '2')).code, 0);
    const before = (await chats()).length;
    const unasked = await runAsking(['collect', ...judge]);
    equal(unasked.code, 3);
    match(unasked.err, /Requests to send: 3\. Price: about 0\.000\d+\.\nThese requests were not sent/);
    deepEqual([(await chats()).length, (await batches()).length], [before, 0]);
  });

  it('ends with the next step if the service has no batch, and resubmits only on request', async () => {
    await queueFor(600_000);
    await run('submit');
    // As after a crash whose request never arrived: the batch that exists has another mark.
    editJob((job) => ({
      ...job,
      id: 'lost',
      stage: 'unknown',
      looks: 4,
      triedAt: 0,
      batch: undefined,
      inputFileId: undefined,
    }));
    const lost = await run('collect', '--wait');
    equal(lost.code, 3);
    match(lost.err, /The service doesn't list the batch for requests-0001-batch\.jsonl\. .* add --retry\.\n/);
    equal((await batches()).length, 1);
    equal((await runAsking(['collect', '--wait', '--retry'])).code, 3);
    equal((await batches()).length, 1);
    await queueFor(0);
    equal((await run('collect', '--wait', '--retry')).code, 0);
    equal((await batches()).length, 2);
    equal(summary().comparisons[0]!.verdict, 'worse');
  });

  it('asks for the price of each resubmitted batch, whatever the other answers', async () => {
    await queueFor(600_000);
    await run('submit', '--limit', '2');
    editJob((job) => ({
      ...job,
      id: 'lost',
      stage: 'unknown',
      looks: 4,
      triedAt: 0,
      batch: undefined,
      inputFileId: undefined,
    }));
    const answers = ['yes', 'no'];
    const { code, err } = await runAsking(['submit', '--retry'], () => Promise.resolve(answers.shift()!));
    equal(code, 3);
    const [again, rest] = [...err.matchAll(/Requests to send: (\d+)\. Price: about 0\.0\d+\./g)].map(
      ([, count]) => count,
    );
    deepEqual([again, rest, answers], ['3', '51', []]);
    equal((await batches()).length, 2);
  });

  it('submits a batch without a local job only on request', async () => {
    await queueFor(600_000);
    await run('submit');
    renameSync(temporary.in('e.eval/jobs'), temporary.in('jobs'));
    for (const command of ['submit', 'collect', 'run']) {
      const { code, err } = await run(command);
      equal(code, 3, command);
      match(err, /Requests without results: 54\. The command line may have submitted a batch for this run, /);
    }
    const asked = await runAsking(['submit', '--retry']);
    equal(asked.code, 3);
    match(asked.err, /may be charged twice\.\nRequests to send: 54\. Price: about 0\.0\d+\.\nThese requests were not/);
    deepEqual([(await chats()).length, (await batches()).length], [0, 1]);
    await queueFor(0);
    equal((await run('submit', '--retry')).code, 0);
    equal((await batches()).length, 2);
    equal((await run('collect', '--wait')).code, 0);
    equal(summary().comparisons[0]!.verdict, 'worse');
  });

  it('waits for an earlier batch without constant polling', async () => {
    await demo.close();
    demo = await startFilledDemo({ pace: { firstTokenMs: 0, tokenMs: 0, batchQueueMs: 2000, batchLineMs: 0 } });
    await run('submit');
    equal((await run('run', '--wait')).code, 0);
    const looks = (await demo.requests()).filter(
      ({ method, path: at }) => method === 'GET' && at.includes('/batches/'),
    );
    ok(looks.length < 20, `${looks.length} looks`);
    equal((await chats()).length, 0);
  });

  it('keeps the baseline if the accepted variant has no scores', async () => {
    const judged = config.replace(`[{ type: contains, value: '{{sum}}' }]`, `[{ type: llm-rubric, value: is right }]`);
    writeFileSync(temporary.in('e.yaml'), judged);
    writeFileSync(temporary.in('baseline.json'), '{"rows":{}}');
    await run('run', '--limit', '2');
    const { code, err } = await run('gate', '--limit', '2', '--accept');
    equal(code, 3);
    match(err, / has no scores, so it can't be the baseline\. Add --judge to grade the responses\.\n/);
    equal(readFileSync(temporary.in('baseline.json'), 'utf8'), '{"rows":{}}');
  });

  it('reads and writes only in its run folder, whatever its jobs name, and handles a moved folder', async () => {
    await run('submit');
    renameSync(temporary.in('e.eval'), temporary.in('moved.eval'));
    equal((await run('collect', '--wait', '--folder', temporary.in('moved.eval'))).code, 0);
    equal((await batches()).length, 1);
    renameSync(temporary.in('moved.eval'), temporary.in('e.eval'));
    for (const member of ['sent', 'prepared', 'folder', 'realFolder', 'input']) {
      const before = readFileSync(jobFile(), 'utf8');
      const outside = temporary.in('other/secret');
      editJob((job) => ({
        ...job,
        [member]: member === 'input' ? { ...(job['input'] as object), path: outside } : outside,
      }));
      const { code, err } = await run('collect');
      equal(code, 3, member);
      match(err, /\.json contains a path outside of its run folder\. Delete the file\.\n/);
      writeFileSync(jobFile(), before);
    }
    editJob((job) => ({ ...job, stage: 'queued', parts: [], part: 0 }));
    const { code, err } = await runAsking(['collect']);
    equal(code, 3);
    match(err, /^Unfinished batch submissions: 1\nRequests to send: 54\. Price: about 0\.0\d+\.\n/);
    equal((await batches()).length, 1);
  });

  it('includes the verdicts of a judge, and costs by the prices of the account or the file', async () => {
    const graders = `[{ type: llm-rubric, value: is right }, { type: cost, threshold: 1 }]`;
    const judged = config.replace(`[{ type: contains, value: '{{sum}}' }]`, graders);
    writeFileSync(temporary.in('e.yaml'), judged);
    const args = ['run', '--judge', 'deepseek-ai/DeepSeek-V3', '--limit', '5', '--yes'];
    equal((await runAsking(args)).code, 0);
    const counts = () => summary().variants.map(({ passed, failed, missing }) => [passed, failed, missing]);
    deepEqual(counts(), [
      [5, 0, {}],
      [3, 2, {}],
    ]);
    const { cost } = summary();
    const noPrices = { INFERENCE_DESK_PRICES: '{}' };
    const unknown = await runAsking(args, undefined, noPrices);
    equal(unknown.code, 0);
    match(unknown.out, /unknown cost/);
    equal(summary().cost, undefined);
    deepEqual(counts()[0], [0, 0, { noCost: 5 }]);
    const provider = '{ id: openai:chat:deepseek-ai/DeepSeek-V3, config: { inputCost: 0.000001, cost: 0.000002 } }';
    writeFileSync(temporary.in('e.yaml'), judged.replace('openai:chat:deepseek-ai/DeepSeek-V3', provider));
    equal((await runAsking(args, undefined, noPrices)).code, 0);
    equal(summary().cost, cost);
    // A file can't make paid requests look free.
    const free = provider.replaceAll(/0\.00000\d/g, '0');
    writeFileSync(temporary.in('e.yaml'), judged.replace('openai:chat:deepseek-ai/DeepSeek-V3', free));
    const asked = await runAsking(['run', '--limit', '6'], undefined, noPrices);
    equal(asked.code, 3);
    match(asked.err, /Requests to send: 1\. Price: free\.\nThese requests were not sent/);
  });

  it('waits for responses and then for their grades, each of which is a batch', async () => {
    await demo.close();
    demo = await startFilledDemo({ pace: { firstTokenMs: 0, tokenMs: 0, batchQueueMs: 1500, batchLineMs: 0 } });
    const judged = config.replace(`[{ type: contains, value: '{{sum}}' }]`, `[{ type: llm-rubric, value: is right }]`);
    writeFileSync(temporary.in('e.yaml'), judged);
    const args = ['--limit', '3', '--judge', 'deepseek-ai/DeepSeek-V3'];
    equal((await run('submit', ...args)).code, 0);
    equal((await run('collect', '--wait', ...args)).code, 0);
    deepEqual([(await chats()).length, (await batches()).length], [0, 2]);
    equal(summary().variants[0]!.passed, 3);
  });

  it('counts unreadable verdicts and failed requests as missing, not as failed', async () => {
    const rubric = `{ type: label_model, value: is right }`;
    writeFileSync(temporary.in('e.yaml'), config.replace(`{ type: contains, value: '{{sum}}' }`, rubric));
    const { code, out } = await run('run', '--judge', 'deepseek-ai/DeepSeek-V3', '--limit', '5');
    equal(code, 0);
    for (const { passed, failed, missing } of summary().variants)
      deepEqual([passed, failed, missing], [0, 0, { unreadableVerdict: 5 }]);
    match(out, /5 unreadable verdict/);
    equal((await run('gate', '--limit', '5', '--judge', 'deepseek-ai/DeepSeek-V3')).code, 2);
  });

  it('sends the key only to its own origin, whatever a config says', async () => {
    writeFileSync(
      temporary.in('e.yaml'),
      `prompts: ['{{q}} {{env.INFERENCE_DESK_API_KEY}} {{ process.env.HOME }}']
providers: [{ id: 'openai:chat:deepseek-ai/DeepSeek-V3', config: { apiBaseUrl: 'http://127.0.0.1:9/v1', apiKey: '{{env.X}}' } }]
tests: [{ vars: { q: What is 1 + 1? }, assert: [{ type: contains, value: '2' }] }]`,
    );
    equal((await run('run')).code, 0);
    const [request, ...others] = await chats();
    equal(others.length, 0);
    deepEqual(request!.body['messages'], [{ role: 'user', content: 'What is 1 + 1?  ' }]);
    equal(summary().variants[0]!.passed, 1);
  });

  it('names missing environment variables', async () => {
    let err = '';
    const code = await runEvalCommand(['run', temporary.in('e.yaml')], {
      out: () => undefined,
      err: (text) => void (err += text),
      variables: {},
      language: 'en',
    });
    equal(code, 3);
    match(err, /INFERENCE_DESK_BASE_URL: Missing/);
  });

  describe('after kill -9', () => {
    let program: string;
    before(async () => {
      program = await bundleProgram('src/cli/eval.ts');
    });

    const start = (command: string) =>
      spawn(process.execPath, [program, command, temporary.in('e.yaml'), '--yes'], {
        env: { PATH: process.env['PATH'], ...variables() },
        stdio: 'ignore',
      });

    it('counts each request once, and never resends one that may have been charged', async () => {
      await demo.close();
      demo = await startFilledDemo({ pace: { firstTokenMs: 150, tokenMs: 1, batchQueueMs: 0, batchLineMs: 0 } });
      const child = start('run');
      await until(async () => (await chats()).length >= 10 || undefined, 'ten requests');
      child.kill('SIGKILL');
      await once(child, 'exit');
      const before = (await chats()).length;
      ok(before < 54, `only ${before} of 54 were sent`);
      const { code } = await run('run');
      const { variants } = summary();
      const lost = variants.reduce((sum, { missing }) => sum + (missing['noResponse'] ?? 0), 0);
      // Some that were under way may not have reached the service yet.
      const sent = (await chats()).map(({ body }) => JSON.stringify(body));
      ok(sent.length <= 54 && sent.length >= 54 - lost, `${sent.length} of 54 were sent`);
      equal(new Set(sent).size, sent.length);
      ok(lost <= 16, `at most those under way were lost: ${lost}`);
      equal(code, lost === 0 ? 0 : 3);
      equal(
        variants.reduce((sum, { passed, failed }) => sum + passed + failed, lost),
        80,
      );
      equal((await run('run', '--retry')).code, 0);
      deepEqual(
        summary().variants.map(({ passed, failed }) => [passed, failed]),
        [
          [40, 0],
          [26, 14],
        ],
      );
    });

    it('sends only the remaining requests', async () => {
      await demo.close();
      demo = await startFilledDemo({ pace: { firstTokenMs: 150, tokenMs: 1, batchQueueMs: 0, batchLineMs: 0 } });
      const child = start('run');
      await until(async () => (await chats()).length >= 5 || undefined, 'five requests');
      child.kill('SIGKILL');
      await once(child, 'exit');
      // Requests of the killed program may still arrive at the service, so another one takes its place.
      const { port, apiKey } = demo;
      await demo.close();
      demo = await startFilledDemo({ pace: 'instant', port, apiKey });
      await run('run', '--limit', '1');
      const { length } = await chats();
      ok(length <= 2, `${length} were sent`);
    });

    it('creates one batch, whenever the submitting program is killed', async () => {
      for (const [index, isEnough] of [
        () => existsSync(temporary.in('e.eval/requests-0001-batch.jsonl')),
        () =>
          existsSync(temporary.in('e.eval/jobs')) &&
          readdirSync(temporary.in('e.eval/jobs')).some((name) => name.endsWith('.json')),
        async () => (await demo.requests()).some(({ path: at }) => at.endsWith('/files')),
        async () => (await batches()).length > 0,
      ].entries()) {
        // Until a batch exists, the program is killed in the upload. In the middle of creating one, only the service knows what it made of that.
        if (index < 3)
          await demo.call('POST', '/_control/arm', {
            fault: 'slow-first-byte',
            endpoint: 'POST /files',
            delayMs: 3000,
          });
        const child = start('submit');
        await Promise.race([until(async () => (await isEnough()) || undefined, 'a step'), once(child, 'exit')]);
        const ended = child.exitCode === null ? once(child, 'exit') : undefined;
        child.kill('SIGKILL');
        await ended;
        const before = (await batches()).length;
        await run('submit');
        equal((await run('collect', '--wait')).code, 0, `after ${index}`);
        equal((await batches()).length, index + 1, `after ${index}, ${before} before`);
        deepEqual(
          summary().variants.map(({ passed, failed }) => [passed, failed]),
          [
            [40, 0],
            [26, 14],
          ],
        );
        rmSync(temporary.in('e.eval'), { recursive: true });
        rmSync(path.join(temporary.in('state')), { recursive: true, force: true });
      }
    });
  });
});
