import assert from 'node:assert/strict';
import type { FrameLocator, Locator } from 'playwright-core';
import type { DeskWindow } from '../host/window';
import { inOrder } from '../support/inOrder';

const titles = {
  signIn: 'Sign in, or try the demo',
  ask: 'Ask in the chat',
  check: 'Check a batch file',
  rerank: 'Rerank a selection',
  picture: 'Make an image',
} as const;
type StepName = keyof typeof titles;
const names = Object.keys(titles) as StepName[];

describe('the walkthrough, as somebody new takes it', function () {
  inOrder(this);
  let desk: DeskWindow;

  before(async function () {
    desk = await this.openDesk({ size: { width: 1680, height: 1000 } });
  });
  after(() => desk?.close());

  const step = (name: StepName): Locator =>
    desk.page.locator(`.getting-started-step[data-step-id$="#firstSteps#${name}"]`);
  const mark = (name: StepName): Locator => step(name).locator('[role=checkbox]');
  const visible = (which = ''): Locator =>
    desk.page.locator(`iframe.webview${which}`).and(desk.page.locator(':visible'));
  const inFrame = (frame: Locator): FrameLocator => frame.contentFrame().frameLocator('#active-frame');
  const inSideBar = '[src*="purpose=webviewView"]';
  const picture = (name: StepName): Locator => inFrame(visible(`:not(${inSideBar})`).last()).locator(`svg#${name}`);
  const editorPage = (): FrameLocator => desk.editorPage;

  /** Opens it anew, alone and so wide that it has room for its picture. */
  const show = async (): Promise<void> => {
    await desk.command('View: Close All Editors');
    await desk.page.locator('.getting-started-step').first().waitFor({ state: 'detached' });
    await desk.command('Inference Desk: Get Started');
    await desk.page.locator('.getting-started-step[aria-expanded=true]').waitFor();
    await inFrame(visible(`:not(${inSideBar})`).last())
      .locator('svg')
      .waitFor();
  };
  /** Shows the walkthrough with this step open, its picture too. */
  const open = async (name: StepName): Promise<void> => {
    if (!(await step(name).isVisible())) await show();
    if ((await step(name).getAttribute('aria-expanded')) !== 'true') await step(name).click();
    await picture(name).waitFor();
  };
  const isDone = async (name: StepName, done: boolean): Promise<void> => {
    await step(name).locator(`[role=checkbox][aria-checked=${done}]`).waitFor();
  };
  const press = async (name: StepName, button: string): Promise<void> => {
    await open(name);
    await isDone(name, false);
    await desk.screenshot(`walkthrough-${name}-light`);
    await step(name).getByRole('button', { name: button }).click();
  };

  it('begins with nothing told and no step done', async () => {
    await desk.status('Inference Desk: sign in').waitFor();
    assert.equal(await desk.toasts.count(), 0);
    // It has a dot where something was told.
    await desk.page.locator('[id="status.notifications"] .codicon-bell').waitFor();
    await open('signIn');
    for (const name of names) assert.equal(await mark(name).getAttribute('aria-checked'), 'false', name);
  });

  it('is one click from sign-in: the status bar', async () => {
    await desk.status('Inference Desk: sign in').click();
    await desk.quickInput.locator('.quick-input-title', { hasText: 'Sign in' }).waitFor();
    await desk.quickRows.filter({ hasText: 'The demo service' }).waitFor();
    await desk.page.keyboard.press('Escape');
    await desk.quickInput.waitFor({ state: 'hidden' });
  });

  it('offers the demo first where a step needs a service and nobody is signed in', async () => {
    await press('picture', 'Make an Image');
    await desk.quickInput.locator('.quick-input-title', { hasText: 'No service is signed in' }).waitFor();
    await desk.screenshot('walkthrough-no-session');
    await desk.page.keyboard.press('Escape');
    await isDone('picture', false);
  });

  it('checks the sample without an account', async () => {
    await press('check', 'Check a Sample');
    await desk.page.locator('.tab', { hasText: 'requests-with-faults.jsonl' }).waitFor();
    await desk.page.locator('.markers-panel').getByText('custom-id.duplicate').waitFor();
    await desk.screenshot('walkthrough-check-sample');
    await desk.command('View: Toggle Panel Visibility');
    await open('check');
    await isDone('check', true);
  });

  it('signs in to the demo', async () => {
    await press('signIn', 'Try the Demo Service');
    await isDone('signIn', true);
  });

  it('asks in the chat', async () => {
    await press('ask', 'Ask a Question');
    const chat = inFrame(visible(inSideBar));
    const box = chat.getByRole('textbox', { name: 'Question' });
    await chat.getByRole('button', { name: /Qwen/ }).waitFor();
    await box.fill('What is a batch?');
    await isDone('ask', false);
    await box.press('Enter');
    await isDone('ask', true);
  });

  it('ranks the sample list', async () => {
    await press('rerank', 'Rank a Sample List');
    await editorPage().getByRole('textbox', { name: 'Query' }).waitFor();
    await editorPage().getByRole('button', { name: 'Rerank' }).click();
    const best = editorPage().locator('.virtual-rows .ranking-row').first();
    await best.getByText('Get your money back').waitFor();
    await desk.screenshot('walkthrough-ranked');
    await open('rerank');
    await isDone('rerank', true);
  });

  it('makes a picture', async () => {
    await press('picture', 'Make an Image');
    await editorPage().getByRole('textbox', { name: 'Prompt', exact: true }).fill('A lighthouse at dusk');
    await editorPage().getByRole('button', { name: 'Generate', exact: true }).click();
    await editorPage().locator('.images-tile[data-state=shown] img').first().waitFor({ timeout: 30_000 });
    await open('picture');
    await isDone('picture', true);
  });

  it('is done, and stays so over a reload', async () => {
    await desk.reloadWindow();
    await open('signIn');
    for (const name of names) await isDone(name, true);
    await desk.theme('dark');
    for (const name of names) {
      await open(name);
      await desk.screenshot(`walkthrough-${name}-dark`);
    }
  });

  it('leaves views that say why they are empty, and what to do', async () => {
    await desk.command('Inference Desk: Stop the Demo Service');
    const files = await desk.openView('Files');
    await files.getByText('The demo service was stopped').waitFor();
    await desk.screenshot('welcome-demo-stopped');
    await files.getByText('Start the demo service').waitFor();
  });

  it('leaves no fault behind', () => {
    assert.deepEqual(desk.faults, []);
  });
});
