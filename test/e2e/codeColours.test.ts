import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import type { DeskWindow } from '../host/window';
import { tryDemo } from '../support/chatJourney';
import { inOrder } from '../support/inOrder';

const code = 'def merge(a, b):\n    """Merges two sorted lists."""\n    return sorted(a + b)  # 2 lines\n';

describe('code in an answer, beside code in the editor', function () {
  inOrder(this);
  let desk: DeskWindow;
  let last = '';

  let folder: string;
  before(async function () {
    folder = mkdtempSync(path.join(os.tmpdir(), 'colours-'));
    writeFileSync(path.join(folder, 'merge.py'), code);
    desk = await this.openDesk({ folder });
  });
  after(async () => {
    await desk?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('is answered by the demo service', async () => {
    await desk.command('Go to File');
    await desk.quickInput.locator('input.input').first().fill('merge.py');
    await desk.pick('merge.py');
    await desk.page.locator('.view-line', { hasText: 'Merges two sorted' }).waitFor();
    await tryDemo(desk);
    const box = desk.webview.getByRole('textbox', { name: 'Question' });
    await box.fill('Write a Python function that merges two sorted lists.');
    await box.press('Enter');
    await desk.webview.locator('.hljs-keyword', { hasText: 'def' }).first().waitFor();
    await desk.webview
      .locator('.facts')
      .getByText(/\d+ in/)
      .first()
      .waitFor();
  });

  const colourOf = (word: Locator) => word.first().evaluate((element) => getComputedStyle(element).color);

  /** Waits until `def`, which every theme colours, is in the answer what it is in the editor, and not what it was before. */
  async function assertSame(theme: string): Promise<void> {
    const inAnswer = desk.webview.locator('.hljs-keyword', { hasText: /^def$/ });
    const inEditor = desk.page.locator('.view-line span span', { hasText: /^def$/ });
    for (;;) {
      const [shown, wanted] = await Promise.all([colourOf(inAnswer), colourOf(inEditor)]);
      if (shown === wanted && wanted !== last) break;
    }
    last = await colourOf(inEditor);
    await desk.screenshot(`codeColours-${theme}`);
  }

  for (const kind of ['dark', 'light', 'highContrast'] as const) {
    it(`has the editor’s colours: ${kind}`, async () => {
      await desk.theme(kind);
      await assertSame(kind);
    });
  }

  it('has the editor’s colours in a theme of another extension', async () => {
    await desk.command('Preferences: Color Theme');
    await desk.quickInput.locator('input.input').first().fill('Monokai');
    await desk.pick('Monokai');
    await desk.page.locator('.monaco-workbench.vs-dark').waitFor();
    await assertSame('monokai');
  });
});
