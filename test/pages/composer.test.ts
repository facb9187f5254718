import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { createChatHost, emptySnapshot } from '../support/chatHost';
import { talkOf } from '../support/chatStates';
import { emptyParameters } from '../support/parametersHost';
import { screenPages } from '../support/screenPages';
import { drawn, takePicture } from '../support/takePicture';
import type { Theme } from '../support/webviewPage';

const shots = 'dist/test/screenshots/webview';
const snapshot = emptySnapshot({
  turns: talkOf(4),
  compaction: { limit: 10, messages: 9, compacted: 0 },
  model: 'vendor/a-very-long-model-name-of-many-words-and-a-date-20261121',
  parameters: { ...emptyParameters(), count: 3 },
});
const spent = {
  conversationId: 'c1',
  conversation: { inputTokens: 12_340, outputTokens: 4_560 },
  today: { inputTokens: 1_234_567, outputTokens: 123_456 },
  budget: { soft: 2_000_000, hard: 0 },
  state: 'within',
} as const;

describe('the bar under the question box', () => {
  const openPage = screenPages();

  async function open(width: number, theme: Theme = 'dark', height = 720): Promise<Page> {
    const host = createChatHost(snapshot);
    host.spent = spent;
    const { page } = await openPage('chat', { theme, width, height, handlers: host.handlers });
    await page.locator('.turn').first().waitFor();
    await page.getByRole('button', { name: /Today: 1,358,023 of/ }).waitFor();
    await drawn(page);
    return page;
  }

  it('stays in one row at every width without overlaps', async () => {
    const page = await open(200);
    for (const width of [200, 220, 240, 260, 300, 340, 420, 480, 900]) {
      await page.setViewportSize({ width, height: 720 });
      await drawn(page);
      const rows = await page.evaluate(() =>
        [...document.querySelectorAll<HTMLElement>('.composer-bar > *, .composer-text, .composer-status')]
          .filter((element) => element.offsetParent !== null && element.offsetWidth > 0)
          .map((element) => {
            const { left, right, top, bottom } = element.getBoundingClientRect();
            return { name: element.className, left, right, top, bottom };
          }),
      );
      const overlapping = rows.flatMap((one, index) =>
        rows
          .slice(index + 1)
          .filter((other) => one !== other && one.name !== other.name)
          .filter(({ left, right }) => left < one.right - 0.5 && right > one.left + 0.5)
          .filter(({ top, bottom }) => top < one.bottom - 0.5 && bottom > one.top + 0.5)
          .map((other) => `${one.name} and ${other.name}`),
      );
      assert.deepEqual(overlapping, []);
      const bar = rows.filter(({ name }) => /picker|bar-button|ring-place|send/.test(name));
      const middles = new Set(bar.map(({ top, bottom }) => Math.round((top + bottom) / 2)));
      assert.equal(middles.size, 1, `In one row: ${JSON.stringify(bar)}`);
      assert.deepEqual(
        rows.filter(({ left, right }) => left < 0 || right > width),
        [],
      );
      const send = rows.find(({ name }) => name.includes('send'));
      assert.ok(send && send.right - send.left === 22, 'Send keeps its width.');
      const picker = rows.find(({ name }) => name === 'picker');
      assert.ok(picker && picker.right - picker.left >= 32, 'The model can be pressed.');
      assert.equal(await page.locator('.bar-more').isVisible(), false, 'Nothing is in a menu.');
      const edges = await page
        .locator('.composer-box, .composer-status')
        .evaluateAll((all) => all.map((one) => [one.getBoundingClientRect().left, one.getBoundingClientRect().right]));
      assert.deepEqual(edges[1], edges[0], 'The line under the box is as wide as it.');
      await takePicture(page, `${shots}/composer-${width}.png`);
    }
  });

  for (const width of [170, 260]) {
    it(`leaves space for some lines of the conversation at ${width} pixels and 200 % zoom, however long the question is`, async () => {
      const page = await open(width, 'light', 300);
      const room = () => page.locator('.log').evaluate(({ clientHeight }) => clientHeight);
      const before = await room();
      assert.ok(before >= 130, `${before} pixels`);
      await page.locator('.composer-text').fill(Array.from({ length: 20 }, (_, line) => `Line ${line}`).join('\n'));
      const after = await room();
      assert.ok(after >= 110, `${after} pixels`);
      const bottoms = await page
        .locator('.composer-text, .send, .composer-status')
        .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().bottom));
      assert.deepEqual([bottoms.length, bottoms.filter((bottom) => bottom > 300)], [3, []]);
      await takePicture(page, `${shots}/composer-zoomed-${width}.png`);
    });
  }

  for (const width of [200, 260, 480, 900]) {
    it(`doesn't shift when the first answer has a count, at ${width} pixels`, async () => {
      const host = createChatHost({ ...snapshot, turns: [] });
      const { page, host: reported } = await openPage('chat', { theme: 'light', width, handlers: host.handlers });
      const places = () =>
        page
          .locator('.composer-text, .composer-bar > *')
          .evaluateAll((all) => all.map((one) => JSON.stringify(one.getBoundingClientRect())));
      await page.locator('.composer-bar .picker').waitFor();
      await drawn(page);
      const before = await places();
      reported.tell('chat/changed', snapshot);
      reported.tell('chat/budget', spent);
      await page.getByRole('button', { name: /Messages: 9 of 10\..*Today: 1,358,023 of/ }).waitFor();
      await drawn(page);
      assert.deepEqual(await places(), before);
    });
  }

  it('moves buttons without space into a menu, which shows their values and restores the focus', async () => {
    const page = await open(190);
    const more = page.getByRole('button', { name: 'More', exact: true });
    assert.equal(await page.locator('.bar-parameters').locator('visible=true').count(), 0);
    await more.click();
    await page.locator('.menu-item:focus').waitFor();
    assert.deepEqual(await page.locator('.menu-item').allTextContents(), [
      'Tools',
      'Parameters, 3 set',
      'Compare Models',
    ]);
    await takePicture(page, `${shots}/composer-more-190.png`);
    await page.locator('.menu-item').nth(1).click();
    await page.locator('.parameters-panel').waitFor();
    await page.waitForFunction(() => document.activeElement?.matches('.parameter-text'));
    await takePicture(page, `${shots}/composer-parameters-190.png`);
    await page.keyboard.press('Escape');
    await page.locator('.parameters-panel').waitFor({ state: 'detached' });
    await page.locator('.bar-more:focus').waitFor();
  });

  it('opens and closes the parameters with their button, and closes them on a click elsewhere', async () => {
    const page = await open(480);
    const button = page.getByRole('button', { name: 'Parameters, 3 set' });
    const panel = page.locator('.parameters-panel');
    await button.click();
    await panel.waitFor();
    assert.equal(await button.getAttribute('aria-expanded'), 'true');
    await button.click();
    await panel.waitFor({ state: 'detached' });
    await button.click();
    await panel.waitFor();
    await page.locator('.composer-text').click();
    await panel.waitFor({ state: 'detached' });
  });

  it('closes the parameters with Escape after the focused element was removed', async () => {
    const page = await open(480);
    await page.getByRole('button', { name: 'Parameters, 3 set' }).click();
    await page.locator('.parameters-panel').waitFor();
    // In one task: the page has no time to give the focus to another control.
    await page.evaluate(() => {
      document.activeElement?.remove();
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
    });
    await page.locator('.parameters-panel').waitFor({ state: 'detached' });
    await page.locator('.bar-parameters:focus').waitFor();
  });
});
