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

const long = 'Explain what a rate limit is, step by step, with a list, a table and an example in Python.';

describe('from a fresh window to an answer', function () {
  inOrder(this);
  let desk: DeskWindow;
  let startedAt = 0;
  let firstAnswer = '';

  before(async function () {
    startedAt = Date.now();
    desk = await this.openDesk();
  });
  after(() => desk?.close());

  const box = (): Locator => desk.webview.getByRole('textbox', { name: 'Question' });
  const answer = (): Locator => desk.webview.locator('.turn .answer');
  const question = (text: string): Locator => desk.webview.locator('.question-text', { hasText: text });

  it('welcomes a person who is signed out, and signs in to the demo service from there', async () => {
    await desk.openChat();
    await desk.webview.getByText('Chat with hosted models').waitFor();
    await desk.screenshot('chat-welcome');
    await desk.webview.getByText('Try the demo', { exact: true }).click();
    await desk.webview.getByRole('button', { name: /Qwen/ }).waitFor();
    await desk.status(/Demo/).waitFor();
  });

  it('streams the answer to a question, within a minute of the start', async () => {
    await box().fill('What does the HTTP status 429 mean, in one sentence?');
    await box().press('Enter');
    await answer()
      .locator('.facts')
      .getByText(/\d+ in/)
      .waitFor({ timeout: 60_000 });
    firstAnswer = await answer().innerText();
    assert.match(firstAnswer, /429/);
    assert.ok(Date.now() - startedAt < 60_000);
    await desk.screenshot('chat-answered');
  });

  it('asks an edited question on a branch of its own, and shows its answer while that comes', async () => {
    await desk.webview.locator('.turn').hover();
    await desk.webview.getByLabel('Edit question').click();
    await desk.webview.locator('.question-editor textarea').fill(long);
    await desk.webview.locator('.question-editor textarea').press('Enter');
    await question('rate limit').waitFor();
    await desk.webview.locator('.send', { hasText: 'Stop' }).waitFor();
    await answer()
      .locator('.md')
      .getByText(/\w{3,}/)
      .nth(2)
      .waitFor();
    await desk.screenshot('chat-streaming');
  });

  it('has everything again after a reload in mid-answer: draft, branches, and what had come', async () => {
    const draft = 'a draft that was never sent';
    await box().fill(draft);
    const folder = path.join(desk.server.dataFolder, 'data');
    await until(
      () => filesIn(folder, '.draft').find((file) => readFileSync(file, 'utf8').includes(draft)),
      'the draft',
    );
    await desk.reload();
    await desk.openChat();
    await question('rate limit').waitFor();
    assert.equal(await desk.webview.locator('.turn').count(), 1);
    assert.equal(await box().inputValue(), draft);
    await answer()
      .getByText(/This answer was cut off|\d+ in/)
      .first()
      .waitFor({ timeout: 60_000 });
    assert.equal(await desk.webview.locator('.walker-questions .walker-place').textContent(), '2/2');
    await desk.screenshot('chat-reloaded');
    await desk.webview.getByLabel('Earlier version of this question').click();
    await question('429').waitFor();
    assert.equal(await answer().innerText(), firstAnswer);
  });

  it('refused nothing and threw nothing in its pages', () => {
    assert.deepEqual(desk.faults, []);
  });
});
