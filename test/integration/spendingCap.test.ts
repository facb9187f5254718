import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client as McpClient } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import * as vscode from 'vscode';
import type { Client } from '../../src/core/api/client';
import { createLearnedStore } from '../../src/core/api/learned';
import type { Exchange } from '../../src/core/api/exchange';
import { checkModel } from '../../src/core/modelCheck/modelCheck';
import { createUsageLedger } from '../../src/core/usage/usageLedger';
import { EvalsRuntime } from '../../src/features/evals/evalsRuntime';
import { ServerOffer } from '../../src/features/mcp/serverOffer';
import type { Services } from '../../src/services/services';
import { callerExtension } from '../support/callerExtension';
import { beginAnew, deskServices, ensureSettings, signInAnew } from '../support/deskServices';
import { startFilledDemo } from '../support/filledDemo';
import type { FilledDemo } from '../support/filledDemo';
import { createGhostTextHost, documentAt } from '../support/ghostTextHost';
import { createOwnMeter } from '../support/ownMeter';
import { requestLine } from '../support/requestLine';
import { setUpFolder } from '../support/temporaryFolder';
import { until } from '../support/until';

const chatModel = 'deepseek-ai/DeepSeek-V3';
const codeModel = 'Qwen/Qwen2.5-Coder-32B-Instruct';
const messages = [{ role: 'user' as const, content: 'Hello' }];
const image = { model: 'black-forest-labs/FLUX.2-pro', prompt: 'a lake' };
const video = { model: 'Wan-AI/Wan2.2-T2V-A14B', prompt: 'a lake', image_size: '1280x720' };
const ranking = { model: 'Qwen/Qwen3-Reranker-8B', query: 'lakes', documents: ['a lake', 'a river'] };
/** What costs nothing, and may be sent at the cap. */
const free = /\/(?:video\/status|files|audio\/voice\/deletions)$|\/cancel$|_control/;

