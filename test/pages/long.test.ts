import assert from 'node:assert/strict';
import { emptySnapshot } from '../support/chatHost';
import { chatPages } from '../support/chatPages';
import { conversationRow as row } from '../support/conversationRow';
import { turn } from '../support/chatStates';
import { drawn } from '../support/takePicture';
import { tooWide } from '../support/tooWide';

const path = 'src/a/very/long/path/to/some/file/main.ts';
const chips = [{ id: '0', kind: 'file', label: path, characters: 3200, tokens: 812 }] as const;
const usage = { inputTokens: 123_456, outputTokens: 5432, outputIsEstimate: true } as const;
const snapshot = emptySnapshot({
  draft: 'A draft that is kept',
  turns: [
    {
      ...turn('Why is it slow?', { state: 'stopped', blocks: [{ kind: 'text', text: 'It decodes.' }], usage }),
      attachments: chips,
    },
    turn('Until then', {
      stopReason: 'stop_sequence',
      stopSequence: `\n${'#'.repeat(40)}`,
      blocks: [{ kind: 'text', text: 'One' }],
    }),
  ],
});

describe('long content on the chat page', () => {
  const openPage = chatPages();
  const open = (width: number) =>
    openPage(snapshot, {
      width,
      prepare: (host) => {
        const many = Array.from({ length: 500 }, (_, index) => row(`c${index}`, `Conversation number ${index}`));
        const long = [
          row('x', 'word '.repeat(40)),
          row('y', 'withoutanyspace'.repeat(13), { pinned: true, running: true }),
        ];
        host.list = { conversations: [...long, ...many] };
      },
    });

  it('keeps details and buttons of an answer within the page', async () => {
    const { page, host } = await open(220);
    await page.locator('.facts', { hasText: 'about 5,432 out' }).waitFor();
    for (const width of [220, 700]) {
      await page.setViewportSize({ width, height: 720 });
      await drawn(page);
      assert.deepEqual(await tooWide(page, '.turn, .facts, .facts *'), []);
    }
    await page.getByLabel('Regenerate Response').last().click();
    await host.wasAsked('chat/retry');
    assert.equal(await page.locator('.composer-text').inputValue(), 'A draft that is kept');
  });

  it('keeps list rows to one line each, and renders a hundred at a time', async () => {
    const { page, tell } = await open(220);
    tell('chat/showConversations', {});
    const rows = page.locator('.conversation');
    await rows.nth(99).waitFor({ state: 'attached' });
    assert.equal(await rows.count(), 100);
    for (const width of [220, 700]) {
      await page.setViewportSize({ width, height: 720 });
      await rows.nth(1).hover();
      await drawn(page);
      assert.deepEqual(await tooWide(page, '.conversation, .conversation *'), []);
    }
    await page.getByRole('button', { name: 'Show More (402)' }).click();
    await rows.nth(199).waitFor({ state: 'attached' });
    await page.waitForFunction(() => document.activeElement?.textContent?.startsWith('Conversation number 98'));
    await page.keyboard.press('F2');
    await page.locator('.conversation input:focus').waitFor();
    await page.keyboard.press('Escape');
    await page.waitForFunction(() => document.activeElement?.textContent?.startsWith('Conversation number 98'));
    assert.equal(await page.locator('.conversations').count(), 1);
  });

  it('shows the attachments of a question that is edited', async () => {
    const { page } = await open(220);
    await page.getByLabel('Edit Question').first().focus();
    await page.keyboard.press('Enter');
    await page.locator('.question-editor textarea').waitFor();
    await page
      .locator('.turn', { has: page.locator('.question-editor') })
      .locator('.chip')
      .waitFor();
  });
});
