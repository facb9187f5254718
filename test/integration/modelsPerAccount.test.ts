import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { toModelsFile } from '../../src/core/catalogue/catalogueFile';
import { chooseModel } from '../../src/core/catalogue/jobs';
import { ChatRuntime } from '../../src/features/chat/chatRuntime';
import { ghostChoice } from '../../src/features/ghostText/chosenModel';
import { createEditorModels } from '../../src/features/languageModel/editorModels';
import { PromptsRuntime } from '../../src/features/prompts/promptsRuntime';
import { RerankTab } from '../../src/features/rerank/rerankTabs';
import { RerankWorkspace } from '../../src/features/rerank/rerankWorkspace';
import { ImagesController } from '../../src/features/images/imagesController';
import { ImageRuns } from '../../src/features/images/runs/imageRuns';
import { toModelTreeItem } from '../../src/features/models/modelItem';
import { createModelTree } from '../../src/features/models/logic/modelTree';
import { VideosController } from '../../src/features/videos/videosController';
import { emptyImageForm } from '../../src/protocol/imageForm';
import { emptyVideoForm } from '../../src/protocol/videoForm';
import type { ChatSnapshot } from '../../src/protocol/chat';
import type { ChatRequest } from '../../src/services/chat/chatService';
import { createLastModel } from '../../src/services/models/lastModel';
import type { Services } from '../../src/services/services';
import { createLastEditor } from '../../src/platform/workspace/lastEditor';
import { beginAnew, deskServices, signInAnew } from '../support/deskServices';
import { startFilledDemo } from '../support/filledDemo';
import type { FilledDemo } from '../support/filledDemo';
import { createGhostTextHost, documentAt } from '../support/ghostTextHost';
import type { OtherService } from '../support/otherServices/loopbackService';
import { createOwnMeter } from '../support/ownMeter';
import { startOpenAiService } from '../support/otherServices/openAiService';
import { createPageEnd } from '../support/pageEnd';
import { until } from '../support/until';

const painter = 'black-forest-labs/FLUX.2-pro';
const filmer = 'Wan-AI/Wan2.2-I2V-A14B';
const chatModel = 'deepseek-ai/DeepSeek-V3';
const coder = 'Qwen/Qwen2.5-Coder-32B-Instruct';

