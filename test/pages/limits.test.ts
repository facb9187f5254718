import assert from 'node:assert/strict';
import type { Answer, ChatSnapshot, Spent } from '../../src/protocol/chat';
import type { WireError } from '../../src/protocol/wire';
import { emptySnapshot } from '../support/chatHost';
import { chatPages } from '../support/chatPages';
import { chatStates, turn } from '../support/chatStates';
import type { Theme } from '../support/webviewPage';

const model = 'Qwen/Qwen3-Coder-30B-A3B-Instruct';
const doneAnswer = (text: string): Answer => ({
  state: 'done',
  model,
  stopReason: 'end_turn',
  blocks: [{ kind: 'text', text }],
});
const append = (text: string, block = 0) => ({ type: 'append', block, kind: 'text', text }) as const;

describe('limits, requests, and responses on the chat page', () => {
  const openPage = chatPages();

  interface Opening {
    readonly spent?: Spent;
    readonly theme?: Theme;
    readonly width?: number;
    /** What the host answers to a question. */
    readonly refusal?: WireError;
  }

  const open = (snapshot: ChatSnapshot, { spent, refusal, ...looks }: Opening = {}) =>
    openPage(snapshot, {
      ...looks,
      prepare: (host) => {
        if (spent) host.spent = spent;
      },
      handlers: refusal ? { 'chat/ask': () => Promise.reject(refusal as unknown as Error) } : {},
    });

  const box = '.composer-text';

  describe('a limit', () => {
    const waiting = (seconds: number): ChatSnapshot =>
      emptySnapshot({
        turns: [
          turn('Why?', {
            state: 'waiting',
            wait: { title: 'Tokens per minute are used up', until: Date.now() + seconds * 1000 },
          }),
        ],
      });

    it('counts down in the answer silently, and resumes on time', async () => {
      const { page, host } = await open(emptySnapshot({ turns: [turn('Why?', { state: 'waiting' })] }));
      await host.wasAsked('chat/follow');
      const wait = { title: 'Tokens per minute are used up', until: Date.now() + 600_000 };
      host.emit({ type: 'state', answer: { state: 'waiting', model, wait } });
      const note = page.locator('.answer .note');
      await note.waitFor();
      assert.equal(await note.locator('.note-title').textContent(), wait.title);
      const shown = await page.evaluate(
        () =>
          new Promise<readonly string[]>((resolve) => {
            const texts = new Set<string>();
            const look = () => {
              texts.add(document.querySelector('.answer .note .note-detail')?.textContent ?? '');
              if (texts.size > 2) resolve([...texts]);
            };
            new MutationObserver(look).observe(document, { subtree: true, childList: true, characterData: true });
            look();
          }),
      );
      for (const text of shown) assert.match(text, /^Continuing in \d+:[0-5]\d$/);
      const spoken = await page.locator('[role=status] p').allTextContents();
      assert.equal(spoken.length, 2, spoken.join());
      assert.match(spoken[1] ?? '', /^Tokens per minute are used up. Continuing in \d+:[0-5]\d$/);
      host.emit({ type: 'state', answer: { state: 'waiting', model, wait: { ...wait, until: Date.now() + 1000 } } });
      await note.waitFor({ state: 'detached' });
      await page.locator('.waiting').waitFor();
      assert.equal(await note.count(), 0);
      host.emit(append('Because.'));
      host.finish(doneAnswer('Because.'));
      await page.locator('.answer').getByText('Because.').waitFor();
    });

    it('ends when stopped', async () => {
      const { page, host } = await open(waiting(60));
      await page.getByRole('button', { name: 'Stop Waiting' }).click();
      assert.deepEqual(await host.wasAsked('chat/stop'), { turnId: 'Why?' });
    });

    it('can be left for another model, and stays if none is selected', async () => {
      const { page, host } = await open(waiting(60));
      await page.getByRole('button', { name: 'Use Another Model…' }).click();
      await page.locator('.picker-search:focus').waitFor();
      await page.keyboard.press('Escape');
      await page.locator('.picker-popup').waitFor({ state: 'detached' });
      await page.locator('.picker-button').click();
      await page.locator('.picker-option').nth(1).click();
      await host.wasAsked('chat/chooseModel');
      await page.getByRole('button', { name: 'Use Another Model…' }).click();
      await page.locator('.picker-option').nth(2).click();
      const params = await host.wasAsked('chat/retry');
      assert.deepEqual(params, { turnId: 'Why?', model: 'deepseek-ai/DeepSeek-V3.2' });
      assert.equal(host.asked.filter(({ method }) => method === 'chat/retry').length, 1);
    });
  });

  it('shows the request and response of an answer', async () => {
    const { page, host } = await open(chatStates['limited'] as ChatSnapshot);
    await page.getByRole('button', { name: 'Show Request and Response' }).click();
    assert.deepEqual(await host.wasAsked('chat/act'), { action: 'showExchange:e1' });
  });

  describe('usage', () => {
    const spent = (today: number, changes: Partial<Spent> = {}): Spent => ({
      conversationId: 'c1',
      conversation: { inputTokens: 1310, outputTokens: 214 },
      today: { inputTokens: today, outputTokens: 400 },
      budget: { soft: 0, hard: 0 },
      state: 'within',
      ...changes,
    });

    it('is shown in the ring, loads at the end of an answer, and causes no layout shift', async () => {
      const { page, host } = await open(emptySnapshot());
      const place = () => page.locator('.picker-button').boundingBox();
      const before = await place();
      host.spent = spent(13_000);
      await page.locator(box).pressSequentially('Why?');
      await page.keyboard.press('Enter');
      await host.wasAsked('chat/follow');
      host.finish(doneAnswer('Because.'));
      await page.getByRole('button', { name: /This conversation: 1,524 tokens\. Today: 13,400 tokens\./ }).waitFor();
      assert.deepEqual(await place(), before);
    });

    it('shows a warning above the warning level', async () => {
      const { page, host } = await open(chatStates['talk'] as ChatSnapshot, {
        spent: spent(40_000, { budget: { soft: 40_000, hard: 50_000 }, state: 'soft' }),
        width: 220,
      });
      const ring = page.getByRole('button', { name: /Today: 40,400 of 50,000 tokens\./ });
      await ring.waitFor();
      await page.getByText('Daily token warning').waitFor();
      assert.equal(await ring.getAttribute('data-level'), 'warning');
      await ring.hover();
      const card = await page.locator('.ring-card').boundingBox();
      assert.ok(card && card.x >= 0 && card.x + card.width <= 220);
      await page.mouse.move(0, 0);
      await page.getByRole('button', { name: 'Change Limit' }).click();
      assert.deepEqual(await host.wasAsked('chat/act'), { action: 'budgetSetting' });
    });

    it('keeps the draft when the budget blocks it', async () => {
      const refusal = {
        kind: 'user',
        title: 'Daily token limit reached',
        detail: "The request wasn't sent.",
        actions: [{ id: 'budgetSetting', label: 'Change Limit' }],
      };
      const { page, host } = await open(emptySnapshot(), {
        spent: spent(50_000, { budget: { soft: 0, hard: 50_000 }, state: 'hard' }),
        refusal,
      });
      await page.locator(box).fill('Why?');
      await page.keyboard.press('Enter');
      await page.locator('.note-title', { hasText: refusal.title }).waitFor();
      assert.equal(await page.locator(box).inputValue(), 'Why?');
      await page.getByRole('button', { name: 'Change Limit' }).click();
      assert.deepEqual(await host.wasAsked('chat/act'), { action: 'budgetSetting' });
    });
  });
});
