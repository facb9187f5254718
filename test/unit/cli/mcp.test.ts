import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict';
import { mkdir, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { agentToolNames } from '../../../src/core/agentTools/toolNames';
import { readRecipe } from '../../../src/core/assets/recipeFile';
import { createUsageLedger } from '../../../src/core/usage/usageLedger';
import { writeBatchFile } from '../../support/batchEngines';
import { startHoldingService } from '../../support/holdingService';
import { startFilledDemo } from '../../support/filledDemo';
import type { FilledDemo } from '../../support/filledDemo';
import { bundleMcp, openMcp } from '../../support/mcpServer';
import type { McpServer, McpOptions } from '../../support/mcpServer';
import { startVllmService } from '../../support/otherServices/localServices';
import { startSteps } from '../../support/serviceSteps';
import { setUpFolder } from '../../support/temporaryFolder';
import { until } from '../../support/until';

describe('The MCP server', function () {
  this.timeout(180_000);
  let program = '';
  let demo: FilledDemo;
  let server: McpServer | undefined;
  before(async () => (program = await bundleMcp()));
  beforeEach(async () => (demo = await startFilledDemo({ pace: 'instant' })));
  afterEach(async () => {
    await server?.close();
    server = undefined;
    await demo.close();
  });
  // Removed when nobody writes there any more: hooks run in their order.
  const folder = setUpFolder();
  const open = async (options?: McpOptions) => (server = await openMcp(program, folder.path(), demo, options));
  /** Drawing it takes the demo service as long as the machine is busy. */
  const savedVideo = (id: string) =>
    until(
      async () => {
        const { text } = (await server?.call('videoStatus', { id, waitSeconds: 10 })) ?? { text: '' };
        return text.includes('is being generated') ? undefined : text;
      },
      'the video',
      150_000,
    );
  const work = (name: string) => folder.in(path.join('work', name));
  const sent = async (endpoint: string) => {
    const { requests } = (await demo.call('GET', '/_control/requests')) as {
      readonly requests: readonly { readonly path: string; readonly method: string }[];
    };
    return requests.filter((request) => `${request.method} ${request.path}` === endpoint).length;
  };

  it('lists the tools with their properties', async () => {
    const { client } = await open();
    const { tools } = await client.listTools();
    deepEqual(
      tools.map(({ name }) => name),
      [...agentToolNames],
    );
    for (const { name, description, inputSchema, annotations } of tools) {
      ok((description?.length ?? 0) > 50, name);
      equal(inputSchema.type, 'object');
      const isPaid = /generateImage|submitVideo|submitBatch|runEval/.test(name);
      equal(/does not ask for confirmation/.test(description ?? ''), isPaid, name);
      const costs = /generateImage|submitVideo|submitBatch|runEval|rerank|findFiles/.test(name);
      equal(annotations?.readOnlyHint, !costs && !name.endsWith('batchResults'), name);
      equal(annotations?.destructiveHint, false);
      equal(annotations?.idempotentHint, !costs, name);
      equal(annotations?.openWorldHint, !name.endsWith('checkBatchFile'));
    }
  });

  it("omits tools that the service doesn't support", async () => {
    const openAi = { baseUrl: 'https://api.openai.com/v1', apiKey: 'sk-0123456789abcdef' };
    server = await openMcp(program, folder.path(), openAi);
    const { tools } = await server.client.listTools();
    const listed = new Set(tools.map(({ name }) => name));
    deepEqual(
      agentToolNames.filter((name) => !listed.has(name)),
      ['rerank', 'submitVideo', 'videoStatus', 'accountBalance'].map((name) => `inferenceDesk_${name}`),
    );
  });

  for (const mode of [undefined, 'auto'] as const) {
    it(`stops listing features that the service turns out not to have, and notifies the client (${mode ?? 'an old protocol'})`, async () => {
      const vllm = await startVllmService();
      try {
        server = await openMcp(program, folder.path(), { ...vllm, apiKey: 'x' }, mode && { protocol: { mode } });
        const { client, call } = server;
        const names = async () => (await client.listTools()).tools.map(({ name }) => name);
        let isReported = false;
        client.setNotificationHandler('notifications/tools/list_changed', () => void (isReported = true));
        ok((await names()).includes('inferenceDesk_rerank'));
        const order = { query: 'money', documents: ['a door', 'money'], model: 'Qwen/Qwen3-8B' };
        match((await call('rerank', order)).text, /does not support this/);
        if (mode === undefined) await until(async () => isReported || undefined, 'the notice');
        ok(!(await names()).includes('inferenceDesk_rerank'));
        const count = vllm.asked.length;
        match((await call('rerank', order)).text, /does not support this/);
        equal(vllm.asked.length, count);
      } finally {
        await server?.close();
        server = undefined;
        await vllm.close();
      }
    });
  }

  it('lists models, returns the balance, and ranks documents', async () => {
    const { call } = await open();
    match((await call('listModels', { job: 'rerank' })).text, /reranker/i);
    match((await call('accountBalance')).text, /^Balance: /);
    const documents = ['A recipe for soup', 'How to renew a passport', 'Passports are renewed at the town hall'];
    const { text, isError } = await call('rerank', { query: 'renew a passport', documents });
    equal(isError, false, text);
    match(text, /^3 of 3 ranked by .*\n+\[[12]\]/);
  });

  it('reads no files that the user excludes in addition to the defaults', async () => {
    const { call } = await open({ environment: { INFERENCE_DESK_SECRET_FILES: '["**/plans/**"]' } });
    await mkdir(work('plans'));
    for (const name of ['plans/a.md', 'b.md', '.env']) await writeFile(work(name), 'renew a passport');
    for (const name of ['plans/a.md', '.env']) {
      match((await call('rerank', { query: 'passport', files: [name] })).text, /might contain keys/, name);
    }
    const { text } = await call('findFiles', { question: 'renew a passport' });
    match(text, /^1 passages in 1 files[^]*b\.md/);
    ok(!text.includes('plans/'), text);
  });

  it('reranks nothing after the daily tokens are used by any client', async () => {
    const usage = folder.in('usage/mine');
    const { call } = await open({
      environment: { INFERENCE_DESK_USAGE: usage, INFERENCE_DESK_DAILY_TOKENS: '1000' },
    });
    const ask = () => call('rerank', { query: 'a text', documents: ['a text', 'something else'] });
    equal((await ask()).isError, false);
    const ledger = createUsageLedger(folder.in('usage'), () => undefined);
    const counted = async () => ((await ledger.total('mine', Date.now())).inputTokens > 0 ? true : undefined);
    await until(counted, 'the tokens in the ledger');
    await ledger.add('mine', { at: Date.now(), model: 'm', inputTokens: 1000, outputTokens: 0 });
    const refused = await ask();
    match(refused.text, /daily token limit is reached \(\d+ of 1000\), so the request was not sent/);
    equal(refused.isError, true);
    equal(await sent('POST /v1/rerank'), 1);
    await writeFile(work('office.txt'), 'how to renew a passport');
    const found = await call('findFiles', { question: 'renew a passport' });
    match(found.text, /office\.txt:1/);
    match(found.text, /sorted by matching words\. The daily token limit/);
    equal(await sent('POST /v1/rerank'), 1);
  });

  it('reranks within the daily tokens for tools, also for many simultaneous calls', async () => {
    const environment = { INFERENCE_DESK_TOOL_TOKENS: '300', INFERENCE_DESK_TOOL_USAGE: folder.in('tools/mine') };
    const first = await open({ environment });
    const text = 'some words that a model is to rank '.repeat(10);
    const ask = (asked: McpServer) => asked.call('rerank', { query: 'a text', documents: [text] });
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask(first)));
    const reported = answers.filter(({ isError }) => isError);
    // What it counted is on the disk when it has ended.
    await first.close();
    // How many fit depends on how soon each is counted; before the last of them the tokens were not used up.
    const { inputTokens } = await createUsageLedger(folder.in('tools'), () => undefined).total('mine', Date.now());
    const asked = answers.length - reported.length;
    ok(inputTokens > 0 && (inputTokens / asked) * (asked - 1) < 300, `${asked} were asked, ${inputTokens} tokens`);
    ok(reported.length > 0);
    for (const { text: words } of reported) {
      match(
        words,
        /limit for tools (is reached|would be exceeded) \(\d+ of 300\).*so the request was not sent.*Tell the user/,
      );
    }
    equal(await sent('POST /v1/rerank'), 20 - reported.length);

    equal((await ask(await open({ environment }))).isError, true);
    equal(await sent('POST /v1/rerank'), 20 - reported.length);
  });

  it('finds passages in files, except ignored and secret files', async () => {
    const { call } = await open();
    await mkdir(work('src'));
    await mkdir(work('out'));
    await writeFile(work('.gitignore'), 'out/\n');
    await writeFile(work('.env'), 'PASSPORT_KEY=renew a passport');
    await writeFile(work('out/made.txt'), 'renew a passport');
    await writeFile(work('src/office.txt'), 'nothing\n\nhow to renew a passport at the office\n');
    const { text, isError } = await call('findFiles', { question: 'renew a passport' });
    equal(isError, false, text);
    match(text, /src\/office\.txt:1-3/);
    ok(!/out\/|\.env/.test(text), text);
    await writeFile(work('src/other.md'), 'renew a passport');
    match(
      (await call('findFiles', { question: 'renew a passport', include: '*.md' })).text,
      /^1 passages[^]*other\.md/,
    );
  });

  it('saves an image in the folder with its details', async () => {
    const { call } = await open();
    const { text, isError, pictures } = await call('generateImage', { prompt: 'A red house', seed: 5 });
    equal(isError, false, text);
    const file = /^(\/.*) \(image\//m.exec(text)?.[1] ?? '';
    equal(path.dirname(file), work('inference-desk'));
    // The model sees what it made.
    deepEqual(pictures, [(await readFile(file)).toString('base64')]);
    const recipe = await readRecipe(file);
    deepEqual([recipe?.kind === 'image' && recipe.request.prompt, recipe?.seed], ['A red house', 5]);
    equal(await sent('POST /v1/images/generations'), 1);
  });

  it('rejects images after the daily limit, including those of other servers with the same records', async () => {
    const few = { environment: { INFERENCE_DESK_DAILY_ORDERS: '2' } };
    const first = await open(few);
    const draw = (name: string) => first.call('generateImage', { prompt: name });
    await demo.call('POST', '/_control/arm', { fault: 'balance-402', endpoint: 'POST /images/generations', times: 1 });
    equal((await draw('What is refused is not counted')).isError, true);
    const drawn = await Promise.all([draw('A red house'), draw('A blue house'), draw('A green house')]);
    equal(drawn.filter(({ isError }) => isError).length, 1);
    await first.close();
    const { call } = await open(few);
    await writeBatchFile(folder.in('work'), 1);
    const refused = await Promise.all([
      call('generateImage', { prompt: 'A house' }),
      call('submitVideo', { prompt: 'Waves' }),
      call('submitBatch', { file: 'batch-1.jsonl' }),
    ]);
    for (const { text, isError } of refused) {
      match(text, /daily limit of 2 images, videos, and batches is reached, so the request was not sent/);
      equal(isError, true);
    }
    deepEqual(
      await Promise.all(
        ['images/generations', 'video/submit', 'files', 'batches'].map((name) => sent(`POST /v1/${name}`)),
      ),
      [3, 0, 0, 0],
    );
  });

  it('limits images, videos, batches, and rankings by the spending cap at the entered prices', async () => {
    const prices = { '*rerank*': { input: 1000 }, '*': { image: 1, video: 1.5, input: 1, request: 4 } };
    const environment = { INFERENCE_DESK_DAILY_SPENDING: '2', INFERENCE_DESK_PRICES: JSON.stringify(prices) };
    const first = await open({ environment });
    equal((await first.call('generateImage', { prompt: 'A house' })).isError, false);
    await writeBatchFile(folder.in('work'), 1);
    const large = [
      await first.call('submitVideo', { prompt: 'Waves' }),
      await first.call('submitBatch', { file: 'batch-1.jsonl' }),
    ];
    for (const { text } of large)
      match(
        text,
        /spending cap would be exceeded \(1\.00 of 2\), so the request was not sent\. This is expected to cost/,
      );
    const { text, isError } = await first.call('rerank', { query: 'money', documents: ['a door', 'money'] });
    equal(isError, false, text);
    await first.close();
    // Another server of the same account counts on, and an image may no longer be paid for.
    const { call } = await open({ environment });
    match((await call('generateImage', { prompt: 'A house' })).text, /spending cap would be exceeded \(1\.0\d of 2\)/);
    deepEqual(
      await Promise.all(
        ['images/generations', 'video/submit', 'files', 'batches'].map((name) => sent(`POST /v1/${name}`)),
      ),
      [1, 0, 0, 0],
    );
  });

  it('limits requests without a price by the balance, which it loads itself', async () => {
    const environment = { INFERENCE_DESK_DAILY_SPENDING: '0.000001' };
    const documents = ['a door', 'money '.repeat(2000)];
    const ranking = { model: 'Qwen/Qwen3-Reranker-8B', query: 'money', documents };
    const first = await open({ environment });
    const { text, isError } = await first.call('rerank', ranking);
    equal(isError, false, text);
    await first.close();
    const { call } = await open({ environment });
    match((await call('rerank', ranking)).text, /daily spending cap is reached/);
    equal(await sent('POST /v1/rerank'), 1);
  });

  it('generates a video, reports its progress, saves it, and writes the key to no file', async () => {
    const { call } = await open();
    await call('generateImage', { prompt: 'A house' });
    const ordered = await call('submitVideo', { prompt: 'Waves', seed: 3 });
    match(ordered.text, /is being generated/);
    const id = /Job ID: ([\w-]+)/.exec(ordered.text)?.[1] ?? '';
    match(await savedVideo(id), /is saved[^]*\.mp4 \(video\/mp4/);
    equal(await sent('POST /v1/video/submit'), 1);
    match((await call('videoStatus', { id: 'another' })).text, /not submitted a video with the ID another/);
    // Its leases come and go while it runs.
    await server?.close();
    server = undefined;
    for (const entry of await readdir(folder.path(), { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const bytes = await readFile(path.join(entry.parentPath, entry.name));
      ok(!bytes.includes(demo.apiKey), entry.name);
    }
    ok((await readdir(folder.in('state'))).length > 0);
  });

  it('checks a batch file, submits it, tracks it, and reads its results', async () => {
    const { call } = await open();
    await writeBatchFile(folder.in('work'), 3);
    match((await call('checkBatchFile', { file: 'batch-3.jsonl' })).text, /^3 requests.*can be submitted/);
    const { text, isError } = await call('submitBatch', { file: 'batch-3.jsonl' });
    equal(isError, false, text);
    const [id = ''] = text.split(' ');
    match((await call('batchStatus', { id, waitSeconds: 60 })).text, /completed.*3 of 3 answered/);
    match((await call('batchStatus')).text, new RegExp(id));
    const results = await call('batchResults', { id, limit: 2 });
    match(results.text, /3 answered, 0 failed\. 1 to 2 of 3\.[^]*line-1:\n.+/);
    ok(results.text.includes(work('inference-desk/batches')), results.text);
    equal(await sent('POST /v1/batches'), 1);
    const records = folder.in('state/127.0.0.1/batches/batches');
    const [record = ''] = (await readdir(records)).filter((name) => name.endsWith('.json'));
    const { resultsRoot } = JSON.parse(await readFile(path.join(records, record), 'utf8')) as { resultsRoot?: string };
    equal(resultsRoot, work('inference-desk/batches'));
    await writeFile(work('bad.jsonl'), '{"custom_id":1}\n');
    const bad = await call('submitBatch', { file: 'bad.jsonl' });
    match(bad.text, /Not submitted\. The file has 2 errors\./);
    equal(bad.isError, true);
  });

  it('reads results and batch files only in allowed folders, whatever the run names', async () => {
    await writeBatchFile(work(''), 2);
    await writeFile(folder.in('outside.jsonl'), '{"custom_id":"far-away","response":{"body":{"choices":[]}}}\n');
    const { call } = await open();
    const [, id = ''] = /^(\S+) /.exec((await call('submitBatch', { file: 'batch-2.jsonl' })).text) ?? [];
    await call('batchStatus', { id, waitSeconds: 60 });
    const whole = await call('batchResults', { id });
    match(whole.text, /2 answered, 0 failed\. 1 to 2 of 2\./);
    const [run = ''] = await readdir(work('inference-desk/batches'));
    const inRun = (name: string) => work(path.join('inference-desk/batches', run, name));
    const noted = JSON.parse(await readFile(inRun('run.json'), 'utf8')) as { readonly input: object };
    const input = { ...noted.input, path: folder.in('outside.jsonl') };
    await writeFile(inRun('run.json'), JSON.stringify({ ...noted, input }));
    equal((await call('batchResults', { id })).text, whole.text);

    await rename(inRun('output.jsonl'), folder.in('output.jsonl'));
    await symlink(folder.in('outside.jsonl'), inRun('output.jsonl'));
    await rm(work('batch-2.jsonl'));
    await symlink(folder.in('outside.jsonl'), work('batch-2.jsonl'));
    const linked = await call('batchResults', { id });
    match(
      linked.text,
      /output\.jsonl is a link or not a file, so it was not read.*batch file could not be read.*is outside of the allowed folders/,
    );
    ok(!linked.text.includes('far-away'), linked.text);

    await rename(inRun(''), folder.in('elsewhere'));
    await symlink(folder.in('elsewhere'), work(path.join('inference-desk/batches', run)));
    const moved = await call('batchResults', { id });
    match(moved.text, /now leads to another location, so no results were read/);
  });

  it('downloads the results of a batch that was submitted elsewhere', async () => {
    const id = await demo.makeBatch('elsewhere', 2);
    const { call } = await open();
    match((await call('batchStatus', { id, waitSeconds: 60 })).text, /completed/);
    match((await call('batchResults', { id })).text, /2 answered[^]*line-2:\n.+/);
    match((await call('batchStatus', { id: 'batch_none' })).text, /Not found/);
  });

  it('reads no files outside of its folder, also not through links', async () => {
    const { call } = await open();
    await writeFile(folder.in('outside.txt'), 'secret of the house');
    await symlink(folder.in('outside.txt'), work('link.txt'));
    await writeFile(work('id_rsa'), 'secret of the house');
    for (const file of ['../outside.txt', folder.in('outside.txt'), 'link.txt', 'id_rsa', '../none.txt']) {
      const { text, isError } = await call('rerank', { query: 'house', files: [file] });
      equal(isError, true, text);
      match(text, /outside of the allowed folders|might contain keys/);
      ok(!text.includes('secret of'), text);
    }
    match((await call('rerank', { query: 'house', files: ['none.txt'] })).text, /none\.txt does not exist/);
  });

  for (const mode of ['legacy', 'auto'] as const) {
    it(`works in the client's roots (${mode})`, async () => {
      await mkdir(folder.in('root'));
      await writeFile(folder.in('root/a.txt'), 'a house');
      const { call, client } = await open({ roots: [folder.in('root')], protocol: { mode } });
      const { text } = await call('rerank', { query: 'house', files: ['a.txt'] });
      match(text, /1 of 1 ranked[^]*a\.txt/);
      equal(client.getNegotiatedProtocolVersion() === '2026-07-28', mode === 'auto');
      match((await call('checkBatchFile', { file: work('b.jsonl') })).text, /outside of the allowed folders/);
    });
  }

  for (const mode of ['legacy', 'auto'] as const) {
    it(`has no folder if the client returns no roots or fails (${mode})`, async () => {
      await writeFile(folder.in('a.txt'), 'a house');
      const { call, client } = await open({ roots: [], protocol: { mode }, startIn: folder.path() });
      match((await call('rerank', { query: 'house', files: ['a.txt'] })).text, /set INFERENCE_DESK_FOLDER/);
      client.setRequestHandler('roots/list', () => ({ roots: [{ uri: 'https://example.com/a' }] }));
      match((await call('rerank', { query: 'house', files: ['a.txt'] })).text, /set INFERENCE_DESK_FOLDER/);
      if (mode === 'auto') return;
      client.setRequestHandler('roots/list', () => Promise.reject(new Error('no roots')));
      match((await call('rerank', { query: 'house', files: ['a.txt'] })).text, /set INFERENCE_DESK_FOLDER/);
    });
  }

  it('works in the folder from its environment, whatever the client says', async () => {
    await mkdir(folder.in('root'));
    await mkdir(folder.in('named'));
    await writeFile(folder.in('named/a.txt'), 'a house');
    const { call } = await open({
      roots: [folder.in('root')],
      environment: { INFERENCE_DESK_FOLDER: folder.in('named') },
    });
    match((await call('rerank', { query: 'house', files: ['a.txt'] })).text, /1 of 1 ranked/);
  });

  it('has no folder if it is started in the root of the disk', async () => {
    const { call } = await open({ startIn: '/' });
    match((await call('findFiles', { question: 'a house' })).text, /set INFERENCE_DESK_FOLDER/);
    const { text } = await call('generateImage', { prompt: 'A house' });
    ok(text.includes(folder.in('state')), text);
  });

  it('explains invalid input, and sends no request', async () => {
    const { call, client } = await open();
    const faults: readonly (readonly [string, Record<string, unknown>, RegExp])[] = [
      ['rerank', { query: '' }, /"query" must have at least 1 characters/],
      ['rerank', { query: 'x' }, /Provide either "documents" or "files"/],
      ['rerank', { query: 'x', documents: 'no list' }, /"documents" must be an array/],
      ['generateImage', {}, /"prompt" is missing/],
      ['generateImage', { prompt: 'x', colour: 'red' }, /unknown properties: colour/],
      ['submitVideo', { prompt: 'x', size: '1x1' }, /must be one of/],
      ['checkBatchFile', { file: 'none.jsonl' }, /does not exist/],
      ['checkBatchFile', { file: '.' }, /is not a file/],
      ['generateImage', { prompt: 'x', image: 'none.png', model: 'Qwen/Qwen-Image-Edit' }, /does not exist/],
    ];
    for (const [name, input, words] of faults) {
      const { text, isError } = await call(name, input);
      match(text, words);
      equal(isError, true);
    }
    await rejects(client.callTool({ name: 'nothing' }), /Unknown tool: nothing/);
    equal((await sent('POST /v1/images/generations')) + (await sent('POST /v1/rerank')), 0);
  });

  it('reports a rejection by the service without the key', async () => {
    const wrong = { baseUrl: demo.baseUrl, apiKey: 'sk-wrong-key-of-nobody-at-all' };
    server = await openMcp(program, folder.path(), wrong);
    const { text, isError } = await server.call('rerank', { query: 'x', documents: ['a'], model: 'no/such' });
    match(text, /rejected the API key/);
    equal(isError, true);
    ok(!text.includes('sk-wrong') && !server.errors().includes('sk-wrong'), text);
    match(server.errors(), /^POST \/demo\/v1\/rerank, 401, \d+ ms, .*auth, (undici|editor)/m);
  });

  it('reports an unreachable service and unsupported features', async () => {
    const { call } = await open();
    match((await call('rerank', { query: 'x', documents: ['a'], model: 'no/such' })).text, /Unknown model/);
    await demo.close();
    match((await call('accountBalance')).text, /could not be reached/);
  });

  it('checks and splits batch files by the limits that the service stated when it rejected a batch', async () => {
    const message = 'The batch has too many requests: 3. The maximum is 2 requests per batch file.';
    const service = await startSteps({
      'POST /v1/batches': [
        [400, { error: { message, type: 'invalid_request_error' } }],
        [200, { id: 'batch-1', status: 'in_progress' }],
      ],
      'GET /v1/batches': [200, { data: [] }],
      'GET /v1/batches/{id}': [200, { id: 'batch-1', status: 'in_progress' }],
      'GET /v1/models': [200, { data: [] }],
    });
    try {
      const baseUrl = new URL('v1', service.url).href;
      server = await openMcp(program, folder.path(), { baseUrl, apiKey: 'sk-0123456789abcdef' });
      const { call } = server;
      await writeBatchFile(work(''), 3);
      match((await call('checkBatchFile', { file: 'batch-3.jsonl' })).text, /^3 requests.*can be submitted/);
      match((await call('submitBatch', { file: 'batch-3.jsonl' })).text, /too many requests/);
      match(
        (await call('checkBatchFile', { file: 'batch-3.jsonl' })).text,
        /exceeds the limit of 2 requests per batch/,
      );
      match((await call('submitBatch', { file: 'batch-3.jsonl' })).text, /^batch-1 in_progress/);
      const records = folder.in('state/127.0.0.1/batches/batches');
      const names = (await readdir(records)).filter((name) => name.endsWith('.json'));
      const texts = await Promise.all(names.map((name) => readFile(path.join(records, name), 'utf8')));
      const parts = texts.map((text) => (JSON.parse(text) as { readonly parts?: readonly object[] }).parts?.length);
      deepEqual(new Set(parts), new Set([2, undefined]));
    } finally {
      await service.close();
    }
  });

  it("cancels the request with the client's call, and continues to serve", async () => {
    const held = await startHoldingService(demo);
    try {
      held.hold('/rerank');
      server = await openMcp(program, folder.path(), { baseUrl: held.baseUrl, apiKey: demo.apiKey });
      const stop = new AbortController();
      const calling = server.client.callTool(
        { name: 'inferenceDesk_rerank', arguments: { query: 'x', documents: ['a'] } },
        { signal: stop.signal },
      );
      await until(() => (held.held === 1 ? true : undefined), 'the request');
      stop.abort();
      await rejects(calling);
      await until(() => (held.held === 0 ? true : undefined), 'the end of the request');
      held.hold(undefined);
      match((await server.call('rerank', { query: 'x', documents: ['a'] })).text, /1 of 1 ranked/);
    } finally {
      await held.close();
    }
  });

  it('reports progress during a call if the client requests it', async () => {
    const { client } = await open();
    const reported: string[] = [];
    // In several requests, one of which takes long.
    const documents = Array.from({ length: 60 }, (_, index) => `Text ${index}`);
    await demo.call('POST', '/_control/arm', { fault: 'slow-first-byte', endpoint: 'POST /rerank', delayMs: 1000 });
    await client.callTool(
      { name: 'inferenceDesk_rerank', arguments: { query: 'x', documents } },
      { onprogress: ({ message }) => reported.push(message ?? '') },
    );
    match(reported[0] ?? '', /^Ranked documents: \d\d of 60$/);
  });
});
