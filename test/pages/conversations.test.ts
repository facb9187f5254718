import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { ChatSnapshot } from '../../src/protocol/chat';
import type { ConversationRow } from '../../src/protocol/chatConversations';
import { emptySnapshot } from '../support/chatHost';
import { chatPages } from '../support/chatPages';
import { turn } from '../support/chatStates';
import { look } from '../support/pageLooks';
import { drawn } from '../support/takePicture';
import { until } from '../support/until';

const model = 'Qwen/Qwen3-Coder-30B-A3B-Instruct';
const at = Date.UTC(2026, 10, 20, 12, 4);

const row = (id: string, title: string, changes: Partial<ConversationRow> = {}): ConversationRow => ({
  id,
  title,
  pinned: false,
  at,
  age: '2 hr. ago',
  running: false,
  current: false,
  ...changes,
});
const rows = [
  row('c3', 'The service’s limits', { pinned: true, age: 'yesterday' }),
  row('c1', 'Why is the second loop slower than the first one when both count?', {
    current: true,
    running: true,
    model: 'Qwen/Qwen3',
    account: 'SiliconFlow',
  }),
  row('c2', '为什么我的订单还没有发货，我已经等了两个星期了', { age: '3 days ago', found: '…the tokens per minute…' }),
  row('c4', ''),
];
const text = (value: string) => [{ kind: 'text', text: value }] as const;
const branched = emptySnapshot({
  turns: [
    {
      ...turn('Why is the second loop slower?', { blocks: text('It decodes.') }),
      tryId: 'a1',
      tries: { index: 1, count: 3 },
    },
    { ...turn('And in Rust?', { blocks: text('There too.') }), questions: { index: 0, count: 2 } },
  ],
});

