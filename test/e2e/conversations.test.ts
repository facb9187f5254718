import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import type { DeskWindow } from '../host/window';
import { tryDemo } from '../support/chatJourney';
import { inOrder } from '../support/inOrder';

describe('several conversations and their branches', function () {
  inOrder(this);
  let desk: DeskWindow;
  before(async function () {
    desk = await this.openDesk();
    await tryDemo(desk);
  });
  after(() => desk?.close());

  const box = (): Locator => desk.webview.getByRole('textbox', { name: 'Question' });
  const question = (text: string): Locator => desk.webview.locator('.question-text', { hasText: text });
  const answered = (): Locator =>
    desk.webview
      .locator('.turn')
      .last()
      .locator('.facts')
      .getByText(/\d+ in/);
  const openList = async () => {
    await desk.page.getByRole('button', { name: 'Show Conversations' }).click();
    await desk.webview.locator('.conversation').first().waitFor();
    // The list takes the focus once it is drawn.
    await desk.webview.locator('.conversations-search:focus').waitFor();
  };

  it('edits a question on a branch of its own and walks back, over a reload', async () => {
    await box().fill('What does the HTTP status 429 mean, in one sentence?');
    await box().press('Enter');
    await answered().waitFor({ timeout: 60_000 });
    await desk.webview.locator('.turn').hover();
    await desk.webview.getByLabel('Edit question').click();
    await desk.webview.locator('.question-editor textarea').fill('What does the HTTP status 503 mean?');
    await desk.webview.locator('.question-editor textarea').press('Enter');
    await question('503').waitFor();
    await answered().waitFor({ timeout: 60_000 });
    await desk.screenshot('conversations-branch');
    await desk.webview.getByLabel('Earlier version of this question').click();
    await question('429').waitFor();
    await desk.reload();
    await question('429').waitFor({ timeout: 60_000 });
    assert.equal(await desk.webview.locator('.walker-questions .walker-place').textContent(), '1/2');
  });

  it('lists what was asked, from the view’s title, and goes back to it', async () => {
    await desk.page.getByRole('button', { name: 'New Conversation' }).click();
    await desk.webview.locator('.welcome').waitFor();
    await box().fill('Compare JSON Lines and CSV in a table');
    await box().press('Enter');
    await question('JSON Lines').waitFor();
    await openList();
    await desk.screenshot('conversations-list');
    await desk.webview.locator('.conversations-search').fill('429');
    await desk.webview.locator('.conversation').nth(1).waitFor({ state: 'detached' });
    await desk.webview.locator('.conversation-open').click();
    await question('429').waitFor();
  });

  it('deletes a conversation and has it back', async () => {
    await openList();
    await desk.webview.locator('.conversation-open', { hasText: 'JSON Lines' }).press('Delete');
    await desk.webview.locator('.conversations-deleted').waitFor();
    await desk.webview.locator('.conversation').nth(1).waitFor({ state: 'detached' });
    assert.equal(await desk.webview.locator('.conversation').count(), 1);
    await desk.webview.getByRole('button', { name: 'Undo' }).click();
    await desk.webview.locator('.conversation', { hasText: 'JSON Lines' }).waitFor();
    await desk.screenshot('conversations-restored');
  });
});
