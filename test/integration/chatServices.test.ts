import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict';
import * as vscode from 'vscode';
import { ChatRuntime } from '../../src/features/chat/chatRuntime';
import type { Answer, Turn } from '../../src/protocol/chat';
import type { Services } from '../../src/services/services';
import { messageLimitOf } from '../../src/services/parameters/messageLimit';
import { beginAnew, deskServices, signInAnew } from '../support/deskServices';
import { readAll, startOrigin, type OriginServer } from '../support/originServer';
import { startFilledDemo, type FilledDemo } from '../support/filledDemo';
import { startAnthropicService } from '../support/otherServices/anthropicService';
import type { OtherService } from '../support/otherServices/loopbackService';
import { startOpenAiService } from '../support/otherServices/openAiService';
import { createPageEnd, type PageEnd } from '../support/pageEnd';
import { until } from '../support/until';

/** Services with one endpoint for chat each: what the other dialect is asked for there is not offered. */
const kinds = {
  OpenAI: {
    start: startOpenAiService,
    keyHeader: undefined,
    model: 'gpt-4o-mini',
    path: '/chat/completions',
    other: '/messages',
  },
  Anthropic: {
    start: startAnthropicService,
    keyHeader: 'x-api-key',
    model: 'claude-haiku-4-5-20251001',
    path: '/messages',
    other: '/chat/completions',
  },
} as const;

for (const [name, { start, keyHeader, model, path, other }] of Object.entries(kinds)) {
  describe(`the chat on a service with ${name}`, function () {
    this.timeout(120_000);
    let services: Services;
    let service: OtherService;
    let runtime: ChatRuntime;
    let end: PageEnd<'chat'>;

    before(async () => {
      services = await deskServices();
      service = await start();
      await beginAnew(services);
      const { baseUrl } = service;
      await services.profiles.save({ id: 'elsewhere', name, baseUrl, ...(keyHeader && { keyHeader }) });
      await services.profiles.setActive('elsewhere');
      await services.profiles.storeKey('elsewhere', service.key);
      await services.models.refresh();
      await vscode.extensions.getExtension('inference-desk-test.desk-test-tools')!.activate();
    });
    after(async () => {
      await beginAnew(services);
      await service.close();
    });
    beforeEach(async () => {
      runtime = new ChatRuntime(services);
      end = createPageEnd<'chat'>();
      runtime.show(end.view);
      await runtime.locations.current.startNew();
    });
    afterEach(() => runtime.dispose());

    const follow = async ({ id }: Turn): Promise<Answer> =>
      (await end.page.call('chat/follow', { turnId: id, have: [] })).answer;
    const asked = (endpoint: string) => service.bodies(`POST /v1${endpoint}`);

    it('answers, counts tokens once, and tries the other endpoint only once', async () => {
      const before = (await end.page.call('chat/spent', {})).today;
      const { turn } = await end.page.call('chat/ask', { text: 'Hello there', model });
      const answer = await follow(turn);
      deepEqual([answer.state, answer.stopReason, answer.error], ['done', 'end_turn', undefined]);
      match(answer.blocks.at(-1)?.text ?? '', /^You asked: Hello there/);
      const { today } = await end.page.call('chat/spent', {});
      const { inputTokens = 0, outputTokens = 0 } = answer.usage ?? {};
      ok(inputTokens > 0 && outputTokens > 0);
      deepEqual(
        [today.inputTokens - before.inputTokens, today.outputTokens - before.outputTokens],
        [inputTokens, outputTokens],
      );
      const { turn: next } = await end.page.call('chat/ask', { text: 'And again', model });
      equal((await follow(next)).state, 'done');
      equal(asked(path).length, 2);
      ok(asked(other).length <= 1);
      const written = await services.connections.written(services.profiles.active!, {
        model,
        messages: [{ role: 'user', content: 'Hi' }],
      });
      equal(written.path, path);
    });

    it('sends to an unlisted model whose ID was entered, and continues with it', async () => {
      const { page } = end;
      const tuned = `tuned-for-${name}`;
      const next = async () => {
        const { model: chosen, notOffered } = await page.call('chat/ready', {});
        return [chosen, notOffered];
      };
      await rejects(page.call('chat/ask', { text: 'Hello', model: tuned }));
      await page.call('chat/chooseModel', { model: tuned });
      deepEqual(await next(), [tuned, []]);
      const { turn } = await page.call('chat/ask', { text: 'Hello', model: tuned });
      await follow(turn);
      equal((asked(path).at(-1) as { readonly model?: string }).model, tuned);
      await runtime.locations.current.startNew();
      deepEqual(await next(), [tuned, []]);
    });

    it('compares with an unlisted model whose ID was entered', async () => {
      const { page } = end;
      const models = [model, `compared-with-${name}`];
      const { comparing: before } = await page.call('chat/ready', {});
      await page.call('chat/compareWith', { models, on: true });
      deepEqual((await page.call('chat/ready', {})).notOffered, []);
      await page.call('chat/compareWith', before);
    });

    it('sends complete conversations unless a limit is set', async () => {
      const ask = async (text: string) => {
        const { turn } = await end.page.call('chat/ask', { text, model });
        equal((await follow(turn)).state, 'done');
        return (asked(path).at(-1) as { readonly messages: readonly unknown[] }).messages.length;
      };
      let sent = 0;
      for (const question of ['One', 'Two', 'Three', 'Four', 'Five', 'Six']) sent = await ask(question);
      equal(sent, 11);
      const setting = vscode.workspace.getConfiguration('inferenceDesk.chat');
      await setting.update('messageLimit', 6, vscode.ConfigurationTarget.Global);
      try {
        ok((await ask('Seven')) <= 6);
      } finally {
        await setting.update('messageLimit', undefined, vscode.ConfigurationTarget.Global);
      }
    });

    it('runs an allowed tool, and continues with its result', async () => {
      await end.page.call('chat/offerTools', { model, ids: ['editor:desk_echo'], offered: true });
      const { turn } = await end.page.call('chat/ask', { text: 'Use desk_echo on "well met"', model });
      const first = await follow(turn);
      const block = first.blocks.findIndex(({ kind }) => kind === 'toolUse');
      deepEqual(JSON.parse(first.blocks[block]?.text ?? ''), { text: 'well met' });
      const decision = { type: 'allow', always: false } as const;
      const { turn: decided } = await end.page.call('chat/answerToolCall', { turnId: turn.id, block, decision });
      const done = await follow(decided);
      match(done.blocks.at(-1)?.text ?? '', /^The tool gave: You said: well met/);
      deepEqual([done.state, done.stopReason], ['done', 'end_turn']);
    });

    it('answers VS Code Chat and other extensions', async () => {
      await services.models.setPinned(model, true);
      const chosen = await until(
        async () => (await vscode.lm.selectChatModels({ vendor: 'inference-desk', id: model }))[0],
        `${model} among the editor's models`,
      );
      const { token } = new vscode.CancellationTokenSource();
      const response = await chosen.sendRequest([vscode.LanguageModelChatMessage.User('Hello editor')], {}, token);
      let text = '';
      for await (const piece of response.text) text += piece;
      match(text, /^You asked: Hello editor/);
    });
  });
}

