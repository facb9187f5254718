import { deepEqual, equal, ok } from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { openCompletionSettings } from '../../src/features/completion/settings/openCompletionSettings';
import { readCompletionFile } from '../../src/features/completion/logic/settingsFile';
import { targetOf } from '../../src/features/completion/settings/settingsPage';
import { SettingsController } from '../../src/features/completion/logic/settingsController';
import { createJsonFile } from '../../src/core/storage/storedFile';
import type { Services } from '../../src/services/services';
import { deskServices } from '../support/deskServices';
import { setUpFolder } from '../support/temporaryFolder';
import { until } from '../support/until';

const viewType = 'inferenceDesk.completionSettings';
const content = 'one\ntwo\nthree\nfour\n';

describe('completion parameters in the editor', function () {
  this.timeout(120_000);
  let services: Services;
  before(async () => {
    services = await deskServices();
  });
  afterEach(async () => {
    const settings = openCompletionSettings(services);
    await settings.set({ parameters: {} });
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  const folder = setUpFolder();
  // A file of its own for each test: an untitled document can have the name, and the text, of one that is just being closed.
  const open = (text: string) => {
    writeFileSync(folder.in('notes'), text);
    return vscode.window.showTextDocument(vscode.Uri.file(folder.in('notes')));
  };
  const tabs = () => {
    const all = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
    return all.filter(({ input }) => input instanceof vscode.TabInputWebview && input.viewType.includes(viewType));
  };

  it('are saved on disk for all windows, and report each change', async () => {
    const settings = openCompletionSettings(services);
    let changes = 0;
    const listening = settings.onDidChange(() => changes++);
    await settings.set({ model: 'vendor/own', parameters: { n: 2, seed: 1 } });
    await settings.refused('vendor/own', 'seed');
    deepEqual(await settings.request({ prompt: 'p' }), { model: 'vendor/own', prompt: 'p', n: 2 });
    const path = join(services.context.globalStorageUri.fsPath, 'completion.json');
    const saved = await createJsonFile(path, readCompletionFile).read();
    deepEqual(saved?.setup, { model: 'vendor/own', parameters: { n: 2, seed: 1 } });
    await settings.allowed('vendor/own', 'seed');
    deepEqual(await settings.notTaken('vendor/own'), []);
    equal(changes, 3);
    listening.dispose();
  });

  it('share one page next to the text', async () => {
    await open(content);
    await vscode.commands.executeCommand('inferenceDesk.complete.settings');
    await until(() => (tabs().length === 1 ? true : undefined), 'the page');
    equal(tabs()[0]?.label, 'Completion Parameters');
    equal(tabs()[0]?.group.viewColumn, vscode.ViewColumn.Two);
    await vscode.commands.executeCommand('inferenceDesk.complete.settings');
    equal(tabs().length, 1);
  });

  it("name the text to complete, or why it can't be completed", async () => {
    const editor = await open(content);
    const select = (...ranges: readonly [number, number, number, number][]) => {
      editor.selections = ranges.map((range) => new vscode.Selection(...range));
      const { name, prompt, obstacles } = targetOf(editor, 1000);
      return { name, prompt, cannot: Object.keys(obstacles) };
    };
    deepEqual(select([1, 0, 3, 0]), { name: 'notes, lines 2 to 3', prompt: 'two\nthree\n', cannot: [] });
    deepEqual(select([1, 0, 1, 2]), { name: 'notes, line 2', prompt: 'tw', cannot: [] });
    deepEqual(select([2, 1, 2, 1]), {
      name: 'notes, text before line 3, column 2',
      prompt: 'one\ntwo\nt',
      cannot: ['replace'],
    });
    deepEqual(select([0, 0, 0, 1], [1, 0, 1, 1]), { name: 'notes, 2 selections', prompt: 'o', cannot: [] });
    deepEqual(select([0, 0, 0, 0]).cannot, ['insert', 'replace', 'beside']);
    equal(targetOf(undefined, 1000).name, '');
  });

  it('explain problems with their location, warnings, rejected parameters, and the request', async () => {
    const settings = openCompletionSettings(services);
    const text =
      '{"n": 500, "model": "x", "top_k": "5", "temprature": 1, "stop": [1], "logit_bias": {"a": 1, "2": null}}';
    await settings.set({ model: 'vendor/own', parameters: { n: 2, temperature: 0, seed: 3 }, text });
    await settings.refused('vendor/own', 'seed');
    const editor = await open(`${'x'.repeat(600)}`);
    editor.selection = new vscode.Selection(0, 0, 0, 600);
    const target = targetOf(editor, 1000);
    const controller = new SettingsController(
      settings,
      {
        isListed: () => false,
        own: () => ({}),
        asksUsage: () => true,
        price: async () => undefined,
        target: () => target,
        models: async () => [],
        run: async () => undefined,
        act: async () => undefined,
      },
      'en',
    );
    const view = await controller.view();
    deepEqual(
      view.textIssues.map(({ where, text: said }) => `${where}: ${said}`),
      [
        "Line 1, column 7: n can't be greater than 128. The value is 500.",
        'Line 1, column 12: Not sent. Select the model above.',
        'Line 1, column 35: Remove the quotes around this number.',
        'Line 1, column 40: Unknown parameter "temprature" won\'t be sent.',
        'Line 1, column 66: stop[0] must be of type string.',
        'Line 1, column 85: Enter a token ID, such as 50256.',
        'Line 1, column 98: Enter a bias from −100 to 100.',
      ],
    );
    equal(view.issues.n, "n can't be greater than 128. The value is 500. This value isn't sent.");
    equal(view.warnings.n, 'The model always picks the most likely token.');
    equal(view.modelWarning, 'Not listed by the service, but you can use it.');
    equal(view.hints.n, "You're charged for each of the 2 completions.");
    equal(view.notTaken.seed, "own doesn't support this parameter, so it isn't sent.");
    ok(view.preview.includes(' … 320 more characters … '), view.preview);
    ok(view.preview.includes('include_usage'), view.preview);
    ok(!view.preview.includes('seed'), view.preview);
    await settings.allowed('vendor/own', 'seed');
  });
});
