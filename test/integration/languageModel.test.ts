import { deepEqual, doesNotMatch, equal, match, notEqual, ok, rejects } from 'node:assert/strict';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { mock } from 'node:test';
import * as vscode from 'vscode';
import type { ContentBlock, MessageEvent } from '../../src/core/api/messages/messageEvents';
import { createEditorModels } from '../../src/features/languageModel/editorModels';
import type { Services } from '../../src/services/services';
import { beginAnew, deskServices, ensureSettings, leaveQuickOpen, staySignedIn } from '../support/deskServices';
import { startFilledDemo } from '../support/filledDemo';
import type { FilledDemo } from '../support/filledDemo';
import { until } from '../support/until';

const vendor = 'inference-desk';
const plain = 'Qwen/Qwen3-30B-A3B-Instruct-2507';
const thinking = 'zai-org/GLM-4.6';
const toolless = 'tencent/Hunyuan-MT-7B';

interface Sent {
  readonly model: string;
  readonly max_tokens: number;
  readonly system?: string;
  readonly temperature?: number;
  readonly tools?: readonly { readonly name: string }[];
  readonly messages: readonly { readonly role: string; readonly content: string | readonly Block[] }[];
}
interface Block {
  readonly type: string;
  readonly id?: string;
  readonly tool_use_id?: string;
}
type Request = { readonly path: string; readonly status: number; readonly body: Sent };

const user = (content: string | vscode.LanguageModelToolResultPart[]) => vscode.LanguageModelChatMessage.User(content);
/** The editor looks at a picture before it passes it on. */
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

const echo: vscode.LanguageModelChatTool = {
  name: 'desk_echo',
  description: 'Gives back a text.',
  inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
};