describe('the models of two accounts', function () {
  this.timeout(120_000);
  let services: Services;
  let demo: FilledDemo;
  let openAi: OtherService;

  before(async () => {
    services = await deskServices();
    [demo, openAi] = await Promise.all([startFilledDemo({ pace: 'instant' }), startOpenAiService()]);
    await signInAnew(services, 'vendor', demo);
    const { profiles } = services;
    await profiles.save({ id: 'openAi', name: 'Other', baseUrl: openAi.baseUrl });
    await profiles.storeKey('openAi', openAi.key);
  });
  after(async () => {
    await beginAnew(services);
    await Promise.all([demo.close(), openAi.close()]);
  });

  const use = async (id: 'vendor' | 'openAi') => {
    await services.profiles.setActive(id);
    await services.models.ready();
    await services.models.refresh();
  };

  it('have their listed prices while another account is active, also after a reload', async () => {
    await use('vendor');
    const { profiles, models, context } = services;
    const priced = models.state.models.map((model) =>
      model.id === coder ? { ...model, prices: { input: 5e-8, output: 4e-7 } } : model,
    );
    // As a window leaves it in which that account was active.
    const list = toModelsFile({ source: demo.baseUrl, fetchedAt: Date.now(), models: priced, isPartial: undefined });
    writeFileSync(path.join(context.globalStorageUri.fsPath, 'models', 'second.models.json'), JSON.stringify(list));
    await profiles.save({ id: 'second', name: 'Second', baseUrl: demo.baseUrl });
    await profiles.storeKey('second', demo.apiKey);
    const { usage, connections } = createOwnMeter(services);
    try {
      const { completions } = await connections.client('second', { source: 'completion' });
      await completions.create({ model: coder, prompt: 'A lake between mountains', max_tokens: 20 });
      const { cost = 0, inputTokens, outputTokens } = await usage.today('second');
      ok(outputTokens > 0);
      equal(cost.toFixed(12), (inputTokens * 5e-8 + outputTokens * 4e-7).toFixed(12));
    } finally {
      connections.dispose();
      await profiles.remove('second');
    }
  });

  it('are loaded once if there are no filters, and grouped by name', async () => {
    await use('openAi');
    const { state } = services.models;
    equal(state.error, undefined);
    equal(openAi.asked.filter((one) => one.path === '/v1/models').length, 1);
    const tree = createModelTree(state, '');
    deepEqual(
      tree.roots.map(({ key, count }) => [key, count]),
      [
        ['chat', 2],
        ['embedding', 1],
        ['text-to-image', 1],
        ['type:text', 1],
        ['type:audio', 1],
      ],
    );
    const tooltipOf = (id: string) => {
      const node = tree.find(id);
      const { tooltip } = (node && toModelTreeItem(node)) ?? {};
      ok(tooltip instanceof vscode.MarkdownString);
      return tooltip.value.replaceAll('&nbsp;', ' ');
    };
    match(tooltipOf('o4-mini'), /Context[^]*tokens[^]*Tools[^]*yes[^]*Image input[^]*yes[^]*Reasoning[^]*yes/);
    match(tooltipOf('o4-mini'), /Purpose inferred from the name/);
    equal(chooseModel('completion', state), 'gpt-3.5-turbo-instruct');
    equal(chooseModel('rerank', state), undefined);
    await use('vendor');
    match(String(services.models.state.models.find(({ id }) => id === painter)?.subTypes), /text-to-image/);
  });

  it('are requested for the account that becomes active while a page is open', async () => {
    await use('vendor');
    await vscode.commands.executeCommand('workbench.view.explorer');
    await vscode.commands.executeCommand('inferenceDesk.images.open');
    const { profiles, models } = services;
    await profiles.save({ id: 'another', name: 'Another', baseUrl: demo.baseUrl });
    await profiles.storeKey('another', demo.apiKey);
    await profiles.setActive('another');
    await until(() => {
      const { profileId, fetchedAt } = models.state;
      return (profileId === 'another' && fetchedAt !== undefined) || undefined;
    }, 'the models of the account');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await profiles.remove('another');
  });

  it('are remembered per account by the image and video pages', async () => {
    await use('vendor');
    const { workspaceState } = services.context;
    for (const key of ['images.modelByAccount', 'videos.modelByAccount']) await workspaceState.update(key, undefined);
    // As an earlier version wrote them.
    const image = { ...emptyImageForm, model: painter, prompt: 'a lake' };
    await workspaceState.update('images.form', { form: image, filled: 1 });
    const video = { ...emptyVideoForm, model: filmer, prompt: 'a boat' };
    await workspaceState.update('videos.form', { id: 'earlier', form: video });
    const runs = new ImageRuns(services);
    const images = new ImagesController(services, runs, (file) => file);
    const videos = new VideosController(services);
    try {
      deepEqual([images.form, videos.form], [image, video]);
      const before = images.page().filled;
      await use('openAi');
      deepEqual([images.form.model, images.form.prompt], ['', 'a lake']);
      ok(images.page().filled > before);
      equal(images.page().preferred, 'gpt-image-1');
      deepEqual([videos.form.model, videos.form.prompt], ['', 'a boat']);
      images.fill({ model: 'gpt-image-1', prompt: 'a lake' });
      await use('vendor');
      deepEqual([images.form.model, images.form.prompt], [painter, 'a lake']);
      deepEqual([videos.form.model, videos.form.prompt], [filmer, 'a boat']);
      await use('openAi');
      equal(images.form.model, 'gpt-image-1');
      // The recipe of a video that was made with the other account.
      await videos.fill({ model: filmer, prompt: 'a train', image_size: '1280x720' }, false);
      deepEqual([videos.form.model, videos.form.prompt], ['', 'a train']);
      deepEqual(
        videos.notices.map(({ title }) => title),
        [`Other doesn't offer ${filmer}`],
      );
    } finally {
      images.dispose();
      videos.dispose();
      runs.dispose();
    }
    // A window that opens with another account than the form was left with.
    await use('vendor');
    const again = new ImageRuns(services);
    const reopened = new ImagesController(services, again, (file) => file);
    deepEqual([reopened.form.model, reopened.form.prompt], [painter, 'a lake']);
    reopened.dispose();
    again.dispose();
  });

  it('are remembered by the rerank page, also from an earlier version', async () => {
    await use('vendor');
    const { workspaceState } = services.context;
    await workspaceState.update('rerank.modelByAccount', undefined);
    await workspaceState.update('rerank.model', 'Qwen/Qwen3-Reranker-8B');
    const folder = mkdtempSync(path.join(tmpdir(), 'rerank-'));
    const workspace = new RerankWorkspace(services, folder);
    try {
      equal(workspace.models().preferred, 'Qwen/Qwen3-Reranker-8B');
      await workspace.useModel('BAAI/bge-reranker-v2-m3');
      const typed = 'Pro/BAAI/bge-reranker-v2-m3';
      const tab = new RerankTab(undefined, workspace);
      await tab.refresh();
      tab.page.type({ ...tab.page.record.form, model: typed });
      equal(workspaceState.get('rerank.model'), undefined);
      await use('openAi');
      deepEqual([workspace.models().preferred, workspace.models().list], ['', []]);
      await tab.refresh();
      equal(tab.page.record.form.model, '');
      await use('vendor');
      equal(workspace.models().preferred, 'BAAI/bge-reranker-v2-m3');
      equal(tab.page.record.form.model, typed);
      tab.dispose();
    } finally {
      workspace.dispose();
      await workspaceState.update('rerank.modelByAccount', undefined);
      await rm(folder, { recursive: true, force: true, maxRetries: 10 });
    }
  });

  it('are distinguished in an open conversation before a request is sent', async () => {
    await use('vendor');
    await services.context.workspaceState.update('chat.modelByAccount', undefined);
    const runtime = new ChatRuntime(services);
    const end = createPageEnd<'chat'>();
    let shown: ChatSnapshot | undefined;
    try {
      runtime.show(end.view);
      await runtime.locations.current.startNew();
      end.page.on('chat/changed', (snapshot) => (shown = snapshot));
      await end.page.call('chat/ready', {});
      const { turn } = await end.page.call('chat/ask', { text: 'Hello', model: chatModel });
      await end.page.call('chat/follow', { turnId: turn.id, have: [] });
      await use('openAi');
      await until(() => (shown?.notOffered.length === 1 ? true : undefined), 'the other account on the page');
      deepEqual([shown?.model, shown?.notOffered, shown?.profileName], [undefined, [chatModel], 'Other']);
      equal(shown?.turns[0]?.answer.model, chatModel);
      const before = openAi.asked.length;
      await rejects(end.page.call('chat/ask', { text: 'And now?', model: chatModel }), /doesn't offer/);
      await rejects(end.page.call('chat/retry', { turnId: turn.id, model: chatModel }), /doesn't offer/);
      ok(openAi.asked.slice(before).every(({ method }) => method === 'GET'));
      const { turn: next } = await end.page.call('chat/ask', { text: 'And now?', model: 'gpt-4o-mini' });
      const { answer } = await end.page.call('chat/follow', { turnId: next.id, have: [] });
      deepEqual([answer.state, answer.model], ['done', 'gpt-4o-mini']);
      await use('vendor');
      await until(() => (shown?.model === chatModel ? true : undefined), 'the model of before');
      deepEqual(shown?.notOffered, ['gpt-4o-mini']);
      await use('openAi');
      await until(() => (shown?.model === 'gpt-4o-mini' ? true : undefined), 'the model of the other account');
    } finally {
      await runtime.dispose();
    }
  });

  it('are distinguished in VS Code Chat', async () => {
    await use('openAi');
    const editor = createEditorModels(services, () => {});
    const { token } = new vscode.CancellationTokenSource();
    const talk = [vscode.LanguageModelChatMessage.User('Hello')];
    const before = openAi.asked.length;
    try {
      await rejects(
        editor.respond(
          { id: chatModel },
          talk,
          { toolMode: vscode.LanguageModelChatToolMode.Auto },
          { report: () => {} },
          token,
        ),
        (error) =>
          error instanceof vscode.LanguageModelError &&
          error.code === 'NotFound' &&
          /Other doesn't/.test(error.message),
      );
      ok(openAi.asked.slice(before).every(({ method }) => method === 'GET'));
    } finally {
      editor.dispose();
    }
  });

  it('replace the model that a prompt file names with the selected one', async () => {
    await use('openAi');
    const orders: ChatRequest[] = [];
    const chatService = { ...services.chatService, ask: async (order: ChatRequest) => void orders.push(order) };
    const runtime = new PromptsRuntime({ ...services, chatService }, createLastEditor(), async () => true);
    const folder = mkdtempSync(path.join(tmpdir(), 'prompts-'));
    const file = path.join(folder, 'one.desk.md');
    writeFileSync(file, `---\nmodel: ${chatModel}\n---\nHello.`);
    try {
      let isDone = false;
      const run = runtime.run(vscode.Uri.file(file)).finally(() => (isDone = true));
      await until(() => {
        if (!isDone) void vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
        return isDone || undefined;
      }, 'the choice of a model');
      await run;
      deepEqual(
        orders.map(({ text, models }) => [text, models]),
        [['Hello.', [chooseModel('chat', services.models.state)]]],
      );
      await services.models.allowUnlisted('vendor/unlisted');
      const unlisted = path.join(folder, 'two.desk.md');
      writeFileSync(unlisted, '---\nmodel: vendor/unlisted\n---\nHello.');
      await runtime.run(vscode.Uri.file(unlisted));
      deepEqual(orders[1]?.models, ['vendor/unlisted']);
    } finally {
      runtime.dispose();
      await rm(folder, { recursive: true, force: true, maxRetries: 10 });
    }
  });

  it('generate inline suggestions per account', async () => {
    const { globalState } = services.context;
    await globalState.update('ghostText.modelByAccount', undefined);
    const desk = createGhostTextHost(services, { 'ghostText.mode': 'manual', 'ghostText.model': coder });
    const own = { ...services, settings: desk.settings };
    const chosen = async () => {
      const choice = await ghostChoice(own, { asksService: true });
      return choice?.model ?? (choice && 'notOffered' in choice ? `not ${choice.notOffered}` : undefined);
    };
    const { document, position } = await documentAt('function sum(numbers: number[]) {\n  |\n}\n');
    try {
      await use('vendor');
      equal(await chosen(), coder);
      await use('openAi');
      equal(await chosen(), `not ${coder}`);
      const before = openAi.asked.length;
      deepEqual(await desk.at(document, position), []);
      equal(openAi.asked.length, before);
      const remembered = createLastModel(globalState, 'ghostText.model', services.account);
      await remembered.set('gpt-3.5-turbo-instruct');
      equal(await chosen(), 'gpt-3.5-turbo-instruct');
      await desk.at(document, position);
      equal(openAi.asked.at(-1)?.path, '/v1/completions');
      await remembered.set('');
      equal(await chosen(), chooseModel('completion', services.models.state));
      await use('vendor');
      equal(await chosen(), coder);
      desk.changes['ghostText.model'] = '';
      equal(await chosen(), chooseModel('completion', services.models.state));
    } finally {
      await globalState.update('ghostText.modelByAccount', undefined);
      await desk.dispose();
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    }
  });
});
