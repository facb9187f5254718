import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import type { DeskWindow } from '../host/window';
import { tryDemo } from '../support/chatJourney';
import { inOrder } from '../support/inOrder';

function makeWorkspace(): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'attach-journey-'));
  const files = {
    'src/parser.ts': 'export const parse = (text: string) => text.split("\\n");\n',
    'src/printer.ts': 'export const print = (lines: string[]) => lines.join("\\n");\n',
    'src/debug.log': 'not to be seen\n',
    '.gitignore': '*.log\n',
  };
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  }
  return folder;
}

const parts = (desk: () => DeskWindow) => {
  const box = (): Locator => desk().webview.getByRole('textbox', { name: 'Question' });
  const chip = (text: string): Locator => desk().webview.locator('.composer .chip', { hasText: text });
  const option = (text: string): Locator => desk().webview.getByRole('option', { name: text });
  const signIn = async () => {
    await tryDemo(desk());
  };
  return { box, chip, option, signIn };
};

describe('attaching from all over the window', function () {
  inOrder(this);
  const folder = makeWorkspace();
  let desk: DeskWindow;
  const { box, chip, option, signIn } = parts(() => desk);
  before(async function () {
    desk = await this.openDesk({ folder });
    await signIn();
  });
  after(async () => {
    await desk?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('takes a file that # finds, and shows what is sent of it', async () => {
    await box().click();
    await box().pressSequentially('What does #pars');
    await option('parser.ts').waitFor();
    await desk.screenshot('attach-hash');
    await box().press('Enter');
    await chip('src/parser.ts').waitFor();
    assert.equal(await box().inputValue(), 'What does ');
    await chip('src/parser.ts').locator('.chip-text').click();
    await desk.page.locator('.editor-instance .view-line', { hasText: 'export const parse' }).waitFor();
  });

  it('takes a folder from the menu of the Explorer', async () => {
    await desk.page.locator('.activitybar [aria-label^="Explorer"]').first().click();
    const row = desk.page.locator('.explorer-folders-view .monaco-list-row', { hasText: 'src' });
    await desk.chooseInMenu(row, 'Add Folder Listing to Chat');
    await chip('src/').nth(1).waitFor();
    await chip('src/').nth(1).locator('.chip-text').click();
    await desk.page.locator('.editor-instance .view-line', { hasText: 'printer.ts' }).waitFor();
    await desk.screenshot('attach-folder');
  });

  it('takes what is dragged from the editor with Shift', async () => {
    await desk.command('View: Close All Editors');
    await desk.command('Go to File');
    await desk.quickInput.locator('input.input').first().fill('printer.ts');
    await desk.pick('printer.ts');
    const tab = desk.page.locator('.tab', { hasText: 'printer.ts' });
    await tab.waitFor();
    const to = await desk.page.locator('iframe.webview').boundingBox();
    assert.ok(to);
    await tab.hover();
    await desk.page.mouse.down();
    await desk.page.keyboard.down('Shift');
    await desk.page.mouse.move(to.x + to.width / 2, to.y + to.height / 2, { steps: 12 });
    await desk.webview.getByText('Drop to add to the question').waitFor();
    await desk.screenshot('attach-drop');
    await desk.page.mouse.up();
    await desk.page.keyboard.up('Shift');
    await chip('src/printer.ts').waitFor();
  });

  it('takes what is selected in the terminal', async () => {
    await desk.command('Terminal: Create New Terminal');
    await desk.page.locator('.terminal-wrapper .xterm').waitFor();
    await desk.page.keyboard.type('echo for the question');
    await desk.page.keyboard.press('Enter');
    await desk.command('Terminal: Select All');
    await desk.command('Add Terminal Selection to Chat');
    await chip('Terminal').waitFor();
    await chip('Terminal').locator('.chip-text').click();
    await desk.page.locator('.editor-instance .view-line', { hasText: 'for the question' }).first().waitFor();
    await desk.screenshot('attach-terminal');
  });

  it('has all of it again after a reload, and sends it', async () => {
    await box().fill('What do they do?');
    await desk.reload();
    await desk.openView('Chat');
    await chip('Terminal').waitFor();
    assert.equal(await desk.webview.locator('.composer .chip').count(), 4);
    await box().press('Enter');
    await desk.webview.locator('.turn .chips-sent .chip').nth(3).waitFor();
    await desk.webview.locator('.composer .chip').first().waitFor({ state: 'detached' });
    await desk.screenshot('attach-sent');
  });

  it('refused nothing and threw nothing in its pages', () => assert.deepEqual(desk.faults, []));
});

describe('attaching in Restricted Mode', function () {
  inOrder(this);
  const folder = makeWorkspace();
  let desk: DeskWindow;
  const { box, option, signIn } = parts(() => desk);
  before(async function () {
    desk = await this.openDesk({
      folder,
      askForTrust: true,
      settings: { 'security.workspace.trust.startupPrompt': 'never' },
    });
    await signIn();
  });
  after(async () => {
    await desk?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  for (const [typed, wanted] of [
    ['#pars', 'parser.ts'],
    ['#src', 'src'],
  ] as const) {
    it(`takes nothing, and says why: ${wanted}`, async () => {
      await box().fill('');
      await box().pressSequentially(typed);
      await option(wanted).first().waitFor();
      await box().press('Enter');
      await desk.webview.getByText('Nothing is attached in Restricted Mode').waitFor();
      assert.equal(await desk.webview.locator('.composer .chip').count(), 0);
      await desk.screenshot('attach-restricted');
    });
  }

  it('takes nothing that is dropped, not even its text', async () => {
    await box().fill('');
    await box().evaluate((element) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File(['text'], 'dropped.txt'));
      element.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
    });
    await desk.webview.getByText('Nothing is attached in Restricted Mode').waitFor();
    assert.equal(await desk.webview.locator('.composer .chip').count(), 0);
  });
});
