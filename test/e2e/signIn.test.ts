import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { extensionHostsOf } from '../host/extensionHosts';
import type { DeskWindow } from '../host/window';
import { chatOf, type JourneyChat } from '../support/chatJourney';
import { startFilledDemo, type FilledDemo } from '../support/filledDemo';
import { moneyText } from '../../src/protocol/formats';
import { inOrder } from '../support/inOrder';

/** The number of words on screen when the extension host is killed. */
const wordsBeforeDeath = 12;

const wordsIn = (text: string): readonly string[] => text.match(/[\p{L}\p{N}]+/gu) ?? [];

/** Compares word by word. The last word can be incomplete, because it was still streaming. */
function assertBeginsWith(text: string, beginning: string, what: string): void {
  const [all, first] = [wordsIn(text), wordsIn(beginning)];
  const last = first.length - 1;
  assert.deepEqual(all.slice(0, last), first.slice(0, last), what);
  assert.ok(all[last]?.startsWith(first[last] ?? ''), `${what}: "${all[last]}" in place of "${first[last]}"`);
}

describe('an account, from sign-in to sign-out, with the errors in between', function () {
  inOrder(this);
  let desk: DeskWindow;
  let chat: JourneyChat;
  let demo: FilledDemo;
  let balance: string;
  /** Called with the answer's text at each change on screen, until the end. */
  let onScreen: (text: string) => void = () => undefined;

  before(async function () {
    demo = await startFilledDemo();
    const account = (await demo.call('GET', '/user/info')) as { readonly data: { readonly totalBalance: string } };
    balance = moneyText(account.data.totalBalance, undefined, 'en');
    desk = await this.openDesk({ settings: { 'inferenceDesk.account.lowBalance': '1000' } });
    chat = chatOf(desk);
    await desk.page.exposeFunction('onScreen', (text: string) => onScreen(text));
  });
  after(async () => {
    await desk?.close();
    await demo?.close();
  });

  const title = (text: string | RegExp) => desk.quickInput.locator('.quick-input-title', { hasText: text }).waitFor();
  const sideBar = (): Locator => desk.page.locator('.sidebar');

  it('starts at the welcome of an empty view', async () => {
    const account = await desk.openView('Account');
    await desk.screenshot('account-welcome');
    await account.getByText('Sign In', { exact: true }).click();
    await title('Sign In');
    await desk.answer('Other URL…');
  });

  it('says that no server responds at a URL, and asks for a key for the next URL', async () => {
    await title('base URL');
    await desk.answer('http://api.example.com/v1');
    await desk.quickInput.getByText('http is only allowed').waitFor();
    await desk.answer('http://127.0.0.1:9/v1');
    await title('enter a name');
    await desk.answer('Journey');
    await title('key for Journey');
    await desk.answer('sk-two words');
    await desk.quickInput.getByText('Copy only the key').waitFor();
    await desk.answer('Bearer sk-mistyped-0123456789');
    await title(/127\.0\.0\.1:9/);
    await desk.screenshot('trouble-unreachable');
    await desk.pick('Edit Base URL');
    await title('base URL');
    await desk.answer(demo.baseUrl.replace(/\/v1$/, ''));
    await desk.pick('Add /v1');
    await title('key for Journey');
    await desk.quickInput.getByText(`sent only to ${new URL(demo.baseUrl).origin}`).waitFor();
    assert.equal(await desk.quickInput.locator('input.input').first().inputValue(), '');
    await desk.screenshot('key-of-the-next-address');
    await desk.answer('Bearer sk-mistyped-0123456789');
  });

  it('reports a problem with a key, and keeps the input', async () => {
    await title('rejected this key');
    await desk.screenshot('sign-in-trouble');
    await desk.pick('Edit Key');
    await title('key for Journey');
    const box = desk.quickInput.locator('input.input').first();
    assert.equal(await box.inputValue(), 'sk-mistyped-0123456789');
    assert.equal(await box.getAttribute('type'), 'password');
    await desk.answer(demo.apiKey);
  });

  it('shows the account in its view and the status bar after sign-in', async () => {
    // A command requested during the key check is lost when the progress box closes.
    await desk.status('Journey').waitFor();
    await desk.notice(new RegExp(String.raw`Signed in to Journey: \d+ models, \d+ ms, balance ${balance}`));
    await desk.clearNotices();
    await sideBar().getByText(`${balance}, below 1,000.00`).waitFor();
    await desk.screenshot('account-signed-in');
    await desk.status(balance).waitFor();
    await desk.openStatusMenu();
    await desk.pick('Manage Key');
    await desk.quickRows.filter({ hasText: demo.apiKey.slice(-4) }).waitFor();
    await desk.pick('Test Key');
    await desk.quickInput.locator('input[placeholder*="Connected: "]').waitFor();
    await desk.page.keyboard.press('Escape');
  });

  it('retries a truncated answer in the same turn', async () => {
    await demo.call('POST', '/_control/arm', { fault: 'cut-stream', endpoint: 'POST /messages', times: 9 });
    await desk.openChat();
    await chat.ask('Explain what a rate limit is, step by step, with a list.');
    const again = chat.lastTurn.getByText('Try Again').first();
    await again.waitFor();
    assert.match(await chat.lastTurn.locator('.md').first().innerText(), /\w/);
    await desk.screenshot('trouble-cut');
    await demo.call('POST', '/_control/reset', {});
    await again.click();
    // The truncated answer has a token count, too.
    await again.waitFor({ state: 'detached' });
    await chat.counted.waitFor({ timeout: 60_000 });
  });

  const answer = () =>
    chat.lastTurn
      .locator('.answer .md')
      .allTextContents()
      .then((parts) => parts.join('\n'));

  /** Resolves to the last text on screen when the host was killed. */
  async function killInAnswer(): Promise<string> {
    const hosts = extensionHostsOf(desk.server.pid);
    assert.ok(hosts.length > 0);
    let seen = '';
    const killed = new Promise<void>((resolve) => {
      onScreen = (text) => {
        seen = text;
        if (wordsIn(text).length < wordsBeforeDeath) return;
        for (const pid of hosts.splice(0)) process.kill(pid, 'SIGKILL');
        resolve();
      };
    });
    await chat.lastTurn.evaluate((turn) => {
      const { onScreen: tell } = window as unknown as { onScreen: (text: string) => void };
      const look = () => tell([...turn.querySelectorAll('.answer .md')].map((part) => part.textContent).join('\n'));
      new MutationObserver(look).observe(turn, { subtree: true, childList: true, characterData: true });
      look();
    });
    await killed;
    await desk.webview.locator('.turn').first().waitFor({ state: 'detached' });
    return seen;
  }

  it('keeps the account and the partial answer when the extension host dies', async () => {
    const question = 'Write a story of 200 words about a rate limit.';
    await chat.ask(question);
    const seen = await killInAnswer();
    await desk.reload();
    // The container that was open opens again automatically.
    await chat.lastTurn.getByText('Incomplete response').waitFor();
    const saved = await answer();
    assertBeginsWith(saved, seen, 'after the kill');
    assert.equal(await chat.lastTurn.locator('.question-text').textContent(), question);
    await desk.screenshot('host-killed');
    await demo.call('POST', '/_control/pace', { pace: 'fast' });
    await chat.lastTurn.getByRole('button', { name: 'Continue' }).click();
    await chat.counted.waitFor({ timeout: 60_000 });
    const whole = await answer();
    assertBeginsWith(whole, saved, 'after going on');
    assert.ok(wordsIn(whole).length > wordsIn(saved).length);
    const account = await desk.openView('Account');
    await account.getByText(/\d, below 1,000\.00/).waitFor();
    await desk.openChat();
  });

  it('shows the request and response without the key', async () => {
    await desk.command('Inference Desk: Show Recent Requests…');
    await title('Show Request and Response');
    await desk.answer('user/info');
    const editor = desk.page.locator('.editor-instance');
    await editor.getByText('totalBalance').first().waitFor();
    await desk.screenshot('exchange');
    assert.equal(await editor.getByText(demo.apiKey).count(), 0);
  });

  it('asks before sign-out, and names the account', async () => {
    const dialog = desk.page.locator('.monaco-dialog-box');
    await desk.command('Inference Desk: Sign Out');
    await dialog.getByText('Sign out of Journey?').waitFor();
    await dialog.getByText(`Deletes the API key for ${new URL(demo.baseUrl).origin}`).waitFor();
    await desk.screenshot('sign-out');
    await dialog.locator(':focus').waitFor();
    await desk.page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await desk.webview.locator('.composer-text').waitFor();
    await desk.command('Inference Desk: Sign Out');
    await dialog.getByRole('button', { name: 'Sign Out' }).click();
  });

  it('shows the welcome again after sign-out', async () => {
    await desk.status('Inference Desk: sign in').waitFor();
    await desk.webview.getByText('Sign in to continue this conversation.').waitFor();
    assert.equal(await desk.webview.getByText('No chat models').count(), 0);
    await desk.screenshot('signed-out');
    const account = await desk.openView('Account');
    await account.getByText('Sign in to see your account and balance').waitFor();
    assert.deepEqual(desk.faults, []);
  });
});
