import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { chatCompletionChunk } from '../../../../../src/core/api/chatCompletions/chatCompletions.schema';
import type { LocalRun, LocalRunOptions } from '../../../../../src/core/batch/local/localRun';
import { findResults } from '../../../../../src/core/batch/local/resultFiles';
import { defaultSeverities } from '../../../../../src/core/batch/problem';
import { rulesOf } from '../../../../../src/core/profiles/vendorRules';
import { startRun } from '../../../../../src/core/batch/local/startRun';
import { inEach } from '../../../../../src/core/usage/dayTokens';
import type { DayTokens } from '../../../../../src/core/usage/dayTokens';
import { meteredClient } from '../../../../../src/core/usage/meteredClient';
import { createLocalCall } from '../../../../../src/core/usage/localCall';
import { createTestClient } from '../../../../support/apiClient';
import { localModel, localOptions, localRequest, resultsOf } from '../../../../support/localRuns';
import { setUpFolder } from '../../../../support/temporaryFolder';
import { until } from '../../../../support/until';
import type { TestDemo } from '../../../demo/demoService';
import { openDemo } from '../../../demo/demoService';

const inOrder = (a: string, b: string) => (a < b ? -1 : 1);

describe('a batch file run on this machine', () => {
  const files = setUpFolder();
  let demo: TestDemo;
  /** How long an answer is waited for: longer than a busy machine takes, but where one is to be given up. */
  let patienceMs = 0;
  beforeEach(async () => {
    demo = await openDemo();
    patienceMs = 20_000;
  });
  afterEach(() => demo.close());

  const write = (lines: readonly string[]) => {
    const input = files.in('requests.jsonl');
    writeFileSync(input, `${lines.join('\n')}\n`);
    return input;
  };
  /** Its time is its own: waiting takes none. */
  const start = async (input: string, more: Partial<LocalRunOptions> = {}) => {
    const { client, now, advance } = createTestClient(demo.baseUrl, {
      service: 'demo',
      apiKey: () => Promise.resolve(demo.apiKey),
      timers: { text: { firstByteMs: patienceMs, idleMs: patienceMs } },
    });
    const sleep = async (ms: number) => advance(ms);
    const common = await localOptions(files.in('run'), input);
    const call = createLocalCall(async (use) => meteredClient(client, inEach([]), use));
    return startRun({ ...common, call, clock: now, random: () => 0.5, sleep, ...more });
  };
  const run = async (input: string, more: Partial<LocalRunOptions> = {}) => (await start(input, more)).ended;
  const results = () => resultsOf(files.in('run'));
  const answeredIds = () =>
    results()
      .output.map(({ custom_id: id }) => String(id))
      .toSorted(inOrder);
  const arm = async (fault: string, times = 1) => {
    const { status } = await demo.control('arm', { fault, endpoint: 'POST /chat/completions', times });
    equal(status, 200);
  };
  const requests = async () => {
    const { body } = await demo.control('requests');
    return body['requests'] as unknown as readonly { readonly body: Readonly<Record<string, unknown>> }[];
  };
  const ids = (count: number) => Array.from({ length: count }, (_, index) => `r${index + 1}`);

  it('returns one result per request in the format of a batch, and sends the content of the lines', async () => {
    const lines = ids(9).map((id) => localRequest(id, `Say ${id}.`, { max_tokens: 50, top_k: 7 }));
    deepEqual(await run(write(lines)), { kind: 'finished' });
    const { output, errors } = results();
    deepEqual(errors, []);
    deepEqual(answeredIds(), ids(9));
    for (const { id, response, error } of output) {
      match(id, /^local_a1b2c3_\d$/);
      equal(error, null);
      equal(response?.status_code, 200);
      ok(chatCompletionChunk.safeParse(response?.body).success);
      equal(response?.body['object'], 'chat.completion');
      ok(String(response?.body.choices?.[0]?.message['content']).length > 0);
      equal(response?.body.choices?.[0]?.finish_reason, 'stop');
    }
    const sent = await requests();
    equal(sent.length, 9);
    deepEqual(sent[0]?.body['top_k'], 7);
    deepEqual(Object.keys(sent[0]?.body ?? {}).toSorted(inOrder), [
      'max_tokens',
      'messages',
      'model',
      'stream',
      'top_k',
    ]);
  });

  it('counts a truncated response as incomplete, also when the run is read again', async () => {
    const long = localRequest('a', 'Write a story about the sea.', { max_tokens: 3 });
    const running = await start(write([long, localRequest('b', 'Say b.', { max_tokens: 50 })]));
    await running.ended;
    deepEqual([running.state.answered, running.state.incomplete, running.state.failed], [2, 1, 0]);
    equal((await findResults(files.in('run'), { repair: false })).incomplete, 1);
  });

  it('sends lines without the method and URL that only a batch requires', async () => {
    const severities = { ...defaultSeverities, ...rulesOf('https://api.openai.com/v1').batch.severities };
    const isError: LocalRunOptions['isError'] = (code) => severities[code] === 'error';
    ok(isError('url.missing'));
    const { custom_id, body } = JSON.parse(localRequest('a')) as { readonly custom_id: string; readonly body: object };
    deepEqual(await run(write([JSON.stringify({ custom_id, body })]), { isError }), { kind: 'finished' });
    deepEqual([answeredIds(), results().errors], [['a'], []]);
  });

  it("sends only chats, whatever other endpoints the service's batches support", async () => {
    const { batch: rules } = rulesOf('https://gateway.example/v1');
    const isError: LocalRunOptions['isError'] = (code) =>
      ({ ...defaultSeverities, ...rules.severities })[code] === 'error';
    const other = localRequest('b').replace('/v1/chat/completions', '/v1/responses');
    deepEqual(await run(write([localRequest('a'), other]), { rules, isError }), { kind: 'finished' });
    const { errors } = results();
    deepEqual([answeredIds(), errors.map(({ custom_id: id }) => id)], [['a'], ['b']]);
    match(JSON.stringify(errors), /Only chat requests can run immediately/);
  });

  it('returns the same as a request without streaming: several choices, reasoning, tool calls', async () => {
    const tools = [
      {
        type: 'function',
        function: { name: 'weather', parameters: { type: 'object', properties: { city: { type: 'string' } } } },
      },
    ];
    const asked = { n: 2, seed: 3, tools, tool_choice: 'required' };
    await run(write([localRequest('a', 'What is the weather in Paris?', asked)]));
    const { body } = await demo.post('/chat/completions', {
      model: localModel,
      messages: [{ role: 'user', content: 'What is the weather in Paris?' }],
      ...asked,
    });
    const [result] = results().output;
    const came = JSON.parse(JSON.stringify(result?.response?.body ?? {})) as Record<string, unknown>;
    const direct = body as unknown as Record<string, unknown>;
    const plain = ({ id: _id, created: _created, ...rest }: Record<string, unknown>) =>
      JSON.parse(JSON.stringify(rest).replaceAll(/"call_[^"]+"/g, '"call"'));
    deepEqual(plain(came), plain(direct));
  });

  it('includes the probabilities of all streamed tokens', async () => {
    const piece = (token: string, finish_reason: string | null) => {
      const logprobs = { content: [{ token, logprob: -0.5 }], refusal: null };
      return { id: 'x', choices: [{ index: 0, delta: { content: token }, logprobs, finish_reason }] };
    };
    const call = async function* () {
      yield piece('Good', null);
      yield piece(' day', 'stop');
    };
    await run(write([localRequest('a')]), { call });
    match(JSON.stringify(results().output[0]), /"logprobs":\{"content":\[\{"token":"Good",[^}]+\},\{"token":" day",/);
  });

  it("uses the selected model instead of the lines' models", async () => {
    await run(write([localRequest('a'), localRequest('b')]), { model: 'Qwen/Qwen3-8B' });
    deepEqual(new Set((await requests()).map(({ body }) => body['model'])), new Set(['Qwen/Qwen3-8B']));
  });

  it('sends no invalid line, and lists each among the errors', async () => {
    const lines = [
      localRequest('a'),
      '{"custom_id":"broken"',
      localRequest('a', 'Another with the same id'),
      JSON.stringify({ custom_id: 'no-body', method: 'POST', url: '/v1/chat/completions' }),
      JSON.stringify({
        custom_id: 'no-model',
        method: 'POST',
        url: '/v1/chat/completions',
        body: { messages: [{ role: 'user', content: 'x' }] },
      }),
      '',
      localRequest('z'),
    ];
    deepEqual(await run(write(lines)), { kind: 'finished' });
    const { errors } = results();
    deepEqual(answeredIds(), ['a', 'z']);
    deepEqual(
      errors.map(({ id, custom_id: customId, error }) => [id.at(-1), customId, error?.code]),
      [
        ['2', null, 'line.not-json'],
        ['3', 'a', 'custom-id.duplicate'],
        ['4', 'no-body', 'body.missing'],
        ['5', 'no-model', 'model.missing'],
      ],
    );
    equal((await requests()).length, 2);
  });

  it("reports a rejection with the service's status and message", async () => {
    await arm('context-overflow-1');
    deepEqual(await run(write([localRequest('a')])), { kind: 'finished' });
    const [failed] = results().errors;
    equal(failed?.response?.status_code, 400);
    match(JSON.stringify(failed?.response?.body), /max_seq_len/);
    equal(failed?.error?.code, '20015');
  });

  for (const fault of [
    'rate-limit-rpm',
    'rate-limit-tpm-retry-after',
    'overloaded-50505',
    'rate-limit-rph',
    'rate-limit-long-wait',
  ]) {
    it(`waits and retries after ${fault}, with fewer concurrent requests`, async () => {
      await arm(fault, 7);
      const lines = ids(12).map((id) => localRequest(id));
      let least = 4;
      const running = await start(write(lines), {
        onChange: () => void (least = Math.min(least, running?.state.concurrency ?? 4)),
      });
      deepEqual(await running.ended, { kind: 'finished' });
      deepEqual(answeredIds(), ids(12).toSorted(inOrder));
      deepEqual(results().errors, []);
      ok(least < 4, `${least}`);
      equal((await requests()).length, 19);
    });
  }

  for (const fault of ['rate-limit-rpd', 'rate-limit-tpd']) {
    it(`stops at ${fault}, and sends the rest when it is started again`, async () => {
      await run(write(ids(3).map((id) => localRequest(id))));
      const more = write(ids(9).map((id) => localRequest(id)));
      await arm(fault, 9);
      const end = await run(more);
      equal(end.kind, 'dailyLimit');
      deepEqual(results().output.length, 3);
      deepEqual(results().errors, []);
      equal((await findResults(files.in('run'), { repair: false })).unanswered.size, 0);
      await demo.control('reset', {});
      deepEqual(await run(more), { kind: 'finished' });
      deepEqual(answeredIds(), ids(9));
    });
  }

  for (const fault of ['balance-402', 'balance-403', 'token-invalid', 'path-missing', 'redirect-elsewhere']) {
    it(`stops at ${fault} without a failed line`, async () => {
      await arm(fault, 100);
      const end = await run(write(ids(30).map((id) => localRequest(id))));
      equal(end.kind, 'refused');
      deepEqual(results(), { output: [], errors: [] });
      ok((await requests()).length <= 4);
    });
  }

  const unknown: readonly (readonly [string, string])[] = [
    ['cut-body', 'connection_lost_outcome_unknown'],
    ['cut-stream', 'connection_lost_outcome_unknown'],
    ['reset-before-headers', 'connection_lost_outcome_unknown'],
    ['reset-after-headers', 'connection_lost_outcome_unknown'],
    ['never-answers', 'timeout_outcome_unknown'],
    ['stall-stream', 'timeout_outcome_unknown'],
    ['server-60000', 'server_error'],
    ['timeout-504-text', 'server_error'],
    ['bare-error-line', 'server_error'],
    ['error-event', 'outcome_unknown'],
    ['html-200', 'outcome_unknown'],
  ];
  for (const [fault, code] of unknown) {
    it(`doesn't retry after ${fault}, because the outcome is unknown`, async () => {
      await arm(fault);
      if (code === 'timeout_outcome_unknown') patienceMs = 1500;
      const lines = ids(3).map((id) => localRequest(id, 'Explain what a rate limit is.'));
      deepEqual(await run(write(lines), { concurrency: () => 1 }), { kind: 'finished' });
      const { output, errors } = results();
      deepEqual(
        output.map(({ custom_id: id }) => id),
        ['r2', 'r3'],
      );
      deepEqual(
        errors.map(({ custom_id: id, error }) => [id, error?.code]),
        [['r1', code]],
      );
      equal((await requests()).length, 3);
      if (fault === 'cut-stream') match(JSON.stringify(errors[0]?.partial), /"content":"\w/);
    });
  }

  for (const fault of ['no-done', 'unknown-event', 'malformed-event', 'crlf', 'comments']) {
    it(`accepts the complete response despite ${fault}`, async () => {
      await arm(fault);
      deepEqual(await run(write([localRequest('a', 'Hello')])), { kind: 'finished' });
      const { body } = await demo.post('/chat/completions', {
        model: localModel,
        messages: [{ role: 'user', content: 'Hello' }],
      });
      const [result] = results().output;
      deepEqual(
        JSON.parse(JSON.stringify(result?.response?.body.choices)),
        JSON.parse(JSON.stringify(body['choices'])),
      );
    });
  }

  it('ends after consecutive requests fail in the same way', async () => {
    await arm('reset-after-headers', 1000);
    const end = await run(write(ids(60).map((id) => localRequest(id))), { concurrency: () => 1 });
    equal(end.kind, 'failing');
    equal((await requests()).length, 10);
    equal(results().errors.length, 10);
  });

  it('ends if no request is admitted, without failed lines', async () => {
    await arm('overloaded-50505', 10_000);
    const end = await run(write(ids(6).map((id) => localRequest(id))));
    equal(end.kind, 'unreachable');
    deepEqual(results(), { output: [], errors: [] });
  });

  it('pauses after the requests in progress, and sends no others until it resumes', async () => {
    await demo.control('pace', { pace: { firstTokenMs: 100 } });
    const running = await start(write(ids(8).map((id) => localRequest(id))), { concurrency: () => 2 });
    await until(() => (running.state.underWay === 2 ? true : undefined), 'two under way');
    running.pause();
    await until(() => (running.state.underWay === 0 ? true : undefined), 'none under way');
    deepEqual([running.state.phase, running.state.answered], ['paused', 2]);
    equal((await requests()).length, 2);
    running.resume();
    deepEqual(await running.ended, { kind: 'finished' });
    equal(results().output.length, 8);
  });

  it('stops after the requests in progress, and immediately when stopped again', async () => {
    await demo.control('pace', { pace: { firstTokenMs: 100 } });
    const input = write(ids(8).map((id) => localRequest(id)));
    const underWay = async (count: number) => {
      const running = await start(input, { concurrency: () => count });
      await until(() => (running.state.underWay === count ? true : undefined), 'all under way');
      running.stop();
      return running;
    };
    deepEqual(await (await underWay(3)).ended, { kind: 'stopped' });
    equal(results().output.length, 3);
    await demo.control('pace', { pace: { firstTokenMs: 60_000 } });
    const second: LocalRun = await underWay(2);
    second.stop();
    deepEqual(await second.ended, { kind: 'stopped' });
    deepEqual(
      await findResults(files.in('run'), { repair: false }).then(({ answered, failed, unanswered }) => [
        answered,
        failed,
        unanswered.size,
      ]),
      [3, 0, 2],
    );
    await demo.control('pace', { pace: 'instant' });
    deepEqual(await run(input), { kind: 'finished' });
    deepEqual(answeredIds(), ids(8));
  });

  it('stops immediately if it only waits for the end of a limit', async () => {
    await arm('rate-limit-long-wait');
    const endless = () => new Promise<void>(() => undefined);
    const running = await start(write([localRequest('a')]), { sleep: endless });
    const { reason, limit } = await until(() => running.state.wait, 'the wait');
    deepEqual([reason, limit], ['rateLimit', 'RPM']);
    running.stop();
    deepEqual(await running.ended, { kind: 'stopped' });
    deepEqual(results(), { output: [], errors: [] });
  });

  it("ends before a request that isn't allowed, and explains why", async () => {
    let left = 3;
    const why = new Error('enough');
    const mayGoOn = async () => {
      if (left-- === 0) throw why;
    };
    deepEqual(await run(write(ids(8).map((id) => localRequest(id))), { mayGoOn }), { kind: 'held', error: why });
    equal(results().output.length, 3);
  });

  it("holds responses that can't be written, sends no more in the meantime, and requests them again if that persists", async function () {
    if (!existsSync('/dev/full')) this.skip();
    await mkdir(files.in('run'));
    symlinkSync('/dev/full', files.in('run/output.jsonl'));
    const input = write(ids(12).map((id) => localRequest(id)));
    const running = await start(input, { sleep: async () => new Promise(() => undefined) });
    const full = () => (running.state.diskError === undefined ? undefined : running.state);
    equal(((await until(full, 'a full disk')).diskError as NodeJS.ErrnoException).code, 'ENOSPC');
    running.stop();
    deepEqual(await running.ended, { kind: 'stopped' });
    ok((await requests()).length <= 4);
    rmSync(files.in('run/output.jsonl'));
    deepEqual(await run(input), { kind: 'finished' });
    deepEqual(answeredIds(), ids(12).toSorted(inOrder));
  });

  it('ends at an error of its own, without failed lines', async () => {
    const fault = new Error('no client');
    const call = async function* () {
      yield { id: 'x', choices: [] };
      throw fault;
    };
    deepEqual(await run(write(ids(9).map((id) => localRequest(id))), { call }), { kind: 'broken', error: fault });
    deepEqual(results(), { output: [], errors: [] });
  });

  it('reports the usage as the service counts it', async () => {
    const running = await start(write(ids(3).map((id) => localRequest(id))));
    await running.ended;
    const counted = results().output.map(
      ({ response }) => (response?.body['usage'] as { total_tokens: number } | undefined)?.total_tokens ?? 0,
    );
    const { inputTokens, outputTokens, isEstimate } = running.state.usage;
    equal(
      inputTokens + outputTokens,
      counted.reduce((sum, one) => sum + one, 0),
    );
    equal(isEstimate, undefined);
  });

  it('is held once a budget is used, and resumes with the same lines afterwards', async () => {
    let left = 2;
    const tokens: DayTokens = {
      ...inEach([]),
      async check() {
        if (left-- > 0) return { release: () => undefined };
        throw Object.assign(new Error('used up'), { isBudgetRefusal: true });
      },
    };
    const { client } = createTestClient(demo.baseUrl, { apiKey: () => Promise.resolve(demo.apiKey) });
    const call = createLocalCall(async (use) => meteredClient(client, tokens, use));
    const input = write(ids(6).map((id) => localRequest(id)));
    const end = await run(input, { call });
    equal(end.kind, 'held');
    equal(end.kind === 'held' && String(end.error), 'Error: used up');
    equal(answeredIds().length, 2);
    deepEqual(results().errors, []);
    left = Infinity;
    deepEqual(await run(input, { call }), { kind: 'finished' });
    deepEqual(answeredIds(), ids(6).toSorted(inOrder));
    equal((await requests()).length, 6);
  });

  it('estimates the usage of a request if the service failed before any response', async () => {
    await arm('server-empty');
    const running = await start(write([localRequest('a', 'one two three')]));
    await running.ended;
    equal(results().errors.length, 1);
    deepEqual(running.state.usage, { inputTokens: 7, outputTokens: 0, isEstimate: true });
  });

  it('removes a truncated last line, and sends that request again', async () => {
    const input = write(ids(3).map((id) => localRequest(id)));
    await run(input, { concurrency: () => 1 });
    const output = files.in('run/output.jsonl');
    const whole = readFileSync(output, 'utf8');
    writeFileSync(output, whole.slice(0, -20));
    deepEqual(await run(input), { kind: 'finished' });
    deepEqual(
      results().output.map(({ custom_id: id }) => id),
      ['r1', 'r2', 'r3'],
    );
    equal((await requests()).length, 4);
  });
});
