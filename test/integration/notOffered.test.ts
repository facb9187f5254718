import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { missingEndpoint } from '../../src/core/api/errors';
import { createEditorTools } from '../../src/features/chat/tools/editorTools';
import { createLanguageModelToolAdapter } from '../../src/features/agentTools/languageModelToolAdapter';
import { openCompletionSettings } from '../../src/features/completion/settings/openCompletionSettings';
import { describe as describeError } from '../../src/platform/errors/reportError';
import { lacksBatches } from '../../src/services/batches/batches';
import type { Services } from '../../src/services/services';
import { beginAnew, deskServices, signInAnew } from '../support/deskServices';
import { startVllmService } from '../support/otherServices/localServices';
import type { OtherService } from '../support/otherServices/loopbackService';
import { startOpenAiService } from '../support/otherServices/openAiService';
import { until } from '../support/until';

describe('a service without most endpoints', function () {
  this.timeout(120_000);
  let services: Services;
  let server: OtherService;
  let folder: string;

  before(async () => {
    services = await deskServices();
    folder = mkdtempSync(path.join(tmpdir(), 'not-offered-'));
  });
  beforeEach(async () => {
    server = await startVllmService();
    await signInAnew(services, 'sparse', { baseUrl: server.baseUrl, apiKey: 'sk-0123456789' });
  });
  afterEach(async () => {
    await vscode.commands.executeCommand('notifications.clearAll');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await beginAnew(services);
    await server.close();
  });
  after(() => rmSync(folder, { recursive: true }));

  const asked = (request: string) =>
    server.asked.filter(({ method, path: at }) => `${method} ${at}` === request).length;
  const lensesOf = async (uri: vscode.Uri) => {
    const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', uri, 100);
    return lenses.map(({ command }) => command?.command ?? '');
  };

  it('is asked for its balance only once', async () => {
    const { account } = services;
    await account.refresh();
    equal(account.state.status, 'notOffered');
    const watching = account.watch();
    await account.refresh();
    for (let count = 0; count < 3; count++) services.activity.start('Paid work', { paid: true }).dispose();
    await new Promise((resolve) => setTimeout(resolve, 4000));
    watching.dispose();
    ok(asked('GET /v1/user/info') <= 1);
  });

  it('is asked again when the user refreshes the account', async () => {
    const { batchList } = services;
    await batchList.refresh();
    await batchList.refresh();
    equal(asked('GET /v1/batches'), 1);
    await vscode.commands.executeCommand('inferenceDesk.refreshAccount');
    await batchList.refresh();
    equal(asked('GET /v1/batches'), 2);
  });

  it('runs batch files here instead of submitting them', async () => {
    const file = path.join(folder, 'requests.jsonl');
    const body = { model: 'Qwen/Qwen3-8B', messages: [{ role: 'user', content: 'Hi' }] };
    writeFileSync(file, `${JSON.stringify({ custom_id: '1', method: 'POST', url: '/v1/chat/completions', body })}\n`);
    const uri = vscode.Uri.file(file);
    await vscode.window.showTextDocument(uri);
    await until(async () => (await lensesOf(uri)).includes('inferenceDesk.batches.submit') || undefined, 'Submit');

    const { batchList } = services;
    equal(lacksBatches(services.account.current), false);
    await batchList.refresh();
    await batchList.refresh();
    await batchList.ensureFresh();
    equal(asked('GET /v1/batches'), 1);
    equal(lacksBatches(services.account.current), true);
    const lenses = await until(async () => {
      const commands = await lensesOf(uri);
      return commands.includes('inferenceDesk.batches.submit') ? undefined : commands;
    }, 'a file without Submit');
    ok(lenses.includes('inferenceDesk.batchFile.runLocally'));
    // The command says so, and opens nothing.
    const tabs = vscode.window.tabGroups.all.flatMap(({ tabs: open }) => open).length;
    let isOver = false;
    const submitting = vscode.commands.executeCommand('inferenceDesk.batches.submit', uri).then(() => (isOver = true));
    await until(async () => {
      await vscode.commands.executeCommand('notifications.clearAll');
      return isOver || undefined;
    }, 'the end of Submit');
    await submitting;
    equal(vscode.window.tabGroups.all.flatMap(({ tabs: open }) => open).length, tabs);
    equal(server.asked.filter(({ method }) => method === 'POST').length, 0);
  });

  it("completes text by chat if a model supports only chat, and doesn't request a completion again", async () => {
    const openAi = await startOpenAiService();
    try {
      await signInAnew(services, 'chatting', { baseUrl: openAi.baseUrl, apiKey: openAi.key });
      await openCompletionSettings(services).set({ model: 'gpt-4o-mini', parameters: { max_tokens: 64 } });
      const file = path.join(folder, 'text.txt');
      writeFileSync(file, 'The fox');
      for (const times of [1, 2]) {
        const editor = await vscode.window.showTextDocument(vscode.Uri.file(file));
        editor.selection = new vscode.Selection(0, 0, 0, 7);
        await vscode.commands.executeCommand('inferenceDesk.complete.insert');
        match(editor.document.getText(), /^The foxYou asked: The fox/);
        equal(openAi.bodies('POST /v1/completions').length, 1);
        equal(openAi.bodies('POST /v1/chat/completions').length, times);
        await vscode.commands.executeCommand('workbench.action.files.revert');
      }
    } finally {
      await openAi.close();
    }
  });

  it('gets no requests from tools, no tools in the chat, and no confirmations', async () => {
    const { connections } = services;
    const chatTools = createEditorTools(services);
    const isListed = () => chatTools.list().some(({ name }) => name === 'inferenceDesk_submitVideo');
    ok(isListed());
    const request = { model: 'a/b', prompt: 'A boat', image_size: '1280x720' } as const;
    await rejects((await connections.client()).videos.submit(request));
    equal(isListed(), false);
    ok(chatTools.list().some(({ name }) => name === 'inferenceDesk_videoStatus'));
    chatTools.dispose();
    let questions = 0;
    const confirm = async () => ++questions > 0;
    const tools = createLanguageModelToolAdapter(services, () => true, confirm);
    const input = { prompt: 'A boat' };
    deepEqual(Object.keys(await tools.prepare('inferenceDesk_submitVideo', input)), ['invocationMessage']);
    const { token } = new vscode.CancellationTokenSource();
    await rejects(tools.invoke('inferenceDesk_submitVideo', input, token), /does not support this\. Do not retry/);
    equal(questions, 0);
    // Another kind of order is asked about, and offered.
    const { confirmationMessages } = await tools.prepare('inferenceDesk_generateImage', input);
    ok(confirmationMessages);
  });

  it('has unsupported features known from its documentation', async () => {
    const { profiles } = services;
    await profiles.save({ id: 'known', name: 'Known', baseUrl: 'https://api.anthropic.com/v1' });
    await profiles.setActive('known');
    const lacks = ['POST /rerank', 'POST /audio/speech', 'GET /user/info'];
    await until(() => services.account.current.lacks('POST /files') || undefined, 'what is known of it');
    equal(lacksBatches(services.account.current), false, 'its batches need no file');
    for (const endpoint of lacks) ok(services.account.current.lacks(endpoint), endpoint);
    equal(services.account.current.lacks('POST /messages'), false);
  });

  it('explains unsupported features with an alternative, and without a retry', () => {
    const titles = [
      'GET /batches',
      'POST /batches/{id}/cancel',
      'POST /files',
      'GET /files/{id}/content',
      'POST /completions',
      'POST /messages',
      'POST /rerank',
      'POST /embeddings',
      'POST /images/generations',
      'POST /video/submit',
      'POST /audio/speech',
      'POST /audio/transcriptions',
      'GET /audio/voice/list',
      'GET /user/info',
    ].map((endpoint) => {
      const { title, detail, actions } = describeError(missingEndpoint(endpoint));
      match(title, /^This service doesn't /);
      ok(detail !== '');
      const ids = actions.map(({ id }) => id);
      deepEqual(
        ids.filter((id) => id !== 'runLocally'),
        ['switchAccount', 'checkAgain'],
      );
      equal(ids.includes('runLocally'), /^(GET|POST) \/(batches|files)$/.test(endpoint), endpoint);
      return title;
    });
    equal(new Set(titles).size, titles.length);
  });
});
