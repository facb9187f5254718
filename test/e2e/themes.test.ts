import assert from 'node:assert/strict';
import type { ThemeKind } from '../host/quickInput';
import type { DeskWindow } from '../host/window';
import { inOrder } from '../support/inOrder';
import { until } from '../support/until';

const kinds: readonly ThemeKind[] = ['light', 'dark', 'highContrast', 'highContrastLight'];
/** What the editor calls them in its pages. */
const pageThemes: Readonly<Record<ThemeKind, string>> = {
  light: 'vscode-light',
  dark: 'vscode-dark',
  highContrast: 'vscode-high-contrast',
  highContrastLight: 'vscode-high-contrast-light',
};

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
      await desk.webview.locator(`body[data-vscode-theme-kind="${pageThemes[kind]}"]`).waitFor();
      await desk.screenshot(`theme-${kind}`);
    });
  }

  it('fits a side bar as narrow as the editor lets it be', async () => {
    await desk.theme('dark');
    const html = desk.webview.locator('html');
    const wide = await html.evaluate(() => innerWidth);
    await desk.widenSideBar(170);
    await until(() => html.evaluate((_, before) => innerWidth < before || undefined, wide), 'a narrow page');
    const overflow = await html.evaluate((page) => page.scrollWidth - page.clientWidth);
    assert.equal(overflow, 0);
    await desk.screenshot('narrow');
  });

  it('refused nothing and threw nothing in its pages', () => {
    assert.deepEqual(desk.faults, []);
  });
});
