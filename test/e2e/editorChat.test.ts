import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import type { DeskWindow } from '../host/window';
import { signInTo } from '../support/chatJourney';
import { startFilledDemo } from '../support/filledDemo';
import type { FilledDemo } from '../support/filledDemo';
import { inOrder } from '../support/inOrder';
import { until } from '../support/until';

const model = 'Qwen3-30B-A3B-Instruct-2507';
const other = 'GLM-4.6';

describe('from a model of the account to the editor’s own Chat', function () {
  inOrder(this);
  // The editor starts all its extensions anew, and one of them is 20 MB.
  this.timeout(240_000);
  let desk: DeskWindow;
  let demo: FilledDemo;
  before(async function () {
    demo = await startFilledDemo({ pace: 'fast' });
    desk = await this.openDesk({
      size: { width: 1500, height: 900 },
      askForTrust: true,
      settings: { 'security.workspace.trust.startupPrompt': 'never' },
    });
    await signInTo(desk, demo);
  });
  after(async () => {
    await desk?.close();
    await demo?.close();
  });

  const chat = (): Locator => desk.page.locator('.interactive-session');
  const picker = (name: string): Locator => chat().locator('.interactive-input-part').getByText(name.slice(0, 7));
  const answers = (): Locator => chat().locator('.interactive-response');
  const ask = async (question: string): Promise<Locator> => {
    const count = await answers().count();
    await chat().locator('.interactive-input-part .monaco-editor').first().click();
    await desk.page.keyboard.insertText(question);
    await desk.page.keyboard.press('Enter');
    return answers().nth(count);
  };
  const use = 'Inference Desk: Use in VS Code Chat';
  /** The editor in a browser reads the file of a person's settings when it loads. */
  const set = async (name: string, value: unknown) => {
    const file = path.join(desk.server.dataFolder, 'data/User/settings.json');
    const settings = JSON.parse(readFileSync(file, 'utf8')) as object;
    writeFileSync(file, JSON.stringify({ ...settings, [name]: value }));
    await desk.reload();
  };

  it('says that Restricted Mode stands in the way, and leads out of it', async () => {
    await desk.command(use);
    const notice = await desk.notice(/In Restricted Mode the editor’s Chat offers no models/);
    await desk.screenshot('editorChat-restricted');
    await notice.getByText('Manage trust').click();
    await desk.page.locator('.workspace-trust-editor').getByText('Trust', { exact: true }).first().click();
    await desk.status(/Restricted Mode/).waitFor({ state: 'detached' });
    // Only in some editors it is shown above all else.
    const modal = desk.page.locator('.monaco-modal-editor-block');
    if (await modal.isVisible()) await modal.locator('.action-label.codicon-close').last().click();
    await modal.waitFor({ state: 'detached' });
    await desk.clearNotices();
  });

  it('is opened from its row, which does what the editor wants first', async () => {
    const pane = await desk.openView('Models');
    const row = (text: string) => pane.locator('.monaco-list-row', { hasText: text }).first();
    await row('Chat').waitFor();
    if (!(await row('Qwen').isVisible())) await row('Chat').click();
    await row('Qwen').waitFor();
    if (!(await row(model).isVisible())) await row('Qwen').click();
    await desk.chooseInMenu(row(model), ['Use in VS Code Chat'], {
      whenShown: () => desk.screenshot('editorChat-menu'),
    });
    await picker(model).waitFor({ timeout: 80_000 });
    await desk.page.locator('.monaco-modal-editor-block').waitFor({ state: 'detached' });
    await desk.screenshot('editorChat-opened');
  });

  it('answers there', async () => {
    const answer = await ask('Write two sentences about rivers.');
    await answer.getByText(/river/i).first().waitFor({ timeout: 80_000 });
    await desk.screenshot('editorChat-answer');
  });

  it('calls our tool in an agent’s turn and answers with what it gave', async () => {
    const answer = await ask(
      'Use inferenceDesk_rerank with the query "growing tomatoes" on the documents "Cars and trains", "Tomatoes in pots need sun"',
    );
    await answer
      .getByText(/answered/)
      .first()
      .waitFor({ timeout: 80_000 });
    await answer.getByText(/That is what I have/).waitFor();
    await desk.screenshot('editorChat-tool');
    const { requests } = (await demo.call('GET', '/_control/requests')) as {
      readonly requests: readonly { readonly path: string; readonly status: number; readonly body: Sent }[];
    };
    const ranked = requests.filter((request) => request.path.endsWith('/rerank')).at(-1);
    assert.deepEqual(ranked?.body.documents, ['Cars and trains', 'Tomatoes in pots need sun']);
    const asked = requests.filter((request) => request.path.endsWith('/messages'));
    assert.deepEqual(
      asked.filter(({ status, body }) => status !== 200 || (body.messages?.length ?? 0) > 10),
      [],
    );
  });

  it('is joined by others that are chosen, and the picker has them', async () => {
    await desk.command('Inference Desk: Choose Models for VS Code Chat…');
    await desk.quickRows.filter({ hasText: other }).waitFor();
    await desk.screenshot('editorChat-choose');
    await desk.quickRows.filter({ hasText: other }).click();
    await desk.page.keyboard.press('Enter');
    await desk.quickInput.waitFor({ state: 'hidden' });
    // The list is that of the moment it was opened.
    const others = await until(async () => {
      await picker(model).click();
      const group = desk.page.locator('.context-view').getByText('Other Models');
      const isThere = await group.waitFor({ timeout: 5000 }).catch(() => 'absent');
      if (isThere !== 'absent') return group;
      await desk.page.keyboard.press('Escape');
      return undefined;
    }, 'A list with other models');
    await others.click();
    await desk.page.locator('.context-view').getByText(other).last().waitFor();
    await desk.screenshot('editorChat-picker');
    await desk.page.keyboard.press('Escape');
  });

  it('says so where AI features are turned off', async () => {
    await set('chat.disableAIFeatures', true);
    await desk.command(use);
    await desk.notice(/AI features are turned off in this editor/);
    await desk.screenshot('editorChat-turned-off');
  });

  it('refused nothing and threw nothing in our pages', () => {
    assert.deepEqual(
      desk.faults.filter((fault) => /inference-desk/.test(fault)),
      [],
    );
  });
});

interface Sent {
  readonly documents?: readonly string[];
  readonly messages?: readonly unknown[];
}
