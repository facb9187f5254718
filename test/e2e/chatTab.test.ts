import assert from 'node:assert/strict';
import type { FrameLocator, Locator } from 'playwright-core';
import type { DeskWindow } from '../host/window';
import { signInTo } from '../support/chatJourney';
import { startFilledDemo, type FilledDemo } from '../support/filledDemo';
import { inOrder } from '../support/inOrder';
import { until } from '../support/until';

const long = 'Explain what a rate limit is, step by step, with a list, a table and an example in Python.';

describe('conversations in editor tabs', function () {
  inOrder(this);
  let desk: DeskWindow;
  let demo: FilledDemo;
  before(async function () {
    demo = await startFilledDemo({ pace: 'fast' });
    desk = await this.openDesk();
    await signInTo(desk, demo);
  });
  after(async () => {
    await desk?.close();
    await demo?.close();
  });

  const pace = (tokenMs: number) => demo.call('POST', '/_control/pace', { pace: { tokenMs } });

  const sideBar = (): FrameLocator => desk.chatPage;
  const tab = (): FrameLocator => desk.editorPage;
  const box = (page: FrameLocator): Locator => page.getByRole('textbox', { name: 'Question' });
  const question = (page: FrameLocator, text: string): Locator =>
    page.locator('.turn .question-text', { hasText: text });
  const answered = (page: FrameLocator): Locator =>
    page
      .locator('.turn')
      .last()
      .locator('.facts')
      .getByText(/\d+ in/);
  const said = (page: FrameLocator): Locator => page.locator('.turn').last().locator('.md');
  const editorTab = (title: string | RegExp): Locator => desk.page.locator('.tabs-container .tab', { hasText: title });
  const editorTitle = (label: string): Locator =>
    desk.page.locator('.editor-group-container.active .editor-actions').getByRole('button', { name: label });
  const viewTitle = (label: string): Locator => desk.page.locator('.sidebar').getByRole('button', { name: label });

  it('moves a streaming conversation and its draft to a tab, and starts a new one in the side bar', async () => {
    await pace(200);
    await box(sideBar()).fill(long);
    await box(sideBar()).press('Enter');
    await said(sideBar())
      .getByText(/\w{3,}/)
      .first()
      .waitFor();
    await box(sideBar()).fill('a draft');
    await desk.page.locator('.sidebar a.codicon-toolbar-more:visible').click();
    const entry = desk.page.locator('.context-view a.action-menu-item', { hasText: 'Move Chat to Editor' });
    await entry.hover();
    await entry.press('Enter');
    await question(tab(), 'rate limit').waitFor();
    await tab().locator('.send', { hasText: 'Stop' }).waitFor();
    assert.equal(await box(tab()).inputValue(), 'a draft');
    await editorTab(/rate limit/).waitFor();
    await question(sideBar(), 'rate limit').waitFor({ state: 'detached' });
    await until(async () => (await box(sideBar()).inputValue()) === '' || undefined, 'the side bar without the draft');
  });

  it('moves the streaming conversation back to the side bar, and closes the tab', async () => {
    await editorTitle('Move Chat to Side Bar').click();
    await question(sideBar(), 'rate limit').waitFor();
    await editorTab(/rate limit/).waitFor({ state: 'detached' });
    assert.equal(await box(sideBar()).inputValue(), 'a draft');
    await sideBar().locator('.send', { hasText: 'Stop' }).waitFor();
    await pace(2);
    await answered(sideBar()).waitFor({ timeout: 60_000 });
    await said(sideBar()).getByText('waits longer after each rejection').waitFor();
  });

  it('starts a conversation in its own tab', async () => {
    await desk.command('Open Chat in Editor');
    await box(tab()).fill('What does the HTTP status 429 mean, in one sentence?');
    await box(tab()).press('Enter');
    await answered(tab()).waitFor({ timeout: 60_000 });
    await editorTab(/429/).waitFor();
    await question(sideBar(), 'rate limit').waitFor();
    await desk.screenshot('tab-beside-side-bar');
  });

  it('shows in the list where a conversation is open, and opens another in a tab', async () => {
    await viewTitle('Show Conversations').click();
    const row = sideBar().locator('.conversation', { hasText: '429' });
    await row.getByText('in an editor').waitFor();
    await viewTitle('New Conversation').click();
    await row.waitFor({ state: 'detached' });
    await question(sideBar(), 'rate limit').waitFor({ state: 'detached' });
    await viewTitle('Show Conversations').click();
    const other = sideBar().locator('.conversation', { hasText: 'rate limit' });
    await other.hover();
    await other.getByLabel('Open in Editor').click();
    await editorTab(/rate limit/).waitFor();
    await answered(tab()).waitFor();
    await viewTitle('Show Conversations').click();
    await row.locator('.conversation-open').click();
    await question(tab(), '429').waitFor();
    assert.equal(await editorTab(/429/).count(), 1);
  });

  it('continues in the open conversation when a model is clicked in the Models view', async () => {
    const models = await desk.openView('Models');
    const row = (text: string) => models.locator('.monaco-list-row', { hasText: text }).first();
    for (const [group, inside] of [
      ['Chat', 'zai-org'],
      ['zai-org', 'GLM-4.6'],
    ] as const) {
      await row(group).waitFor();
      if (!(await row(inside).isVisible())) await row(group).click();
    }
    await row('GLM-4.6').click();
    await tab().locator('.picker-label').getByText('GLM-4.6', { exact: true }).waitFor();
    await question(tab(), '429').waitFor();
    await box(tab()).fill('And 503?');
    await box(tab()).press('Enter');
    await tab().locator('.turn').last().locator('.who-model', { hasText: 'GLM-4.6' }).waitFor();
    await answered(tab()).waitFor();
    await desk.screenshot('tab-model-clicked');
    await desk.openChat();
  });

  it('finds, deletes, and restores a conversation in the list', async () => {
    await viewTitle('New Conversation').click();
    await box(sideBar()).fill('Compare JSON Lines and CSV in a table');
    await box(sideBar()).press('Enter');
    await answered(sideBar()).waitFor();
    await viewTitle('Show Conversations').click();
    // The list takes the focus once it is rendered.
    await sideBar().locator('.conversations-search:focus').waitFor();
    const rows = sideBar().locator('.conversation');
    // Otherwise, a missing row below might simply not have been rendered yet.
    await rows.nth(1).waitFor();
    await sideBar().locator('.conversations-search').fill('CSV');
    await rows.nth(1).waitFor({ state: 'detached' });
    await rows.locator('.conversation-open').press('Delete');
    await sideBar().locator('.conversations-deleted').waitFor();
    await rows.first().waitFor({ state: 'detached' });
    await sideBar().getByRole('button', { name: 'Undo' }).click();
    await rows.filter({ hasText: 'JSON Lines' }).locator('.conversation-open').click();
    await question(sideBar(), 'JSON Lines').waitFor();
    await answered(sideBar()).waitFor();
  });

  it('lists an unsent question as a draft, and restores it', async () => {
    const rows = sideBar().locator('.conversation');
    await viewTitle('New Conversation').click();
    await question(sideBar(), 'JSON Lines').waitFor({ state: 'detached' });
    await box(sideBar()).fill('Half a question about sharks');
    await viewTitle('Show Conversations').click();
    await rows.filter({ hasText: 'JSON Lines' }).locator('.conversation-open').click();
    await question(sideBar(), 'JSON Lines').waitFor();
    assert.equal(await box(sideBar()).inputValue(), '');
    await viewTitle('Show Conversations').click();
    const draft = rows.filter({ hasText: 'sharks' });
    await draft.getByText('draft').waitFor();
    await desk.screenshot('chat-draft-listed');
    await draft.locator('.conversation-open').click();
    await question(sideBar(), 'JSON Lines').waitFor({ state: 'detached' });
    assert.equal(await box(sideBar()).inputValue(), 'Half a question about sharks');
  });

  it('restores both tabs and their drafts after a reload', async () => {
    await box(tab()).fill('a draft in a tab');
    await editorTab(/rate limit/).click();
    await question(tab(), 'rate limit').waitFor();
    // Reloads through VS Code, which saves the open tabs first.
    await Promise.all([desk.page.waitForEvent('load', { timeout: 60_000 }), desk.command('Developer: Reload Window')]);
    await question(tab(), 'rate limit').waitFor({ timeout: 60_000 });
    await answered(tab()).waitFor();
    await editorTab(/429/).click();
    await question(tab(), '429').waitFor({ timeout: 60_000 });
    assert.equal(await box(tab()).inputValue(), 'a draft in a tab');
    await editorTab(/rate limit/).waitFor();
  });

  it('applies title buttons to the conversation below them', async () => {
    await editorTitle('New Conversation').click();
    await question(tab(), '429').waitFor({ state: 'detached' });
    await editorTab('New Conversation').waitFor();
    await until(async () => ((await box(tab()).inputValue()) === 'a draft in a tab' ? true : undefined), 'the draft');
    await pace(200);
    await box(tab()).fill(long);
    await box(tab()).press('Enter');
    await tab().locator('.send', { hasText: 'Stop' }).click();
    await tab().locator('.turn').last().getByText('stopped').waitFor();
  });

  it('fits next to another tab in a split window', async () => {
    await desk.command('View: Move Editor into Right Group');
    for (const index of [0, 1]) {
      const frame = desk.page.locator('iframe.webview:right-of(.part.sidebar)').and(desk.page.locator(':visible'));
      const page = frame.nth(index).contentFrame().frameLocator('#active-frame');
      await page.locator('.turn').first().waitFor();
    }
    await desk.screenshot('tab-split');
  });

  it('has no rejected calls and no errors in the pages', () => {
    assert.deepEqual(desk.faults, []);
  });
});
