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

const request = (id: string, model = 'deepseek-ai/DeepSeek-V3') => requestLine(id, `Sort ${id}.`, { model });

describe('from a batch file to its answers', function () {
  inOrder(this);
  let desk: DeskWindow;
  let demo: FilledDemo;
  let folder: string;
  before(async function () {
    folder = mkdtempSync(path.join(tmpdir(), 'answers-'));
    const lines = ['ticket-1', 'ticket-2', 'ticket-3', 'ticket-4'].map((id) => request(id));
    lines.push(request('ticket-5', 'fault/context-overflow-1'));
    writeFileSync(path.join(folder, 'tickets.jsonl'), lines.map((line) => `${line}\n`).join(''));
    demo = await startFilledDemo({ pace: 'fast' });
    desk = await this.openDesk({
      folder,
      size: { width: 1280, height: 900 },
      settings: { 'editor.wordWrap': 'on' },
    });
    await signInTo(desk, demo);
    await desk.command('View: Show Explorer');
    await desk.page.locator('.explorer-folders-view .monaco-list-row', { hasText: 'tickets.jsonl' }).dblclick();
  });
  after(async () => {
    await desk?.close();
    await demo?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const editorTab = (title: string | RegExp): Locator => desk.page.locator('.tabs-container .tab', { hasText: title });

  it('is reviewed and submitted, with its errors told', async () => {
    await desk.page.locator('.codelens-decoration a:visible', { hasText: 'Submit…' }).first().click();
    await desk.editorPage.getByText('The lines ask 2 different models.').waitFor();
    await desk.screenshot('answers-review');
    await desk.editorPage.locator('vscode-button', { hasText: 'Submit' }).locator('button').click();
    await desk.editorPage.getByRole('heading', { name: /The batch (is submitted|has ended)/ }).waitFor();
  });

  it('is told to have ended, and its results are opened from there', async () => {
    await desk.editorPage.locator('vscode-button', { hasText: 'Open results' }).waitFor({ timeout: 60_000 });
    const told = 'The batch “tickets” is done.';
    const notice = await desk.notice(told);
    await desk.screenshot('answers-notice');
    assert.equal(
      await desk.page.locator('.notifications-center .notification-list-item', { hasText: told }).count(),
      1,
    );
    await notice.hover();
    await notice.getByRole('button', { name: 'Open Results' }).click();
    await desk.editorPage.getByText('ticket-1', { exact: true }).first().waitFor();
    await desk.editorPage.getByText('ticket-5', { exact: true }).first().waitFor();
    await desk.screenshot('answers-results');
  });

  it('has its answers on its lines', async () => {
    await editorTab(/^tickets\.jsonl/)
      .first()
      .click();
    await desk.page.locator('.view-lines').getByText('→').first().waitFor();
    await desk.page.locator('.view-lines').getByText('✗').first().waitFor();
    await desk.screenshot('answers-lines');
  });

  it('refused nothing and threw nothing in its pages', () => {
    assert.deepEqual(desk.faults, []);
  });
});
