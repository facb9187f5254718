import { deepEqual, equal, ok } from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { knownGapsOf } from '../../src/core/profiles/knownGaps';
import type { DeskWindow } from '../host/window';
import { chatOf, signInBy, type JourneyChat } from '../support/chatJourney';
import { type ForwardProxy, startForwardProxy } from '../support/forwardProxy';
import { inOrder } from '../support/inOrder';
import { startAnthropicService } from '../support/otherServices/anthropicService';
import { startLlamaCppService } from '../support/otherServices/llamaCppService';
import type { OtherService } from '../support/otherServices/loopbackService';
import { startOllamaService } from '../support/otherServices/localServices';
import { startOpenAiService } from '../support/otherServices/openAiService';
import { createPrivateAuthority } from '../support/privateAuthority';
import { until } from '../support/until';

const story = 'The lighthouse stood at the end of the pier';
const list = 'A recipe for tomato soup.\n\nGet your money back within 30 days.\n\nThe opening hours of the shop.\n';

/**
 * One window uses services of three vendors in turn. Those on the internet are reached at their own addresses, as in a company: through a
 * proxy, which leads to servers on this machine with trusted certificates.
 */
describe('services of other vendors', function () {
  let desk: DeskWindow;
  let chat: JourneyChat;
  let proxy: ForwardProxy;
  let folder: string;
  let openAi: OtherService;
  let anthropic: OtherService;
  let llama: OtherService;

  before(async function () {
    folder = mkdtempSync(path.join(tmpdir(), 'others-'));
    const workspace = path.join(folder, 'workspace');
    const authority = await createPrivateAuthority();
    writeFileSync(path.join(folder, 'authority.pem'), authority.certificate);
    openAi = await startOpenAiService({ identity: await authority.issue(['api.openai.com']) });
    anthropic = await startAnthropicService({ identity: await authority.issue(['api.anthropic.com']) });
    llama = await startLlamaCppService();
    proxy = await startForwardProxy({
      routes: { 'api.openai.com:443': openAi.port, 'api.anthropic.com:443': anthropic.port },
    });
    desk = await this.openDesk({
      folder: workspace,
      env: { SSL_CERT_FILE: path.join(folder, 'authority.pem') },
      settings: {
        'files.autoSave': 'off',
        'http.proxy': proxy.url.href,
        'http.systemCertificatesNode': true,
        'editor.minimap.enabled': false,
      },
      size: { width: 1500, height: 900 },
    });
    chat = chatOf(desk);
    // Otherwise, controls below the chat box are collapsed.
    await desk.openChat();
    await desk.widenSideBar(520);
    for (const name of ['openai', 'anthropic', 'llama'])
      writeFileSync(path.join(workspace, `${name}.txt`), `${story}\n`);
    writeFileSync(path.join(workspace, 'list.txt'), list);
    writeFileSync(path.join(workspace, 'requests.jsonl'), `${line(1)}\n${line(2)}\n`);
  });
  after(async () => {
    await desk?.close();
    await proxy?.close();
    for (const service of [openAi, anthropic, llama]) await service?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const title = (text: string) => desk.quickInput.locator('.quick-input-title', { hasText: text }).waitFor();
  const button = (name: string | RegExp): Locator => desk.webview.getByRole('button', { name });
  const field = (name: string): Locator => desk.webview.getByRole('textbox', { name, exact: true });
  const modelsRow = (text: string) => desk.page.locator('.sidebar .monaco-list-row', { hasText: text }).first();
  const asked = (service: OtherService) =>
    service.asked.map(({ method, path: at, status }) => `${method} ${at} ${status}`);

  const signIn = (at: string, name: string, key: string) => signInBy(desk, at, name, key);

  /** Asks in a new conversation, with a custom tool whose result is entered manually. */
  async function chatWithTool(): Promise<void> {
    await desk.openChat();
    const offered = desk.webview.getByRole('button', { name: 'Tools, 1 selected' });
    await desk.webview.locator('.bar-tools').waitFor();
    await desk.page.getByRole('button', { name: 'New Conversation' }).click();
    await desk.webview.locator('.welcome').waitFor();
    // A new conversation focuses the box, which closes an open tool list.
    await desk.webview.locator('textarea:focus').waitFor();
    if (!(await offered.isVisible())) {
      await desk.webview.locator('.bar-tools').click();
      await desk.webview.locator('.tools-groups').waitFor();
      await desk.webview.getByText('Loading…').waitFor({ state: 'hidden' });
      const written = desk.webview.locator('.tool', { hasText: 'lookUp' }).locator('input[type=checkbox]');
      if (await written.isVisible()) await written.check();
      else {
        await button('New Tool…').click();
        await field('Name').fill('lookUp');
        await field('Description').fill('Tells what a place is.');
        await desk.webview.locator('vscode-button', { hasText: 'Save' }).locator('button').click();
      }
      await offered.waitFor();
      await desk.page.keyboard.press('Escape');
    }
    await chat.ask('Use lookUp for "Ghent".');
    await field('Result of lookUp').fill('a city of canals');
    await desk.webview.locator('vscode-button', { hasText: 'Send Result' }).locator('button').click();
    await chat.lastTurn.locator('.md').getByText('The tool gave: a city of canals').last().waitFor();
    await chat.counted.waitFor();
  }

  const openFile = async (name: string): Promise<void> => {
    await desk.command('Go to File...');
    await desk.quickInput.locator('input.input').first().fill(name);
    await desk.pick(name);
    await desk.page.locator('.tab.active', { hasText: name }).waitFor();
    await desk.page.locator('.editor-instance .view-lines').first().click();
  };

  async function completeSelection(file: string): Promise<void> {
    await openFile(file);
    await until(async () => {
      await desk.page.locator('.editor-instance .view-line', { hasText: 'lighthouse' }).first().click();
      await desk.page.keyboard.press('Control+Home');
      await desk.page.keyboard.press('Shift+End');
      const selected = desk.status(`(${story.length} selected)`).waitFor({ timeout: 3000 });
      return selected.then(
        () => true as const,
        () => undefined,
      );
    }, 'the selected line');
    await desk.command('Inference Desk: Complete Text');
    await desk.page
      .locator('.codelens-decoration', { hasText: /tokens in/ })
      .first()
      .waitFor();
    // The document is closed before the next service's tests, without a save prompt.
    await desk.page.locator('.editor-instance .view-line').last().click();
    await desk.page.keyboard.press('Control+s');
    await desk.page.locator('.tab.active:not(.dirty)', { hasText: file }).waitFor();
  }

  const line = (id: number) =>
    JSON.stringify({
      custom_id: `line-${id}`,
      method: 'POST',
      url: '/v1/chat/completions',
      body: { model: 'gpt-4o-mini', messages: [{ role: 'user', content: `Question ${id}` }] },
    });

  /**
   * Returns the unsupported endpoints that a service was asked for, each once. The account endpoint is also requested by the key check,
   * which remembers nothing.
   */
  const inVain = (service: OtherService): readonly string[] => {
    const all = asked(service).filter((one) => /(404|405|501)$/.test(one));
    const rest = all.filter((one) => !one.includes('/user/info'));
    ok(all.length - rest.length <= 2, all.join(', '));
    equal(new Set(rest).size, rest.length, `asked again: ${rest.join(', ')}`);
    return rest.toSorted();
  };

  async function openRerank(): Promise<void> {
    await openFile('list.txt');
    await desk.page.keyboard.press('Control+a');
    await desk.command('Inference Desk: Rerank…');
    await desk.pick('Selection');
    await desk.editorPage.locator('.virtual-rows .documents-row').nth(2).waitFor();
    await desk.editorPage.getByRole('textbox', { name: 'Query' }).fill('money back');
  }

  /** Checks that the page says once that nothing can be ranked. */
  async function seeNoRanking(picture: string): Promise<void> {
    await openRerank();
    const box = desk.editorPage.getByRole('combobox', { name: 'Model' });
    await box.fill('any-reranker');
    // Otherwise, the list below the box covers the button.
    await box.press('Escape');
    await desk.editorPage.getByRole('listbox', { name: 'Show Models' }).waitFor({ state: 'hidden' });
    await desk.editorPage.locator('vscode-button[disabled]', { hasText: 'Rerank' }).waitFor();
    const notice = desk.editorPage.locator('.note', { hasText: "This service doesn't support reranking" });
    await notice.getByText('Switch to an account with another service.').waitFor();
    equal(await desk.editorPage.locator('.note').count(), 1);
    equal(await desk.editorPage.getByText(/try again/i).count(), 0);
    await desk.screenshot(picture);
  }

  const notOffered = {
    Files: "This service doesn't store files",
    Batches: "This service doesn't support batches",
    Voices: "This service doesn't store custom voices",
  } as const;

  /** Checks that views of unsupported features say so instead of showing rows, and that the account says that no balance is reported. */
  async function seeHidden(views: readonly (keyof typeof notOffered)[], picture: string): Promise<void> {
    for (const view of views) {
      const pane = await desk.openView(view);
      await pane.getByText(notOffered[view]).waitFor();
      await pane.getByText('Check Again').waitFor();
      equal(await pane.getByText('Try Again').count(), 0, view);
      equal(await pane.locator('.monaco-list-row').count(), 0, view);
      await desk.screenshot(`${picture}-${view.split(' ')[0]!.toLowerCase()}`);
    }
    const account = await desk.openView('Account');
    await account.locator('.monaco-list-row', { hasText: 'not reported' }).waitFor();
    await desk.screenshot(`${picture}-account`);
  }

  describe('OpenAI', function () {
    inOrder(this);

    it('signs in from the list of services, and lists models', async () => {
      await signIn('OpenAI', 'OpenAI', openAi.key);
      await desk.notice(/Signed in to OpenAI: 6 models/);
      // The first sign-in also shows how to use the models in VS Code Chat.
      await desk.page.locator('.tab', { hasText: 'Use in VS Code Chat' }).waitFor();
      await desk.command('View: Close All Editors');
      await desk.clearNotices();
      await desk.openView('Models');
      for (const job of ['Chat', 'Embedding']) await modelsRow(job).waitFor();
      await desk.screenshot('others-openai-models');
      ok(proxy.requests.includes('CONNECT api.openai.com:443'));
    });

    it('chats with a tool', async () => {
      await chatWithTool();
      await desk.screenshot('others-openai-chat');
    });

    it('completes a selection', async () => {
      await completeSelection('openai.txt');
      await desk.screenshot('others-openai-complete');
    });

    it("says in one line that the service doesn't rerank", async () => {
      await seeNoRanking('others-openai-rerank');
    });

    it('hides unsupported features', async () => {
      await seeHidden(['Voices'], 'others-openai');
    });
  });

  const openVoice = async (): Promise<void> => {
    await desk.command('Inference Desk: Open Voice…');
    await desk.pick('alloy');
    await desk.editorPage.getByRole('heading', { level: 1, name: 'alloy' }).waitFor();
  };

  describe('OpenAI voices', function () {
    inOrder(this);

    it('says that the service stores no custom voices', async () => {
      const voices = await desk.openView('Voices');
      await voices.getByText("This service doesn't store custom voices").waitFor();
      await desk.screenshot('others-openai-voices');
      await openVoice();
      await desk.editorPage.getByRole('textbox', { name: 'Text', exact: true }).fill('Good morning.');
      await desk.editorPage.getByRole('button', { name: 'Generate Speech', exact: true }).click();
      await desk.editorPage.locator('.voice-take').waitFor();
      await desk.screenshot('others-openai-speech');
      deepEqual(
        openAi.bodies('POST /v1/audio/speech').map(({ voice, model }) => [voice, model]),
        [['alloy', 'gpt-4o-mini-tts']],
      );
    });
  });

  describe('Anthropic', function () {
    inOrder(this);

    it("signs in with the service's own header, and lists models", async () => {
      await signIn('Anthropic', 'Anthropic', anthropic.key);
      await desk.notice(/Signed in to Anthropic: 3 models/);
      await desk.clearNotices();
      await desk.openView('Models');
      await modelsRow('Chat').waitFor();
      await desk.screenshot('others-anthropic-models');
    });

    it('chats with a tool', async () => {
      await chatWithTool();
      await desk.screenshot('others-anthropic-chat');
    });

    it('completes by chat', async () => {
      await completeSelection('anthropic.txt');
      await desk.screenshot('others-anthropic-complete');
      ok(anthropic.bodies('POST /v1/messages').some(({ system }) => String(system).startsWith('Continue the text')));
    });

    it("says that the service doesn't rerank", async () => {
      await seeNoRanking('others-anthropic-rerank');
    });

    it('hides unsupported features, and offers batches', async () => {
      await seeHidden(['Files', 'Voices'], 'others-anthropic');
      const batches = await desk.openView('Batches');
      await batches.getByText('Submit Batch', { exact: true }).waitFor();
    });
  });

  describe("features that Anthropic doesn't offer", function () {
    inOrder(this);
    // The name is typed, because rows keep invisible parts of their earlier content.
    const switchTo = async (name: string) => {
      await desk.command('Inference Desk: Switch Account…');
      await desk.quickRows.filter({ hasText: 'api.anthropic.com' }).first().waitFor();
      await desk.answer(name);
      await desk.status(name).waitFor();
    };

    it('says on a page that a feature is unsupported, and sends nothing', async () => {
      await desk.command('Inference Desk: Generate Images');
      await desk.editorPage.getByText("This service doesn't support image generation").waitFor();
      await desk.editorPage.locator('vscode-button[disabled]', { hasText: 'Generate' }).waitFor();
      await desk.screenshot('others-anthropic-images');
    });

    it("keeps clips on the page of another account's voice", async () => {
      await switchTo('OpenAI');
      await openVoice();
      await switchTo('Anthropic');
      await desk.editorPage.locator('.note-title', { hasText: "This service doesn't support speech" }).waitFor();
      await desk.editorPage.locator('.voice-take').waitFor();
      equal(await desk.editorPage.getByRole('heading', { name: 'Transcribe' }).count(), 0);
      await desk.screenshot('others-anthropic-speech');
    });
  });

  describe('a llama.cpp server', function () {
    inOrder(this);

    it('signs in by URL without a key, offers to check the model, and lists models', async () => {
      await signIn(llama.baseUrl, 'Local', '');
      const notice = await desk.notice(/Signed in to Local: 3 models/);
      await notice.getByText(/Check Model sends up to .* to qwen3-8b\./).waitFor();
      ok(!asked(llama).some((one) => one.startsWith('POST /v1/chat/completions 200')));
      await desk.screenshot('others-llama-sign-in');
      await notice.getByRole('button', { name: 'Check Model' }).click();
      await desk.editorPage.getByRole('button', { name: 'Check Again' }).waitFor();
      await desk.command('View: Close All Editors');
      await desk.clearNotices();
      await desk.openView('Models');
      for (const job of ['Chat', 'Embedding', 'Reranker']) await modelsRow(job).waitFor();
      await desk.screenshot('others-llama-models');
      ok(llama.asked.every(({ headers }) => headers.authorization === undefined));
    });

    it('chats with a tool', async () => {
      await chatWithTool();
      await desk.screenshot('others-llama-chat');
    });

    it('completes text with token probabilities', async () => {
      await openFile('llama.txt');
      await desk.command('Inference Desk: Show Token Probabilities…');
      await desk.pick('Completion only');
      await completeSelection('llama.txt');
      await desk.status(/Low confidence: \d+ of \d+ tokens/).waitFor();
      await desk.screenshot('others-llama-complete');
    });

    it('ranks documents', async () => {
      await openRerank();
      await desk.editorPage.getByRole('button', { name: 'Rerank' }).click();
      const best = desk.editorPage.locator('.virtual-rows .ranking-row').first();
      await best.getByText(/money back/).waitFor();
      await desk.screenshot('others-llama-rerank');
    });

    it('shows the measured capabilities of a model, with each request', async () => {
      await desk.command('Inference Desk: Check Model…');
      await desk.pick('qwen3-8b');
      const row = (name: string) =>
        desk.editorPage.locator('.check-row', { has: desk.editorPage.getByRole('rowheader', { name, exact: true }) });
      await desk.editorPage.getByRole('button', { name: 'Check Again' }).waitFor();
      for (const name of ['Responds', 'Structured tool call', 'Log probabilities'])
        await row(name).getByText('Works').waitFor();
      await row('Images').getByText('Unsupported').waitFor();
      await desk.editorPage.locator('.page-foot-text', { hasText: 'free' }).waitFor();
      await desk.screenshot('others-llama-check');
      await row('Responds').dblclick();
      await desk.page.locator('.tab.active', { hasText: 'POST v1 chat completions' }).waitFor();
      await desk.screenshot('others-llama-check-request');
    });

    it("sends the user's properties for a model, without a key", async () => {
      await desk.command('View: Close All Editors');
      await desk.viewAction('Models', 'Edit Model Capabilities…');
      await desk.pick('qwen3-8b');
      await title('Capabilities of qwen3-8b');
      await desk.screenshot('others-llama-capabilities');
      await desk.pick('Extra headers');
      await title('Extra headers');
      await desk.answer('{"Authorization": "Bearer 1"}');
      await desk.quickInput.getByText("can't contain a key").waitFor();
      await desk.screenshot('others-llama-capabilities-key');
      await desk.answer('{"X-Route": "blue"}');
      await desk.quickRows.filter({ hasText: '{"X-Route":"blue"}' }).waitFor();
      await desk.pick('Streaming');
      await desk.pick('Off');
      await desk.quickRows.filter({ hasText: 'Streaming' }).filter({ hasText: 'Off' }).waitFor();
      await desk.page.keyboard.press('Escape');
      await desk.openChat();
      await chat.box.click();
      await chat.box.fill('Once more');
      await chat.box.press('Enter');
      await chat.lastTurn.locator('.md').getByText('You asked: Once more').last().waitFor();
      const sent = llama.asked.findLast(({ path: at }) => at === '/v1/chat/completions');
      equal(sent?.headers['x-route'], 'blue');
      ok(!sent?.body.toString().includes('"stream"'));
    });

    it('hides unsupported features', async () => {
      await seeHidden(['Files', 'Batches', 'Voices'], 'others-llama');
    });
  });

  describe('a server at its usual port', function () {
    inOrder(this);
    let ollama: OtherService;

    before(async () => void (ollama = await startOllamaService({ port: 11434 })));
    after(() => ollama?.close());

    it('finds a running server at sign-in, and adds it with one click', async () => {
      await desk.command('View: Close All Editors');
      await desk.command('Inference Desk: Sign In…');
      await title('Sign In');
      const row = desk.quickInput.locator('.monaco-list-row', { hasText: 'localhost:11434' });
      await row.getByText(/No key required/).waitFor();
      await desk.screenshot('others-found');
      await row.click();
      await desk.notice(/Signed in to Ollama: \d+ models/);
      await desk.clearNotices();
      await desk.openChat();
      await chat.box.click();
      await chat.box.fill('Hello there');
      await chat.box.press('Enter');
      // The server doesn't have the conversation's model. The message is sent once another one is selected.
      await desk.webview.getByText('128K context').click();
      await chat.lastTurn.locator('.md').getByText('You asked: Hello there').last().waitFor();
      ok(ollama.asked.every(({ headers }) => headers.authorization === undefined));
    });
  });

  describe('all services', () => {
    it('sends no request to unsupported endpoints', () => {
      for (const [service, address] of [
        [openAi, 'https://api.openai.com/v1'],
        [anthropic, 'https://api.anthropic.com/v1'],
      ] as const) {
        inVain(service);
        const gaps = knownGapsOf(address).map((gap) => gap.replace(' ', ' /v1'));
        deepEqual(
          asked(service).filter((one) => gaps.some((gap) => one.startsWith(`${gap} `))),
          [],
        );
      }
      inVain(llama);
      // An image that one endpoint rejects is tried once at the other.
      const atMessages = llama.asked.filter(({ path }) => path.endsWith('/messages'));
      ok(atMessages.length <= 1 && atMessages.every(({ body }) => body.includes('"image"')));
      deepEqual(desk.faults, []);
    });
  });
});
