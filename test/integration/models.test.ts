import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { SubType } from '../../src/core/catalogue/model';
import { toModelTreeItem } from '../../src/features/models/modelItem';
import { createModelTree } from '../../src/features/models/logic/modelTree';
import type { Services } from '../../src/services/services';
import { beginAnew, deskServices, signInAnew } from '../support/deskServices';
import { startFilledDemo } from '../support/filledDemo';
import type { FilledDemo } from '../support/filledDemo';
import { until } from '../support/until';

const chatModel = 'Qwen/Qwen3-30B-A3B-Instruct-2507';

describe('the models view', function () {
  this.timeout(120_000);
  let services: Services;
  let demo: FilledDemo;

  before(async () => {
    services = await deskServices();
    demo = await startFilledDemo({ pace: 'instant' });
  });
  beforeEach(async () => {
    await beginAnew(services);
    await rm(join(services.context.globalStorageUri.fsPath, 'models'), { recursive: true, force: true });
    await signInAnew(services, 'modelled', demo);
    await vscode.commands.executeCommand('inferenceDesk.models.refresh');
  });
  after(async () => {
    await beginAnew(services);
    await demo.close();
  });

  const tree = (filter = '') => createModelTree(services.models.state, filter);

  it('loads models from the service with their purposes', () => {
    const { models, error, fetchedAt } = services.models.state;
    equal(error, undefined);
    ok(fetchedAt !== undefined);
    deepEqual(models.find(({ id }) => id === chatModel)?.subTypes, ['chat']);
    const keys = tree().roots.map(({ key }) => key);
    deepEqual(keys.slice(0, 3), ['chat', 'embedding', 'reranker']);
  });

  it('has rows with stable IDs, accessible names, and facts in the tooltip', () => {
    const node = tree().find(chatModel);
    ok(node);
    const item = toModelTreeItem(node);
    equal(item.id, `model:chat:${chatModel}`);
    equal(item.contextValue, 'model offered unpinned chat');
    equal(item.accessibilityInformation?.label, 'Qwen3-30B-A3B-Instruct-2507, Qwen');
    ok(item.tooltip instanceof vscode.MarkdownString && item.tooltip.isTrusted !== true);
    ok(item.tooltip.value.includes('Vendor'));
  });

  it("opens a conversation or the page for a model's purpose on click", async () => {
    const { models } = services.models.state;
    const commandOf = (subType: SubType) => {
      const node = tree().find(models.find(({ subTypes }) => subTypes.includes(subType))?.id ?? '');
      return node && toModelTreeItem(node).command;
    };
    const kinds = ['chat', 'text-to-image', 'text-to-video', 'reranker', 'speech-to-text', 'embedding'] as const;
    deepEqual(
      kinds.map((subType) => commandOf(subType)?.command.replace('inferenceDesk.', '')),
      [
        'models.useInChat',
        'models.useInImages',
        'models.useInVideos',
        'rerank.open',
        'voices.transcribe',
        'models.setDefault',
      ],
    );
    const speech = tree().find('FunAudioLLM/CosyVoice2-0.5B');
    deepEqual(speech && toModelTreeItem(speech).command, {
      command: 'inferenceDesk.voices.open',
      title: 'Open',
      arguments: [{ as: 'form', model: 'FunAudioLLM/CosyVoice2-0.5B' }],
    });
    const [, second] = models.filter(({ subTypes }) => subTypes.includes('chat'));
    const node = tree().find(second?.id ?? '');
    const { command = '', arguments: row = [] } = (node && toModelTreeItem(node).command) ?? {};
    await vscode.commands.executeCommand(command, ...row);
    // What the next conversations begin with, too.
    const memory = services.context.workspaceState;
    equal(memory.get<Record<string, string>>('chat.modelByAccount')?.[services.profiles.active?.id ?? ''], second?.id);
    await memory.update('chat.modelByAccount', undefined);
  });

  it('shows context sizes and tool support', () => {
    const node = tree().find(chatModel);
    const { tooltip } = (node && toModelTreeItem(node)) ?? {};
    ok(tooltip instanceof vscode.MarkdownString);
    match(tooltip.value.replaceAll('&nbsp;', ' '), /Context[^]*tokens[^]*Tools[^]*yes/);
  });

  it('pins, unpins, and copies models from their rows', async () => {
    const row = tree().find(chatModel);
    await vscode.commands.executeCommand('inferenceDesk.models.pin', row);
    deepEqual(services.models.state.pins, [chatModel]);
    equal(tree().roots[0]?.key, 'pinned');
    await vscode.commands.executeCommand('inferenceDesk.models.unpin', row);
    deepEqual(services.models.state.pins, []);
    await vscode.commands.executeCommand('inferenceDesk.models.copyId', row);
    equal(await vscode.env.clipboard.readText(), chatModel);
  });

  it('inserts a model at every cursor as one undo step', async () => {
    const document = await vscode.workspace.openTextDocument({ content: 'model: ""\nother: ""' });
    const editor = await vscode.window.showTextDocument(document);
    editor.selections = [new vscode.Selection(0, 8, 0, 8), new vscode.Selection(1, 8, 1, 8)];
    await vscode.commands.executeCommand('inferenceDesk.models.insertId', tree().find(chatModel));
    equal(document.getText(), `model: "${chatModel}"\nother: "${chatModel}"`);
    await vscode.commands.executeCommand('undo');
    equal(document.getText(), 'model: ""\nother: ""');
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });

  it('opens the pages for images and videos', async () => {
    const tabs = () => vscode.window.tabGroups.all.flatMap((group) => group.tabs).map(({ label }) => label);
    for (const [command, page] of [
      ['inferenceDesk.models.useInImages', 'Images'],
      ['inferenceDesk.models.useInVideos', 'Videos'],
    ] as const) {
      await vscode.commands.executeCommand(command, tree().find('Qwen/Qwen-Image'));
      await until(() => tabs().includes(page) || undefined, page);
    }
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    // The pages of other files begin empty.
    for (const name of ['images.form', 'videos.form']) await services.context.workspaceState.update(name, undefined);
  });

  it('opens the rerank page with the clicked model', async () => {
    const pages = join(services.context.storageUri?.fsPath ?? '', 'rerank', 'pages');
    await rm(pages, { recursive: true, force: true });
    const document = await vscode.workspace.openTextDocument({ content: 'one\ntwo' });
    await vscode.window.showTextDocument(document);
    const reranker =
      services.models.state.models.filter(({ subTypes }) => subTypes.includes('reranker')).at(-1)?.id ?? '';
    const node = tree().find(reranker);
    const { command = '', arguments: start = [] } = (node && toModelTreeItem(node).command) ?? {};
    const opening = vscode.commands.executeCommand(command, ...start);
    const saved = await until(async () => {
      // The file that is open is the first of what can be ranked.
      await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
      const files = (await readdir(pages, { recursive: true }).catch(() => [])).filter((file) => /choices/.test(file));
      const texts = await Promise.all(files.map((file) => readFile(join(pages, file), 'utf8').catch(() => '')));
      return texts.find((text) => text.includes('"model"'));
    }, 'the page');
    equal((JSON.parse(saved) as { form: { model: string } }).form.model, reranker);
    await opening;
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('ignores a command without a row', async () => {
    await vscode.commands.executeCommand('inferenceDesk.models.pin');
    await vscode.commands.executeCommand('inferenceDesk.models.pin', { modelId: 5 });
    deepEqual(services.models.state.pins, []);
  });
});
