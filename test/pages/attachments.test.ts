import assert from 'node:assert/strict';
import type { AttachmentChip } from '../../src/protocol/chat';
import { emptySnapshot } from '../support/chatHost';
import { chatPages } from '../support/chatPages';
import { turn } from '../support/chatStates';
import { look } from '../support/pageLooks';

const chips: readonly AttachmentChip[] = [
  { id: 'a', kind: 'selection', label: 'src/core/parse.ts:40-62', characters: 1104, tokens: 310 },
  {
    id: 'b',
    kind: 'file',
    label: `src/${'very-long-folder-name/'.repeat(6)}index.ts`,
    characters: 24_310,
    tokens: 6900,
  },
  { id: 'c', kind: 'problems', label: 'Problems in README.md', characters: 96, tokens: 24 },
];
const asked = emptySnapshot({
  turns: [{ ...turn('Why is it slow?', { blocks: [{ kind: 'text', text: 'Because.' }] }, 't1'), attachments: chips }],
});

describe('attachments on the chat page', () => {
  const openPage = chatPages();

  const open = (snapshot = emptySnapshot()) =>
    openPage(snapshot, {
      prepare: (host) => {
        host.chips = chips;
      },
      drawn: '.composer .chip >> nth=2',
    });

  it('say how much they are and that it is an estimate, and are read with a click', async () => {
    const { page, host } = await open();
    const first = page.locator('.chip-text').first();
    assert.match((await first.textContent()) ?? '', /parse\.ts:40-62$/);
    const title = 'src/core/parse.ts:40-62: 1,104 characters, about 310 tokens (±25%). Click to preview.';
    assert.equal(await first.getAttribute('title'), title);
    await first.click();
    assert.deepEqual(await host.wasAsked('chat/showAttachment'), { id: 'a' });
    await page.getByRole('button', { name: 'Add Context…' }).click();
    await host.wasAsked('chat/offers');
    assert.equal(await page.locator('.composer-text').inputValue(), '#');
  });

  it('are removed by keyboard, with the focus on the next', async () => {
    const { page, host, tell } = await open();
    await page.locator('.chip-text').first().focus();
    await page.keyboard.press('Delete');
    assert.deepEqual(await host.wasAsked('chat/detach'), { id: 'a' });
    tell('chat/attachmentsChanged', { chips: chips.slice(1) });
    await page.locator('.chip').nth(2).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Remove Problems in README.md' }).press('Enter');
    assert.deepEqual(await host.wasAsked('chat/detach', 2), { id: 'c' });
    await page.locator('[role=status] p', { hasText: 'Problems in README.md removed.' }).waitFor();
  });

  it('go along with the question by their ids, and stay on its turn', async () => {
    const { page, host, tell } = await open(asked);
    await page.locator('.chips-sent .chip-text').nth(1).click();
    assert.deepEqual(await host.wasAsked('chat/showSentAttachment'), { turnId: 't1', index: 1 });
    assert.equal(await page.locator('.chips-sent .chip-remove').count(), 0);
    await page.locator('.composer-text').fill('And now?');
    await page.keyboard.press('Enter');
    const params = (await host.wasAsked('chat/ask')) as { readonly attachments: readonly string[] };
    assert.deepEqual(params.attachments, ['a', 'b', 'c']);
    tell('chat/attachmentsChanged', { chips: [] });
    await page.locator('.composer .chip').first().waitFor({ state: 'detached' });
  });

  it('are those of the conversation that is shown', async () => {
    const { page, host, tell } = await open();
    host.chips = chips.slice(2);
    tell('chat/changed', emptySnapshot({ conversationId: 'c2' }));
    await page.locator('.composer .chip').nth(1).waitFor({ state: 'detached' });
    assert.match((await page.locator('.composer .chip').textContent()) ?? '', /Problems in README\.md/);
  });

  it('are told as they come', async () => {
    const { page, tell } = await open();
    tell('chat/attachmentsChanged', {
      chips: [...chips, { id: 'd', kind: 'file', label: 'new.ts', characters: 1, tokens: 1 }],
    });
    await page.locator('[role=status] p', { hasText: 'new.ts attached.' }).waitFor();
  });

  it('can be read and reached', async () => {
    const { page } = await open(asked);
    await look(page, 'attachments', { place: 'side' });
  });
});
