import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import type { DeskWindow } from '../host/window';
import { chatOf, type JourneyChat, signInTo } from '../support/chatJourney';
import { type FilledDemo, startFilledDemo } from '../support/filledDemo';
import { inOrder } from '../support/inOrder';

const files: Readonly<Record<string, string>> = {
  'src/answer.ts': 'export const answer = 42;\n',
  'docs/notes.md': 'Forty-two is even.\n',
  'docs/订单.md': '退款需要三天。\n',
};
const long = 'Explain what a rate limit is, step by step, with a list, a table and an example in Python.';

interface SentBlock {
  readonly type: string;
  readonly text?: string;
}
interface Sent {
  readonly messages?: readonly { readonly role: string; readonly content: string | readonly SentBlock[] }[];
}

describe('the question box of the chat', function () {
  inOrder(this);
  let desk: DeskWindow;
  let chat: JourneyChat;
  let demo: FilledDemo;
  let folder: string;

  before(async function () {
    folder = mkdtempSync(path.join(tmpdir(), 'composer-'));
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
      writeFileSync(path.join(folder, name), text);
    }
    demo = await startFilledDemo();
    desk = await this.openDesk({ folder });
    chat = chatOf(desk);
    await signInTo(desk, demo);
    await desk.command('View: Close All Editors');
    await desk.openChat();
  });
  after(async () => {
    await desk?.close();
    await demo?.close();
    await rm(folder, { recursive: true, force: true });
  });

  const option = (name: string): Locator => desk.webview.getByRole('option', { name });
  const chip = (text: string): Locator => desk.webview.locator('.composer .chip-text', { hasText: text });
  const queued = (): Locator => desk.webview.locator('.queued');
  const lastSent = async (): Promise<Sent> => {
    const sent = (await demo.requests()).filter(({ path: at }) => /\/(?:messages|chat\/completions)$/.test(at));
    return (sent.at(-1)?.body ?? {}) as Sent;
  };
  const lastQuestion = async (): Promise<string> => {
    const content = (await lastSent()).messages?.at(-1)?.content ?? '';
    return typeof content === 'string' ? content : content.map(({ type, text }) => text ?? type).join('\n');
  };

  it('attaches a file with # while no file is open', async () => {
    await chat.box.click();
    await chat.box.pressSequentially('How many words are in #not');
    await option('notes.md').waitFor();
    await desk.screenshot('composer-hash');
    await chat.box.press('Enter');
    await chip('notes.md').waitFor();
    assert.equal(await chat.box.inputValue(), 'How many words are in ');
    await chat.box.pressSequentially('this file?');
    await chat.send();
    await chat.counted.waitFor();
    await chat.lastTurn.locator('.answer .md').getByText('3 words').waitFor();
    assert.match(await lastQuestion(), /notes\.md\n```\w+\nForty-two is even\.\n```/);
  });

  it('attaches a file with # in the middle of a Chinese question, without a space', async () => {
    await chat.box.click();
    await desk.page.keyboard.insertText('请告诉我里面有多少行');
    for (let steps = 0; steps < '里面有多少行'.length; steps += 1) await chat.box.press('ArrowLeft');
    await chat.box.press('#');
    await desk.page.keyboard.insertText('订单');
    await option('订单.md').waitFor();
    await desk.screenshot('composer-hash-chinese');
    await chat.box.press('Enter');
    await chip('订单.md').waitFor();
    assert.equal(await chat.box.inputValue(), '请告诉我里面有多少行');
    await chat.send();
    await chat.counted.waitFor();
    await chat.lastTurn.locator('.answer .md td', { hasText: '订单.md' }).waitFor();
    assert.match(await lastQuestion(), /订单\.md\n```\w+\n退款需要三天。\n```\n\n请告诉我里面有多少行$/);
  });

  it('edits and removes a queued message, and stops the response to send another', async () => {
    await chat.ask(long);
    await desk.webview.locator('.send', { hasText: 'Stop' }).waitFor();
    await chat.box.fill('Thanks for this');
    await desk.webview.locator('.composer-status').getByText('Stop and Send').waitFor();
    await chat.box.press('Enter');
    await queued().filter({ hasText: 'Thanks for this' }).waitFor();
    await queued().getByRole('button', { name: 'Edit' }).click();
    await queued().waitFor({ state: 'detached' });
    assert.equal(await chat.box.inputValue(), 'Thanks for this');
    await chat.box.press('Enter');
    await queued().getByRole('button', { name: 'Remove' }).click();
    await queued().waitFor({ state: 'detached' });
    const before = await chat.turns.count();
    await chat.box.fill('What is MCP?');
    await chat.box.press('Control+Enter');
    await chat.turns.nth(before).waitFor();
    await chat.lastTurn.locator('.answer .md').getByText('Model Context Protocol').waitFor({ timeout: 60_000 });
    await chat.counted.waitFor({ timeout: 60_000 });
    assert.equal(await chat.turns.count(), before + 1);
    await chat.turns
      .nth(before - 1)
      .getByText('Stopped', { exact: false })
      .first()
      .waitFor();
    await desk.screenshot('composer-steered');
  });

  it('compacts the conversation, and starts later requests with the summary', async () => {
    await chat.box.click();
    await chat.box.pressSequentially('/comp');
    await option('compact').waitFor();
    await chat.box.press('Enter');
    await chat.counted.waitFor({ timeout: 60_000 });
    await desk.webview.getByText(/turns above are no longer sent/).waitFor();
    await desk.screenshot('composer-compacted');
    assert.equal(await chat.box.inputValue(), '');
    await chat.ask('What is JSON Lines?');
    await chat.counted.waitFor({ timeout: 60_000 });
    const sent = JSON.stringify(await lastSent());
    assert.match(sent, /So far, you asked/);
    assert.doesNotMatch(sent, /Forty-two is even/);
  });

  it('sends an image without text', async () => {
    await desk.page.evaluate(async () => {
      const canvas = new OffscreenCanvas(200, 100);
      canvas.getContext('2d')?.fillRect(0, 0, 100, 50);
      await navigator.clipboard.write([new ClipboardItem({ 'image/png': canvas.convertToBlob() })]);
    });
    await chat.box.click();
    await chat.box.press('Control+V');
    await chip('Pasted image').waitFor();
    await desk.webview.locator('.send:enabled').waitFor();
    await chat.send();
    await chat.counted.waitFor({ timeout: 60_000 });
    await chat.lastTurn.locator('.chips-sent img.chip-image').waitFor();
    assert.equal(await lastQuestion(), '[Image: Pasted image]\nimage');
    await desk.screenshot('composer-image-alone');
  });

  it('has no rejected calls and no errors in the pages', () => {
    assert.deepEqual(desk.faults, []);
  });
});
