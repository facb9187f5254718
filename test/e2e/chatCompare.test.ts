import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import type { DeskWindow } from '../host/window';
import { tryDemo } from '../support/chatJourney';
import { inOrder } from '../support/inOrder';

const question = 'Explain what a rate limit is, step by step, with a list and an example in Python.';

describe('one question to three models', function () {
  inOrder(this);
  let desk: DeskWindow;
  before(async function () {
    desk = await this.openDesk();
    await tryDemo(desk);
    await desk.widenSideBar(900);
  });
  after(() => desk?.close());

  const box = (): Locator => desk.webview.getByRole('textbox', { name: 'Question' });
  const columns = (): Locator => desk.webview.locator('.compare-column');
  const answered = (column: Locator): Locator => column.locator('.facts-text', { hasText: /\d+ in · .*first token/ });
  const names = async (): Promise<readonly string[]> => columns().locator('.who-model').allTextContents();

  /** The model of the conversation is checked already. */
  const check = async (): Promise<void> => {
    await desk.webview.getByRole('button', { name: 'Compare models' }).click();
    for (const _ of [1, 2]) {
      await desk.page.keyboard.press('ArrowDown');
      await desk.page.keyboard.press('Enter');
    }
  };

  it('chooses the models in a list, and says how many a question goes to', async () => {
    await check();
    await desk.screenshot('compare-choice');
    await desk.webview.getByRole('button', { name: 'Compare 3 models' }).click();
    await desk.webview.locator('.compare-line-text', { hasText: 'Goes to 3 models' }).waitFor();
  });

  it('streams three answers side by side, each with its times and tokens', async () => {
    await box().fill(question);
    await box().press('Enter');
    await columns().nth(2).waitFor();
    await columns()
      .nth(2)
      .locator('.md')
      .getByText(/\w{3,}/)
      .first()
      .waitFor();
    await desk.screenshot('compare-streaming');
    for (const index of [0, 1, 2]) await answered(columns().nth(index)).waitFor({ timeout: 60_000 });
    await desk.webview.locator('.compare-summary', { hasText: 'Fastest first token' }).waitFor();
    assert.equal(new Set(await names()).size, 3);
    await desk.screenshot('compare-answered');
  });

  it('has the columns again after a reload, and asks for a pick before the next question', async () => {
    const before = await names();
    await desk.reload();
    await desk.openView('Chat');
    await columns().nth(2).waitFor({ timeout: 60_000 });
    assert.deepEqual(await names(), before);
    await box().fill('And in one sentence?');
    await box().press('Enter');
    await desk.webview.locator('.note', { hasText: 'Which answer does the conversation go on with?' }).waitFor();
    await desk.screenshot('compare-pick-first');
  });

  it('goes on with the one picked, and shows the three again', async () => {
    const [, second = ''] = await names();
    await columns().nth(1).getByRole('button', { name: 'Continue with this' }).click();
    await desk.webview.locator('.answer .who-model', { hasText: second }).waitFor();
    await desk.webview.locator('.walker-tries .walker-place', { hasText: '2/3' }).waitFor();
    assert.equal(await box().inputValue(), 'And in one sentence?');
    await box().press('Enter');
    await desk.webview
      .locator('.turn')
      .nth(1)
      .locator('.facts')
      .getByText(/\d+ in/)
      .waitFor({ timeout: 60_000 });
    assert.equal(await desk.webview.locator('.turn').nth(1).locator('.who-model').textContent(), second);
    await desk.screenshot('compare-picked');
    await desk.webview.locator('.turn').first().hover();
    await desk.webview.getByRole('button', { name: 'Show all 3 answers side by side' }).click();
    await columns().nth(1).locator('.compare-picked', { hasText: 'picked' }).waitFor();
    assert.equal(await desk.webview.locator('.turn').count(), 2);
  });

  it('keeps the columns of answers that were cut off when the window closed in mid-stream, to be asked again', async () => {
    await desk.page.getByRole('button', { name: 'New Conversation' }).click();
    await columns().first().waitFor({ state: 'detached' });
    await check();
    await desk.webview.getByRole('button', { name: 'Compare 3 models' }).click();
    await box().fill(question);
    await box().press('Enter');
    await columns()
      .nth(2)
      .locator('.md')
      .getByText(/\w{3,}/)
      .first()
      .waitFor();
    await desk.reload();
    await desk.openView('Chat');
    await columns().nth(2).waitFor({ timeout: 60_000 });
    const again = columns().nth(0).getByRole('button', { name: 'Ask again' });
    await again
      .or(answered(columns().nth(0)))
      .first()
      .waitFor({ timeout: 60_000 });
    await desk.screenshot('compare-interrupted');
    if (await again.isVisible()) await again.click();
    await answered(columns().nth(0)).waitFor({ timeout: 60_000 });
  });

  it('wrote every answer into the conversation’s file', () => {
    const folder = path.join(desk.server.dataFolder, 'data');
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
      /conversations.*\.jsonl$/.test(name),
    );
    const histories = files.map((name) => readFileSync(path.join(folder, name), 'utf8'));
    const compared = histories.filter((history) => history.includes('"kind":"compare"'));
    assert.equal(compared.length, 2);
    for (const history of compared) assert.ok((history.match(/"kind":"answer"/g) ?? []).length >= 3);
    assert.deepEqual(desk.faults, []);
  });
});
