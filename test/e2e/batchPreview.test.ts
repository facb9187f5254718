import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import type { DeskWindow } from '../host/window';
import { inOrder } from '../support/inOrder';

const request = (id: string, content: string, method = 'POST') =>
  JSON.stringify({
    custom_id: id,
    method,
    url: '/v1/chat/completions',
    body: { model: 'Qwen/Qwen3-8B', messages: [{ role: 'user', content }], max_tokens: 16 },
  });
const requests = (count: number) =>
  Array.from({ length: count }, (_, index) =>
    request(`ticket-${index + 1}`, index === 1233 ? 'Where is the needle?' : `Sort message ${index + 1}.`),
  );

describe('the preview of a batch file', function () {
  inOrder(this);
  let desk: DeskWindow;
  let folder: string;
  let file: string;
  before(async function () {
    folder = mkdtempSync(path.join(tmpdir(), 'preview-'));
    file = path.join(folder, 'requests.jsonl');
    writeFileSync(file, `${requests(3000).join('\n')}\n${request('odd', 'Hello', 'GET')}\n`);
    desk = await this.openDesk({ folder });
  });
  after(async () => {
    await desk?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const row = (line: number): Locator =>
    desk.editorPage.locator('.preview-rows .preview-row', {
      has: desk.editorPage.locator('.preview-cell-line', { hasText: new RegExp(`^${line}$`) }),
    });
  const details = (): Locator => desk.editorPage.getByRole('complementary');
  const explorerRow = (name: string): Locator =>
    desk.page.locator('.explorer-folders-view .monaco-list-row', { hasText: name });
  const editorTab = (title: string): Locator => desk.page.locator('.tabs-container .tab', { hasText: title });

  it('is opened beside the file by the button of its editor, and by the lens', async () => {
    await explorerRow('requests.jsonl').dblclick();
    await desk.page.locator('.codelens-decoration', { hasText: '3,001 requests' }).first().waitFor();
    await desk.page.locator('.editor-actions').getByRole('button', { name: 'Preview Batch File' }).click();
    await row(1).waitFor();
    await desk.editorPage.getByText('3,001 requests · Qwen/Qwen3-8B').first().waitFor();
    await desk.screenshot('preview-beside');
    // The lenses are all there: none is put in the place of another under the mouse any more.
    await desk.page
      .locator('.codelens-decoration', { hasText: /1 error.*Check.*Try Now/ })
      .first()
      .waitFor();
    await editorTab('requests.jsonl').first().click();
    await desk.page.locator('.editor-group-container.active .tab.active', { hasText: /^requests/ }).waitFor();
    await desk.page.locator('.codelens-decoration a:visible', { hasText: 'Preview' }).first().click();
    await desk.page.locator('.editor-group-container.active .tab.active', { hasText: 'Preview requests' }).waitFor();
    assert.equal(await editorTab('Preview requests.jsonl').count(), 1);
  });

  it('finds a line in the file, reads it out, and goes there in the editor', async () => {
    await desk.editorPage.getByRole('searchbox').fill('NEEDLE');
    await desk.editorPage.getByText('1 of 3,001 lines').first().waitFor();
    await row(1234).click();
    await details().getByText('Where is the needle?').waitFor();
    await details().getByText('max_tokens').waitFor();
    await desk.screenshot('preview-search');
    await details().getByText('Go to Line').click();
    await desk.status(/Ln 1234, Col 1/).waitFor();
    await desk.page.locator('.monaco-editor.focused').waitFor();
  });

  it('shows the lines with problems, what is wrong with them, and sorts them first', async () => {
    await desk.editorPage.getByRole('searchbox').fill('');
    await row(1).waitFor();
    await desk.editorPage.getByRole('columnheader', { name: 'Problems' }).getByRole('button').click();
    await row(3001).click();
    await details().getByText('"method" must be "POST".').waitFor();
    await desk.editorPage.getByLabel('Only with problems').check();
    await desk.editorPage.getByText('1 of 3,001 lines').first().waitFor();
    await desk.screenshot('preview-problems');
  });

  it('comes back after a reload of the window', async () => {
    await desk.reloadWindow();
    await desk.editorPage.getByText('3,001 requests').first().waitFor({ timeout: 60_000 });
    await desk.editorPage.getByRole('heading', { name: 'requests.jsonl' }).waitFor();
  });

  it('follows the file on disk, and says so when it is gone', async () => {
    await desk.editorPage.getByRole('searchbox').fill('');
    await desk.editorPage.getByLabel('Only with problems').check();
    await row(3001).waitFor();
    writeFileSync(file, `${request('other', 'Hello', 'PUT')}\n${request('last', 'Hello')}\n`);
    await desk.editorPage.getByText('1 of 2 lines').first().waitFor();
    await row(1).getByText('other').waitFor();
    rmSync(file);
    await desk.editorPage.getByText('The file is not there any more').first().waitFor();
    await desk.screenshot('preview-gone');
  });

  it('is opened from the Explorer', async () => {
    writeFileSync(path.join(folder, 'second.jsonl'), `${request('second', 'Hello')}\n`);
    await desk.chooseInMenu(explorerRow('second.jsonl'), 'Preview Batch File');
    await editorTab('Preview second.jsonl').waitFor();
    await row(1).getByText('second').waitFor();
  });

  it('refused nothing and threw nothing in its pages', () => {
    assert.deepEqual(desk.faults, []);
  });
});
