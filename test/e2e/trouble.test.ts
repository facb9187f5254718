import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import type { DeskWindow } from '../host/window';
import { startFilledDemo, type FilledDemo } from '../support/filledDemo';
import { inOrder } from '../support/inOrder';

describe('when things go wrong', function () {
  inOrder(this);
  let desk: DeskWindow;
  let demo: FilledDemo;

  before(async function () {
    demo = await startFilledDemo();
    desk = await this.openDesk();
  });
  after(async () => {
    await desk?.close();
    await demo?.close();
  });

  const title = (text: string | RegExp) => desk.quickInput.locator('.quick-input-title', { hasText: text }).waitFor();
  const note = (text: string | RegExp): Locator => desk.webview.locator('.turn').last().getByText(text).first();
  const arm = (fault: string) => demo.call('POST', '/_control/arm', { fault, endpoint: 'POST /messages', times: 9 });
  const ask = async (question: string): Promise<void> => {
    const box = desk.webview.getByRole('textbox', { name: 'Question' });
    await box.fill(question);
    await box.press('Enter');
    await desk.webview.locator('.turn', { hasText: question }).waitFor();
  };

  it('says that nobody answers at an address, and goes on from there with what was typed', async () => {
    await desk.openView('Chat');
    await desk.webview.getByText('Sign in', { exact: true }).click();
    await title('Sign in');
    await desk.pick('Another service');
    await title('address of the service');
    await desk.answer('http://127.0.0.1:9/v1');
    await title('name of the profile');
    await desk.answer('Trouble');
    await title('key for Trouble');
    await desk.answer(demo.apiKey);
    await title(/127\.0\.0\.1:9/);
    await desk.quickRows.filter({ hasText: 'Edit the address' }).waitFor();
    await desk.screenshot('trouble-unreachable');
    await desk.pick('Edit the address');
    await title('address of the service');
    await desk.answer(demo.baseUrl);
    await desk.webview.getByRole('button', { name: /Qwen/ }).waitFor();
  });

  it('says what a refused question needs, in its place', async () => {
    await arm('balance-403');
    await ask('Is there any money left?');
    await note(/balance/i).waitFor();
    await desk.screenshot('trouble-balance');
    assert.doesNotMatch((await desk.webview.locator('body').innerText()) ?? '', new RegExp(demo.apiKey));
  });

  it('keeps what came of an answer whose stream was cut', async () => {
    await demo.call('POST', '/_control/reset', {});
    await arm('cut-stream');
    await ask('Explain what a rate limit is, step by step, with a list.');
    await note('Try again').waitFor();
    assert.match(await desk.webview.locator('.turn').last().locator('.md').first().innerText(), /\w/);
    await desk.screenshot('trouble-cut');
  });

  it('answers again once the service does', async () => {
    await demo.call('POST', '/_control/reset', {});
    await note('Try again').click();
    await desk.webview
      .locator('.turn')
      .last()
      .locator('.facts')
      .getByText(/\d+ out/)
      .waitFor({ timeout: 60_000 });
    await desk.screenshot('trouble-over');
  });

  it('keeps a question in words when the service is gone', async () => {
    await demo.close();
    await ask('Is anybody there?');
    await note(/Try again/).waitFor({ timeout: 60_000 });
    await desk.screenshot('trouble-gone');
  });

  it('refused nothing and threw nothing in its pages', () => {
    assert.deepEqual(desk.faults, []);
  });
});