describe('the chat on a gateway of the public service', function () {
  this.timeout(120_000);
  const model = 'Qwen/Qwen3-30B-A3B-Instruct-2507';
  let services: Services;
  let demo: FilledDemo;
  let gateway: OriginServer;
  let runtime: ChatRuntime;
  let end: PageEnd<'chat'>;
  /** How many messages each request had. */
  const counts: number[] = [];

  before(async () => {
    services = await deskServices();
    demo = await startFilledDemo();
    gateway = await startOrigin(async (request, response) => {
      const body = String(await readAll(request));
      if (request.url?.endsWith('/chat/completions')) {
        response.writeHead(404, { 'content-type': 'text/plain' }).end('404 page not found');
        return;
      }
      if (request.url?.endsWith('/messages'))
        counts.push((JSON.parse(body) as { messages: unknown[] }).messages.length);
      const { authorization = '' } = request.headers;
      const headers = { authorization, 'content-type': 'application/json' };
      const sent = request.method === 'POST' ? { method: 'POST', body } : {};
      const answer = await fetch(demo.baseUrl + request.url!.replace(/^\/v1/, ''), { ...sent, headers });
      response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
      response.end(await answer.text());
    });
    await signInAnew(services, 'gateway', { baseUrl: new URL('v1', gateway.url).href, apiKey: demo.apiKey });
    await services.models.refresh();
    runtime = new ChatRuntime(services);
    end = createPageEnd<'chat'>();
    runtime.show(end.view);
    await runtime.locations.current.startNew();
  });
  after(async () => {
    await vscode.commands.executeCommand('inferenceDesk.editorChat.forgetRefusals');
    await runtime.dispose();
    await beginAnew(services);
    await gateway.close();
    await demo.close();
  });

  it('detects the message limit, and compacts the earliest messages from then on', async () => {
    const ask = async (text: string) => {
      const { turn } = await end.page.call('chat/ask', { text, model });
      const { answer } = await end.page.call('chat/follow', { turnId: turn.id, have: [] });
      deepEqual([answer.state, answer.error], ['done', undefined]);
    };
    for (const question of ['One', 'Two', 'Three', 'Four', 'Five']) await ask(question);
    deepEqual(counts.splice(0), [1, 3, 5, 7, 9]);
    await ask('Six');
    deepEqual(counts.splice(0), [11, 9]);
    await ask('Seven');
    deepEqual(counts.splice(0), [9]);
    equal(messageLimitOf(services, services.profiles.active), 10);
  });

  it('remembers the limit for the account until learned limits are reset', async () => {
    equal(messageLimitOf(services, services.profiles.active), 10);
    await vscode.commands.executeCommand('inferenceDesk.editorChat.forgetRefusals');
    equal(messageLimitOf(services, services.profiles.active), 0);
  });
});
