import { deepEqual, equal } from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import type { DeskWindow } from '../host/window';
import { startFilledDemo } from '../support/filledDemo';
import type { FilledDemo } from '../support/filledDemo';
import { inOrder } from '../support/inOrder';
import { until } from '../support/until';

type StepName = 'signIn' | 'ask' | 'check' | 'rerank' | 'picture';

describe('the first steps: account, views, and walkthrough', function () {
  inOrder(this);
  let desk: DeskWindow;
  let demo: FilledDemo;

  before(async function () {
    demo = await startFilledDemo({ pace: 'fast' });
    await demo.makeBatch('support-triage', 3);
    await demo.makeBatch('nightly-labels', 2);
    await demo.addVoice('Narrator');
    desk = await this.openDesk({ size: { width: 1680, height: 1000 } });
  });
  after(async () => {
    await desk?.close();
    await demo?.close();
  });

  const title = (text: string) => desk.quickInput.locator('.quick-input-title', { hasText: text }).waitFor();
  const row = (view: Locator, text: string) => view.locator('.monaco-list-row', { hasText: text }).first();
  const fold = (view: string) => desk.page.locator(`.sidebar .pane-header[aria-label^="${view}"]`).click();

  const step = (name: StepName): Locator =>
    desk.page.locator(`.getting-started-step[data-step-id$="#firstSteps#${name}"]`);

  /** Shows the walkthrough with only this step open, at a width with space for its image. */
  const open = async (name: StepName): Promise<void> => {
    if (!(await step(name).isVisible())) {
      await desk.command('View: Close All Editors');
      await desk.page.locator('.getting-started-step').first().waitFor({ state: 'detached' });
      await desk.command('Inference Desk: Get Started');
      await desk.page.locator('.getting-started-step[aria-expanded=true]').waitFor();
      await desk.editorPage.locator('svg').waitFor();
    }
    if ((await step(name).getAttribute('aria-expanded')) !== 'true') await step(name).click();
    await desk.editorPage.locator(`svg#${name}`).waitFor();
  };
  const isDone = (name: StepName, done: boolean): Promise<void> =>
    step(name).locator(`[role=checkbox][aria-checked=${done}]`).waitFor();
  const press = async (name: StepName, button: string): Promise<void> => {
    await open(name);
    await isDone(name, false);
    await desk.screenshot(`walkthrough-${name}-light`);
    await step(name).getByRole('button', { name: button }).click();
  };

  it('starts without notifications, with views that explain themselves', async () => {
    equal(await desk.toasts.count(), 0);
    // The bell has a dot if there are notifications.
    await desk.page.locator('[id="status.notifications"] .codicon-bell').waitFor();
    const files = await desk.openView('Files');
    await files.getByText('Sign In', { exact: true }).waitFor();
    equal(await desk.status(/Inference Desk/).count(), 0);
    await desk.screenshot('views-signed-out-light');
  });

  it('restores a background page in one tab after a reload without an account', async () => {
    const page = desk.editorPage.getByText('No images or videos yet');
    const tabs = desk.page.locator('.part.editor .tab', { hasText: 'Gallery' });
    await desk.command('Inference Desk: Open Gallery');
    await page.waitFor();
    await desk.command('Preferences: Open User Settings (JSON)');
    await desk.page.locator('.part.editor .tab.active', { hasText: 'settings.json' }).waitFor();
    await desk.reloadWindow();
    await desk.page.locator('.part.editor .tab.active', { hasText: 'settings.json' }).waitFor();
    equal(await tabs.count(), 1);
    await desk.command('Inference Desk: Open Gallery');
    await page.waitFor();
    await until(async () => (await tabs.count()) === 1 || undefined, 'one tab of the gallery');
    await desk.command('View: Close All Editors');
  });

  it('offers the demo service at sign-in, and fills the views', async () => {
    const files = await desk.openView('Files');
    await files.getByText('Sign In', { exact: true }).click();
    await title('Sign In');
    await desk.quickRows.filter({ hasText: 'Demo service' }).waitFor();
    await desk.answer('Other URL…');
    await title('base URL');
    await desk.answer(demo.baseUrl);
    await title('enter a name');
    await desk.answer('Views');
    await title('key for Views');
    await desk.answer(demo.apiKey);
    await desk.status('Views').waitFor();
    await row(files, 'support-triage.jsonl').waitFor();
  });

  it('opens a walkthrough with only completed steps checked', async () => {
    await open('ask');
    await isDone('signIn', true);
    for (const name of ['ask', 'check', 'rerank', 'picture'] as const) await isDone(name, false);
  });

  it('asks a question from the walkthrough', async () => {
    await press('ask', 'Ask a Question');
    const box = desk.chatPage.getByRole('textbox', { name: 'Question' });
    await desk.chatPage.getByRole('button', { name: /Qwen/ }).waitFor();
    await box.fill('What is a batch?');
    await isDone('ask', false);
    await box.press('Enter');
    await isDone('ask', true);
  });

  it('checks a sample from the walkthrough', async () => {
    await press('check', 'Check a Sample');
    await desk.page.locator('.tab', { hasText: 'requests-with-faults.jsonl' }).waitFor();
    await desk.page.locator('.markers-panel').getByText('custom-id.duplicate').waitFor();
    await desk.screenshot('walkthrough-check-sample');
    await desk.command('View: Toggle Panel Visibility');
    await open('check');
    await isDone('check', true);
  });

  it('ranks the sample list from the walkthrough', async () => {
    await press('rerank', 'Rerank a Sample List');
    await desk.editorPage.getByRole('textbox', { name: 'Query' }).waitFor();
    await desk.editorPage.getByRole('button', { name: 'Rerank' }).click();
    const best = desk.editorPage.locator('.virtual-rows .ranking-row').first();
    await best.getByText('Get your money back').waitFor();
    await open('rerank');
    await isDone('rerank', true);
  });

  it('generates an image from the walkthrough', async () => {
    await press('picture', 'Generate an Image');
    await desk.editorPage.getByRole('textbox', { name: 'Prompt', exact: true }).fill('A lighthouse at dusk');
    await desk.editorPage.getByRole('button', { name: 'Generate', exact: true }).click();
    await desk.editorPage.locator('.images-thumb[data-state=shown] img').first().waitFor();
    await open('picture');
    await isDone('picture', true);
  });

  it('groups models by type and vendor, with pinned models first', async () => {
    const models = await desk.openView('Models');
    await fold('Files');
    await row(models, 'Chat').click();
    await row(models, 'Qwen').click();
    await desk.chooseInMenu(row(models, 'Qwen3-30B'), /^Pin$/, {
      whenShown: () => desk.screenshot('models-menu'),
      until: row(models, 'Pinned'),
    });
  });

  it('filters models while typing, and finds one by search', async () => {
    const models = await desk.openView('Models');
    await models.locator('.pane-header').hover();
    await models.locator('[aria-label^="Filter Models"]').click();
    await desk.quickInput.locator('input.input').first().fill('bge');
    await row(models, 'bge-reranker-v2-m3').waitFor();
    await desk.screenshot('models-filtering');
    await desk.page.keyboard.press('Enter');
    equal(await row(models, 'Qwen3-30B').count(), 0);
    await models.getByText('“bge”').waitFor();
    await desk.command('Inference Desk: Search Models…');
    await desk.answer('CosyVoice');
    await models.locator('.monaco-list-row.selected', { hasText: 'CosyVoice' }).waitFor();
  });

  it('lists batches and voices in light and dark themes', async () => {
    const batches = await desk.openView('Batches');
    const voices = await desk.openView('Voices');
    await row(voices, 'Narrator').waitFor();
    await row(batches, 'support-triage').waitFor();
    await desk.screenshot('views-all-light');
    await desk.theme('dark');
    await desk.screenshot('views-all-dark');
  });

  it('keeps the rows and shows the error when the service is down', async () => {
    await demo.close();
    const files = await desk.openView('Files');
    await desk.viewAction('Files', 'Refresh');
    await files.getByText(/Last loaded/).waitFor();
    await row(files, 'support-triage.jsonl').waitFor();
    await desk.screenshot('views-offline-dark');
  });

  it('starts the demo service from the first step, and reports that it has stopped', async () => {
    await open('signIn');
    await desk.screenshot('walkthrough-signIn-dark');
    await step('signIn').getByRole('button', { name: 'Start Demo Service' }).click();
    await desk.status('Demo').waitFor();
    await desk.command('Inference Desk: Stop Demo Service');
    const files = await desk.openView('Files');
    await desk.viewAction('Files', 'Refresh');
    await files.getByText('The demo service has stopped').waitFor();
    await files.getByText('Start Demo Service').waitFor();
    await desk.screenshot('welcome-demo-stopped');
    deepEqual(desk.faults, []);
  });
});
