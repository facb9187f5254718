import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Frame } from 'playwright-core';
import type { DeskWindow } from '../host/window';
import { inOrder } from '../support/inOrder';
import { until } from '../support/until';

const mostTabs = 40;
const listedMs = 5000;

describe('keyboard-only use of the side bar in another theme and at minimum width', function () {
  inOrder(this);
  let desk: DeskWindow;
  let folder: string;
  before(async function () {
    folder = mkdtempSync(path.join(tmpdir(), 'keyboard-'));
    writeFileSync(path.join(folder, 'total.py'), 'def total_of(prices):\n    return sum(prices)\n');
    desk = await this.openDesk({ folder, size: { width: 1280, height: 1100 } });
  });
  after(async () => {
    await desk?.close();
    await rm(folder, { recursive: true, force: true });
  });

  const key = (name: string) => desk.page.keyboard.press(name);
  const type = (text: string) => desk.page.keyboard.type(text);
  /**
   * Runs a command from the palette without the mouse. The palette lists the commands that were known when it was opened, so another
   * attempt can find more.
   */
  async function run(title: string): Promise<void> {
    const row = desk.quickInput.locator('.monaco-list-row.focused .label-name').getByText(title, { exact: true });
    await until(async () => {
      await key('Escape');
      await key('F1');
      await desk.quickInput.locator('input.input').first().waitFor();
      await type(title);
      return row.waitFor({ timeout: listedMs }).then(
        () => true,
        () => undefined,
      );
    }, title);
    await key('Enter');
  }
  /** Returns the focused element in our pages, or an empty string while the focus is elsewhere. */
  async function focused(): Promise<string> {
    const ask = (frame: Frame) =>
      frame
        .evaluate(() => {
          const { activeElement } = document;
          if (!document.hasFocus() || !activeElement || activeElement.matches('body, iframe')) return '';
          return activeElement.ariaLabel ?? activeElement.textContent?.trim() ?? '';
        })
        .catch(() => '');
    const ours = desk.page
      .frames()
      .filter((frame) => frame.name() === 'active-frame' || frame.url().includes('fake.html'));
    return (await Promise.all(ours.map(ask))).find((name) => name !== '') ?? '';
  }
  /** Describes the focused element of each frame, for a failure message. */
  const focusOfFrames = async () => {
    const ask = (frame: Frame) =>
      frame.evaluate(() => `${document.hasFocus()} ${document.activeElement?.outerHTML.slice(0, 120)}`).catch(String);
    return (await Promise.all(desk.page.frames().map(ask))).join('\n');
  };
  const hasFocus = (name: string) =>
    until(async () => ((await focused()) === name ? true : undefined), `the focus on ${name}`).catch(async (error) => {
      throw new Error(`${String(error)}: it is on\n${await focusOfFrames()}`, { cause: error });
    });
  async function tabTo(name: string, tab = 'Tab'): Promise<void> {
    for (let tabs = 0; tabs < mostTabs; tabs++) {
      if ((await focused()) === name) return;
      await key(tab);
    }
    assert.fail(`Tab never came to ${name}`);
  }

  it('opens the chat by its shortcut, and signs in to the demo from its welcome', async () => {
    await until(async () => {
      await key('Control+k');
      await key('a');
      const welcome = desk.chatPage.getByText('Start Demo Service', { exact: true }).waitFor({ timeout: listedMs });
      return welcome.then(
        () => true,
        () => undefined,
      );
    }, 'the welcome of the chat');
    await tabTo('Start Demo Service');
    await desk.screenshot('keyboard-welcome');
    await key('Enter');
    await desk.chatPage.getByRole('button', { name: /Qwen/ }).waitFor();
    await hasFocus('Question');
  });

  it('asks a question, gets the answer, and returns the focus to the box', async () => {
    await type('What is a batch file?');
    await key('Enter');
    await desk.chatPage
      .locator('.turn')
      .last()
      .locator('.facts')
      .getByText(/\d+ out/)
      .waitFor();
    await hasFocus('Question');
  });

  it('attaches a file, and applies code of the answer to it', async () => {
    await type('#total');
    await desk.chatPage.locator('.offer[aria-selected=true]', { hasText: 'total.py' }).waitFor();
    await key('Enter');
    await desk.chatPage.locator('.composer .chip-text', { hasText: 'total.py' }).waitFor();
    await type('Rename total_of to sum_of');
    await key('Enter');
    const turn = desk.chatPage.locator('.turn').last();
    await turn.locator('.md-target', { hasText: 'total.py' }).waitFor();
    await desk.chatPage.locator('[role=status]', { hasText: 'Response complete.' }).waitFor({ state: 'attached' });
    await tabTo('Apply', 'Shift+Tab');
    await key('Enter');
    await desk.chatPage.locator('[role=status]', { hasText: 'total.py changed' }).waitFor({ state: 'attached' });
    await run('Inference Desk: Open Chat');
    await hasFocus('Question');
    await tabTo('Keep', 'Shift+Tab');
    await key('Enter');
    await desk.chatPage.locator('[role=status]', { hasText: 'Changes kept' }).waitFor({ state: 'attached' });
    await hasFocus('Question');
    await run('File: Save All Files');
    await until(() => {
      const text = readFileSync(path.join(folder, 'total.py'), 'utf8');
      return Promise.resolve(text.includes('def sum_of(prices)') || undefined);
    }, 'the applied change on disk');
    await run('View: Close All Editors');
  });

  it('opens and navigates the gallery, and returns to the chat', async () => {
    await run('Inference Desk: Open Gallery');
    await desk.editorPage.getByText('No images or videos yet').waitFor();
    await tabTo('Generate an Image');
    await run('Inference Desk: Open Chat');
    await hasFocus('Question');
    await type('And then?');
    assert.equal(await desk.chatPage.getByRole('textbox', { name: 'Question' }).inputValue(), 'And then?');
    await run('View: Close All Editors');
  });

  it('follows the VS Code theme', async () => {
    const models = await desk.openView('Models');
    await models.locator('.monaco-list-row', { hasText: 'Chat' }).click();
    const account = await desk.openView('Account');
    await account.locator('.monaco-list-row', { hasText: 'Balance' }).waitFor();
    await desk.widenSideBar(460);
    await desk.screenshot('side-bar-light');
    await desk.theme('highContrast');
    await desk.screenshot('side-bar-high-contrast');
    await desk.openChat();
    await desk.chatPage.locator('body[data-vscode-theme-kind="vscode-high-contrast"]').waitFor();
    await desk.screenshot('side-bar-chat-high-contrast');
    await desk.theme('dark');
    await desk.chatPage.locator('body[data-vscode-theme-kind="vscode-dark"]').waitFor();
  });

  it('fits the conversation and question box at 200 % zoom', async () => {
    await desk.page.setViewportSize({ width: 640, height: 400 });
    await desk.widenSideBar(260);
    const log = desk.chatPage.locator('.log');
    const send = desk.chatPage.locator('.send');
    await until(async () => {
      const [room, button] = [await log.boundingBox(), await send.boundingBox()];
      return room && button && room.height >= 140 && button.y + button.height <= 378 ? true : undefined;
    }, 'eight lines of the conversation, and Send below them');
    await desk.screenshot('side-bar-chat-zoomed');
    await desk.page.setViewportSize({ width: 1280, height: 1100 });
  });

  it('fits the narrowest side bar', async () => {
    const html = desk.chatPage.locator('html');
    const wide = await html.evaluate(() => innerWidth);
    await desk.widenSideBar(170);
    await until(() => html.evaluate((_, before) => innerWidth < before || undefined, wide), 'a narrow page');
    const overflow = await html.evaluate((page) => page.scrollWidth - page.clientWidth);
    assert.equal(overflow, 0);
    await desk.screenshot('side-bar-narrow-dark');
    assert.deepEqual(desk.faults, []);
  });
});
