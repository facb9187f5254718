import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import type { DeskWindow } from '../host/window';
import { inOrder } from '../support/inOrder';
import { gatewayRounds, type GatewayService, startGatewayService } from '../support/otherServices/gatewayService';
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
  const question = (text: string): Locator => desk.webview.locator('.turn .question-text', { hasText: text });

  it('signs in to the demo service from the welcome of a signed-out user', async () => {
    await desk.openChat();
    await desk.webview.getByText('Chat with hosted models').waitFor();
    await desk.screenshot('chat-welcome');
    await desk.webview.getByText('Start Demo Service', { exact: true }).click();
    await desk.webview.getByRole('button', { name: /Qwen/ }).waitFor();
    await desk.status(/Demo/).waitFor();
  });

  it('streams the first answer within a minute of the start', async () => {
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

  it('sends an edited question on a new branch, and streams its answer', async () => {
    await desk.webview.locator('.turn').hover();
    await desk.webview.getByLabel('Edit Question').click();
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

  it('restores the draft, branches, and partial answer after a reload', async () => {
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
      .getByText(/Incomplete response|\d+ in/)
      .first()
      .waitFor({ timeout: 60_000 });
    assert.equal(await desk.webview.locator('.walker-questions .walker-place').textContent(), '2/2');
    await desk.screenshot('chat-reloaded');
    await desk.webview.getByLabel('Previous Question Version').click();
    await question('429').waitFor();
    assert.equal(await answer().innerText(), firstAnswer);
  });

  it('sends a queued message when the answer is complete', async () => {
    await box().fill(long);
    await box().press('Enter');
    await desk.webview.locator('.send', { hasText: 'Stop' }).waitFor();
    await box().fill('Thanks for the rate limit');
    await box().press('Enter');
    await desk.webview.locator('.queued', { hasText: 'Thanks for the rate limit' }).waitFor();
    await desk.screenshot('chat-queued');
    await desk.webview
      .locator('.question .question-text', { hasText: 'Thanks for the rate limit' })
      .waitFor({ timeout: 60_000 });
    await desk.webview.locator('.queued').waitFor({ state: 'detached' });
    await answer()
      .last()
      .getByText(/\d+ in/)
      .waitFor({ timeout: 60_000 });
  });

  describe('a gateway with both chat endpoints', function () {
    inOrder(this);
    let gateway: GatewayService;
    before(async () => void (gateway = await startGatewayService()));
    after(() => gateway?.close());
    const title = (text: string) => desk.quickInput.locator('.quick-input-title', { hasText: text }).waitFor();
    const button = (name: string): Locator => desk.webview.getByRole('button', { name });
    const field = (name: string): Locator => desk.webview.getByRole('textbox', { name, exact: true });
    const chats = () => gateway.asked.filter(({ line }) => line.startsWith('POST')).map(({ line }) => line.slice(5));

    it('uses the endpoint that works for all later requests', async () => {
      await desk.command('Inference Desk: Sign In…');
      await title('Sign In');
      await desk.answer('Other URL…');
      await title('base URL');
      await desk.answer(gateway.baseUrl);
      await title('enter a name');
      await desk.answer('Gateway');
      await title('key for Gateway');
      await desk.answer('sk-gateway-0123456789');
      await desk.status('Gateway').waitFor();
      await desk.openChat();
      // Otherwise, controls below the chat box are collapsed.
      await desk.widenSideBar(520);
      await desk.page.getByRole('button', { name: 'New Conversation' }).click();
      await desk.webview.locator('.welcome').waitFor();
      // VS Code finally moves the focus into the view, which would close a list that is already open.
      await box().and(desk.webview.locator(':focus')).waitFor();
      await button('Choose Model').click();
      await desk.webview.getByText('both-ways').first().click();
      await button('both-ways').waitFor();
      const before = chats().length;
      for (const text of ['First?', 'Second?']) {
        await box().fill(text);
        await box().press('Enter');
        await question(text).waitFor();
        await answer()
          .last()
          .locator('.facts')
          .getByText(/\d+ in/)
          .waitFor();
        await answer().last().getByText('Over messages.').waitFor();
      }
      assert.deepEqual(chats().slice(before), ['/v1/chat/completions', '/v1/messages', '/v1/messages']);
    });

    it('returns the signatures of four tool rounds, and shows sources and an image', async () => {
      await desk.page.getByRole('button', { name: 'New Conversation' }).click();
      await desk.webview.locator('.welcome').waitFor();
      await desk.webview.locator('.bar-tools').click();
      await desk.webview.locator('.tools-groups').waitFor();
      await desk.webview.getByText('Loading…').waitFor({ state: 'hidden' });
      await button('New Tool…').click();
      await field('Name').fill('lookUp');
      await field('Description').fill('Tells what a place is.');
      await desk.webview.locator('vscode-button', { hasText: 'Save' }).locator('button').click();
      await desk.webview.getByRole('button', { name: 'Tools, 1 selected' }).waitFor();
      await desk.page.keyboard.press('Escape');
      await box().fill('What is in Ghent?');
      await box().press('Enter');
      for (let round = 0; round < gatewayRounds; round++) {
        await field('Result of lookUp').fill(`result ${round}`);
        await desk.webview.locator('vscode-button', { hasText: 'Send Result' }).locator('button').click();
        const hasResult = () => gateway.asked.some(({ body }) => body.includes(`result ${round}`)) || undefined;
        await until(hasResult, `the result of round ${round}`);
      }
      await answer().last().getByText('Ghent has canals').waitFor();
      await desk.webview.locator('.citations-list li').nth(1).waitFor();
      assert.deepEqual(await desk.webview.locator('.citation-number').allTextContents(), ['[1]', '[2]']);
      await answer().last().locator('img').waitFor();
      await desk.screenshot('chat-gateway');
      const last = gateway.asked.findLast(({ line }) => line === 'POST /v1/chat/completions')?.body ?? '';
      const found = [
        ...last.matchAll(/"thought_signature":"(signature-\d)"|"data":"(thought-\d)"|"content":"(result \d)"/g),
      ];
      assert.deepEqual(
        found.map(([, signature, thought, result]) => signature ?? thought ?? result ?? '').toSorted(),
        ['result', 'signature', 'thought'].flatMap((kind) =>
          Array.from({ length: gatewayRounds }, (_, round) => `${kind}${kind === 'result' ? ' ' : '-'}${round}`),
        ),
      );
    });
  });

  it('has no rejected calls and no errors in the pages', () => {
    assert.deepEqual(desk.faults, []);
  });
});
