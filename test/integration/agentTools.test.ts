import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import * as vscode from 'vscode';
import { chooseModel } from '../../src/core/catalogue/jobs';
import { toAgentMedia } from '../../src/core/agentTools/agentMedia';
import { agentToolNames } from '../../src/core/agentTools/toolNames';
import type { AgentToolName } from '../../src/core/agentTools/toolNames';
import type { Question } from '../../src/features/agentTools/confirmations';
import { createMediaTools } from '../../src/features/agentTools/host/workspaceToolHost';
import { WorkspaceFiles } from '../../src/features/agentTools/host/workspaceFiles';
import { createLanguageModelToolAdapter } from '../../src/features/agentTools/languageModelToolAdapter';
import { createUsageLedger } from '../../src/core/usage/usageLedger';
import type { Services } from '../../src/services/services';
import { beginAnew, deskServices } from '../support/deskServices';
import { startFilledDemo } from '../support/filledDemo';
import type { FilledDemo } from '../support/filledDemo';
import { startHoldingService } from '../support/holdingService';
import type { HoldingService } from '../support/holdingService';
import { until } from '../support/until';

const line = (id: string) => ({
  custom_id: id,
  method: 'POST',
  url: '/v1/chat/completions',
  body: { model: 'deepseek-ai/DeepSeek-V3', messages: [{ role: 'user', content: `Say ${id}` }] },
});

