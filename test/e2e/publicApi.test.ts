import { equal, match, ok } from 'node:assert/strict';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { root } from '../host/places';
import type { DeskWindow } from '../host/window';
import { signInTo } from '../support/chatJourney';
import { startFilledDemo, type FilledDemo } from '../support/filledDemo';
import { inOrder } from '../support/inOrder';

describe('another extension that uses the account', function () {
  inOrder(this);
  let desk: DeskWindow;
  let demo: FilledDemo;

  before(async function () {
    demo = await startFilledDemo({ pace: 'fast' });
    desk = await this.openDesk({
      extensions: [path.join(root, 'test/fixtures/callerExtension')],
      askForTrust: true,
      settings: { 'security.workspace.trust.startupPrompt': 'never' },
    });
    await signInTo(desk, demo);
  });
  after(async () => {
    await desk?.close();
    await demo?.close();
  });

  const dialog = (): Locator => desk.page.locator('.monaco-dialog-box');
  const button = (name: string) => dialog().getByRole('button', { name, exact: true });
  const row = (text: string | RegExp) => desk.quickRows.filter({ hasText: text });

  it('has its person asked before its first use, in words that say what it may do', async () => {
    await desk.command('Helper: Rank with Inference Desk');
    await button('Allow Always').waitFor();
    const words = (await dialog().textContent())!;
    match(words, /Allow “Release Notes Helper” to use Inference Desk\?/);
    match(words, /inference-desk-test\.desk-test-caller/);
    match(words, /cost money/);
    match(words, /does not tell which extension/);
    await desk.screenshot('public-api-question');
    await desk.page.setViewportSize({ width: 520, height: 700 });
    await desk.screenshot('public-api-question-narrow');
    await desk.page.setViewportSize({ width: 1280, height: 800 });
  });

  it('may send nothing in Restricted Mode, even when it is allowed', async () => {
    await button('Allow in This Window').click();
    await desk.notice('restrictedMode: ');
    await desk.screenshot('public-api-restricted');
    await desk.clearNotices();
  });

  it('gets its answer in a workspace that is trusted, without another question', async () => {
    await desk.command('Workspaces: Manage Workspace Trust');
    await desk.page.locator('.workspace-trust-editor').getByRole('button', { name: 'Trust', exact: true }).click();
    await desk.page.locator('.workspace-trust-editor', { hasText: 'You trust this folder' }).waitFor();
    await desk.command('Helper: Rank with Inference Desk');
    await desk.notice('Best of 3: Uploads are tried again.');
    equal(await dialog().count(), 0);
    await desk.screenshot('public-api-answer');
    await desk.clearNotices();
  });

  it('is listed with what it did, and what it may do can be changed', async () => {
    await desk.command('Inference Desk: Manage Extension Access');
    await row('Release Notes Helper').waitFor();
    match((await row('Release Notes Helper').textContent())!, /Allowed in this window · 2 calls in this window/);
    await desk.screenshot('public-api-manage');
    await row('Release Notes Helper').click();
    await row('Deny').waitFor();
    match((await row('Allow in This Window').textContent())!, /as it is now/);
    await desk.screenshot('public-api-change');
    await row('Deny').click();
    await row(/Release Notes Helper.*Denied/).waitFor();
    await desk.page.keyboard.press('Escape');
    await desk.quickInput.waitFor({ state: 'hidden' });
  });

  it('is stopped at once, and is not heard any more', async () => {
    await desk.command('Helper: Rank Again');
    await desk.notice('ended: “Release Notes Helper” may not use Inference Desk any more.');
    await desk.clearNotices();
    await desk.command('Helper: Rank with Inference Desk');
    await desk.notice('denied: You did not allow');
    equal(await dialog().count(), 0);
    await desk.screenshot('public-api-denied');
    await desk.clearNotices();
  });

  it('asks again when the person lets it, and an escape is a no', async () => {
    await desk.theme('dark');
    await desk.command('Inference Desk: Manage Extension Access');
    await row('Release Notes Helper').click();
    await row('Ask Again').waitFor();
    await desk.screenshot('public-api-change-dark');
    await row('Ask Again').click();
    await desk.notice('Each one asks before its first use');
    await desk.screenshot('public-api-manage-none');
    await desk.clearNotices();
    await desk.command('Helper: Rank with Inference Desk');
    await button('Deny').waitFor();
    await desk.screenshot('public-api-question-dark');
    await desk.page.keyboard.press('Escape');
    await desk.notice('denied: ');
    await desk.clearNotices();
  });

  it('stays allowed over a reload when it is allowed always', async () => {
    await desk.command('Inference Desk: Manage Extension Access');
    await row(/Release Notes Helper.*Denied in this window/).click();
    await row('Allow Always').click();
    await row(/Release Notes Helper.*Allowed ·/).waitFor();
    await desk.page.keyboard.press('Escape');
    await desk.reloadWindow();
    await desk.command('Helper: Rank with Inference Desk');
    await desk.notice('Best of 3: Uploads are tried again.');
    equal(await dialog().count(), 0);
    ok(desk.faults.length === 0, desk.faults.join('\n'));
  });
});
