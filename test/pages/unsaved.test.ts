import assert from 'node:assert/strict';
import type { ChatSnapshot } from '../../src/protocol/chat';
import { emptySnapshot } from '../support/chatHost';
import { chatPages } from '../support/chatPages';
import { chatStates, turn, unsaved } from '../support/chatStates';

describe("an answer on the chat page that can't be saved to disk", () => {
  const openPage = chatPages();
  const long = 'It allocates a string per byte.\n\n'.repeat(60);
  const streaming = emptySnapshot({
    turns: [turn('Why?', { state: 'streaming', blocks: [{ kind: 'text', text: long }] })],
  });
  const note = '.unsaved-note .note';

  it('is reported below the answer while it arrives, always visible and announced', async () => {
    const { page, host, tell } = await openPage(streaming, { height: 500 });
    await host.wasAsked('chat/follow');
    await page.locator('.log').evaluate((log) => (log.scrollTop = 0));
    tell('chat/changed', { ...streaming, unsaved: unsaved("The response isn't saved") });
    await page.locator(note).waitFor();
    const [box, composer] = await Promise.all([
      page.locator(note).boundingBox(),
      page.locator('.composer').boundingBox(),
    ]);
    assert.ok(box && composer && box.y >= 0 && box.y + box.height <= composer.y, JSON.stringify({ box, composer }));
    assert.equal(await page.locator('.turn + .unsaved-note, .turn-group + .unsaved-note').count(), 1);
    await page.locator('[role=status]', { hasText: "The response isn't saved. No space left on the disk." }).waitFor({
      state: 'attached',
    });
    host.emit({ type: 'append', block: 0, kind: 'text', text: 'And so it goes on.' });
    await page.getByText('And so it goes on.').waitFor();
    assert.equal(await page.locator(note).count(), 1);
  });

  it('can be saved again, copied, and exported, and says when it is saved', async () => {
    const { page, host, tell } = await openPage(chatStates['unsaved'] as ChatSnapshot);
    for (const [name, action] of [
      ['Copy', 'copyUnsaved'],
      ['Export…', 'exportUnsaved'],
      ['Save', 'saveUnsaved'],
    ] as const) {
      await page.locator(note).getByRole('button', { name, exact: true }).click();
      await host.wasAskedWith('chat/act', { action });
    }
    tell('chat/changed', { ...host.snapshot, unsaved: unsaved("The response still isn't saved") });
    await page.locator('[role=status]', { hasText: "The response still isn't saved." }).waitFor({ state: 'attached' });
    const { unsaved: _, ...saved } = host.snapshot;
    tell('chat/changed', saved);
    await page.locator(note).waitFor({ state: 'detached' });
    await page.locator('[role=status]').getByText('Saved', { exact: true }).waitFor({ state: 'attached' });
    await page.locator('.turn-last :focus').waitFor();
  });

  it("isn't reported as saved when another conversation is shown", async () => {
    const { page, host, tell } = await openPage(chatStates['unsaved'] as ChatSnapshot);
    const { unsaved: _, ...other } = { ...host.snapshot, conversationId: 'c2' };
    tell('chat/changed', other);
    await page.locator(note).waitFor({ state: 'detached' });
    tell('chat/changed', { ...other, unsaved: unsaved("The responses aren't saved") });
    await page.locator('[role=status]', { hasText: "The responses aren't saved." }).waitFor({ state: 'attached' });
    assert.equal(await page.locator('[role=status]').getByText('Saved', { exact: true }).count(), 0);
  });

  it('is still reported after a page reload', async () => {
    const { page } = await openPage(chatStates['unsaved'] as ChatSnapshot);
    await page.reload();
    await page.locator(note).waitFor();
  });

  it('leaves the button that scrolls to the end reachable', async () => {
    const { page, tell } = await openPage(streaming, { height: 500, width: 260 });
    tell('chat/changed', { ...streaming, unsaved: unsaved("The response isn't saved") });
    await page.locator(note).waitFor();
    await page.locator('.log').evaluate((log) => (log.scrollTop = 0));
    await page.locator('.jump').click();
    await page.locator('.jump').waitFor({ state: 'detached' });
  });
});
