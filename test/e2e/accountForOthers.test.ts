import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { root } from '../host/places';
import type { DeskWindow } from '../host/window';
import { signInTo } from '../support/chatJourney';
import { startFilledDemo } from '../support/filledDemo';
import type { FilledDemo } from '../support/filledDemo';
import { inOrder } from '../support/inOrder';
import { until } from '../support/until';

const model = 'Qwen3-30B-A3B-Instruct-2507';
const other = 'GLM-4.6';

describe('the account in other extensions, VS Code Chat, and tools for models', function () {
  inOrder(this);
  // VS Code restarts all its extensions, and one of them is 20 MB.
  this.timeout(240_000);
  let desk: DeskWindow;
  let demo: FilledDemo;
  before(async function () {
    demo = await startFilledDemo({ pace: 'fast' });
    desk = await this.openDesk({
      size: { width: 1500, height: 900 },
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
  const use = () => desk.viewAction('Models', 'Use in VS Code Chat');
  /** VS Code in a browser reads the user settings file when it loads. */
  const set = async (name: string, value: unknown) => {
    const file = path.join(desk.server.dataFolder, 'data/User/settings.json');
    const settings = JSON.parse(readFileSync(file, 'utf8')) as object;
    writeFileSync(file, JSON.stringify({ ...settings, [name]: value }));
    await desk.reload();
  };

  const dialog = (): Locator => desk.page.locator('.monaco-dialog-box');
  const button = (name: string) => dialog().getByRole('button', { name, exact: true });
  const row = (text: string | RegExp) => desk.quickRows.filter({ hasText: text });

  it('asks before another extension uses the account, and sends nothing in Restricted Mode', async () => {
    await desk.command('Helper: Rank with Inference Desk');
    await button('Allow Always').waitFor();
    const words = (await dialog().textContent())!;
    assert.match(words, /Allow "Release Notes Helper" to use Inference Desk\?/);
    assert.match(words, /inference-desk-test\.desk-test-caller/);
    assert.match(words, /cost money/);
    assert.match(words, /doesn't verify which extension/);
    await desk.screenshot('public-api-question');
    await button('Allow in This Window').click();
    await desk.notice('restrictedMode: ');
    await desk.clearNotices();
  });

  it('says that Restricted Mode disables VS Code Chat, and opens Workspace Trust', async () => {
    await use();
    const notice = await desk.notice(/Trust this workspace to use your models/);
    await notice.getByText('Manage Trust').click();
    await desk.page.locator('.workspace-trust-editor').getByText('Trust', { exact: true }).first().click();
    await desk.status(/Restricted Mode/).waitFor({ state: 'detached' });
    // Only some versions show it as a modal dialog.
    const modal = desk.page.locator('.monaco-modal-editor-block');
    if (await modal.isVisible()) await modal.locator('.action-label.codicon-close').last().click();
    await modal.waitFor({ state: 'detached' });
    await desk.clearNotices();
  });

  it('responds to the extension in a trusted workspace without asking again', async () => {
    await desk.command('Helper: Rank with Inference Desk');
    await desk.notice('Best of 3: Uploads are tried again.');
    assert.equal(await dialog().count(), 0);
    await desk.clearNotices();
  });

  it("lists the extension's calls, and stops sending them when its permission changes", async () => {
    await desk.command('Inference Desk: Manage Extension Access');
    await row('Release Notes Helper').waitFor();
    assert.match((await row('Release Notes Helper').textContent())!, /Allowed in this window · 2 calls in this window/);
    await desk.pick('Release Notes Helper');
    await row('Deny').waitFor();
    assert.match((await row('Allow in This Window').textContent())!, /current/);
    await desk.screenshot('public-api-change');
    await desk.pick('Deny');
    await row(/Release Notes Helper.*Denied/).waitFor();
    await desk.page.keyboard.press('Escape');
    await desk.quickInput.waitFor({ state: 'hidden' });
    await desk.command('Helper: Rank Again');
    await desk.notice('ended: Access revoked for "Release Notes Helper".');
    await desk.clearNotices();
    await desk.command('Helper: Rank with Inference Desk');
    await desk.notice('denied: Access denied for');
    assert.equal(await dialog().count(), 0);
    await desk.clearNotices();
  });

  it('asks again after a reset, treats Escape as no, and accepts Allow Always', async () => {
    await desk.command('Inference Desk: Manage Extension Access');
    await desk.pick('Release Notes Helper');
    await desk.pick('Reset Permission');
    await desk.notice('No extensions have asked');
    await desk.clearNotices();
    await desk.command('Helper: Rank with Inference Desk');
    await button('Deny').waitFor();
    await desk.page.keyboard.press('Escape');
    await desk.notice('denied: ');
    await desk.clearNotices();
    await desk.command('Inference Desk: Manage Extension Access');
    await desk.pick(/Release Notes Helper.*Denied in this window/);
    await desk.pick('Allow Always');
    await row(/Release Notes Helper.*Allowed ·/).waitFor();
    await desk.page.keyboard.press('Escape');
    await desk.quickInput.waitFor({ state: 'hidden' });
  });

  it("opens VS Code Chat from a model's row after the required setup", async () => {
    const pane = await desk.openView('Models');
    const row = (text: string) => pane.locator('.monaco-list-row', { hasText: text }).first();
    await row('Chat').waitFor();
    if (!(await row('Qwen').isVisible())) await row('Chat').click();
    await row('Qwen').waitFor();
    if (!(await row(model).isVisible())) await row('Qwen').click();
    await desk.chooseInMenu(row(model), ['Use in VS Code Chat']);
    await picker(model).waitFor({ timeout: 80_000 });
    await desk.page.locator('.monaco-modal-editor-block').waitFor({ state: 'detached' });
  });

  it('answers in VS Code Chat', async () => {
    const answer = await ask('Write two sentences about rivers.');
    await answer.getByText(/river/i).first().waitFor({ timeout: 80_000 });
  });

  const largeNotice = (): Locator =>
    desk.page.locator('.notification-toast', { hasText: 'This agent request has about' });

  it("reports the size of agents' requests once", async () => {
    await desk.notice(/This agent request has about [\d,]+,000 tokens/);
    await desk.screenshot('editorChat-large-requests');
    await desk.clearNotices();
  });

  it("calls our tool in an agent's turn and answers with its result", async () => {
    const answer = await ask(
      'Use inferenceDesk_rerank with the query "growing tomatoes" on the documents "Cars and trains", "Tomatoes in pots need sun"',
    );
    await answer
      .getByText(/answered/)
      .first()
      .waitFor({ timeout: 80_000 });
    await answer.getByText(/That is what I have/).waitFor();
    await desk.screenshot('editorChat-tool');
    assert.equal(await largeNotice().count(), 0);
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

  it('offers and uses a newly chosen model', async () => {
    await desk.viewAction('Models', 'Manage VS Code Chat Models…');
    await desk.quickRows.filter({ hasText: other }).waitFor();
    await desk.pick(other);
    await desk.page.keyboard.press('Enter');
    await desk.quickInput.waitFor({ state: 'hidden' });
    await picker(other).waitFor();
    await ask('Write two sentences about rivers.');
    // VS Code renders only the last answers of a long conversation.
    await answers().last().getByText(/river/i).first().waitFor({ timeout: 80_000 });
    await desk.screenshot('editorChat-picker');
  });

  /** Returns the names of our tools in each request of an agent. */
  const ownToolsSent = async (): Promise<readonly (readonly string[])[]> => {
    const { requests } = (await demo.call('GET', '/_control/requests')) as {
      readonly requests: readonly { readonly path: string; readonly body: Sent }[];
    };
    return requests
      .filter(({ path: at, body }) => at.endsWith('/messages') && (body.tools?.length ?? 0) > 0)
      .map(({ body }) => (body.tools ?? []).flatMap(({ name }) => (name.includes('inferenceDesk_') ? [name] : [])));
  };

  it('offers each of its tools to agents once, with and without the MCP server', async () => {
    const before = await ownToolsSent();
    assert.equal(before.at(-1)?.length, 13);
    await set('inferenceDesk.mcp.enabled', true);
    await use();
    // VS Code renders the chat from before the reload immediately, and answers messages with a sign-in until that chat has started. The
    // command waits for that, and focuses the box.
    await chat().locator('.interactive-input-part .monaco-editor.focused').waitFor({ timeout: 80_000 });
    await picker('Qwen3-3').or(picker('GLM-4.6')).waitFor();
    await ask('Write two sentences about rivers.');
    const after = await until(
      async () => (await ownToolsSent()).slice(before.length).at(0),
      'the request of an agent',
      80_000,
    );
    await desk.screenshot('editorChat-mcp');
    const own = (name: string) => name.slice(name.indexOf('inferenceDesk_'));
    assert.deepEqual(after.map(own).toSorted(), before.at(-1)?.toSorted());
    assert.deepEqual(
      after.filter((name) => !name.startsWith('mcp_')),
      [],
    );
    assert.equal(await largeNotice().count(), 0);
    await set('inferenceDesk.mcp.enabled', false);
  });

  const box = (): Locator => desk.webview.getByRole('textbox', { name: 'Question' });
  const panel = (): Locator => desk.webview.locator('.tools-panel');
  const action = (text: string): Locator => desk.webview.locator('vscode-button', { hasText: text });
  const lastTurn = (): Locator => desk.webview.locator('.turn').last();
  const offer = async (name: string) => {
    await desk.webview.locator('.bar-tools').click();
    await desk.webview.getByRole('textbox', { name: 'Search tools', exact: true }).fill('inferenceDesk');
    await panel()
      .getByRole('checkbox', { name: new RegExp(`^${name} `) })
      .check();
    await desk.webview.getByRole('button', { name: 'Tools, 1 selected' }).waitFor();
    await desk.page.keyboard.press('Escape');
  };
  const answered = async (text: RegExp) => {
    await lastTurn().locator('.md').getByText(text).last().waitFor({ timeout: 60_000 });
    await lastTurn()
      .locator('.facts')
      .getByText(/\d+ in/)
      .waitFor({ timeout: 60_000 });
  };

  it('asks before a tool generates a paid image, and generates none if declined', async () => {
    await desk.openChat();
    await desk.widenSideBar(520);
    await offer('Generate Image');
    await box().fill('Use inferenceDesk_generateImage on "A red fox asleep under a birch in the snow"');
    await box().press('Enter');
    await action('Allow').first().click();
    await dialog().getByText('Generate an image?').waitFor();
    await dialog()
      .getByText(/Charged to Journey/)
      .waitFor();
    await desk.screenshot('agentTools-confirmation');
    await button('Cancel').click();
    await answered(/The user did not allow this call/);
  });

  it('generates the image after confirmation, and reports its path', async () => {
    await box().fill('Use inferenceDesk_generateImage on "A red fox in the snow"');
    await box().press('Enter');
    await action('Allow').first().click();
    await dialog().getByText('Generate an image?').waitFor();
    // It takes the focus shortly after it is rendered.
    await dialog().locator('.monaco-button:focus').waitFor();
    await desk.page.keyboard.press('Enter');
    await answered(/The image is saved/);
    await desk.screenshot('agentTools-made');
  });

  it('says that AI features are turned off', async () => {
    await set('chat.disableAIFeatures', true);
    await use();
    await desk.notice(/VS Code Chat is turned off/);
    await desk.clearNotices();
  });

  it('still serves the extension after the reload', async () => {
    await desk.command('Helper: Rank with Inference Desk');
    await desk.notice('Best of 3: Uploads are tried again.');
    assert.equal(await dialog().count(), 0);
  });

  it('has no rejected calls and no errors in the pages', () => {
    assert.deepEqual(
      desk.faults.filter((fault) => /inference-desk/.test(fault)),
      [],
    );
  });
});

describe('the page at the end of a first sign-in', function () {
  this.timeout(240_000);

  it('leads to the first answer of the VS Code agent', async function () {
    const demo = await startFilledDemo({ pace: 'fast' });
    const desk = await this.openDesk({ size: { width: 1500, height: 900 } });
    try {
      await signInTo(desk, demo);
      // Signing in to a service on the internet opens it automatically.
      await desk.command('Inference Desk: Use in VS Code Chat…');
      await desk.page.locator('.tab', { hasText: 'Use in VS Code Chat' }).waitFor();
      const page = desk.editorPage;
      await page.getByRole('heading', { name: 'Chat and agent' }).waitFor();
      await page.getByText(/first message to an agent sends about 20,000 tokens/).waitFor();
      await desk.screenshot('editorChat-page');
      await page.getByRole('button', { name: 'Open VS Code Chat' }).click();
      const chat = desk.page.locator('.interactive-session');
      await chat.locator('.interactive-input-part').getByText('Qwen').first().waitFor({ timeout: 80_000 });
      await desk.page.locator('.monaco-modal-editor-block').waitFor({ state: 'detached' });
      await chat.locator('.interactive-input-part .monaco-editor').first().click();
      await desk.page.keyboard.insertText('Write two sentences about rivers.');
      await desk.page.keyboard.press('Enter');
      await chat.locator('.interactive-response').getByText(/river/i).first().waitFor({ timeout: 80_000 });
      await desk.screenshot('editorChat-first-answer');
      const { requests } = (await demo.call('GET', '/_control/requests')) as {
        readonly requests: readonly { readonly path: string; readonly body: Sent }[];
      };
      assert.ok(requests.some(({ path: at, body }) => at.endsWith('/messages') && (body.tools?.length ?? 0) > 10));
      assert.equal(await desk.page.locator('.monaco-dialog-box').count(), 0);
    } finally {
      await desk.close();
      await demo.close();
    }
  });
});

interface Sent {
  readonly documents?: readonly string[];
  readonly messages?: readonly unknown[];
  readonly tools?: readonly { readonly name: string }[];
}
