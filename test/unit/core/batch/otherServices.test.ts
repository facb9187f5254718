import { deepEqual, equal, ok } from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { toBatchLine } from '../../../../src/core/api/chat/toChatCompletion';
import { completionsAt } from '../../../../src/core/batch/assist/complete';
import { checkFile } from '../../../../src/core/batch/disk/checkFile';
import { convertLines } from '../../../../src/core/batch/fixes/foreign/convertLines';
import { publicService } from '../../../../src/core/batch/fixes/strategy';
import { createBatchIndex } from '../../../../src/core/batch/index/batchIndex';
import { compileRecipe } from '../../../../src/core/batch/making/recipe';
import type { LineProblem } from '../../../../src/core/batch/problem';
import { readLine } from '../../../../src/core/batch/readLine';
import { inWay, writtenWayOf } from '../../../../src/core/batch/writtenWay';
import { publicHosts } from '../../../../src/core/profiles/publicHosts';
import { rulesOf } from '../../../../src/core/profiles/vendorRules';
import type { BatchRules } from '../../../../src/core/batch/services/batchRules';
import { setUpFolder } from '../../../support/temporaryFolder';

const openAi = 'https://api.openai.com/v1';
const gateway = 'https://gateway.example/v1';
const serviceAt = (baseUrl: string) => ({ rules: rulesOf(baseUrl).batch, way: writtenWayOf(baseUrl) });
const messages = [{ role: 'user', content: 'Hi' }];
const lineOf = (body: object, url = '/v1/chat/completions', id = 'a') =>
  JSON.stringify({ custom_id: id, method: 'POST', url, body });
const codesAt = (baseUrl: string, text: string) =>
  readLine(text, rulesOf(baseUrl).batch).problems.map(({ code }) => code);

describe('a batch file for another service', () => {
  const folder = setUpFolder();
  const facts = { hasBom: false, hasCrlf: false };
  const inEditor = (text: string, rules: BatchRules) => {
    const index = createBatchIndex(() => rules);
    index.replace(0, 0, text.split('\n'));
    return [...index.problems(facts)];
  };
  const onDisk = async (text: string, rules: BatchRules) => {
    const path = folder.in('requests.jsonl');
    writeFileSync(path, text);
    const problems: LineProblem[] = [];
    await checkFile(path, { rules, onProblem: (problem) => problems.push(problem) });
    return problems;
  };
  const both = async (text: string, rules: BatchRules) => {
    const found = inEditor(text, rules);
    deepEqual(await onDisk(text, rules), found);
    return found.map(({ code, line, message }) => [code, line, message]);
  };
  const manyLines = (count: number) =>
    Array.from({ length: count }, (_, at) => `${lineOf({ model: 'm', messages }, undefined, `r${at}`)}\n`).join('');

  it("is limited to the service's number of requests", async () => {
    const text = manyLines(50_001);
    const message = (most: string) => `The file has more than ${most} requests, which is all the service takes.`;
    const [[code, line, said] = []] = await both(text, rulesOf(openAi).batch);
    deepEqual([code, line], ['file.too-many-requests', 50_000]);
    ok(String(said).includes('50,000'), message(String(said)));
    deepEqual(await both(text, rulesOf(gateway).batch), []);
    const [[vendorCode, vendorLine] = []] = await both(text, rulesOf(publicHosts.international).batch);
    deepEqual([vendorCode, vendorLine], ['file.too-many-requests', 5000]);
  }).timeout(60_000);

  it("is limited to the service's number of bytes", async () => {
    equal(rulesOf(openAi).batch.bytes, 200_000_000);
    equal(rulesOf(gateway).batch.bytes, undefined);
    const [[code, , said] = []] = await both(manyLines(3), { ...rulesOf(openAi).batch, bytes: 100 });
    equal(code, 'file.too-large');
    const index = createBatchIndex(() => rulesOf(openAi).batch);
    index.replace(0, 0, [lineOf({ model: 'm', messages: [{ role: 'user', content: 'x'.repeat(200_000_000) }] }), '']);
    const [large] = [...index.problems(facts)];
    ok(large?.message.includes('200 MB'), `${large?.message} ${String(said)}`);
  }).timeout(60_000);

  it('is limited to one model only if the service requires that', () => {
    const { severities } = rulesOf(openAi).batch;
    deepEqual(
      ['model.mixed', 'file.too-many-requests', 'file.too-large'].map(
        (code) => severities[code as 'model.mixed'] ?? 'error',
      ),
      ['error', 'error', 'error'],
    );
    equal(rulesOf(gateway).batch.severities['model.mixed'], 'warning');
  });

  it("can use endpoints other than chat if the service's batches support them", () => {
    for (const [url, body] of [
      ['/v1/embeddings', { model: 'text-embedding-3-small', input: 'Hi' }],
      ['/v1/responses', { model: 'o4-mini', input: 'Hi', max_output_tokens: 50 }],
      ['/v1/completions', { model: 'gpt-3.5-turbo-instruct', prompt: 'Hi' }],
    ] as const) {
      deepEqual(codesAt(openAi, lineOf(body, url)), [], url);
      deepEqual(codesAt(gateway, lineOf(body, url)), [], url);
      for (const baseUrl of [publicHosts.china, 'https://api.groq.com/openai/v1']) {
        ok(codesAt(baseUrl, lineOf(body, url)).includes('url.unknown'), `${url} at ${baseUrl}`);
      }
    }
    deepEqual(codesAt(openAi, lineOf({ input: 'Hi' }, '/v1/embeddings')), ['model.missing']);
    deepEqual(codesAt(openAi, lineOf({ model: 'm', messages }, '/v1/chat/completion')), ['url.unknown']);
  });

  it('has the properties and roles of that service', () => {
    const own = { max_completion_tokens: 50, reasoning_effort: 'low', store: false, metadata: { a: 'b' } };
    deepEqual(codesAt(openAi, lineOf({ model: 'o4-mini', messages, ...own })), []);
    const others = { enable_thinking: false, top_k: 5, min_p: 0.1, thinking_budget: 200 };
    deepEqual(
      codesAt(openAi, lineOf({ model: 'm', messages, ...others })),
      Object.keys(others).map(() => 'body.unknown-member'),
    );
    deepEqual(codesAt(publicHosts.china, lineOf({ model: 'm', messages, ...others })), []);
    const developer = [{ role: 'developer', content: 'Be short.' }, ...messages];
    deepEqual(codesAt(openAi, lineOf({ model: 'm', messages: developer })), []);
    deepEqual(codesAt(gateway, lineOf({ model: 'm', messages: developer })), ['message.unknown-role']);
  });
});

