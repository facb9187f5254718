import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { DeskWindow } from '../host/window';
import { signInTo } from '../support/chatJourney';
import { startFilledDemo, type FilledDemo } from '../support/filledDemo';
import { inOrder } from '../support/inOrder';
import { startOrigin, type OriginServer } from '../support/originServer';

describe('an untrusted folder', function () {
  inOrder(this);
  let desk: DeskWindow;
  let demo: FilledDemo;
  let stranger: OriginServer;
  const folder = mkdtempSync(path.join(os.tmpdir(), 'private-folder-'));

  before(async function () {
    demo = await startFilledDemo({ pace: 'fast' });
    stranger = await startOrigin((_request, response) => void response.end('{}'));
    mkdirSync(path.join(folder, '.vscode'));
    const settings = {
      'inferenceDesk.profiles': [{ id: 'stranger', name: 'Stranger', baseUrl: new URL('v1', stranger.url).href }],
      'inferenceDesk.network.stack': 'editor',
      'inferenceDesk.media.folder': 'taken',
      'inferenceDesk.ghostText.mode': 'automatic',
    };
    writeFileSync(path.join(folder, '.vscode/settings.json'), JSON.stringify(settings));
    writeFileSync(path.join(folder, 'questions.jsonl'), '{"custom_id":"a","method":"POST"\n');
    desk = await this.openDesk({
      folder,
      askForTrust: true,
      settings: { 'security.workspace.trust.startupPrompt': 'never' },
    });
  });
  after(async () => {
    await desk?.close();
    await Promise.all([demo?.close(), stranger?.close()]);
    rmSync(folder, { recursive: true, force: true });
  });

  const ask = async (question: string): Promise<void> => {
    const box = desk.webview.getByRole('textbox', { name: 'Question' });
    await box.fill(question);
    await box.press('Enter');
    await desk.webview.locator('.turn', { hasText: question }).waitFor();
  };

  it('signs in and chats without using accounts from the folder', async () => {
    await signInTo(desk, demo, 'Own');
    await ask('What is a rate limit?');
    await desk.webview
      .locator('.turn')
      .last()
      .locator('.facts')
      .getByText(/\d+ out/)
      .waitFor({ timeout: 60_000 });
    await desk.command('Inference Desk: Switch Account…');
    await desk.quickRows.filter({ hasText: 'Own' }).waitFor();
    assert.equal(await desk.quickRows.filter({ hasText: 'Stranger' }).count(), 0);
    await desk.page.keyboard.press('Escape');
  });

  it("checks a batch file of the folder, and says that its content isn't sent", async () => {
    await desk.command('Go to File...');
    await desk.quickInput.locator('input.input').first().fill('questions');
    await desk.pick('questions.jsonl');
    await desk.page.locator('.tab', { hasText: 'questions.jsonl' }).waitFor();
    await desk.page.locator('.squiggly-error').first().waitFor();
    await desk.command('Inference Desk: Submit Batch…');
    await desk.notice(/This workspace isn't trusted/);
    await desk.clearNotices();
    assert.ok(!(await demo.requests()).some(({ path: asked }) => /files|batches/.test(asked) && /POST/.test(asked)));
  });

  it('reports the cause and fix when the service is down, and offers an issue report', async () => {
    await demo.close();
    await ask('Is anybody there?');
    await desk.webview
      .locator('.turn')
      .last()
      .getByText(/No service is running/)
      .first()
      .waitFor({ timeout: 60_000 });
    await desk.screenshot('diagnosis-gone');
    await desk.openStatusMenu();
    await desk.pick('Report Issue');
    const lenses = desk.page.locator('.codelens-decoration', { hasText: 'Copy Report' });
    await lenses.waitFor();
    await desk.screenshot('diagnosis-report');
    await lenses.getByText('Copy Report').click();
    await desk.notice('Copied the report');
    const report = await desk.page.evaluate(() => navigator.clipboard.readText());
    assert.match(report, /- The workspace is trusted: no\n/);
    assert.match(report, / POST \/demo\/v1\/messages, no answer, .*network/);
    for (const own of [demo.apiKey, folder, path.basename(folder), 'rate limit', 'anybody', 'questions', 'Stranger'])
      assert.ok(!report.includes(own), own);
  });

  it('logs each call without the key', async () => {
    await desk.command('Inference Desk: Show Log');
    const lines = desk.page.locator('.part.panel .view-lines');
    await lines
      .getByText(/POST.+\/v1\/messages/)
      .first()
      .waitFor();
    assert.ok(!(await lines.innerText()).includes(demo.apiKey));
  });

  it('sends nothing to hosts named in the folder, and has no errors in the pages', () => {
    assert.deepEqual(stranger.requests, []);
    assert.deepEqual(desk.faults, []);
  });
});
