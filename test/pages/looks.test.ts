import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { ChatSnapshot } from '../../src/protocol/chat';
import { emptySnapshot } from '../support/chatHost';
import { chatPages } from '../support/chatPages';
import { chatStates } from '../support/chatStates';
import { look } from '../support/pageLooks';

describe('the chat page, in every state', () => {
  const openPage = chatPages();

  /** Opens a state and waits until it is drawn. */
  async function open(name: string): Promise<Page> {
    const snapshot = chatStates[name];
    const never = { 'chat/ready': () => new Promise<ChatSnapshot>(() => undefined) };
    const { page } =
      snapshot === 'never'
        ? await openPage(emptySnapshot(), { handlers: never, drawn: '.log-loading' })
        : await openPage(snapshot);
    await page.evaluate(() => document.fonts.ready);
    if (name === 'formulas') await page.locator('td .md-math-drawn').last().waitFor();
    return page;
  }

  for (const name of Object.keys(chatStates))
    it(`is readable and reachable: ${name}`, async () => {
      const page = await open(name);
      // Of colours of our own: code, the marks of a failure and of what is folded.
      const colours = ['talk', 'rich', 'formulas', 'failed', 'folded'].includes(name);
      await look(page, `chat-${name}`, { place: 'side', colours });
      if (['talk', 'empty', 'unsaved'].includes(name)) await look(page, `chat-${name}-tab`);
    });

  it('gives a secondary button no border in the color of the primary one', async () => {
    const page = await open('signedOut');
    const border = await page.locator('vscode-button[appearance=secondary]').evaluate((button) => {
      const { style } = document.documentElement;
      // As in the editor's default light theme.
      style.setProperty('--vscode-button-border', 'rgb(0, 105, 204)');
      style.setProperty('--vscode-button-secondaryBorder', 'rgb(234, 234, 234)');
      return getComputedStyle(button.shadowRoot!.querySelector('.control')!).borderColor;
    });
    assert.equal(border, 'rgb(234, 234, 234)');
  });

  it('is readable and reachable with its models listed', async () => {
    const page = await open('talk');
    await page.locator('.picker-button').click();
    await page.locator('.picker-option').first().waitFor();
    await look(page, 'chat-models', { place: 'side' });
  });
});
