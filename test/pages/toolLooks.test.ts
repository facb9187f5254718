import type { Page } from 'playwright-core';
import type { ChatSnapshot } from '../../src/protocol/chat';
import { type ChatHost, createChatHost, emptySnapshot } from '../support/chatHost';
import { screenPages } from '../support/screenPages';
import { look } from '../support/pageLooks';
import { callStates, manyTools } from '../support/toolStates';

describe('tools on the chat page, in every state', () => {
  const openPage = screenPages();

  async function open(snapshot: ChatSnapshot): Promise<{ page: Page; host: ChatHost }> {
    const host = createChatHost(snapshot);
    host.tools = manyTools;
    const { page } = await openPage('chat', { theme: 'dark', handlers: host.handlers });
    await page.locator('.bar-tools .bar-count').waitFor({ state: 'attached' });
    await page.evaluate(() => document.fonts.ready);
    return { page, host };
  }

  async function openPanel(page: Page, host: ChatHost, isWriting: boolean): Promise<void> {
    await page.locator('.bar-tools').click();
    await page.locator('.tool').first().waitFor();
    if (!isWriting) return;
    host.toolIssues = [
      { field: 'name', text: 'Another tool has this name.' },
      { field: 'schema', text: 'A comma is missing.', offset: 22, line: 2, column: 21 },
    ];
    await page.getByRole('button', { name: 'New Tool…' }).click();
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('read_file');
    await page.getByRole('textbox', { name: 'Input schema' }).fill('{\n  "type": "object"\n  "a": 1\n}');
    await page.locator('.parameter-issue').nth(1).waitFor();
  }

  for (const [name, snapshot] of Object.entries(callStates))
    it(`are readable and reachable: calls, ${name}`, async () => {
      const { page } = await open(snapshot);
      await page.locator('.call').first().waitFor();
      await look(page, `calls-${name}`, { place: 'side', colours: name === 'ended' });
    });

  for (const isWriting of [false, true])
    it(`are readable and reachable: ${isWriting ? 'the tool form' : 'the tools'}`, async () => {
      const { page, host } = await open(emptySnapshot());
      await openPanel(page, host, isWriting);
      await look(page, isWriting ? 'tool-form' : 'tools', { place: 'side', colours: !isWriting });
    });
});