describe('conversations and branches in the chat page', () => {
  const openPage = chatPages();

  const open = (snapshot: ChatSnapshot) =>
    openPage(snapshot, {
      prepare: (host) => {
        host.list = { conversations: rows, deleted: { id: 'c9', title: 'Old plans' } };
      },
    });
  const openList = async () => {
    const opened = await open(emptySnapshot());
    opened.tell('chat/showConversations', {});
    await opened.page.locator('.conversation').first().waitFor();
    await opened.page.locator('.conversations-search:focus').waitFor();
    return opened;
  };
  const focused = (page: Page) =>
    page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent);

  describe('the list', () => {
    it('opens with the focus in its search, navigates rows with arrow keys, and opens one', async () => {
      const { page, host } = await openList();
      assert.equal(await focused(page), 'Search conversations');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('ArrowDown');
      assert.match((await focused(page)) ?? '', /second loop.*answering · .*Qwen3 · SiliconFlow/);
      await page.keyboard.press('ArrowUp');
      await page.keyboard.press('ArrowUp');
      assert.equal(await focused(page), 'Search conversations');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      assert.deepEqual(await host.wasAsked('chat/openConversation'), { id: 'c3' });
      await page.locator('.conversations').waitFor({ state: 'detached' });
      await page.waitForFunction(() => document.activeElement?.matches('.composer-text'));
    });

    it('searches after a composition has ended, and ignores its Enter', async () => {
      const { page, host } = await openList();
      const session = await page.context().newCDPSession(page);
      const queries = () =>
        host.asked
          .filter(({ method }) => method === 'chat/conversations')
          .map(({ params }) => (params as { query: string }).query);
      await session.send('Input.imeSetComposition', { text: 'dingdan', selectionStart: 7, selectionEnd: 7 });
      await session.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', key: 'Enter', windowsVirtualKeyCode: 229 });
      await session.send('Input.insertText', { text: '订单' });
      await until(() => queries().includes('订单') || undefined, 'the search');
      assert.deepEqual(queries().filter(Boolean), ['订单']);
      assert.ok(!host.asked.some(({ method }) => method === 'chat/openConversation'));
      assert.equal(await page.locator('.conversations-search').inputValue(), '订单');
    });

    it('marks conversations shown elsewhere, and opens one in an editor tab', async () => {
      const { page, host, tell } = await openList();
      host.list = { conversations: [row('c5', 'In a tab', { location: 'editor' }), row('c6', 'Nowhere')] };
      tell('chat/conversationsChanged', {});
      await page.getByText(/^in an editor · \S/).waitFor();
      assert.equal(await page.getByLabel('Open in Editor').count(), 1);
      await page.locator('.conversation', { hasText: 'Nowhere' }).hover();
      await page.getByLabel('Open in Editor').click();
      assert.deepEqual(await host.wasAsked('chat/openInEditor'), { id: 'c6' });
      await page.locator('.conversations').waitFor({ state: 'detached' });
    });

    it('shows an unsent conversation by its draft, and opens it like any other', async () => {
      const { page, host, tell } = await openList();
      host.list = { conversations: [row('c7', 'Half a question', { draft: true, age: 'now' }), ...rows] };
      tell('chat/conversationsChanged', {});
      await page.getByText(/^draft · \S/).waitFor();
      await look(page, 'chat-list-draft');
      await page.getByText('Half a question').click();
      assert.deepEqual(await host.wasAsked('chat/openConversation'), { id: 'c7' });
    });

    it('searches after a pause in typing, and reports no matches', async () => {
      const { page, host } = await openList();
      host.list = { conversations: [] };
      await page.keyboard.type('tokens');
      await host.wasAskedWith('chat/conversations', { query: 'tokens' });
      await page.locator('.conversations-empty', { hasText: 'No matches.' }).waitFor();
    });

    it('renames with F2, keeps the old name with Escape, pins, deletes and undoes', async () => {
      const { page, host } = await openList();
      const naming = page.locator('.conversation input:focus');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('F2');
      await naming.waitFor();
      await page.keyboard.type('Limits');
      await page.keyboard.press('Escape');
      assert.equal(await page.locator('.conversations').count(), 1);
      await page.waitForFunction(() => document.activeElement?.matches('.conversation-open'));
      await page.keyboard.press('F2');
      await naming.waitFor();
      await page.keyboard.type('Limits');
      await page.keyboard.press('Enter');
      assert.deepEqual(await host.wasAsked('chat/renameConversation'), { id: 'c3', title: 'Limits' });
      await page.waitForFunction(() => document.activeElement?.matches('.conversation-open'));
      await page.keyboard.press('Tab');
      await page.keyboard.press('Tab');
      assert.equal(await focused(page), 'Unpin');
      await page.keyboard.press('Enter');
      assert.deepEqual(await host.wasAsked('chat/pinConversation'), { id: 'c3', pinned: false });
      await page.keyboard.press('Delete');
      assert.deepEqual(await host.wasAsked('chat/deleteConversation'), { id: 'c3' });
      await page.locator('.conversations-deleted .link').click();
      assert.deepEqual(await host.wasAsked('chat/restoreConversation'), { id: 'c9' });
    });

    it('reloads when an answer ends elsewhere, and closes with Escape', async () => {
      const { page, host, tell } = await openList();
      host.list = { conversations: rows.map((one) => ({ ...one, running: false })) };
      tell('chat/conversationsChanged', {});
      await page.waitForFunction(() => !document.querySelector('.conversations')?.textContent?.includes('answering'));
      await page.keyboard.press('Escape');
      await page.locator('.conversations').waitFor({ state: 'detached' });
    });

    it('closes when it is requested again, and when the question box gets the focus', async () => {
      const { page, tell } = await openList();
      const isClosed = async () => {
        await page.locator('.conversations').waitFor({ state: 'detached' });
        await page.waitForFunction(() => document.activeElement?.matches('.composer-text'));
      };
      tell('chat/showConversations', {});
      await isClosed();
      tell('chat/showConversations', {});
      await page.locator('.conversations-search:focus').waitFor();
      tell('chat/focusComposer', {});
      await isClosed();
    });
  });

  describe('branches', () => {
    it('edits a question in place: Escape cancels, and Enter sends it on a new branch', async () => {
      const { page, host } = await open(branched);
      const first = page.locator('.turn').first();
      await first.hover();
      await first.getByLabel('Edit Question').click();
      await page.locator('.turn textarea:focus').waitFor();
      await page.keyboard.press('Escape');
      await page.waitForFunction(() => document.activeElement?.matches('button[aria-label="Edit Question"]'));
      await page.keyboard.press('Enter');
      await page.waitForFunction(() => document.activeElement?.matches('.turn textarea'));
      await page.keyboard.type(' Really?');
      await page.keyboard.press('Enter');
      const turnId = 'Why is the second loop slower?';
      assert.deepEqual(await host.wasAsked('chat/edit'), { turnId, text: `${turnId} Really?`, model });
      await page.locator('.turn .question-text', { hasText: 'Really?' }).waitFor();
      assert.equal(await page.locator('.turn').count(), 1);
      assert.equal(await page.locator('.walker-questions .walker-place').textContent(), '2/2');
    });

    it('keeps a question visible while it is edited and its answer grows', async () => {
      const { page } = await openPage(
        emptySnapshot({ turns: [turn('Tell a tale.', { blocks: text('Once upon a time.\n\n'.repeat(8)) })] }),
        { width: 260, height: 400 },
      );
      const cancel = page.locator('.question-editor-buttons [appearance=secondary]');
      const isInSight = async () => {
        await drawn(page);
        const log = (await page.locator('.log').boundingBox())!;
        const buttons = (await cancel.boundingBox())!;
        const box = (await page.locator('.turn textarea').boundingBox())!;
        return box.y > log.y - 1 && buttons.y + buttons.height < log.y + log.height + 1;
      };
      await drawn(page);
      await page.getByLabel('Edit Question').dispatchEvent('click');
      await cancel.waitFor();
      assert.ok(await isInSight(), 'when it begins');
      await page.keyboard.type(' A long one. '.repeat(20));
      assert.ok(await isInSight(), 'when it grew');
    });

    it('switches between attempts and questions, and keeps the focus', async () => {
      const { page, host } = await open(branched);
      host.snapshot = emptySnapshot({
        turns: [{ ...branched.turns[0]!, tryId: 'a2', tries: { index: 2, count: 3 } }],
      });
      await page.getByLabel('Next Response').focus();
      await page.keyboard.press('Enter');
      const turnId = 'Why is the second loop slower?';
      assert.deepEqual(await host.wasAsked('chat/walk'), { turnId, among: 'tries', index: 2 });
      await page.locator('.walker-place', { hasText: '3/3' }).waitFor();
      await page.waitForFunction(() => document.activeElement?.getAttribute('aria-label') === 'Previous Response');
      assert.equal(await page.locator('.turn').count(), 1);
      await page.locator('[role=status] p', { hasText: 'Response 3 of 3.' }).waitFor({ state: 'attached' });
      // To the first, where there is nothing earlier, and on from there.
      const goTo = async (index: number) => {
        host.snapshot = emptySnapshot({
          turns: [{ ...branched.turns[0]!, tryId: `a${index}`, tries: { index, count: 3 } }],
        });
        await page.keyboard.press('Enter');
        await page.locator('.walker-place', { hasText: `${index + 1}/3` }).waitFor();
        await drawn(page);
      };
      await goTo(0);
      await page.waitForFunction(() => document.activeElement?.getAttribute('aria-label') === 'Next Response');
      await goTo(1);
      await page.locator('[role=status] p', { hasText: 'Response 2 of 3.' }).nth(1).waitFor({ state: 'attached' });
      await drawn(page);
      assert.equal(await page.evaluate(() => document.activeElement?.getAttribute('aria-label')), 'Next Response');
    });

    it('asks an earlier question again, and hides the turns after it', async () => {
      const { page, host } = await open(branched);
      await page.locator('.turn').first().getByLabel('Regenerate Response').click();
      assert.deepEqual(await host.wasAsked('chat/retry'), { turnId: 'Why is the second loop slower?', model });
      await page.locator('.waiting').waitFor();
      assert.equal(await page.locator('.turn').count(), 1);
    });
  });

  it('is readable and reachable', async () => {
    const { page, tell } = await open(branched);
    await page.locator('.turn').first().hover();
    await look(page, 'conversations-branches', { place: 'side' });
    await page.getByLabel('Edit Question').first().click();
    await page.locator('.turn textarea:focus').waitFor();
    await look(page, 'conversations-edit', { place: 'side' });
    tell('chat/showConversations', {});
    await page.locator('.conversation').nth(1).hover();
    await look(page, 'conversations-list', { place: 'side', colours: true });
  });
});
