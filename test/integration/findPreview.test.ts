import { deepEqual } from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { createPreview } from '../../src/features/findByMeaning/findPick';
import type { Preview } from '../../src/features/findByMeaning/findPick';
import { until } from '../support/until';

describe('the preview of search results', () => {
  let folder: string;
  let preview: Preview;

  const place = (name: string) => ({
    uri: vscode.Uri.file(join(folder, name)),
    range: new vscode.Range(1, 0, 1, 1),
    line: 1,
  });
  const tabs = () => vscode.window.tabGroups.activeTabGroup.tabs.map(({ label }) => label);
  const shows = (name: string) => until(() => (tabs().includes(name) ? true : undefined), name);

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'preview-'));
    for (const name of ['own.txt', 'first.txt', 'second.txt']) await writeFile(join(folder, name), 'one\ntwo\n');
  });
  beforeEach(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await vscode.window.showTextDocument(place('own.txt').uri, { preview: false });
    preview = createPreview();
    preview.show(place('first.txt'));
    await shows('first.txt');
  });
  afterEach(() => preview.dispose());
  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await rm(folder, { recursive: true, maxRetries: 10 });
  });

  it("keeps only the selected location open, even if it wasn't previewed", async () => {
    await preview.open(place('second.txt'), { toSide: false });
    deepEqual(tabs(), ['own.txt', 'second.txt']);
  });

  it('turns into the editor of the selected location', async () => {
    await preview.open(place('first.txt'), { toSide: false });
    deepEqual(tabs(), ['own.txt', 'first.txt']);
  });

  it('closes if no location is selected', async () => {
    await preview.restore();
    deepEqual(tabs(), ['own.txt']);
  });
});
