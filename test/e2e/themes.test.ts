import assert from 'node:assert/strict';
import type { DeskWindow, ThemeKind } from '../host/window';
import { inOrder } from '../support/inOrder';

const kinds: readonly ThemeKind[] = ['light', 'dark', 'highContrast', 'highContrastLight'];

describe('the side bar in every theme', function () {
  inOrder(this);
  let desk: DeskWindow;

  before(async function () {
    desk = await this.openDesk({ size: { width: 1280, height: 1100 } });
  });
  after(() => desk?.close());

  it('shows an answer, the models and the account', async () => {
    await desk.openView('Chat');
    await desk.webview.getByText('Chat with hosted models').waitFor();
    await desk.command('Inference Desk: Try the Demo Service');
    const box = desk.webview.getByRole('textbox', { name: 'Question' });
    await desk.webview.getByRole('button', { name: /Qwen/ }).waitFor();
    await box.fill('Write a Python function that merges two sorted lists, and a table of its cases.');
    await box.press('Enter');
    await desk.webview
      .locator('.facts')
      .getByText(/\d+ in/)
      .waitFor({ timeout: 60_000 });
    await desk.widenSideBar(460);
    await desk.screenshot('chat-wide');
    const models = await desk.openView('Models');
    await models.locator('.monaco-list-row', { hasText: 'Chat' }).click();
    const account = await desk.openView('Account');
    await account.locator('.monaco-list-row', { hasText: 'Balance' }).waitFor();
  });

  for (const kind of kinds) {
    it(`is drawn in: ${kind}`, async () => {
      await desk.theme(kind);
      await desk.webview.locator(`body[data-vscode-theme-kind]`).waitFor();
      await desk.screenshot(`theme-${kind}`);
    });
  }

  it('fits a side bar as narrow as the editor lets it be', async () => {
    await desk.theme('dark');
    await desk.widenSideBar(170);
    const overflow = await desk.webview.locator('html').evaluate((page) => page.scrollWidth - page.clientWidth);
    assert.equal(overflow, 0);
    await desk.screenshot('narrow');
  });

  it('refused nothing and threw nothing in its pages', () => {
    assert.deepEqual(desk.faults, []);
  });
});