describe('tools for models in VS Code', function () {
  this.timeout(120_000);
  let services: Services;
  let demo: FilledDemo;
  let service: HoldingService;
  let folder: string;
  let outside: string;

  before(async () => {
    services = await deskServices();
    demo = await startFilledDemo({ pace: 'instant' });
    service = await startHoldingService(demo);
    await signIn();
    await services.settings.set('findByMeaning.candidates', 'text');
  });
  beforeEach(async () => {
    folder = await mkdtemp(join(vscode.workspace.workspaceFolders![0]!.uri.fsPath, 'tools-'));
    outside = await mkdtemp(join(tmpdir(), 'tools-'));
    await services.settings.set('media.folder', join(folder, 'made'));
    service.hold(undefined);
  });
  afterEach(async () => {
    for (const { id } of services.media.jobs) await (await services.media()).forget(id);
    for (const { id } of services.batchJobs.jobs) await (await services.batchJobs()).forget(id);
    for (const each of [folder, outside]) await rm(each, { recursive: true, maxRetries: 10 });
    await until(() => (services.activity.running.length === 0 ? true : undefined), 'the end of each call');
  });
  after(async () => {
    await vscode.commands.executeCommand('notifications.clearAll');
    await services.settings.set('media.folder', '');
    await services.settings.set('findByMeaning.candidates', 'auto');
    await beginAnew(services);
    await service.close();
    await demo.close();
  });

  async function signIn(): Promise<void> {
    await beginAnew(services);
    await services.profiles.save({ id: 'agents', name: 'Agents', baseUrl: service.baseUrl });
    await services.profiles.setActive('agents');
    await services.profiles.storeKey('agents', demo.apiKey);
  }
  const inFolder = (name: string) => `${basename(folder)}/${name}`;
  const write = (name: string, text: string) => writeFile(join(folder, name), text);
  const writeBatch = (name: string, ...ids: readonly string[]) =>
    write(name, ids.map((id) => `${JSON.stringify(line(id))}\n`).join(''));

  async function call(name: string, input: object, token?: vscode.CancellationToken): Promise<string> {
    const options = { input, toolInvocationToken: undefined };
    const { content } = await vscode.lm.invokeTool(`inferenceDesk_${name}`, options, token);
    return content
      .map((part) =>
        part instanceof vscode.LanguageModelTextPart ? part.value : (part as vscode.LanguageModelDataPart).mimeType,
      )
      .join('\n');
  }

  it("report why an image isn't saved yet", async () => {
    await demo.call('POST', '/_control/arm', { fault: 'reset-before-headers', endpoint: 'GET asset', times: 100 });
    try {
      const tools = createMediaTools(services, new WorkspaceFiles(services, () => true), { longestSavingMs: 500 });
      const request = { model: 'Qwen/Qwen-Image', prompt: 'A house', image_size: '512x512' };
      const media = await tools.generateImage({ request }, new AbortController().signal);
      equal(media.state, 'working');
      const troubled = () => services.media.jobs.find(({ id, lastError }) => id === media.id && lastError);
      // It is known a moment later where the machine is busy.
      const { problem } = await toAgentMedia(await until(troubled, 'what keeps it from being saved'));
      match(problem ?? '', /could not be downloaded/);
    } finally {
      await demo.call('POST', '/_control/reset', {});
    }
  });

  it('are all registered, with descriptions and schemas', () => {
    const tools = new Map(vscode.lm.tools.map((tool) => [tool.name, tool]));
    for (const name of agentToolNames) {
      const tool = tools.get(name);
      ok(tool && tool.description.length > 50 && tool.tags.includes('inference-desk'), name);
      equal((tool.inputSchema as { readonly type?: string } | undefined)?.type, 'object', name);
    }
  });

  /** What was used is written a moment after the answer. */
  const usedSince = async (before: number, purpose?: 'tools') => {
    const { inputTokens } = await (await services.usage()).today('agents', purpose);
    return inputTokens > before ? inputTokens : undefined;
  };

  it('rank texts and files, and count the usage', async () => {
    const usage = await services.usage();
    const before = await usage.today('agents');
    const texts = await call('rerank', {
      query: 'How are uploads retried?',
      documents: ['The weather in spring', 'Uploads are retried three times', 'A list of colours'],
      top: 1,
    });
    match(texts, /3 of 3 ranked by .*the best 1 shown.*\n\n\[1\] [\d.]+ Uploads are retried three times$/s);
    await until(() => usedSince(before.inputTokens), 'the count');
    await write('one.md', 'Colours and shapes');
    await write('two.md', 'Uploads are retried three times');
    const files = await call('rerank', {
      query: 'retried uploads',
      files: [inFolder('one.md'), join(folder, 'two.md')],
    });
    match(files, /Best first:\n\n[\d.]+ tools-\w+\/two\.md\n[\d.]+ tools-\w+\/one\.md$/);
  });

  it('search files semantically, and return paths and lines', async () => {
    await write('retry.ts', 'const x = 1;\n// An upload that broke off is tried again with a growing pause.\n');
    await write('other.ts', 'export const colour = 2;\n');
    const found = await call('findFiles', { question: 'upload tried again', include: `${basename(folder)}/**` });
    match(
      found,
      /^1 passages in 2 files, best first, scored by a reranker\.\n\ntools-\w+\/retry\.ts:1-2 \([\d.]+\)\nconst x/,
    );
    match(await call('findFiles', { question: 'zebra', include: `${basename(folder)}/**` }), /No matches in 2/);
  });

  it('generate and edit an image, and return its path', async () => {
    const made = await call('generateImage', { prompt: 'A fjord at dawn', seed: 5 });
    match(
      made,
      /The image is saved\. Generated by .+ with seed 5\.\n.*fjord.*\.png \(image\/png, \d+x\d+, \d+ bytes\)\nimage\/png$/,
    );
    const [, path = ''] = /\n(\/.*\.png) \(/.exec(made) ?? [];
    ok(path.startsWith(join(folder, 'made')));
    ok((await readFile(`${path}.recipe.json`, 'utf8')).includes('A fjord at dawn'));
    const changed = await call('generateImage', {
      prompt: 'At night',
      image: path,
      model: 'Qwen/Qwen-Image-Edit-2509',
    });
    match(changed, /The image is saved/);
  });

  it('generate a video and report its file', async () => {
    const ordered = await call('submitVideo', { prompt: 'Waves on a beach' });
    const [, id = ''] = /Job ID: ([\w-]+)\./.exec(ordered) ?? [];
    match(ordered, /Do not request it again/);
    match(await call('videoStatus', { id, waitSeconds: 60 }), /The video is saved.*\n.*waves.*\.mp4 \(video\/mp4/i);
    await rejects(call('videoStatus', { id: 'nothing' }), /No video with the ID nothing has been submitted/);
  });

  it('check a batch file, submit it, track it, and return its responses', async () => {
    await writeBatch('good.jsonl', 'one', 'two');
    await write('bad.jsonl', `${JSON.stringify(line('one'))}\nnot json\n`);
    match(
      await call('checkBatchFile', { file: inFolder('good.jsonl') }),
      /^2 requests, \d+ bytes: 0 errors.*The file can be submitted/s,
    );
    match(await call('checkBatchFile', { file: inFolder('bad.jsonl') }), /1 errors.*\n2:1 error line\.not-json/s);
    await rejects(call('submitBatch', { file: inFolder('bad.jsonl') }), /Not submitted\. The file has 1 error\./);

    const submitted = await call('submitBatch', { file: inFolder('good.jsonl') });
    const [, id = ''] = /^(\S+) /.exec(submitted) ?? [];
    let status = submitted;
    for (let asked = 0; asked < 20 && !/ answered/.test(status); asked++) {
      status = await call('batchStatus', { id, waitSeconds: 2 });
    }
    match(status, / completed, good\.jsonl, 2 of 2 answered/);
    match(await call('batchStatus', {}), /batches.*, newest first/);
    const results = await call('batchResults', { id, limit: 1 });
    match(results, /^The batch is completed: 2 answered, 0 failed\. 1 to 1 of 2\. .*"offset" to 1\..*\n\none:\n.+/s);
  });

  const writeEval = async (name: string, ...questions: readonly string[]) => {
    const model = 'deepseek-ai/DeepSeek-V3';
    const prompts = `prompts: [{ label: short, raw: 'Say {{q}}' }, { label: long, raw: 'Please say {{q}}' }]`;
    await write(
      `${name}.yaml`,
      `description: Greetings\n${prompts}\nproviders: ['openai:chat:${model}']\ntests: file://${name}.csv\n`,
    );
    await write(`${name}.csv`, `q,__expected\n${questions.map((one) => `${one},icontains: a\n`).join('')}`);
    return inFolder(`${name}.yaml`);
  };

  it('report the price of an eval, run it now or by batch, and return its results', async () => {
    const sent = async (end: string) =>
      (await demo.requests()).filter(({ method, path }) => method === 'POST' && path.endsWith(end)).length;
    const file = await writeEval('greetings', 'apple', 'pear', 'plum', 'grape', 'peach');
    const before = [await sent('/chat/completions'), await sent('/batches')];
    match(
      await call('evalResults', { file }),
      /^Eval "Greetings"\.\nThe eval has not been run yet\.\n\n5 rows, 2 variants, 10 requests\. Price: /,
    );
    deepEqual([await sent('/chat/completions'), await sent('/batches')], before);
    match(
      await call('runEval', { file, how: 'smokeTest' }),
      /Responses: 6 of 6.*\nThe run has 3 of 5 rows\.\nNot sent yet: 4 requests/,
    );
    equal(await sent('/chat/completions'), before[0]! + 6);
    await call('runEval', { file });
    const results = await until(async () => {
      const found = await call('evalResults', { file });
      return found.includes('Responses: 10 of 10') ? found : undefined;
    }, 'the results of the batch');
    match(results, /long compared with short: .+ Difference: .+ points \(95%: .+ to .+\), p .+ Rows: 5, /);
    match(results, /short: .+ passed: \d, failed: \d, missing/);
    deepEqual([await sent('/chat/completions'), await sent('/batches')], [before[0]! + 6, before[1]! + 1]);
    await call('runEval', { file });
    equal(await sent('/batches'), before[1]! + 1);
    await write('broken.yaml', 'prompts: [file://.env]\nproviders: [openai:m]\ntests: [{}]');
    await write('.env', 'KEY=1');
    await rejects(
      call('runEval', { file: inFolder('broken.yaml') }),
      /has 1 error, so it was not run\. Fix them: .*\.env/,
    );
  });

  it('list models and return the balance', async () => {
    match(await call('listModels', { job: 'rerank' }), /Default: .*[Rr]erank/);
    match(await call('accountBalance', {}), /^Balance: [\d.]+/);
  });

  it('explain rejected input', async () => {
    await rejects(call('rerank', { query: 7, documents: ['a'] }), /"query" must be a string.*Correct the input/);
    await rejects(call('rerank', {}), /"query" is missing/);
    const many = Array.from({ length: 1001 }, () => 'x');
    await rejects(call('rerank', { query: 'q', documents: many }), /no more than 1000 items/);
    await rejects(call('generateImage', { prompt: '' }), /"prompt" must have at least 1/);
    await rejects(call('rerank', { query: 'q', documents: ['a'], model: 'no/such' }), /Unknown model no\/such/);
  });

  it("don't read files that are missing, outside of the workspace, secret, or not text", async () => {
    await writeFile(join(outside, 'secret.txt'), 'far away');
    await symlink(join(outside, 'secret.txt'), join(folder, 'link.txt'));
    await write('.env', 'KEY=1');
    await mkdir(join(folder, 'sub'));
    await writeFile(join(folder, 'data.bin'), new Uint8Array([0, 1, 2]));
    const ask = (file: string) => call('rerank', { query: 'q', files: [file] });
    await rejects(ask(inFolder('none.md')), /does not exist/);
    await rejects(ask(inFolder('sub')), /does not exist/);
    await rejects(ask(join(outside, 'secret.txt')), /is outside of the workspace/);
    await rejects(ask(`../${basename(outside)}/secret.txt`), /is outside of the workspace/);
    await rejects(ask(inFolder('link.txt')), /is outside of the workspace/);
    await rejects(ask(inFolder('.env')), /might contain keys or passwords/);
    await rejects(ask(inFolder('data.bin')), /Not UTF-8 text/);
    await rejects(call('checkBatchFile', { file: join(outside, 'secret.txt') }), /is outside/);
    await rejects(
      call('generateImage', { prompt: 'p', model: 'Qwen/Qwen-Image-Edit', image: '/etc/hosts' }),
      /is outside/,
    );
    await rejects(
      call('generateImage', { prompt: 'p', model: 'Qwen/Qwen-Image-Edit', image: inFolder('data.bin') }),
      /not a PNG|image/,
    );
    equal(
      (await demo.requests()).some(({ path }) => path.endsWith('/nothing')),
      false,
    );
  });

  it('read only generated files from the media folder, also through a link in the project', async () => {
    await writeFile(join(outside, 'notes.txt'), 'far away');
    await symlink(outside, join(folder, 'linked'));
    const ask = (file: string) => call('rerank', { query: 'q', files: [file] });
    for (const chosen of [outside, join(folder, 'linked')]) {
      await services.settings.set('media.folder', chosen);
      const made = await call('generateImage', { prompt: 'A boat', seed: 5 });
      const [, picture = ''] = /\n(\/.*\.png) \(/.exec(made) ?? [];
      ok(picture.startsWith(chosen));
      const edited = { prompt: 'At night', image: picture, model: 'Qwen/Qwen-Image-Edit-2509' };
      match(await call('generateImage', edited), /The image is saved/);
      await rejects(ask(join(outside, 'notes.txt')), /is outside of the workspace/);
      await rejects(ask(inFolder('linked/notes.txt')), /is outside of the workspace/);
      const recipe = await readFile(`${picture}.recipe.json`);
      for (const name of ['keys.pem.recipe.json', 'notes.txt.recipe.json', 'keys.pem']) {
        await writeFile(join(outside, name), recipe);
      }
      await rejects(ask(join(chosen, 'keys.pem')), /might contain keys or passwords/);
      await rejects(ask(join(chosen, 'notes.txt')), /is outside of the workspace/);
    }
  });

  it('cancel their requests when they are stopped', async () => {
    await writeBatch('stop.jsonl', 'one');
    await write('stop.md', 'An upload is tried again');
    const held: readonly (readonly [pathEnd: string, name: string, input: object])[] = [
      ['/rerank', 'rerank', { query: 'q', documents: ['a'] }],
      ['/rerank', 'findFiles', { question: 'upload', include: `${basename(folder)}/**` }],
      ['/images/generations', 'generateImage', { prompt: 'p' }],
      ['/video/submit', 'submitVideo', { prompt: 'p' }],
      ['/files', 'submitBatch', { file: inFolder('stop.jsonl') }],
      ['/batches', 'batchStatus', {}],
      ['/user/info', 'accountBalance', {}],
    ];
    for (const [pathEnd, name, input] of held) {
      service.hold(pathEnd);
      const source = new vscode.CancellationTokenSource();
      const calling = call(name, input, source.token);
      const ended = calling.then(
        () => 'answered',
        () => 'stopped',
      );
      await until(() => (service.held === 1 ? true : undefined), `the request of ${name}`);
      source.cancel();
      equal(await ended, 'stopped', name);
      await until(() => (service.held === 0 ? true : undefined), `the end of the request of ${name}`);
      source.dispose();
    }
  });

  it('say what to do without a budget, an account, or a service', async () => {
    await services.settings.set('chat.dailyTokenBudget', { soft: 0, hard: 1 });
    await rejects(call('rerank', { query: 'q', documents: ['a', 'b'] }), /Daily token limit reached/);
    await services.settings.set('chat.dailyTokenBudget', { soft: 0, hard: 0 });

    await services.profiles.save({ id: 'agents', name: 'Agents', baseUrl: 'http://127.0.0.1:9/v1' });
    await services.profiles.storeKey('agents', demo.apiKey);
    const gone = await call('accountBalance', {}).then(
      () => '',
      (error: Error) => error.message,
    );
    match(gone, /could not be reached/);
    ok(!gone.includes('127.0.0.1') && !gone.includes(demo.apiKey), gone);

    await beginAnew(services);
    for (const [name, input] of [
      ['rerank', { query: 'q', documents: ['a'] }],
      ['listModels', {}],
      ['accountBalance', {}],
      ['batchStatus', {}],
    ] as const) {
      await rejects(call(name, input), /Not signed in.*Sign In/, name);
    }
    await rejects(call('generateImage', { prompt: 'p', model: 'm/m' }), /[Ss]ign in/);
    await signIn();
  });

  it('rerank and search only within their daily tokens, which all windows share', async () => {
    const rank = () => call('rerank', { query: 'a boat', documents: ['a boat at sea', 'something else'] });
    const { settings, context } = services;
    const own = createUsageLedger(join(context.globalStorageUri.fsPath, 'agentTools', 'usage'), () => undefined);
    const usage = await services.usage();
    const before = [await usage.today('agents', 'tools'), await usage.today('agents')];
    await rank();
    const inputTokens = await until(() => usedSince(before[0]!.inputTokens, 'tools'), 'the count of the tools');
    const inAll = await until(() => usedSince(before[1]!.inputTokens), 'the count of all');
    equal(inAll - before[1]!.inputTokens, inputTokens - before[0]!.inputTokens);

    await settings.set('agentTools.dailyTokenBudget', inputTokens + 1000);
    await rank();
    await own.add('agents', { at: Date.now(), model: 'm', inputTokens: 1000, outputTokens: 0 });
    await rejects(rank(), /Daily token limit for tools reached\. Not sent\./);
    await write('office.txt', 'how to renew a passport');
    const found = await call('findFiles', { question: 'renew a passport', include: inFolder('*.txt') });
    match(found, /office\.txt/);
    match(found, /Ranking failed.*Daily token limit for tools reached/);
    await settings.set('agentTools.dailyTokenBudget', 0);
    await rank();
    await settings.set('agentTools.dailyTokenBudget', 5_000_000);
  });

  it('ask before paid requests, with the request and the account', async () => {
    const adapter = createLanguageModelToolAdapter(services);
    const valueOf = (words: string | vscode.MarkdownString | undefined) =>
      typeof words === 'object' ? words.value : words;
    const prepare = async (name: AgentToolName, input: object) => {
      const { confirmationMessages, invocationMessage } = await adapter.prepare(name, input);
      const message = confirmationMessages?.message;
      const text = valueOf(message);
      return {
        title: confirmationMessages?.title,
        text: text?.replaceAll('&nbsp;', ' ') ?? '',
        invocationMessage: valueOf(invocationMessage),
      };
    };
    await services.models.ensureFresh();
    const image = await prepare('inferenceDesk_generateImage', { prompt: 'A [cat](command:evil)', size: '512x512' });
    equal(image.title, 'Generate an image?');
    match(image.text, /"A \\\[cat\\\] \\\(command\\:evil\\\)\\"/);
    match(image.text.replaceAll('\\', ''), /Model: .+Size: 512x512.+Price: unknown\..+Charged to Agents/s);
    equal((await prepare('inferenceDesk_submitVideo', { prompt: 'p' })).title, 'Generate a video?');
    await writeBatch('ask.jsonl', 'one');
    const batch = await prepare('inferenceDesk_submitBatch', { file: inFolder('ask.jsonl'), model: 'm' });
    equal(batch.title, 'Submit a batch?');
    match(
      batch.text.replaceAll('\\', ''),
      /ask\\?\.jsonl, .*about .* input tokens.*Model for all requests: m.*Price: unknown.*Charged to Agents/s,
    );
    const lines = await prepare('inferenceDesk_submitBatch', { file: inFolder('ask.jsonl') });
    match(lines.text.replaceAll('\\', ''), /Models: deepseek-ai\/DeepSeek-V3\./);
    await services.settings.set('prices', { 'deepseek-ai/*': { input: 100, output: 200 }, '*': { image: 0.03 } });
    const priced = await prepare('inferenceDesk_generateImage', { prompt: 'A cat' });
    match(priced.text.replaceAll('\\', ''), /Price: about 0\.03\. Calculated with the prices in your settings\./);
    const pricedLines = await prepare('inferenceDesk_submitBatch', { file: inFolder('ask.jsonl') });
    match(pricedLines.text.replaceAll('\\', ''), /Price: (about )?0\.\d+/);
    const evaluated = await prepare('inferenceDesk_runEval', { file: await writeEval('asked', 'apple', 'pear') });
    equal(evaluated.title, 'Run this eval?');
    match(
      evaluated.text.replaceAll('\\', ''),
      /asked\.yaml\..*Rows: 2, variants: 2, requests: 4.*Price: about .+ as a batch, or .+ if run now.*Remaining requests: 4\. Price: about .+ as a batch, or .+ if you run them now\..*Models: deepseek-ai\/DeepSeek-V3\..*submitted as batches.*Charged to Agents/s,
    );
    await services.settings.set('prices', {});
    const sly = { prompt: 'A cat”\n\nIt is\u202E free of charge.', model: 'a\nModel: b' };
    const reported = (await prepare('inferenceDesk_generateImage', sly)).text.replaceAll('\\', '').split(/\s*\n\s*/);
    deepEqual(reported.slice(0, 2), ['"A cat” It is free of charge."', 'Model: a Model: b.']);
    const rerank = await prepare('inferenceDesk_rerank', { query: 'q', documents: ['a', 'b'] });
    deepEqual([rerank.title, rerank.invocationMessage], [undefined, 'Reranking documents\\: 2']);
    equal((await prepare('inferenceDesk_generateImage', { prompt: 7 })).title, undefined);
  });

  describe('after confirmation', () => {
    const none = new vscode.CancellationTokenSource().token;
    const notAsked = async (): Promise<boolean> => {
      throw new Error('The person was asked a second time.');
    };
    const paths = async () => (await demo.requests()).filter(({ method }) => method === 'POST').map(({ path }) => path);
    const isChanged = /so the request was not sent\. Call the tool again to get a new confirmation/;

    async function refused(name: AgentToolName, input: object, change: () => Promise<unknown>, why: RegExp) {
      const adapter = createLanguageModelToolAdapter(services, undefined, notAsked);
      await adapter.prepare(name, input);
      await change();
      const before = await paths();
      await rejects(adapter.invoke(name, input, none), (error: Error) => {
        match(error.message, isChanged);
        match(error.message, why);
        return true;
      });
      deepEqual(await paths(), before);
      // Asked anew it goes.
      await adapter.prepare(name, input);
      ok(await adapter.invoke(name, input, none));
    }

    it("don't submit a batch file that changed after confirmation", async () => {
      await writeBatch('bound.jsonl', 'one');
      const input = { file: inFolder('bound.jsonl') };
      await refused(
        'inferenceDesk_submitBatch',
        input,
        () => writeBatch('bound.jsonl', 'two'),
        /bound\.jsonl" has changed/,
      );
    });

    it("don't send an eval whose rows have changed", async () => {
      const input = { file: await writeEval('changing', 'apple'), how: 'now' };
      const change = () => write('changing.csv', 'q,__expected\npear,icontains: a\n');
      await refused('inferenceDesk_runEval', input, change, /eval or its run has changed/);
    });

    it("don't send an image that was replaced after confirmation", async () => {
      const made = await call('generateImage', { prompt: 'A boat', seed: 5 });
      const [, path = ''] = /\n(\/.*\.png) \(/.exec(made) ?? [];
      const bytes = await readFile(path);
      const picture = join(folder, 'begin.png');
      await writeFile(picture, bytes);
      const input = { prompt: 'At night', image: picture, model: 'Qwen/Qwen-Image-Edit-2509' };
      const replace = async () => {
        await rm(picture);
        await writeFile(picture, bytes);
      };
      await refused('inferenceDesk_generateImage', input, replace, /begin\.png" has changed/);
    });

    it("don't use another model or account than the confirmed one", async () => {
      const choose = async () => {
        const { state } = services.models;
        const usual = chooseModel('image', state);
        const other = state.models.find(({ id, subTypes }) => subTypes.includes('text-to-image') && id !== usual);
        await services.models.setDefault('image', other!.id);
      };
      await refused('inferenceDesk_generateImage', { prompt: 'p' }, choose, /The model has changed from ".+" to ".+"/);

      const other = { id: 'other', name: 'Other', baseUrl: `${service.baseUrl}/other` };
      await services.profiles.save(other);
      await services.profiles.storeKey('other', demo.apiKey);
      const adapter = createLanguageModelToolAdapter(services, undefined, notAsked);
      const input = { prompt: 'p', model: 'Wan-AI/Wan2.2-T2V-A14B' };
      await adapter.prepare('inferenceDesk_submitVideo', input);
      await services.profiles.setActive('other');
      const before = await paths();
      await rejects(
        adapter.invoke('inferenceDesk_submitVideo', input, none),
        /The active account has changed to "Other"/,
      );
      deepEqual(await paths(), before);
      await signIn();
    });

    it("don't submit a file that changed between two confirmations of the same request", async () => {
      const adapter = createLanguageModelToolAdapter(services, undefined, notAsked);
      await writeBatch('twice.jsonl', 'one');
      const input = { file: inFolder('twice.jsonl') };
      await adapter.prepare('inferenceDesk_submitBatch', input);
      await writeBatch('twice.jsonl', 'two');
      await adapter.prepare('inferenceDesk_submitBatch', input);
      await rejects(adapter.invoke('inferenceDesk_submitBatch', input, none), isChanged);
    });

    it('confirm the input that the user edited in the question', async () => {
      const questions: Question[] = [];
      let agrees = false;
      const ask = async (question: Question) => {
        questions.push(question);
        return agrees;
      };
      const adapter = createLanguageModelToolAdapter(services, undefined, ask);
      await adapter.prepare('inferenceDesk_generateImage', { prompt: 'A cat' });
      const before = await paths();
      const input = { prompt: 'A dog', model: 'Qwen/Qwen-Image' };
      await rejects(
        adapter.invoke('inferenceDesk_generateImage', input, none),
        /did not agree, so the request was not sent/,
      );
      deepEqual(await paths(), before);
      deepEqual(questions[0]?.facts.slice(0, 2), ['"A dog"', 'Model: Qwen/Qwen-Image.']);
      agrees = true;
      ok(await adapter.invoke('inferenceDesk_generateImage', input, none));
      equal(questions.length, 2);
    });
  });

  it("don't read files or send paid requests in Restricted Mode", async () => {
    await writeBatch('restricted.jsonl', 'one');
    const evalFile = await writeEval('restricted', 'apple');
    const adapter = createLanguageModelToolAdapter(services, () => false);
    const none = new vscode.CancellationTokenSource().token;
    const before = (await demo.requests()).length;
    for (const [name, input] of [
      ['inferenceDesk_rerank', { query: 'q', documents: ['a'] }],
      ['inferenceDesk_findFiles', { question: 'q' }],
      ['inferenceDesk_generateImage', { prompt: 'p' }],
      ['inferenceDesk_submitVideo', { prompt: 'p' }],
      ['inferenceDesk_submitBatch', { file: inFolder('restricted.jsonl') }],
      ['inferenceDesk_checkBatchFile', { file: inFolder('restricted.jsonl') }],
      ['inferenceDesk_runEval', { file: evalFile }],
      ['inferenceDesk_evalResults', { file: evalFile }],
    ] as const) {
      await rejects(adapter.invoke(name, input, none), /Restricted Mode.*trust the workspace/, name);
    }
    equal((await demo.requests()).length, before);
    ok(await adapter.invoke('inferenceDesk_accountBalance', {}, none));
  });
});
