import assert from 'node:assert/strict';
import { accessibilityFaults } from '../support/accessibility';
import { emptySnapshot } from '../support/chatHost';
import { chatPages } from '../support/chatPages';
import { conversationRow as row } from '../support/conversationRow';

const elsewhere = {
  kind: 'user',
  title: 'The conversation is open in another window',
  detail:
    'It is open in the window of “shop”. Two windows would write over each other: go on there, close that window, or open the conversation here.',
  actions: [{ id: 'openHere:c2', label: 'Open Here' }],
};

describe('a conversation that is open in another window, on the chat page', () => {
  const openPage = chatPages();

  it('is marked in the list, and its rejection stays visible', async () => {
    const { page, host, tell } = await openPage(emptySnapshot(), {
      width: 220,
      prepare: (made) => {
        made.list = { conversations: [row('c1', 'Here'), row('c2', 'There', { elsewhere: 'shop' })] };
      },
      handlers: { 'chat/deleteConversation': () => Promise.reject(elsewhere) },
    });
    tell('chat/showConversations', {});
    await page.locator('.conversation', { hasText: 'open in another window' }).waitFor();
    await page.locator('.conversation-open').nth(1).focus();
    await page.keyboard.press('Delete');
    await page.locator('.conversations .note', { hasText: '“shop”' }).waitFor();
    assert.equal(await page.locator('.conversation').count(), 2);
    await page.locator('.conversations').getByRole('button', { name: 'Open Here' }).click();
    assert.deepEqual(await host.wasAsked('chat/act'), { action: 'openHere:c2' });
    await page.locator('.conversations').waitFor({ state: 'detached' });
  });

  it('is named above the new conversation that is shown instead', async () => {
    const notice = {
      ...elsewhere,
      title: 'Started a new conversation because the previous one is open in another window',
    };
    const { page, host } = await openPage(emptySnapshot({ notice }), { width: 220 });
    await page.locator('.welcome .note').waitFor();
    assert.deepEqual(await accessibilityFaults(page), []);
    await page.getByRole('button', { name: 'Open Here' }).click();
    assert.deepEqual(await host.wasAsked('chat/act'), { action: 'openHere:c2' });
  });
});
