import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import type { DeskWindow } from '../host/window';
import { tryDemo } from '../support/chatJourney';
import { inOrder } from '../support/inOrder';

describe('past ten messages, with a service that takes ten', function () {
  inOrder(this);
  let desk: DeskWindow;

  before(async function () {
    desk = await this.openDesk();
  });
  after(() => desk?.close());

  const box = (): Locator => desk.webview.getByRole('textbox', { name: 'Question' });
  const turn = (index: number): Locator => desk.webview.locator('.turn').nth(index);
  const fill = (text: string): Locator => desk.webview.locator('.composer-fill').getByText(text, { exact: true });
  const ask = async (index: number) => {
    await box().fill(`Say the number ${index}.`);
    await box().press('Enter');
    await turn(index)
      .locator('.facts')
      .getByText(/\d+ in/)
      .waitFor({ timeout: 30_000 });
  };

  it('fills up request by request', async () => {
    await tryDemo(desk);
    await ask(0);
    await fill('3/10').waitFor();
    for (let index = 1; index <= 4; index++) await ask(index);
    await fill('9/10').waitFor();
  });

  it('goes on with the earliest turns folded, and shows what is sent of them', async () => {
    for (let index = 5; index <= 6; index++) await ask(index);
    assert.equal(await desk.webview.locator('.note-error').count(), 0);
    await desk.webview.getByText('3 earlier turns folded into one').click();
    await desk.webview.locator('.fold-text', { hasText: '> Say the number 2.' }).waitFor();
    await desk.screenshot('chat-folded');
  });

  it('starts fresh, keeps that over a reload, and takes it back', async () => {
    await desk.webview.getByText('Start fresh from here', { exact: true }).click();
    await desk.webview.getByText('The 3 turns above are not sent any more').waitFor();
    await fill('9/10').waitFor();
    await desk.reload();
    await desk.openView('Chat');
    await desk.webview.getByText('Send them again', { exact: true }).click();
    await desk.webview.getByText('3 earlier turns folded into one').waitFor();
    await desk.screenshot('chat-unfolded');
  });

  it('refused nothing and threw nothing in its pages', () => {
    assert.deepEqual(desk.faults, []);
  });
});
