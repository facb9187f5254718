import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { Turn } from '../../src/protocol/chat';
import { emptySnapshot } from '../support/chatHost';
import { chatPages } from '../support/chatPages';
import { longTalk } from '../support/longTalk';

/** Of the conversation: how many of its answers are drawn as Markdown, and which questions stand in sight. */
async function look(page: Page) {
  return page.evaluate(() => {
    const log = document.querySelector('.log')!;
    const { top, bottom } = log.getBoundingClientRect();
    const turns = [...document.querySelectorAll('.turn')];
    const inSight = turns.filter((turn) => {
      const box = turn.getBoundingClientRect();
      return box.bottom > top && box.top < bottom;
    });
    return {
      turns: turns.length,
      drawn: document.querySelectorAll('.turn .md').length,
      undrawnInSight: inSight.filter((turn) => turn.querySelector('.turn-sketch')).length,
      inSight: inSight.map((turn) => turn.getAttribute('data-turn')),
      fromEnd: log.scrollHeight - log.scrollTop - log.clientHeight,
    };
  });
}

/** More than stand near what is in sight, whatever their heights. */
const manyDrawn = 40;

const allDrawnInSight = (page: Page) =>
  page.waitForFunction(() => {
    const log = document.querySelector('.log')!.getBoundingClientRect();
    return [...document.querySelectorAll('.turn-sketch')].every((sketch) => {
      const box = sketch.parentElement!.getBoundingClientRect();
      return box.bottom <= log.top || box.top >= log.bottom;
    });
  });

describe('a conversation of 2,000 messages', () => {
  const openPage = chatPages();
  const open = async (turns: readonly Turn[] = longTalk(1000)) => {
    const opened = await openPage(emptySnapshot({ turns, conversationId: 'c1' }), { drawn: '.turn .md' });
    await allDrawnInSight(opened.page);
    return opened;
  };

  it('opens at its end with few answers rendered, and contains the text of all', async () => {
    const { page } = await open();
    await page.waitForFunction(() => {
      const log = document.querySelector('.log')!;
      return log.scrollHeight - log.scrollTop - log.clientHeight < 2;
    });
    const { turns, drawn, inSight, fromEnd } = await look(page);
    assert.equal(turns, 1000);
    assert.ok(drawn > 0 && drawn <= manyDrawn, `${drawn} are drawn`);
    assert.equal(inSight.at(-1), 'turn 999');
    assert.ok(fromEnd < 2);
    assert.equal(await page.evaluate(() => document.querySelectorAll('h2').length), 1000);
    const said = await page.evaluate(() => document.querySelector('.turns')?.textContent ?? '');
    for (const index of [0, 500]) assert.match(said, new RegExp(`\\(${index}\\)[^]*chunk ${index}\\b`));
  });

  it('renders visible answers, and releases distant ones', async () => {
    const { page } = await open();
    for (const share of [0, 0.5, 1]) {
      await page.evaluate((at) => {
        const log = document.querySelector('.log')!;
        log.scrollTop = log.scrollHeight * at;
      }, share);
      await allDrawnInSight(page);
      await page.waitForFunction((most) => document.querySelectorAll('.turn .md').length <= most, manyDrawn);
      assert.equal((await look(page)).undrawnInSight, 0);
    }
  });

  it('keeps the position of a turn when earlier ones are rendered', async () => {
    const { page } = await open();
    await page.evaluate(() => document.querySelector('[data-turn="turn 500"]')?.scrollIntoView());
    await allDrawnInSight(page);
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    assert.equal((await look(page)).inSight.includes('turn 500'), true);
  });

  it('moves between turns with Alt and the arrow keys', async () => {
    const { page } = await open(longTalk(60));
    await page.locator('.log').focus();
    for (let index = 59; index >= 0; index -= 1) {
      await page.keyboard.press('Alt+ArrowUp');
      assert.equal(await page.evaluate(() => document.activeElement?.getAttribute('data-turn')), `turn ${index}`);
    }
    await allDrawnInSight(page);
    assert.equal((await look(page)).inSight[0], 'turn 0');
  });

  it('keeps a turn with an expanded section', async () => {
    const { page } = await open();
    const thought = page.locator('[data-turn="turn 997"] .folded-label, [data-turn="turn 996"] .folded-label').first();
    const turnId = await thought.evaluate((element) => element.closest('.turn')?.getAttribute('data-turn'));
    await thought.click();
    await page.evaluate(() => (document.querySelector('.log')!.scrollTop = 0));
    await allDrawnInSight(page);
    await page.waitForFunction(() => document.querySelector('[data-turn="turn 998"] .turn-sketch'));
    assert.equal(await page.locator(`[data-turn="${turnId}"] details[open]`).count(), 1);
  });

  it('stays at its end while an answer streams', async () => {
    const all = longTalk(300);
    const running: Turn = {
      ...all[299]!,
      answer: { state: 'streaming', model: 'm', blocks: [{ kind: 'text', text: '' }] },
    };
    const { page, host } = await open([...all.slice(0, -1), running]);
    await host.wasAsked('chat/follow');
    for (let index = 0; index < 20; index += 1) {
      host.emit({ type: 'append', block: 0, kind: 'text', text: `Paragraph ${index} of an answer that comes.\n\n` });
      await page.locator('.turn').last().getByText(`Paragraph ${index} of`).waitFor();
    }
    await page.waitForFunction(() => {
      const log = document.querySelector('.log')!;
      return log.scrollHeight - log.scrollTop - log.clientHeight < 2;
    });
  });
});