describe("the account's models for VS Code Chat and other extensions", function () {
  this.timeout(120_000);
  let services: Services;
  let demo: FilledDemo;

  before(async () => {
    services = await deskServices();
    demo = await startFilledDemo({ pace: { firstTokenMs: 1, tokenMs: 0 } });
  });
  beforeEach(async () => {
    await demo.call('POST', '/_control/reset', {});
    await rm(join(services.context.globalStorageUri.fsPath, 'languageModel'), { recursive: true, force: true });
    await staySignedIn(services, 'editor', demo);
    await services.models.refresh();
    for (const id of services.models.state.pins) await services.models.setPinned(id, false);
    await services.models.setDefault('chat', undefined);
  });
  afterEach(async () => {
    await ensureSettings(services.settings, {
      'models.capabilities': {},
      'chat.dailyTokenBudget': { soft: 0, hard: 0 },
    });
  });
  after(async () => {
    await beginAnew(services);
    await demo.close();
  });

  const listed = async (): Promise<readonly string[]> =>
    (await vscode.lm.selectChatModels({ vendor })).map(({ id }) => id);
  /** The editor asks anew when it was told of news, a moment later. */
  const untilListed = (...ids: readonly string[]) =>
    until(
      async () => {
        const now = await listed();
        return JSON.stringify(now.toSorted()) === JSON.stringify(ids.toSorted()) ? true : undefined;
      },
      `the models ${ids.join(', ') || '(none)'}`,
    );
  const pinned = async (id: string): Promise<vscode.LanguageModelChat> => {
    await services.models.setPinned(id, true);
    return until(async () => (await vscode.lm.selectChatModels({ vendor, id }))[0], id);
  };
  /** Once the editor knows of a model what it takes: while it asks for that, it knows no model. */
  const taking = (id: string, requested: { readonly images?: boolean; readonly tools?: boolean }) =>
    until(
      async () => {
        const model = await pinned(id);
        const { capabilities } = model as object as {
          readonly capabilities: { readonly supportsImageToText: boolean; readonly supportsToolCalling: boolean };
        };
        const fits =
          capabilities.supportsImageToText === (requested.images ?? capabilities.supportsImageToText) &&
          capabilities.supportsToolCalling === (requested.tools ?? capabilities.supportsToolCalling);
        return fits ? model : undefined;
      },
      `${id} with ${JSON.stringify(requested)}`,
    );
  const requests = async (): Promise<readonly Request[]> => {
    const { requests: seen } = (await demo.call('GET', '/_control/requests')) as { readonly requests: Request[] };
    return seen.filter(({ path }) => path.endsWith('/messages'));
  };
  const partsOf = async (response: vscode.LanguageModelChatResponse): Promise<readonly unknown[]> => {
    const parts: unknown[] = [];
    for await (const part of response.stream) parts.push(part);
    return parts;
  };
  const textOf = (parts: readonly unknown[]) =>
    parts.map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : '')).join('');
  const ask = async (
    model: vscode.LanguageModelChat,
    messages: vscode.LanguageModelChatMessage[],
    options: vscode.LanguageModelChatRequestOptions = {},
  ) => partsOf(await model.sendRequest(messages, options));
  const arm = (fault: string, times = 1) =>
    demo.call('POST', '/_control/arm', { fault, endpoint: 'POST /messages', times });

  it('notify VS Code of changes', async function () {
    // VS Code 1.106 tells no extension of such news: it asks anew whenever models are wanted.
    if (vscode.version.startsWith('1.106.')) this.skip();
    await untilListed();
    let news = 0;
    const listening = vscode.lm.onDidChangeChatModels(() => (news += 1));
    try {
      await services.models.setPinned(plain, true);
      await until(() => (news > 0 ? true : undefined), 'the news of the pinned model');
      news = 0;
      await services.models.setDefault('chat', thinking);
      await until(() => (news > 0 ? true : undefined), 'the news of the default');
      news = 0;
      await services.profiles.signOut('editor');
      await until(() => (news > 0 ? true : undefined), 'the news that there are none');
    } finally {
      listening.dispose();
    }
  });

  it('include pinned models and the default chat model, and update with them', async () => {
    deepEqual(await listed(), []);
    await services.models.setPinned(plain, true);
    await services.models.setPinned('BAAI/bge-reranker-v2-m3', true);
    await untilListed(plain);
    await services.models.setDefault('chat', thinking);
    await untilListed(plain, thinking);
    await services.models.setPinned(plain, false);
    await untilListed(thinking);
    await services.models.setDefault('chat', undefined);
    await untilListed();
  });

  it('disappear immediately without a key and without a question, and return with one', async () => {
    await pinned(plain);
    const { activeTextEditor } = vscode.window;
    await services.profiles.signOut('editor');
    await untilListed();
    equal(vscode.window.activeTextEditor, activeTextEditor);
    await services.profiles.storeKey('editor', demo.apiKey);
    await untilListed(plain);
  });

  it('show prices from the service or the settings', async () => {
    await services.models.setPinned(plain, true);
    const editor = createEditorModels(services, () => {});
    const tooltip = async () => {
      const all = await editor.information({ silent: true }, new vscode.CancellationTokenSource().token);
      return all.find(({ id }) => id === plain)?.tooltip ?? '';
    };
    try {
      match(await tooltip(), / · Price unknown · /);
      await ensureSettings(services.settings, { prices: { [plain]: { input: 0.27, output: 1.1 } } });
      match(await tooltip(), / · \D*0\.27 in and \D*1\.10 out per million tokens · /);
    } finally {
      await ensureSettings(services.settings, { prices: {} });
      editor.dispose();
    }
  });

  it('ask signed-out users to sign in, but only if VS Code allows questions', async () => {
    await beginAnew(services);
    const editor = createEditorModels(services, () => {});
    const { token } = new vscode.CancellationTokenSource();
    deepEqual(await editor.information({ silent: true }, token), []);
    const asking = editor.information({ silent: false }, token);
    await leaveQuickOpen(asking);
    deepEqual(await asking, []);
    editor.dispose();
  });

  it('report their capabilities, which settings override', async () => {
    const model = await pinned(plain);
    const before = model.maxInputTokens;
    ok(before > 50_000, String(before));
    await services.settings.set('models.capabilities', { 'qwen/*': { contextTokens: 20_000, outputTokens: 4000 } });
    await until(async () => ((await pinned(plain)).maxInputTokens === 12_800 ? true : undefined), 'the new figure');
  });

  it('stream text, count tokens, and record usage', async () => {
    const model = await pinned(plain);
    const parts = await ask(model, [user('Write three sentences about rivers.')], {
      modelOptions: { temperature: 0.3, _telemetryTurn: 5, foreign: true },
    });
    ok(parts.length > 3, String(parts.length));
    match(textOf(parts), /river/i);
    const [request] = await requests();
    deepEqual(
      [request?.body.model, request?.body.temperature, request?.body.messages],
      [plain, 0.3, [{ role: 'user', content: 'Write three sentences about rivers.' }]],
    );
    ok(request!.body.max_tokens >= 4096);
    deepEqual(
      Object.keys(request!.body).filter((name) => name.startsWith('_') || name === 'foreign'),
      [],
    );
    const day = join(services.context.globalStorageUri.fsPath, 'usage', 'editor');
    await until(async () => {
      const { readdir } = await import('node:fs/promises');
      const names = await readdir(day).catch(() => []);
      const texts = await Promise.all(names.map((name) => readFile(join(day, name), 'utf8')));
      return texts.join('').includes(plain) ? true : undefined;
    }, 'the ledger');
    const counted = await model.countTokens('one two three four five six seven eight nine ten');
    ok(counted >= 8 && counted <= 14, String(counted));
    ok((await model.countTokens(user('one two three'))) >= 3);
    equal(await model.countTokens(''), 0);
  });

  it('run tools for thirty rounds within ten messages per request, each call with its result', async () => {
    const model = await pinned(plain);
    const others = Array.from({ length: 40 }, (_, at) => ({
      ...echo,
      name: `other_${at}`,
      description: 'Something else',
    }));
    const talk = [user('Use desk_echo on "well met" 30 times')];
    let rounds = 0;
    for (;;) {
      const parts = await ask(model, talk, { tools: [echo, ...others] });
      const calls = parts.filter((part) => part instanceof vscode.LanguageModelToolCallPart);
      if (calls.length === 0) {
        match(textOf(parts), /echoed 30/);
        break;
      }
      rounds += 1;
      ok(rounds <= 30, `${rounds} rounds`);
      deepEqual(
        calls.map(({ name, input }) => [name, input]),
        [['desk_echo', { text: 'well met' }]],
      );
      talk.push(vscode.LanguageModelChatMessage.Assistant([new vscode.LanguageModelTextPart(textOf(parts)), ...calls]));
      const results = calls.map(
        ({ callId }) =>
          new vscode.LanguageModelToolResultPart(callId, [new vscode.LanguageModelTextPart(`echoed ${rounds}`)]),
      );
      talk.push(user(results));
    }
    equal(rounds, 30);
    const sent = await requests();
    equal(sent.length, 31);
    for (const { body, status } of sent) {
      equal(status, 200);
      ok(body.messages.length <= 10, String(body.messages.length));
      equal(body.tools?.length, 41);
      body.messages.forEach(({ content }, at) => {
        const before = body.messages[at - 1]?.content ?? '';
        const ids = (value: string | readonly Block[], name: 'id' | 'tool_use_id') =>
          typeof value === 'string' ? [] : value.flatMap((block) => block[name] ?? []);
        deepEqual(ids(content, 'tool_use_id'), ids(before, 'id'));
      });
    }
    ok(JSON.stringify(sent.at(-1)!.body.messages).includes('echoed 1\\n'), 'the first result is told');
  });

  it('call a tool if that is required', async () => {
    const model = await pinned(plain);
    const parts = await ask(model, [user('Good morning')], {
      tools: [echo],
      toolMode: vscode.LanguageModelChatToolMode.Required,
    });
    ok(parts.some((part) => part instanceof vscode.LanguageModelToolCallPart));
  });

  it('report reasoning separately, and get its signature back with their calls', async () => {
    const model = await pinned(thinking);
    const parts = await ask(model, [user('Use desk_echo on "deep"')], { tools: [echo] });
    const isThought = (part: unknown) =>
      !(part instanceof vscode.LanguageModelTextPart) && !(part instanceof vscode.LanguageModelToolCallPart);
    const thoughts = parts.filter(isThought) as { readonly value?: unknown; readonly metadata?: object }[];
    ok(
      thoughts.length > 0 && thoughts.every(({ value }) => typeof value === 'string'),
      JSON.stringify(parts.slice(0, 3)),
    );
    const call = parts.find((part) => part instanceof vscode.LanguageModelToolCallPart);
    ok(call);
    const talk = [
      user('Use desk_echo on "deep"'),
      vscode.LanguageModelChatMessage.Assistant([...thoughts, call] as vscode.LanguageModelToolCallPart[]),
      user([new vscode.LanguageModelToolResultPart(call.callId, [new vscode.LanguageModelTextPart('deep')])]),
    ];
    const editor = createEditorModels(services, () => {});
    const counts = [thinking, plain].map((id) => editor.countTokens({ id }, talk[1]!));
    editor.dispose();
    ok(counts[0]! > counts[1]!, `thinking counts for the model that thought: ${counts.join(' and ')}`);
    match(textOf(await ask(model, talk, { tools: [echo] })), /desk_echo/);
    const last = (await requests()).at(-1);
    equal(last?.status, 200);
    match(JSON.stringify(last?.body.messages), /"type":"thinking".*"signature"/);
  });

  it('restore state of their calls after a restart', async () => {
    const parts = await ask(await pinned(thinking), [user('Use desk_echo on "deep"')], { tools: [echo] });
    const call = parts.find((part) => part instanceof vscode.LanguageModelToolCallPart);
    ok(call);
    const talk = [
      user('Use desk_echo on "deep"'),
      vscode.LanguageModelChatMessage.Assistant([call]),
      user([new vscode.LanguageModelToolResultPart(call.callId, [new vscode.LanguageModelTextPart('deep')])]),
    ];
    const restarted = createEditorModels(services, () => {});
    const { token } = new vscode.CancellationTokenSource();
    const options = { tools: [echo], toolMode: vscode.LanguageModelChatToolMode.Auto };
    for (const id of [thinking, plain]) await restarted.respond({ id }, talk, options, { report() {} }, token);
    restarted.dispose();
    const [own, others] = (await requests()).slice(-2).map(({ body }) => JSON.stringify(body.messages));
    match(own ?? '', /"type":"thinking".*"signature".*"type":"tool_use"/);
    // Another model can't verify it.
    doesNotMatch(others ?? '', /signature/);
  });

  it('receive images if supported; others receive a note', async () => {
    const talk = () => [
      vscode.LanguageModelChatMessage.User([
        new vscode.LanguageModelTextPart('What is on it?'),
        vscode.LanguageModelDataPart.image(png, 'image/png'),
      ]),
    ];
    await ask(await pinned(plain), talk());
    match(JSON.stringify((await requests()).at(-1)?.body.messages), /A picture was here/);
    await services.settings.set('models.capabilities', { [plain]: { images: true } });
    await ask(await taking(plain, { images: true }), talk());
    match(JSON.stringify((await requests()).at(-1)?.body.messages), /"type":"image".*"media_type":"image\/png"/);
  });

  it('cancel their request during an answer when VS Code cancels it', async () => {
    await demo.call('POST', '/_control/pace', { pace: { firstTokenMs: 1, tokenMs: 200 } });
    const editor = createEditorModels(services, () => {});
    const source = new vscode.CancellationTokenSource();
    const report = () => source.cancel();
    const options = { toolMode: vscode.LanguageModelChatToolMode.Auto };
    try {
      const asked = editor.respond({ id: plain }, [user('Write a long story.')], options, { report }, source.token);
      await rejects(asked, vscode.CancellationError);
      equal(services.exchanges.recent[0]?.errorKind, 'aborted');
      deepEqual(services.activity.running, []);
    } finally {
      editor.dispose();
      await demo.call('POST', '/_control/pace', { pace: { firstTokenMs: 1, tokenMs: 0 } });
    }
  });

  it('stop during an answer when the caller cancels', async function () {
    // That editor tells no provider of it once an answer has begun.
    if (vscode.version.startsWith('1.106.')) this.skip();
    await demo.call('POST', '/_control/pace', { pace: { firstTokenMs: 1, tokenMs: 200 } });
    try {
      const model = await pinned(plain);
      const source = new vscode.CancellationTokenSource();
      const response = await model.sendRequest([user('Write a long story about a lighthouse.')], {}, source.token);
      const reading = async () => {
        for await (const _part of response.stream) source.cancel();
      };
      // Newer editors end the stream with an error.
      await reading().catch(() => undefined);
      await until(() => (services.activity.running.length === 0 ? true : undefined), 'the end of the work');
      const [exchange] = services.exchanges.recent;
      equal(exchange?.errorKind, 'aborted');
    } finally {
      await demo.call('POST', '/_control/pace', { pace: { firstTokenMs: 1, tokenMs: 0 } });
    }
  });

  const errorOf = async (work: Promise<unknown>): Promise<vscode.LanguageModelError> => {
    const error: unknown = await work.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    ok(error instanceof vscode.LanguageModelError, `${String(error)} ${JSON.stringify(error)}`);
    return error;
  };

  it('explain errors with the codes that extensions know', async () => {
    const model = await pinned(plain);
    const cases = [
      ['token-invalid', 'NoPermissions', /API key/],
      ['identity', 'NoPermissions', /doesn't have permission/],
      ['unknown-model', 'NotFound', /doesn't have the model/],
      ['balance-402', 'Blocked', /Out of credit/],
      ['rate-limit-long-wait', 'Blocked', /limit/i],
      ['refusal', undefined, /cannot help/],
      ['empty-completion', 'Unknown', /response is empty/],
      ['server-60000', 'Unknown', /./],
    ] as const;
    for (const [fault, code, words] of cases) {
      await arm(fault, 3);
      const asked = ask(model, [user('Hello')]);
      if (code === undefined) match(textOf(await asked), words);
      else {
        const error = await errorOf(asked);
        equal(error.code, code, fault);
        match(error.message, words);
        ok(!error.message.includes(demo.apiKey) && !JSON.stringify(error.cause ?? '').includes(demo.apiKey));
      }
      await demo.call('POST', '/_control/reset', {});
    }
    const nothing = await errorOf(ask(model, [user('')]));
    match(nothing.message, /out of range/);
  });

  /** Resolves with the message of the error, and the number of calls that the editor is given. */
  async function answers(content: readonly ContentBlock[], stop_reason: string, ending = 'blockStop') {
    const events: readonly MessageEvent[] = [
      { type: 'start', usage: {} },
      ...content.map((block, index): MessageEvent => ({ type: ending as 'blockStop', index, block })),
      { type: 'end', message: { content, stop_reason, usage: {} } },
    ];
    const stream = async function* () {
      yield* events;
    };
    const client = async () => ({ chat: { stream } });
    const editor = createEditorModels({ ...services, connections: { client } as never }, () => {});
    const parts: unknown[] = [];
    const report = (part: unknown) => void parts.push(part);
    const options = { toolMode: vscode.LanguageModelChatToolMode.Auto };
    const { token } = new vscode.CancellationTokenSource();
    const asked = editor.respond({ id: plain }, [user('Go on')], options, { report }, token);
    const error = await asked.then(
      () => '',
      (reason: Error) => reason.message,
    );
    editor.dispose();
    return [error, parts.filter((part) => part instanceof vscode.LanguageModelToolCallPart).length] as const;
  }
  const thought: ContentBlock = { type: 'thinking', thinking: 'Hm' };
  const call = (name: string, input: object): ContentBlock => ({ type: 'tool_use', id: name, name, input });

  it('warn once per window that more tools are turned on than sent', async () => {
    const reported = mock.method(vscode.window, 'showWarningMessage', async () => undefined);
    const stream = async function* (): AsyncGenerator<MessageEvent> {
      yield { type: 'end', message: { content: [{ type: 'text', text: 'Hi' }], usage: {} } };
    };
    const client = async () => ({ chat: { stream } });
    const editor = createEditorModels({ ...services, connections: { client } as never }, () => {});
    const { token } = new vscode.CancellationTokenSource();
    try {
      for (const count of [128, 129, 129]) {
        const tools = Array.from({ length: count }, (_, at) => ({ ...echo, name: `tool_${at}` }));
        const options = { tools, toolMode: vscode.LanguageModelChatToolMode.Auto };
        await editor.respond({ id: plain }, [user('Go on')], options, { report() {} }, token);
      }
      const texts = reported.mock.calls.map(({ arguments: provided }) => String(provided[0]));
      equal(texts.length, 1);
      match(texts[0] ?? '', /^Only 128 of VS Code Chat's tools are sent\./);
    } finally {
      reported.mock.restore();
      editor.dispose();
    }
  });

  it('convert calls in text after that text was shown', async () => {
    deepEqual(await answers([call('one', { a: 1 })], 'tool_use', 'replace'), ['', 1]);
  });

  it('report reasoning without a response and truncated calls as errors', async () => {
    match((await answers([thought], 'end_turn'))[0], /contains only reasoning/);
    match((await answers([thought], 'max_tokens'))[0], /^Token limit reached before the model responded/);
    const cut = await answers([call('one', { a: 1 }), call('two', {})], 'max_tokens');
    match(cut[0], /during a call to two/);
    equal(cut[1], 0);
    deepEqual(await answers([thought, call('one', { a: 1 }), call('two', {})], 'tool_use'), ['', 2]);
  });

  it('count estimated tokens if a request without a response may be charged', async () => {
    const model = await pinned(plain);
    const usage = await services.usage();
    const used = async () => (await usage.today('editor')).inputTokens;
    const before = await used();
    await arm('server-60000');
    await errorOf(ask(model, [user('Hello')]));
    await until(async () => ((await used()) > before ? true : undefined), 'the count');
  });

  it('send no requests after the daily budget is used', async () => {
    const model = await pinned(plain);
    await ask(model, [user('Hello')]);
    await services.settings.set('chat.dailyTokenBudget', { soft: 0, hard: 1 });
    const sent = (await requests()).length;
    // What was used is looked at anew now and then; what was used here counts at once.
    const error = await errorOf(ask(model, [user('Hello')]));
    equal(error.code, 'Blocked');
    match(error.message, /Daily token limit/);
    equal((await requests()).length, sent);
  });

  it("report that images aren't supported, and remember it unless a setting overrides it", async () => {
    const image = vscode.LanguageModelDataPart.image(png, 'image/png');
    const talk = () => [vscode.LanguageModelChatMessage.User([new vscode.LanguageModelTextPart('See?'), image])];
    await services.settings.set('models.capabilities', { [plain]: { images: true } });
    await arm('no-images');
    const error = await errorOf(ask(await taking(plain, { images: true }), talk()));
    match(error.message, /doesn't support image input.*your setting/);
    await ask(await pinned(plain), talk());
    match(JSON.stringify((await requests()).at(-1)?.body.messages), /"type":"image"/);
  });

  it('remember rejections until learned limits are reset or a setting overrides them', async () => {
    const model = await taking(plain, { tools: true });
    await arm('no-tools');
    const error = await errorOf(ask(model, [user('Use desk_echo on "x"')], { tools: [echo] }));
    match(error.message, /doesn't support tools/);
    const file = join(services.context.globalStorageUri.fsPath, 'languageModel', 'refusals.json');
    match(await readFile(file, 'utf8'), /"tools": false/);
    await ask(await taking(plain, { tools: false }), [user('Use desk_echo on "x"')], { tools: [echo] });
    equal((await requests()).at(-1)?.body.tools, undefined);

    await services.settings.set('models.capabilities', { [plain]: { tools: true } });
    await until(
      async () => (/false/.test(await readFile(file, 'utf8')) ? undefined : true),
      'the lesson to be dropped',
    );
    const again = await ask(await taking(plain, { tools: true }), [user('Use desk_echo on "x"')], { tools: [echo] });
    ok(again.some((part) => part instanceof vscode.LanguageModelToolCallPart));

    await services.settings.set('models.capabilities', {});
    await arm('no-tools');
    await errorOf(ask(await taking(plain, { tools: true }), [user('Use desk_echo on "x"')], { tools: [echo] }));
    await vscode.commands.executeCommand('inferenceDesk.editorChat.forgetRefusals');
    const forgotten = await ask(await taking(plain, { tools: true }), [user('Use desk_echo on "x"')], {
      tools: [echo],
    });
    ok(forgotten.some((part) => part instanceof vscode.LanguageModelToolCallPart));
  });

  it('retry once with a lower response limit, and remember it', async () => {
    const model = await pinned(toolless);
    await arm('short-answers');
    match(textOf(await ask(model, [user('Hello')])), /./);
    const sent = await requests();
    deepEqual([sent.length, sent[0]?.status, sent[1]?.status], [2, 400, 200]);
    notEqual(sent[0]?.body.max_tokens, sent[1]?.body.max_tokens);
    equal(sent[1]?.body.max_tokens, 1000);
    await ask(await pinned(toolless), [user('Hello')]);
    equal((await requests()).at(-1)?.body.max_tokens, 1000);
  });
});
