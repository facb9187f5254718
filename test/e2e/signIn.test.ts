import { deepEqual, equal } from 'node:assert/strict';
import type { DeskWindow } from '../host/window';
import { startAccountService } from '../support/accountService';
import type { AccountService } from '../support/accountService';

const apiKey = 'sk-0123456789-of-the-sign-in-journey';

describe('signing in by hand', () => {
  let desk: DeskWindow;
  let service: AccountService;

  before(async function () {
    service = await startAccountService(apiKey);
    const data = { balance: '0.88', status: 'normal', chargeBalance: '88.00', totalBalance: '88.88', name: '' };
    service.answer(200, { code: 20000, message: 'OK', status: true, data });
    desk = await this.openDesk({ settings: { 'inferenceDesk.account.lowBalance': '100' } });
  });
  after(async () => {
    await desk.close();
    await service.close();
  });

  const title = (text: string | RegExp) => desk.quickInput.locator('.quick-input-title', { hasText: text }).waitFor();

  it('begins at a welcome in the empty view', async () => {
    const account = await desk.openView('Account');
    await account.getByText('Sign in', { exact: true }).waitFor();
    await desk.status('Inference Desk: sign in').waitFor();
    await desk.screenshot('account-welcome');
    await account.getByText('Sign in', { exact: true }).click();
    await title('Sign in');
    await desk.screenshot('sign-in-service');
  });

  it('asks for address and name, and offers the version an address lacks', async () => {
    await desk.pick('Another service');
    await title('address of the service');
    await desk.answer('http://192.168.7.7/v1');
    await desk.quickInput.getByText('Over plain http the key could be read').waitFor();
    await desk.screenshot('sign-in-address-refused');
    await desk.answer(service.origin);
    await desk.pick('Add /v1');
    await title('name of the profile');
    await desk.answer('Journey');
    await title('key for Journey');
  });

  it('says what is wrong with a key before and after it is sent, and does not lose it', async () => {
    await desk.answer('sk-two words');
    await desk.quickInput.getByText('There is a space or line break inside').waitFor();
    await desk.answer('Bearer sk-mistyped-0123456789');
    await title('does not know this key');
    await desk.screenshot('sign-in-trouble');
    await desk.pick('Edit the key');
    await title('key for Journey');
    equal(await desk.quickInput.locator('input.input').first().inputValue(), 'sk-mistyped-0123456789');
    equal(await desk.quickInput.locator('input.input').first().getAttribute('type'), 'password');
    await desk.answer(apiKey);
  });

  it('ends with what the service told, the account in its view, and the status bar', async () => {
    await desk.status('88.88').waitFor();
    await desk.webview.locator('.composer').waitFor();
    // With the editor's test driver on, notices wait behind the bell.
    await desk.page.locator('[id="status.notifications"]').click();
    const told = /Signed in to Journey: 2 models, answered in \d+ ms, balance 88\.88/;
    await desk.page.locator('.notifications-center').getByText(told).waitFor();
    await desk.screenshot('signed-in');
    await desk.command('Notifications: Clear All Notifications');
    const account = await desk.openView('Account');
    await account.getByText('88.88, below 100').waitFor();
    await account.getByText('88.00').waitFor();
    await desk.screenshot('account-signed-in');
    await desk.status('88.88').click();
    await desk.quickRows.filter({ hasText: 'Manage key' }).waitFor();
    await desk.screenshot('status-menu');
    await desk.pick('Manage key');
    await desk.quickRows.filter({ hasText: 'rney' }).waitFor();
    await desk.screenshot('manage-key');
    await desk.pick('Test it');
    await desk.quickInput.locator('input[placeholder*="It works: 2 models"]').waitFor();
    await desk.page.keyboard.press('Escape');
  });

  it('is remembered over a reload', async () => {
    await desk.reload();
    // The container that was open opens again by itself.
    await desk.page.locator('.sidebar').getByText('88.88, below 100').waitFor({ timeout: 30_000 });
    await desk.webview.locator('.composer').waitFor();
  });

  it('shows the exchange without the key', async () => {
    await desk.command('Inference Desk: Show Exchange…');
    await desk.quickInput.locator('.quick-input-title', { hasText: 'Show exchange' }).waitFor();
    await desk.answer('user/info');
    await desk.page.locator('.editor-instance').getByText('totalBalance').first().waitFor();
    await desk.screenshot('exchange');
    equal(await desk.page.locator('.editor-instance').getByText(apiKey).count(), 0);
  });

  it('ends at sign-out where it began', async () => {
    await desk.command('Inference Desk: Sign Out');
    await desk.page.locator('.sidebar').getByText('Status and balance of your account').waitFor();
    await desk.status('Inference Desk: sign in').waitFor();
    deepEqual(desk.faults, []);
  });
});
