import assert from 'node:assert/strict';
import type { Compaction } from '../../src/protocol/chat';
import { emptySnapshot } from '../support/chatHost';
import { look } from '../support/pageLooks';
import { chatPages } from '../support/chatPages';
import { talkOf } from '../support/chatStates';
import type { Theme } from '../support/webviewPage';

describe('what the chat page sends next', () => {
  const openPage = chatPages();

  interface Looks {
    readonly turns?: number;
    readonly theme?: Theme;
    readonly width?: number;
  }

  async function open(compaction: Compaction, { turns = 9, ...looks }: Looks = {}) {
    const snapshot = emptySnapshot({ turns: talkOf(turns), compaction });
    const opened = await openPage(snapshot, { ...looks, drawn: `.turn >> nth=${turns - 1}` });
    const { page } = opened;
    /** Which note and which question stand one after the other in the log. */
    const log = () =>
      page.evaluate(() =>
        [...document.querySelectorAll('.sent-title, .question-text')].map((element) => element.textContent),
      );
    return { ...opened, log };
  }
  const folded: Compaction = { limit: 10, messages: 9, compacted: 5 };
  const question = (index: number) => talkOf(9)[index]?.question;

  it('compacts the conversation from the card of the ring, by pointer and by keyboard', async () => {
    const { page, host } = await open({ limit: 10, messages: 7, compacted: 0 }, { turns: 3, width: 300 });
    host.commands = [{ id: 'k', kind: 'command', name: 'compact', detail: '', group: 'Conversation' }];
    const link = page.getByRole('button', { name: 'Compact Conversation' });
    await page.locator('.ring-button').hover();
    await look(page, 'composer-ring', { place: 'side' });
    await link.click();
    assert.deepEqual(await host.wasAsked('chat/takeCommand'), { id: 'k' });
    await link.waitFor({ state: 'detached' });
    await page.locator('.composer-text:focus').waitFor();
    await page.mouse.move(0, 0);
    await page.locator('.ring-button').focus();
    await page.keyboard.press('Enter');
    await link.waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Escape');
    await link.waitFor({ state: 'detached' });
    await page.locator('.ring-button:focus').waitFor();
    await page.keyboard.press('Enter');
    await link.waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    assert.deepEqual(await host.wasAsked('chat/takeCommand', 2), { id: 'k' });
  });

  it('shows how full the next request is, and no share without a limit', async () => {
    const { page, tell } = await open({ limit: 10, messages: 7, compacted: 0 }, { turns: 3 });
    const ring = (name: string | RegExp) => page.getByRole('button', { name });
    await ring(/Messages: 7 of 10\./).waitFor();
    await ring(/Messages: 7 of 10\./).hover();
    assert.equal(await page.locator('.ring-line', { hasText: 'Messages' }).textContent(), 'Messages7 of 10');
    assert.equal(await page.locator('.sent-note').count(), 0);
    tell('chat/compaction', { conversationId: 'c1', compaction: { limit: 10, messages: 9, compacted: 0 } });
    await ring(/Messages: 9 of 10\./).waitFor();
    tell('chat/compaction', { conversationId: 'another', compaction: { limit: 10, messages: 3, compacted: 0 } });
    tell('chat/compaction', { conversationId: 'c1', compaction: { limit: 0, messages: 9, compacted: 0 } });
    await ring(/Messages/).waitFor({ state: 'detached' });
  });

  it('shows which earlier turns are sent as a transcript, and the transcript', async () => {
    const { page, host, log } = await open(folded);
    assert.deepEqual((await log()).slice(4, 7), [question(4), '5 earlier turns sent as a transcript', question(5)]);
    assert.equal(
      host.asked.some(({ method }) => method === 'chat/compactedText'),
      false,
    );
    await page.locator('.fold-details summary').press('Enter');
    await page.locator('.fold-text', { hasText: '> <b>not markup</b>' }).waitFor();
    assert.deepEqual(
      await page.locator('.fold-turn').allTextContents(),
      talkOf(5).map((turn) => turn.question),
    );
    await page.getByRole('button', { name: /Sent as a transcript: 5 turns\./ }).waitFor();
  });

  it("starts fresh from the first kept turn, and undoes that with the note's action", async () => {
    const { page, host, log } = await open(folded);
    await page.locator('.sent-note .link').click();
    assert.deepEqual(await host.wasAsked('chat/startFrom'), { turnId: 'turn 5' });
    const again = page.locator('.sent-note .link', { hasText: 'Send Again' });
    await again.waitFor();
    assert.deepEqual((await log()).slice(4, 7), [question(4), 'The 5 turns above are no longer sent', question(5)]);
    await page.waitForFunction(() => document.activeElement?.textContent === 'Send Again');
    await page.keyboard.press('Enter');
    assert.deepEqual(await host.wasAsked('chat/startFrom', 2), { turnId: null });
    await again.waitFor({ state: 'detached' });
    await page.waitForFunction(() => document.activeElement?.classList.contains('log'));
  });

  it('starts fresh from any turn except the first, and announces it', async () => {
    const { page, host } = await open({ limit: 10, messages: 7, compacted: 0 }, { turns: 3 });
    const button = (turn: number) =>
      page.locator('.turn').nth(turn).getByRole('button', { name: 'Start Fresh from Here' });
    assert.equal(await button(0).count(), 0);
    await button(1).focus();
    await page.keyboard.press('Enter');
    assert.deepEqual(await host.wasAsked('chat/startFrom'), { turnId: 'turn 1' });
    await page.locator('[role=status] p', { hasText: 'The turn above is no longer sent' }).waitFor();
    await button(1).waitFor({ state: 'detached' });
    assert.equal(await button(0).count(), 1);
  });

  it('is readable and reachable', async () => {
    const { page } = await open({ ...folded, startTurnId: 'turn 2', compacted: 4 }, { width: 220 });
    await page.locator('.fold-details summary').press('Enter');
    await page.locator('.fold-text', { hasText: 'not markup' }).waitFor();
    await page.locator('.fold-text').scrollIntoViewIfNeeded();
    await page
      .locator('.turn', { hasText: question(6) ?? '' })
      .getByText('It allocates')
      .first()
      .waitFor();
    await look(page, 'fold-note', { place: 'side', stays: true, colours: true });
  });
});