describe('suggestions in a batch file for another service', () => {
  const suggested = (baseUrl: string, text: string) =>
    completionsAt({ text, offset: text.indexOf('|'), models: [], rules: rulesOf(baseUrl).batch }).map(
      ({ label }) => label,
    );

  it('are its properties and endpoints', () => {
    const body = '{"custom_id":"a","body":{"model":"m",|}}';
    const [atOpenAi, atVendor] = [suggested(openAi, body), suggested(publicHosts.china, body)];
    const names = ['max_completion_tokens', 'reasoning_effort', 'top_k', 'enable_thinking', 'temperature'];
    deepEqual(
      names.map((name) => atOpenAi.includes(name)),
      [true, true, false, false, true],
    );
    deepEqual(
      names.map((name) => atVendor.includes(name)),
      [false, false, true, true, true],
    );
    const url = '{"custom_id":"a","url":|}';
    deepEqual(suggested(publicHosts.china, url), ['/v1/chat/completions']);
    deepEqual(suggested(openAi, url).slice(0, 4), [
      '/v1/chat/completions',
      '/v1/responses',
      '/v1/completions',
      '/v1/embeddings',
    ]);
  });
});

describe('lines of a batch file for another service', () => {
  const recipe = {
    prompt: 'Translate {{word}}',
    system: '',
    model: 'o4-mini',
    customId: 'row-{n}',
    maxTokens: 50,
    others: { top_k: 20, enable_thinking: true, thinking_budget: 500, stop: ['.'] },
  };
  const madeAt = (baseUrl: string) => {
    const { line } = compileRecipe(recipe, ['word'], writtenWayOf(baseUrl))(['cat'], 1);
    return (JSON.parse(line) as { readonly body: object }).body;
  };
  const start = { model: 'o4-mini', messages: [{ role: 'user', content: 'Translate cat' }] };

  it('created from rows have its properties', () => {
    deepEqual(madeAt(openAi), { ...start, max_completion_tokens: 50, stop: ['.'] });
    deepEqual(madeAt('https://openrouter.ai/api/v1'), {
      ...start,
      max_tokens: 50,
      top_k: 20,
      stop: ['.'],
      reasoning: { max_tokens: 500 },
    });
    deepEqual(madeAt('http://localhost:8000/v1'), {
      ...start,
      max_tokens: 50,
      top_k: 20,
      stop: ['.'],
      chat_template_kwargs: { enable_thinking: true },
    });
    for (const baseUrl of [publicHosts.china, gateway]) {
      deepEqual(madeAt(baseUrl), { ...start, max_tokens: 50, ...recipe.others });
    }
  });

  it('created from a chat have its properties', () => {
    const request = {
      model: 'o4-mini',
      messages: [{ role: 'user' as const, content: 'Hi' }],
      max_tokens: 50,
      top_k: 20,
      thinking: { type: 'enabled' as const, budget_tokens: 500 },
    };
    const line = toBatchLine(request, 'chat-1', writtenWayOf(openAi));
    equal(line, lineOf({ model: 'o4-mini', messages, max_completion_tokens: 50 }, undefined, 'chat-1'));
    deepEqual(codesAt(openAi, line), []);
    equal(toBatchLine(request, 'chat-1', writtenWayOf(publicHosts.china)), toBatchLine(request, 'chat-1'));
    equal(toBatchLine(request, 'chat-1', writtenWayOf(undefined)), toBatchLine(request, 'chat-1'));
  });

  const converted = (baseUrl: string, ...texts: readonly string[]) => {
    const work = convertLines({ lineCount: texts.length, line: (at) => texts[at] }, 'o4-mini', serviceAt(baseUrl));
    for (;;) {
      const step = work.next();
      if (!step.done) continue;
      const { changes, leftOut } = step.value;
      return { lines: changes.flatMap(({ added }) => added), leftOut: Object.fromEntries(leftOut) };
    }
  };

  it('are converted to its properties, and parts without an equivalent are reported', () => {
    // A line of Anthropic's Message Batches
    const thought = { type: 'thinking', thinking: 'hm', signature: 's' };
    const call = { type: 'tool_use', id: 'c', name: 'f', input: {} };
    const result = { type: 'tool_result', tool_use_id: 'c', content: 'ok' };
    const params = {
      model: 'claude-haiku-4-5',
      max_tokens: 50,
      top_k: 5,
      messages: [...messages, { role: 'assistant', content: [thought, call] }, { role: 'user', content: [result] }],
    };
    const { lines, leftOut } = converted(openAi, JSON.stringify({ custom_id: 'a', params }));
    deepEqual(leftOut, { top_k: 1, reasoning_content: 1 });
    const [line = ''] = lines;
    // OpenAI takes that, too, which the rules say of no service.
    deepEqual(codesAt(openAi, line), ['messages.last-not-user']);
    deepEqual((JSON.parse(line) as { readonly body: object }).body, {
      model: 'claude-haiku-4-5',
      messages: [
        ...messages,
        {
          role: 'assistant',
          content: '',
          tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }],
        },
        { role: 'tool', content: 'ok', tool_call_id: 'c' },
      ],
      max_completion_tokens: 50,
    });
    const bare = converted(openAi, JSON.stringify({ messages, max_tokens: 7, enable_thinking: false }));
    deepEqual(bare.lines, [lineOf({ model: 'o4-mini', messages, max_completion_tokens: 7 }, undefined, 'request-1')]);
    deepEqual(bare.leftOut, { enable_thinking: 1 });
  });

  it('are unchanged if the service accepts them', () => {
    const text = lineOf({ model: 'o4-mini', input: 'Hi' }, '/v1/responses');
    deepEqual(converted(openAi, text).lines, []);
    deepEqual(converted(publicHosts.china, text).lines, [lineOf({ model: 'o4-mini', messages })]);
  });

  it('are byte for byte unchanged at the public service, including numbers', () => {
    const text =
      '{"messages":[{"role":"user","content":"Hi"}],"max_tokens":50,"top_k":5,"temperature":1.0,"enable_thinking":true}';
    const work = convertLines({ lineCount: 1, line: () => text }, undefined, publicService);
    let step = work.next();
    while (!step.done) step = work.next();
    deepEqual(
      step.value.changes.flatMap(({ added }) => added),
      [`{"custom_id":"request-1","method":"POST","url":"/v1/chat/completions","body":${text}}`],
    );
    const body = { max_tokens: 1, top_k: 2, min_p: 0, enable_thinking: false, thinking_budget: 9, messages };
    for (const baseUrl of [publicHosts.international, 'http://127.0.0.1:4000/demo/v1', gateway]) {
      equal(JSON.stringify(inWay(body, writtenWayOf(baseUrl)).body), JSON.stringify(body));
    }
  });
});
