import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import type { DeskWindow } from '../host/window';
import { signInTo } from '../support/chatJourney';
import { startFilledDemo } from '../support/filledDemo';
import type { FilledDemo } from '../support/filledDemo';
import { inOrder } from '../support/inOrder';
import { requestLine } from '../support/requestLine';

const request = (id: string) => requestLine(id, `Sort the message ${id}.`, { model: 'deepseek-ai/DeepSeek-V3' });
const requests = ['ticket-1', 'ticket-2', 'ticket-3', 'ticket-4'];
const textOf = (ids: readonly string[]) => ids.map((id) => `${request(id)}\n`).join('');

describe('submitting a batch', function () {
  inOrder(this);
  let desk: DeskWindow;
  let demo: FilledDemo;
  let folder: string;
  let file: string;
  before(async function () {
    folder = mkdtempSync(path.join(tmpdir(), 'submit-'));
    file = path.join(folder, 'support-triage.jsonl');
    writeFileSync(file, textOf(requests));
    demo = await startFilledDemo({ pace: 'fast' });
    desk = await this.openDesk({ folder, size: { width: 1280, height: 1000 } });
    await signInTo(desk, demo);
  });
  after(async () => {
    await desk?.close();
    await demo?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const submit = (): Locator => desk.editorPage.locator('vscode-button', { hasText: 'Submit' });
  /** What the check found; what was said to a screen reader stays a while. */
  const found = (text: string): Locator => desk.editorPage.locator('.submit-found', { hasText: text });
  const explorerRow = (name: string): Locator =>
    desk.page.locator('.explorer-folders-view .monaco-list-row', { hasText: name });
  const sent = async (method: string, where: string) => {
    return (await demo.requests()).filter((one) => one.method === method && one.path.endsWith(where)).length;
  };

  it('begins at the lens of the file, with a check of it', async () => {
    await desk.command('View: Show Explorer');
    await explorerRow('support-triage.jsonl').dblclick();
    await desk.page.locator('.codelens-decoration a:visible', { hasText: 'Submit…' }).first().click();
    await desk.editorPage.getByRole('heading', { name: 'Submit support-triage.jsonl' }).waitFor();
    await found('No problems in 4 requests.').waitFor();
    await desk.editorPage.getByText('about', { exact: false }).first().waitFor();
    await desk.screenshot('submit-light');
    for (const theme of ['dark', 'highContrast', 'highContrastLight'] as const) {
      await desk.theme(theme);
      await desk.screenshot(`submit-${theme}`);
    }
    await desk.theme('light');
  });

  it('keeps what was written over a reload of the window', async () => {
    await desk.editorPage.getByLabel('Description').fill('Sort the tickets of March');
    await desk.editorPage.getByRole('button', { name: 'Add pair' }).click();
    await desk.editorPage.getByLabel('Key of pair 1').fill('team');
    await desk.editorPage.getByLabel('Value of pair 1').fill('support');
    await desk.reloadWindow();
    await found('No problems in 4 requests.').waitFor({ timeout: 60_000 });
    assert.equal(await desk.editorPage.getByLabel('Description').inputValue(), 'Sort the tickets of March');
    assert.equal(await desk.editorPage.getByLabel('Value of pair 1').inputValue(), 'support');
  });

  it('follows the file, and is not submitted with errors', async () => {
    writeFileSync(file, textOf([...requests, 'ticket-4']));
    await found('1 error in 5 requests.').waitFor();
    await desk.editorPage.getByText('Mend the errors, or choose to submit with them.').waitFor();
    await desk.screenshot('submit-errors');
    writeFileSync(file, textOf(requests));
    await found('No problems in 4 requests.').waitFor();
  });

  it('says that the balance is used up, keeps the upload, and goes on from there', async () => {
    await demo.call('POST', '/_control/arm', { fault: 'balance-402', endpoint: 'POST /batches' });
    await desk.editorPage.getByText('The file is uploaded, then the batch is created.').waitFor();
    await submit().locator('button').click();
    await desk.editorPage.locator('.note-error', { hasText: 'The balance is used up' }).waitFor();
    await desk.editorPage.getByText('It was uploaded for this batch, and is kept at the service.').waitFor();
    await desk.screenshot('submit-refused');
    await desk.editorPage.getByRole('button', { name: 'Try again' }).click();
    await desk.editorPage.getByRole('heading', { name: /The batch (is submitted|has ended)/ }).waitFor();
    await desk.screenshot('submit-created');
    assert.deepEqual([await sent('POST', '/files'), await sent('POST', '/batches')], [1, 2]);
  });

  it('shows the batch in the list of batches', async () => {
    await desk.editorPage.locator('vscode-button', { hasText: 'Show in Batches' }).locator('button').click();
    const view = desk.page.locator('.sidebar .pane', { has: desk.page.locator('.pane-header[aria-label^="Batches"]') });
    await view.locator('.monaco-list-row', { hasText: 'support-triage' }).first().waitFor();
    await desk.screenshot('submit-in-batches');
  });

  it('shows what became of it after a reload of the window', async () => {
    await desk.reloadWindow();
    await desk.editorPage.getByRole('heading', { name: 'The batch has ended' }).waitFor({ timeout: 60_000 });
    assert.equal(await submit().count(), 0);
  });

  it('makes another one of the file in the Files view', async () => {
    const view = await desk.openView('Files');
    const row = view.locator('.monaco-list-row', { hasText: /support-triage\.jsonl.*1 batch/ });
    const opened = desk.editorPage.getByText('It is not checked again before the batch is created.');
    await desk.chooseInMenu(row.first(), 'Submit Batch', { until: opened });
    await desk.screenshot('submit-uploaded');
    await submit().locator('button').click();
    await desk.editorPage.getByRole('heading', { name: /The batch (is submitted|has ended)/ }).waitFor();
    assert.deepEqual([await sent('POST', '/files'), await sent('POST', '/batches')], [1, 3]);
  });

  it('refused nothing and threw nothing in its pages', () => {
    assert.deepEqual(desk.faults, []);
  });
});
