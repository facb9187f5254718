import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import type { DeskWindow } from '../host/window';
import { inOrder } from '../support/inOrder';
import { until } from '../support/until';

const filesIn = (folder: string, ending: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending))
    .map((name) => path.join(folder, name));

const question = 'Explain what a rate limit is, step by step, with a list, a table and an example in Python.';

describe('from a fresh window to an answer', function () {
  inOrder(this);
  let desk: DeskWindow;
  let startedAt = 0;

  before(async function () {
    startedAt = Date.now();
    desk = await this.openDesk();
  });
  after(() => desk?.close());

  const box = (): Locator => desk.webview.getByRole('textbox', { name: 'Question' });
  const lastAnswer = (): Locator => desk.webview.locator('.turn').last().locator('.answer');
  const send = (): Locator => desk.webview.locator('.send', { hasText: 'Send' });
  const stop = (): Locator => desk.webview.locator('.send', { hasText: 'Stop' });

  it('welcomes a person who is signed out, and signs in to the demo service from there', async () => {
    await desk.openView('Chat');
    await desk.webview.getByText('Chat with hosted models').waitFor();
    await desk.screenshot('chat-welcome');
    await desk.webview.getByText('Try the demo', { exact: true }).click();
    await desk.webview.getByRole('button', { name: /Qwen/ }).waitFor();
    await desk.status(/Demo/).waitFor();
    await desk.screenshot('chat-signed-in');
  });

  it('streams the answer to a question, within a minute of the start', async () => {
    await box().fill('What does the HTTP status 429 mean, in one sentence?');
    await box().press('Enter');
    await lastAnswer()
      .locator('.facts')
      .getByText(/\d+ in/)
      .waitFor({ timeout: 60_000 });
    assert.match((await lastAnswer().textContent()) ?? '', /429/);
    assert.ok(Date.now() - startedAt < 60_000);
    await desk.screenshot('chat-answered');
  });

  it('shows an answer while it comes, and stops it where it is', async () => {
    await box().fill(question);
    await box().press('Enter');
    await desk.webview.locator('.turn').nth(1).waitFor();
    await stop().waitFor();
    await lastAnswer()
      .locator('.md')
      .getByText(/\w{3,}/)
      .nth(2)
      .waitFor();
    await desk.screenshot('chat-streaming');
    await stop().click();
    await lastAnswer().getByText('stopped').waitFor();
    await send().waitFor();
    await desk.screenshot('chat-stopped');
  });

  it('has everything again after a reload, the draft too', async () => {
    const before = await lastAnswer().innerText();
    const draft = 'a draft that was never sent';
    await box().fill(draft);
    const folder = path.join(desk.server.dataFolder, 'data');
    await until(
      () => filesIn(folder, '.draft').find((file) => readFileSync(file, 'utf8').includes(draft)),
      'the draft',
    );
    await desk.reload();
    await desk.openView('Chat');
    await desk.webview.locator('.turn').nth(1).waitFor();
    assert.equal(await desk.webview.locator('.turn').count(), 2);
    assert.equal(await box().inputValue(), draft);
    assert.equal(await lastAnswer().innerText(), before);
    await desk.screenshot('chat-reloaded');
  });

  it('goes on with an answer that was coming when the window was reloaded', async () => {
    await box().fill(question);
    await box().press('Enter');
    await desk.webview.locator('.turn').nth(2).waitFor();
    await desk.reload();
    await desk.openView('Chat');
    await desk.webview.locator('.turn').nth(2).waitFor();
    await lastAnswer()
      .getByText(/This answer was cut off|\d+ in/)
      .first()
      .waitFor({ timeout: 60_000 });
    await desk.screenshot('chat-interrupted');
  });

  it('refused nothing and threw nothing in its pages', () => {
    assert.deepEqual(desk.faults, []);
  });
});