describe('the spending cap of an account', function () {
  this.timeout(120_000);
  let services: Services;
  let demo: FilledDemo;
  let profile = '';
  const folder = setUpFolder();

  before(async () => {
    services = await deskServices();
    demo = await startFilledDemo({ pace: 'instant' });
    profile = randomUUID();
    await signInAnew(services, profile, demo);
    await services.models.refresh();
    await callerExtension();
    await ensureSettings(services.settings, {
      dailySpendingCap: 2,
      'mcp.enabled': true,
      'findByMeaning.candidates': 'text',
    });
    await createUsageLedger(join(services.context.globalStorageUri.fsPath, 'usage'), () => undefined).add(
      profile,
      spentBefore(),
    );
  });
  beforeEach(() => demo.call('POST', '/_control/reset', {}));
  after(async () => {
    await ensureSettings(services.settings, {
      dailySpendingCap: 0,
      'mcp.enabled': false,
      'findByMeaning.candidates': 'auto',
    });
    await forgetJobs();
    await beginAnew(services);
    await demo.close();
  });

  const spentBefore = () => ({ at: Date.now(), model: 'm', inputTokens: 1, outputTokens: 1, cost: 2.5 });
  const forgetJobs = async () => {
    for (const { id } of services.media.jobs) await (await services.media()).forget(id);
    for (const { id } of services.batchJobs.jobs) await (await services.batchJobs()).forget(id);
  };
  const drained = async (stream: AsyncIterable<unknown>) => {
    for await (const _ of stream);
  };
  const batchFile = () => {
    const path = folder.in('requests.jsonl');
    writeFileSync(path, `${requestLine('a', 'Hello', { model: chatModel })}\n`);
    return path;
  };
  const recording = () => {
    const path = folder.in('hello.mp3');
    writeFileSync(path, Buffer.alloc(2000, 1));
    return path;
  };
  const paidRequests = async () =>
    (await demo.requests()).filter(({ method, path }) => method === 'POST' && !free.test(path)).map(({ path }) => path);

  /** Each resolves with what the user or the model is told, or rejects with it. */
  type Ask = (client: Client) => Promise<unknown>;
  const calls: Readonly<Record<string, Ask>> = {
    'a chat': ({ chat }) => drained(chat.stream({ model: chatModel, messages, max_tokens: 20 })),
    'a chat without streaming': ({ chat }) => chat.create({ model: chatModel, messages, max_tokens: 20 }),
    'a message': ({ messages: noun }) => noun.create({ model: chatModel, messages, max_tokens: 20 }),
    'a line of a batch file that is run now': ({ chatCompletions }) =>
      drained(chatCompletions.chunks({ model: chatModel, messages })),
    'a completion': ({ completions }) =>
      drained(completions.stream({ model: codeModel, prompt: 'let a =', max_tokens: 9 })),
    'a ranking': ({ rerank }) => rerank.create(ranking),
    embeddings: ({ embeddings }) => embeddings.create({ model: 'Qwen/Qwen3-Embedding-8B', input: ['a lake'] }),
    'an image': ({ images }) => images.generate(image),
    'a video': ({ videos }) => videos.submit(video),
    speech: ({ speech }) =>
      speech.create({
        model: 'FunAudioLLM/CosyVoice2-0.5B',
        input: 'Hello',
        voice: 'FunAudioLLM/CosyVoice2-0.5B:alex',
      }),
    'a transcription': ({ transcriptions }) =>
      transcriptions.create({ model: 'FunAudioLLM/SenseVoiceSmall', path: recording() }),
    'a voice': ({ voices }) =>
      voices.upload({
        model: 'FunAudioLLM/CosyVoice2-0.5B',
        customName: 'mine',
        text: 'Hello',
        sample: { path: recording() },
      }),
    'a batch': ({ batches }) =>
      batches.create({ input_file_id: 'file-1', endpoint: '/v1/chat/completions', completion_window: '24h' }),
  };
  for (const [what, ask] of Object.entries(calls))
    it(`keeps a client from sending ${what}`, async () => isHeld(ask(await services.connections.client(profile))));

  /** Resolves to the error of an inline suggestion, as its status shows it. */
  const suggest = async () => {
    const limits = {
      dailySpendingCap: services.settings.get('dailySpendingCap'),
      prices: services.settings.get('prices'),
    };
    const desk = createGhostTextHost(services, {
      'ghostText.mode': 'automatic',
      'ghostText.model': codeModel,
      ...limits,
    });
    try {
      await createUsageLedger(join(desk.folder, 'usage'), () => undefined).add(profile, spentBefore());
      const { document, position } = await documentAt('let a = |');
      await desk.at(document, position);
      throw desk.provider.errors.last;
    } finally {
      await desk.dispose();
    }
  };
  const runEval = async (how: string) => {
    const file = folder.in(`${how}.promptfooconfig.yaml`);
    writeFileSync(file, `prompts: ['Say {{q}}']\nproviders: ['openai:chat:${chatModel}']\ntests: [{ vars: { q: a } }]`);
    const runtime = new EvalsRuntime(services, await services.evals(), /promptfooconfig/, () => Promise.resolve(how));
    try {
      await runtime.run(vscode.Uri.file(file));
    } finally {
      runtime.dispose();
    }
  };
  const features: Readonly<Record<string, () => Promise<unknown>>> = {
    'an eval run now': () => runEval('Run Now'),
    'an eval submitted as a batch': () => runEval('Submit as Batch'),
    'VS Code Chat': async () => {
      await services.models.setPinned(chatModel, true);
      const model = await until(
        async () => (await vscode.lm.selectChatModels({ vendor: 'inference-desk', id: chatModel }))[0],
        'the model',
      );
      await drained((await model.sendRequest([vscode.LanguageModelChatMessage.User('Hello')])).stream);
    },
    'Check Model': async () => {
      const learned = createLearnedStore();
      const exchanges: Exchange[] = [];
      const client = await services.connections.observed(services.profiles.active!, learned, (one) =>
        exchanges.push(one),
      );
      const subject = {
        learned,
        model: chatModel,
        kind: 'chat',
        service: undefined,
        known: {},
        language: 'en',
      } as const;
      try {
        await checkModel(
          { ...subject, client, exchanges: () => exchanges, now: Date.now } as never,
          () => undefined,
          new AbortController().signal,
        );
      } finally {
        await client.close();
      }
    },
    'a submitted batch': async () =>
      (await services.batchJobs()).submit({ path: batchFile(), completion_window: '24h' }),
    'a generated image': async () => (await services.media()).submit({ kind: 'image', request: image }),
    'a generated video': async () => (await services.media()).submit({ kind: 'video', request: video }),
    'a tool of VS Code': () =>
      Promise.resolve(
        vscode.lm.invokeTool('inferenceDesk_rerank', {
          input: { query: 'lakes', documents: ['a lake', 'a river'] },
          toolInvocationToken: undefined,
        }),
      ),
    'a tool that generates': () =>
      Promise.resolve(
        vscode.lm.invokeTool('inferenceDesk_generateImage', {
          input: { prompt: 'a lake' },
          toolInvocationToken: undefined,
        }),
      ),
    'another extension': async () => {
      const caller = await callerExtension();
      await ensureSettings(services.settings, { extensionAccess: { [caller.id]: true } });
      await (await caller.connect()).rerank({ query: 'lakes', documents: ['a lake', 'a river'] });
    },
  };
  for (const [what, ask] of Object.entries(features)) it(`stops ${what}`, () => isHeld(ask()));
  it('stops an inline suggestion', () => isHeld(suggest()));

  /** The MCP server as the editor starts it. */
  const openServer = async () => {
    const offer = new ServerOffer(services);
    const [definition] = await offer.provide();
    ok(definition);
    const { command, args, env } = await offer.resolve(definition);
    const texts = Object.entries(env).map(([name, value]) => [name, String(value)] as const);
    const variables = { ...Object.fromEntries(texts), INFERENCE_DESK_FOLDER: folder.path() };
    const transport = new StdioClientTransport({ command, args, env: variables, stderr: 'ignore' });
    const client = new McpClient({ name: 'test', version: '1' });
    await client.connect(transport);
    return { client, close: () => client.close() };
  };

  it('stops the MCP server, whatever its tools send', async () => {
    const { client, close } = await openServer();
    batchFile();
    writeFileSync(folder.in('lakes.md'), 'A lake between mountains.\n');
    try {
      for (const [name, input] of [
        ['rerank', { query: 'lakes', documents: ['a lake', 'a river'] }],
        ['generateImage', { prompt: 'a lake' }],
        ['submitVideo', { prompt: 'a lake' }],
        ['submitBatch', { file: 'requests.jsonl' }],
        ['findFiles', { question: 'lakes' }],
      ] as const) {
        const { content } = await client.callTool({ name: `inferenceDesk_${name}`, arguments: input });
        const reported = JSON.stringify(content);
        match(reported, /daily spending cap is reached/, `${name}: ${reported}`);
      }
    } finally {
      await close();
    }
    deepEqual(await paidRequests(), []);
  });

  describe("while another window's question is being answered", () => {
    let other: ReturnType<typeof createOwnMeter>;
    let asking: Promise<unknown>;
    const stopping = new AbortController();
    // 2.5 was spent before, and the question takes 4.
    before(async () => {
      await ensureSettings(services.settings, {
        dailySpendingCap: 10,
        prices: { '*': { input: 0, output: 0, request: 4, image: 4, video: 4, clip: 4 } },
      });
      await forgetJobs();
      await demo.call('POST', '/_control/reset', {});
      await demo.call('POST', '/_control/pace', { pace: { firstTokenMs: 3_600_000 } });
      other = createOwnMeter(services);
      const { chat } = await other.connections.client(profile);
      asking = drained(chat.stream({ model: chatModel, messages, max_tokens: 20 }, stopping.signal));
      await until(async () => (await other.usage.reserved(profile)) === 4 || undefined, 'the question');
    });
    beforeEach(async () => {
      await demo.call('POST', '/_control/pace', { pace: { firstTokenMs: 3_600_000 } });
    });
    after(async () => {
      stopping.abort();
      await asking.catch(() => undefined);
      other.connections.dispose();
      await ensureSettings(services.settings, { dailySpendingCap: 2, prices: {} });
      await demo.call('POST', '/_control/pace', { pace: 'instant' });
    });
    const isRefused = (asked: Promise<unknown>) => isHeld(asked, /spending cap would be exceeded|Spending cap/i);
    const byRequest = Object.entries(calls).filter(
      ([what]) => !/image|video|speech|transcription|voice|batch$/.test(what),
    );
    for (const [what, ask] of byRequest)
      it(`refuses ${what} that would exceed the cap together with it`, async () =>
        isRefused(ask(await services.connections.client(profile))));
    for (const [what, ask] of Object.entries(features))
      if (!/Check Model|batch/.test(what))
        it(`refuses ${what} that would exceed the cap together with it`, () => isRefused(ask()));

    it('rejects the tools of the MCP server with the same reason', async () => {
      const { client, close } = await openServer();
      writeFileSync(folder.in('lakes.md'), 'A lake between mountains.\n');
      try {
        for (const [name, input] of [
          ['rerank', { query: 'lakes', documents: ['a lake', 'a river'] }],
          ['generateImage', { prompt: 'a lake' }],
          ['findFiles', { question: 'lakes' }],
        ] as const) {
          const { content } = await client.callTool({ name: `inferenceDesk_${name}`, arguments: input });
          match(
            JSON.stringify(content),
            /spending cap would be exceeded .*requests and jobs in progress/,
            `${name}: ${JSON.stringify(content)}`,
          );
        }
      } finally {
        await close();
      }
      deepEqual(await paidRequests(), []);
    });

    it('is shown as work in progress next to the cap', async () => {
      const usage = await services.usage();
      equal(await usage.reserved(profile), 4);
    });

    it('sends requests again once it has ended', async () => {
      await demo.call('POST', '/_control/pace', { pace: 'instant' });
      stopping.abort();
      await asking.catch(() => undefined);
      const usage = await services.usage();
      await until(async () => (await usage.reserved(profile)) === 0 || undefined, 'the release');
    });
  });

  it('includes the expected cost of batches and videos in progress while they are tracked', async () => {
    await ensureSettings(services.settings, {
      dailySpendingCap: 10,
      prices: { '*': { input: 0, output: 0, request: 6, video: 4, image: 4.1 } },
    });
    await demo.call('POST', '/_control/pace', { pace: { batchQueueMs: 3_600_000, videoQueueMs: 3_600_000 } });
    const [batchJobs, media, path] = [await services.batchJobs(), await services.media(), batchFile()];
    const submit = () => batchJobs.submit({ path, completion_window: '24h' });
    const failure = (asked: Promise<unknown>) =>
      asked.then(
        () => 'It was submitted.',
        (error: { readonly title?: string; readonly detail?: string }) => `${error.title}: ${error.detail}`,
      );
    try {
      // 2.5 was spent before. A batch costs half as much.
      const reported = await Promise.all([1, 2, 3, 4].map(() => failure(submit())));
      const taken = services.batchJobs.jobs.filter(({ stage }) => stage === 'running');
      const stages = services.batchJobs.jobs.map(({ stage, lastError }) => `${stage} ${JSON.stringify(lastError)}`);
      equal(taken.length, 2, [...reported, ...stages].join('\n'));
      for (const { id } of taken) {
        await batchJobs.forget(id);
      }
      const { id } = await submit();
      await submit();
      match(
        await failure(submit()),
        /^Daily spending cap would be exceeded: .*Spent today\D*2\.50? of \D*10.* about \D*6.* would be about \D*3/,
      );
      match(await failure(media.submit({ kind: 'video', request: video })), /would be exceeded/);
      await batchJobs.forget(id);
      const { stage } = await media.submit({ kind: 'video', request: video });
      equal(stage, 'running');
      match(await failure(media.submit({ kind: 'image', request: image })), /would be exceeded/);
      await services.settings.set('dailySpendingCap', 9);
      const { chat } = await services.connections.client(profile);
      match(
        await failure(drained(chat.stream({ model: chatModel, messages, max_tokens: 20 }))),
        /^Daily spending cap would be exceeded: .* Requests and jobs in progress will cost about \D*7.* would be about \D*6/,
      );
    } finally {
      await ensureSettings(services.settings, { dailySpendingCap: 2, prices: {} });
      await demo.call('POST', '/_control/pace', { pace: 'instant' });
    }
  });

  it('stops requests by the balance alone, although neither the account nor the window is visible', async () => {
    const own = randomUUID();
    await signInAnew(services, own, demo);
    await services.account.refresh();
    const usage = await services.usage();
    await until(async () => (await usage.spentToday(own)) === 0 || undefined, 'the first reading');
    await services.settings.set('dailySpendingCap', 1e-6);
    try {
      const { rerank } = await services.connections.client(own);
      const large = { ...ranking, documents: ['a lake '.repeat(500), 'a river '.repeat(500)] };
      const stopped = await until(
        () =>
          rerank.create(large).then(
            () => undefined,
            (error: Error) => error,
          ),
        'the cap',
        60_000,
      );
      match(stopped.message, /cap reached/);
    } finally {
      await services.settings.set('dailySpendingCap', 2);
      await signInAnew(services, profile, demo);
    }
  });

  it('releases stopped work once it is raised', async () => {
    await services.settings.set('dailySpendingCap', 1000);
    try {
      const { rerank } = await services.connections.client(profile);
      equal((await rerank.create(ranking)).results.length, 2);
    } finally {
      await services.settings.set('dailySpendingCap', 2);
    }
  });

  async function isHeld(asked: Promise<unknown>, reason = /[Ss]pending cap/): Promise<void> {
    const reported = await asked.then(
      (result) => JSON.stringify(result) ?? 'nothing',
      (error: Error & { readonly detail?: string }) => `${error.message} ${String(error.cause)}`,
    );
    deepEqual(await paidRequests(), []);
    match(reported, reason);
  }
});
