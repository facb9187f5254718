import { deepEqual, doesNotMatch, equal, match, ok } from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { readRecords } from '../../src/core/conversation/record';
import { textOf } from '../../src/core/conversation/requestMessages';
import { createTranscript } from '../../src/core/conversation/transcript';
import { ChatRuntime } from '../../src/features/chat/chatRuntime';
import { showScreen } from '../../src/platform/webview/webviewHost';
import type { Answer, AnswerChunk, ChatSnapshot, Turn } from '../../src/protocol/chat';
import type { ParameterForm } from '../../src/protocol/chatParameters';
import { until as untilFound } from '../support/until';
import { setUpOpenChat } from '../support/openChat';

const quick = { firstTokenMs: 5, tokenMs: 0 };
const firstModel = 'Qwen/Qwen3-30B-A3B-Instruct-2507';

describe('the chat, from page calls to HTTP requests', function () {
  this.timeout(120_000);
  const chat = setUpOpenChat('chatting', quick);

  afterEach(async () => {
    await pace(quick);
    if (chat.services.settings.get('chat.messageLimit') !== 10)
      await chat.services.settings.set('chat.messageLimit', 10);
  });

  const ready = (): Promise<ChatSnapshot> => chat.end.page.call('chat/ready', {});
  const ask = async (text: string, model = firstModel): Promise<Turn> =>
    (await chat.end.page.call('chat/ask', { text, model })).turn;

  /** Follows to the end; `onText` sees what the page has after each piece. */
  async function follow(turnId: string, have: readonly number[] = [], onText = (_text: string) => {}): Promise<Answer> {
    let text = '';
    const onChunk = (chunk: AnswerChunk) => {
      if (chunk.type !== 'append') return;
      text += chunk.text;
      onText(text);
    };
    return (await chat.end.page.call('chat/follow', { turnId, have }, { onChunk })).answer;
  }
  const pace = (figures: object) => chat.demo.call('POST', '/_control/pace', { pace: figures });
  /** So that an answer is still on its way when something is done about it. */
  const goSlowly = () => pace({ firstTokenMs: 20, tokenMs: 5 });
  const wordsOf = (answer: Answer): string => answer.blocks.map(({ text }) => text).join('');
  const history = async () => {
    const { conversationId } = await ready();
    const folder = join(chat.services.context.globalStorageUri.fsPath, 'conversations');
    return createTranscript(readRecords(await readFile(join(folder, `${conversationId}.jsonl`), 'utf8')));
  };
  const eventually = (isSo: () => boolean, what: string) => untilFound(() => isSo() || undefined, what);
  /** Resolves once the answer has so many characters on the page; it goes on meanwhile. */
  const until = (turnId: string, length: number) =>
    new Promise<string>((resolve, reject) => {
      follow(turnId, [], (text) => text.length >= length && resolve(text)).catch(reject);
    });

  it('sends the page a snapshot with the chat models, and selects the first', async () => {
    const { account, profileName, models, modelsState, model, turns } = await ready();
    deepEqual([account, profileName, modelsState, model, turns], ['ready', 'Chatting', 'ready', firstModel, []]);
    ok(models.length > 3 && models.every(({ id }) => !/rerank|Kolors|CosyVoice/i.test(id)));
  });

  it('streams an answer, counts its tokens, and saves it', async () => {
    const question = 'How many a’s are in the word extraordinary?';
    const turn = await ask(question);
    equal(turn.answer.state, 'waiting');
    const answer = await follow(turn.id);
    equal(answer.state, 'done');
    equal(answer.stopReason, 'end_turn');
    match(wordsOf(answer), /extraordinary/);
    ok((answer.usage?.inputTokens ?? 0) > 0 && (answer.usage?.outputTokens ?? 0) > 0);
    match(answer.responseId ?? '', /\w/);
    match(answer.traceId ?? '', /^ti_/);
    equal(answer.answeredBy, undefined);
    ok(answer.firstTokenMs !== undefined && answer.totalMs !== undefined && answer.firstTokenMs <= answer.totalMs);
    const written = (await history()).turns();
    deepEqual([written[0]?.question, textOf(written[0]!.answers[0]!)], [question, wordsOf(answer)]);
  });

  it('updates the page when the daily budget changes', async () => {
    equal((await chat.end.page.call('chat/spent', {})).budget.hard, 0);
    const reported: number[] = [];
    chat.end.page.on('chat/budget', ({ budget }) => void reported.push(budget.hard));
    try {
      await chat.services.settings.set('chat.dailyTokenBudget', { soft: 0, hard: 7000 });
      await eventually(() => reported.includes(7000), 'the budget');
    } finally {
      await chat.services.settings.set('chat.dailyTokenBudget', { soft: 0, hard: 0 });
    }
  });

  it('stops immediately and keeps the partial answer', async () => {
    await goSlowly();
    const turn = await ask('Write a long story about a lighthouse, in ten paragraphs.');
    const seen = await until(turn.id, 40);
    await chat.end.page.call('chat/stop', { turnId: turn.id });
    const answer = await follow(turn.id);
    equal(answer.state, 'stopped');
    ok(wordsOf(answer).startsWith(seen));
    equal((await history()).turn(turn.id)?.answers[0]?.end?.state, 'stopped');
  });

  it('continues while the page is hidden, and updates the page when shown', async () => {
    await goSlowly();
    const turn = await ask('Write a long story about a harbour, in five paragraphs.');
    const seen = await until(turn.id, 40);
    chat.end.hide();
    chat.end.show();
    const { turns } = await ready();
    const before = turns[0]!.answer;
    ok(wordsOf(before).startsWith(seen));
    const have = before.blocks.map(({ text }) => text.length);
    let rest = '';
    const answer = await follow(turn.id, have, (text) => (rest = text));
    equal(answer.state, 'done');
    equal(wordsOf(before) + rest, wordsOf(answer));
  });

  it("doesn't give VS Code a second page while the previous one is loading", async () => {
    const { webview } = chat.end.view;
    const finish = chat.end.holdLoading();
    chat.runtime.show(chat.end.view);
    const loading = webview.html;
    chat.runtime.show(chat.end.view);
    chat.runtime.show(chat.end.view);
    ok(webview.html === loading);
    finish();
    ok(webview.html !== loading);
    finish();
    equal((await ready()).account, 'ready');
  });

  it('gives VS Code a page after the previous one loaded while hidden', async () => {
    const { webview } = chat.end.view;
    const finish = chat.end.holdLoading();
    chat.runtime.show(chat.end.view);
    const loading = webview.html;
    await chat.runtime.dispose();
    finish();
    chat.runtime = new ChatRuntime(chat.services);
    chat.runtime.show(chat.end.view);
    ok(webview.html !== loading);
  });

  it("doesn't change the folders of a page that is loading, and reloads it for them", () => {
    const { webview } = chat.end.view;
    const finish = chat.end.holdLoading();
    const log = chat.services.log;
    const { extensionUri } = chat.services.context;
    const empty = {} as never;
    const parts = {
      screen: 'gallery',
      title: '',
      webview,
      extensionUri,
      handlers: empty,
      calls: empty,
      log,
    } as const;
    const host = showScreen(parts);
    const before = webview.options.localResourceRoots;
    const folder = vscode.Uri.file('/pictures');
    host.showFolders([folder]);
    deepEqual(webview.options.localResourceRoots, before);
    finish();
    deepEqual(webview.options.localResourceRoots, [...before!, folder]);
    host.dispose();
  });

  it('answers only the visible page, not the previous one that may still exist', async () => {
    await ready();
    const before = chat.end.page;
    chat.runtime.show(chat.end.view);
    const shown = ready();
    void before.call('chat/draft', { text: 'said too late' });
    await chat.end.page.call('chat/copy', { text: 'said by the new one' });
    equal((await shown).draft, '');
    equal((await ready()).draft, '');
  });

  it('shows the cause of a failure in the turn without the key, and can retry', async () => {
    const turn = await ask('Hello');
    await follow(turn.id);
    await chat.services.profiles.storeKey('chatting', `${chat.demo.apiKey}wrong`);
    try {
      const failed = await ask('Hello again');
      const { error } = await follow(failed.id);
      equal(error?.kind, 'auth');
      ok(error.actions.length > 0);
      ok(!JSON.stringify(error).includes(chat.demo.apiKey));
      await chat.services.profiles.storeKey('chatting', chat.demo.apiKey);
      await chat.end.page.call('chat/retry', { turnId: failed.id, model: firstModel });
      equal((await follow(failed.id)).state, 'done');
    } finally {
      await chat.services.profiles.storeKey('chatting', chat.demo.apiKey);
    }
  });

  describe('with parameters', () => {
    const question = 'What is an idempotent request?';
    const unset = { system: '', numbers: {}, stop_sequences: [], prefill: '' };
    const set = (form: Partial<ParameterForm>) =>
      chat.end.page.call('chat/setParameters', { model: firstModel, form: { ...unset, ...form } });

    it('continues a truncated answer in the same turn', async () => {
      await set({ numbers: { max_tokens: '16' } });
      const { id } = await ask(question);
      const cut = await follow(id);
      deepEqual([cut.stopReason, cut.canContinue], ['max_tokens', true]);
      const before = wordsOf(cut).trimEnd();
      doesNotMatch(before, /`POST` isn’t/);
      await set({});
      await chat.end.page.call('chat/continue', { turnId: id });
      const whole = await follow(id);
      deepEqual([whole.stopReason, whole.canContinue, whole.blocks.length], ['end_turn', undefined, 1]);
      ok(wordsOf(whole).startsWith(before), `${wordsOf(whole)} goes on from ${before}`);
      match(wordsOf(whole), /`POST` isn’t/);
      equal(wordsOf(whole).match(/has the same effect/g)?.length, 1);
      equal((await ready()).turns.length, 1);
    });

    it('turns reasoning on with a budget, and off, if the model supports it', async () => {
      const model = 'zai-org/GLM-4.6';
      const asked = async (form: Partial<ParameterForm>) => {
        await chat.end.page.call('chat/setParameters', { model, form: { ...unset, ...form } });
        const { state, blocks } = await follow((await ask(question, model)).id);
        const request = (await chat.demo.requests()).findLast(({ path }) => path.endsWith('/messages'));
        return [state, blocks.map(({ kind }) => kind), request?.body['thinking']];
      };
      equal((await chat.end.page.call('chat/parameters', { model })).form.enable_thinking, '');
      deepEqual(await asked({ enable_thinking: 'on', numbers: { thinking_budget: '256' } }), [
        'done',
        ['thinking', 'text'],
        { type: 'enabled', budget_tokens: 256 },
      ]);
      deepEqual(await asked({ enable_thinking: 'off', numbers: { thinking_budget: '' } }), [
        'done',
        ['text'],
        { type: 'disabled' },
      ]);
      const other = await chat.end.page.call('chat/parameters', { model: firstModel });
      equal(other.form.enable_thinking, undefined);
    });

    it('ends an answer at a stop sequence, and names it', async () => {
      await set({ stop_sequences: ['4.'] });
      const answer = await follow((await ask('List five reasons to write tests, one line each.')).id);
      deepEqual([answer.stopReason, answer.stopSequence], ['stop_sequence', '4.']);
      match(wordsOf(answer), /\n3\. [^]*\n$/);
    });
  });

  it('shows a refusal as such, and retries it', async () => {
    await chat.demo.call('POST', '/_control/arm', { fault: 'refusal', endpoint: 'POST /messages' });
    const { id } = await ask('Hello');
    const { state, stopReason } = await follow(id);
    deepEqual([state, stopReason], ['done', 'refusal']);
    await chat.end.page.call('chat/retry', { turnId: id, model: firstModel });
    equal((await follow(id)).stopReason, 'end_turn');
  });

  it('keeps reasoning and text of a response apart after a restart', async () => {
    const { id } = await ask('What is an idempotent request?', 'deepseek-ai/DeepSeek-R1');
    const { blocks } = await follow(id);
    deepEqual(
      blocks.map(({ kind, text }) => [kind, text.includes('The question is')]),
      [
        ['thinking', true],
        ['text', false],
      ],
    );
    await chat.runtime.dispose();
    chat.open();
    deepEqual((await ready()).turns[0]?.answer.blocks, blocks);
  });

  it("continues past a service's limit of ten messages, and can start fresh", async () => {
    for (let round = 1; round <= 7; round++) {
      const { state } = await follow((await ask(`Say the number ${round}.`)).id);
      equal(state, 'done');
    }
    const { turns, compaction } = await ready();
    deepEqual(compaction, { limit: 10, messages: 9, compacted: 3 });
    match((await chat.end.page.call('chat/compactedText', {})).text, /> Say the number 3\.[^]*End of the transcript/);
    const turnId = turns[5]!.id;
    const fresh = { limit: 10, messages: 5, compacted: 0, startTurnId: turnId };
    deepEqual((await chat.end.page.call('chat/startFrom', { turnId })).compaction, fresh);
    await chat.runtime.dispose();
    chat.open();
    deepEqual((await ready()).compaction, fresh);
    await follow((await ask('Say the number 8.')).id);
    const requests = await chat.demo.requests();
    const { messages } = requests.findLast(({ path }) => path.endsWith('/messages'))!.body;
    equal((messages as readonly unknown[]).length, 5);
    deepEqual((await chat.end.page.call('chat/startFrom', { turnId: null })).compaction, {
      ...compaction,
      compacted: 4,
    });
  });

  it('updates the page when the next request changes', async () => {
    const reported: number[] = [];
    chat.end.page.on('chat/compaction', ({ compaction }) => reported.push(compaction.messages, compaction.limit));
    await follow((await ask('Say the number 1.')).id);
    await eventually(() => reported.at(-1) === 10 && reported.at(-2) === 3, 'news of the answer');
    await chat.services.settings.set('chat.messageLimit', 6);
    await eventually(() => reported.at(-1) === 6, 'news of the setting');
    await chat.services.settings.set('chat.messageLimit', -1);
    await eventually(() => reported.at(-1) === 10, 'a limit that makes no sense to count as not set');
  });

  it('explains when the service accepts no more messages, and keeps the question', async () => {
    await chat.services.settings.set('chat.messageLimit', 0);
    for (let round = 1; round <= 5; round++) await follow((await ask(`Say the number ${round}.`)).id);
    const sixth = await ask('Say the number 6.');
    const { state, error } = await follow(sixth.id);
    deepEqual([state, error?.actions[0]?.id], ['failed', 'newConversation']);
    await chat.end.page.call('chat/act', { action: 'newConversation', turnId: sixth.id });
    const { turns, draft } = await ready();
    deepEqual([turns, draft], [[], 'Say the number 6.']);
  });

  it('sends attachments before the question, stores them with the turn, and clears them', async () => {
    const document = await vscode.workspace.openTextDocument({ content: 'pomegranate\n', language: 'plaintext' });
    await vscode.window.showTextDocument(document);
    await chat.runtime.locations.current.attachments.add({ from: 'openFile' });
    const { chips } = await chat.end.page.call('chat/attachments', {});
    deepEqual([chips.length, chips[0]?.characters], [1, 12]);
    const { turn } = await chat.end.page.call('chat/ask', {
      text: 'Which fruit?',
      model: firstModel,
      attachments: chips.map(({ id }) => id),
    });
    equal(turn.attachments?.[0]?.characters, 12);
    await follow(turn.id);
    const requests = await chat.demo.requests();
    match(JSON.stringify(requests.at(-1)), /```plaintext.*pomegranate.*Which fruit\?/);
    equal((await history()).turn(turn.id)?.attachments?.[0]?.text, 'pomegranate\n');
    deepEqual((await chat.end.page.call('chat/attachments', {})).chips, []);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });

  it("copies text at the page's request", async () => {
    await chat.end.page.call('chat/copy', { text: 'an answer' });
    equal(await vscode.env.clipboard.readText(), 'an answer');
  });
});
