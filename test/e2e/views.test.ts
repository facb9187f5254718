import { deepEqual, equal } from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import type { DeskWindow } from '../host/window';
import { startFilledDemo } from '../support/filledDemo';
import type { FilledDemo } from '../support/filledDemo';

describe('the views of an account', () => {
  let desk: DeskWindow;
  let demo: FilledDemo;

  before(async function () {
    demo = await startFilledDemo({ pace: 'fast' });
    await demo.makeBatch('support-triage', 3);
    await demo.makeBatch('nightly-labels', 2);
    await demo.addVoice('Narrator');
    desk = await this.openDesk({ size: { width: 1280, height: 1000 } });
  });
  after(async () => {
    await desk?.close();
    await demo?.close();
  });

  const title = (text: string | RegExp) => desk.quickInput.locator('.quick-input-title', { hasText: text }).waitFor();
  const row = (view: Locator, text: string) => view.locator('.monaco-list-row', { hasText: text }).first();

  /** A hover is shown where the pointer rests, which moves when rows do. */
  const hover = async (view: Locator, text: string, tooltip: string) => {
    const shown = desk.page.locator('.workbench-hover', { hasText: tooltip });
    for (let tries = 0; tries < 5 && (await shown.count()) === 0; tries++) {
      await view.locator('.pane-header').hover();
      await row(view, text).hover();
      await shown.waitFor({ timeout: 3000 }).catch(() => {});
    }
    await shown.waitFor();
  };
  /** The same picture in a light and a dark theme. */
  const shoot = async (name: string) => {
    await desk.screenshot(`${name}-light`);
    await desk.theme('dark');
    await desk.screenshot(`${name}-dark`);
    await desk.theme('light');
  };
  const fold = (view: string) => desk.page.locator(`.sidebar .pane-header[aria-label^="${view}"]`).click();

  it('say what they are for while nobody is signed in', async () => {
    const files = await desk.openView('Files');
    await files.getByText('Sign in', { exact: true }).waitFor();
    await shoot('views-signed-out');
    await files.getByText('Sign in', { exact: true }).click();
  });

  it('fill at sign-in', async () => {
    await title('Sign in');
    await desk.pick('Another service');
    await title('address of the service');
    await desk.answer(demo.baseUrl);
    await title('name of the profile');
    await desk.answer('Views');
    await title('key for Views');
    await desk.answer(demo.apiKey);
    await desk.status('Views').waitFor();
    const files = await desk.openView('Files');
    await row(files, 'support-triage.jsonl').waitFor();
    await fold('Chat');
    await fold('Files');
  });

  it('group models by kind and vendor, and pins stand first', async () => {
    const models = await desk.openView('Models');
    await row(models, 'Chat').click();
    await row(models, 'Qwen').click();
    await desk.chooseInMenu(row(models, 'Qwen3-30B'), /^Pin$/, {
      whenShown: () => desk.screenshot('models-menu'),
      until: row(models, 'Pinned'),
    });
    await hover(models, 'Qwen3-30B', 'Vendor: Qwen');
    await desk.screenshot('models-pinned');
  });

  it('filter models while one types, and find one by search', async () => {
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

  it('list batches and voices with all that is known of them', async () => {
    const batches = await desk.openView('Batches');
    const voices = await desk.openView('Voice Styles');
    await row(voices, 'Narrator').waitFor();
    await hover(batches, 'support-triage', 'Endpoint');
    await desk.screenshot('views-lists');
    await shoot('views-all');
  });

  it('have completed the first step of the walkthrough that is opened now', async () => {
    await desk.command('Inference Desk: Get Started');
    const done = (step: string, isDone: boolean) =>
      desk.page.locator(`.getting-started-step[data-step-id$="#${step}"] [aria-checked=${isDone}]`).waitFor();
    await done('signIn', true);
    await done('ask', false);
    await desk.command('View: Close All Editors');
  });

  it('keep their rows and say why when the service is gone', async () => {
    await demo.close();
    const files = await desk.openView('Files');
    await desk.command('Inference Desk: Refresh Files');
    await files.getByText(/Last read/).waitFor();
    await row(files, 'support-triage.jsonl').waitFor();
    await shoot('views-offline');
  });

  it('leave no fault behind', () => {
    deepEqual(desk.faults, []);
  });
});
