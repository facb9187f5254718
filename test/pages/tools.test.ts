import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { ChatSnapshot } from '../../src/protocol/chat';
import type { ToolDecision, ToolsState } from '../../src/protocol/chatTools';
import { type ChatHost, createChatHost, emptySnapshot } from '../support/chatHost';
import { comparedTurn } from '../support/compareHost';
import { screenPages } from '../support/screenPages';
import { asked, call, callStates, manyTools } from '../support/toolStates';
import { type OpenPage } from '../support/webviewPage';

const model = 'Qwen/Qwen3-Coder-30B-A3B-Instruct';

describe('tools on the chat page', () => {
  const openPage = screenPages();

  async function open(
    snapshot: ChatSnapshot = emptySnapshot(),
    handlers: Partial<ChatHost['handlers']> = {},
  ): Promise<OpenPage & { readonly fake: ChatHost }> {
    const fake = createChatHost(snapshot);
    fake.tools = manyTools;
    const opened = await openPage('chat', { theme: 'dark', handlers: { ...fake.handlers, ...handlers } });
    await opened.page.locator('.turn, .welcome').first().waitFor();
    await opened.page.locator('.bar-tools .bar-count').waitFor();
    return { ...opened, fake };
  }
  const panel = (page: Page) => page.locator('.tools-panel');
  const box = (page: Page, name: string) => page.getByRole('checkbox', { name, exact: true });
  const focused = (page: Page) => page.evaluate(() => document.activeElement?.className ?? '');
  const isFocused = (page: Page, selector: string) =>
    page.waitForFunction((requested) => document.activeElement?.matches(requested), selector);
  const saidOf = (page: Page, sentence: string) =>
    page.locator('[role="status"] p', { hasText: sentence }).first().waitFor({ state: 'attached' });
  const spoken = (page: Page) => page.locator('[role="status"] p').allTextContents();

  describe('selecting', () => {
    it('selects one tool, then all of a source, and shows the number', async () => {
      const { page, fake } = await open();
      assert.equal(await page.locator('.bar-tools').getAttribute('aria-label'), 'Tools, 3 selected');
      await page.locator('.bar-tools').click();
      const all = page.getByRole('checkbox', { name: /^GitHub Copilot Chat/ });
      assert.ok(await all.evaluate((element) => (element as HTMLInputElement).indeterminate));
      await box(page, 'Read file read_file').check();
      assert.deepEqual(await fake.wasAsked('chat/offerTools'), { model, ids: ['read_file'], offered: true });
      await page.locator('.bar-tools[aria-label="Tools, 4 selected"]').waitFor();
      await page.locator('.tool-group-head', { hasText: 'GitHub' }).click();
      assert.deepEqual(await fake.wasAsked('chat/offerTools', 2), {
        model,
        ids: ['search_files', 'read_file', 'list_errors'],
        offered: true,
      });
      await page.locator('.tools-chosen', { hasText: '5 selected (limit 128)' }).waitFor();
      assert.deepEqual(await all.evaluate((element: HTMLInputElement) => [element.checked, element.indeterminate]), [
        true,
        false,
      ]);
    });

    it("shows the host's selection after a rejection", async () => {
      const refusal = { kind: 'user', title: 'Too many tools', detail: '', actions: [] };
      const { page } = await open(emptySnapshot(), {
        'chat/offerTools': () => Promise.reject(refusal),
      });
      await page.locator('.bar-tools').click();
      await box(page, 'Read file read_file').click();
      await page.locator('.tools-notice', { hasText: 'Too many tools' }).waitFor();
      await page.waitForFunction(
        () => !document.querySelector<HTMLInputElement>('[data-tool="read_file"] input')?.checked,
      );
    });

    it('finds tools by description, shows a schema, and revokes permanent permissions', async () => {
      const { page, fake } = await open();
      await page.locator('.bar-tools').click();
      await isFocused(page, '.tools-search');
      await page.keyboard.type('search FILES');
      await page.waitForFunction(() => document.querySelectorAll('.tool').length === 1);
      await page.locator('.tool-details summary').click();
      assert.match((await page.locator('.tool-schema').textContent()) ?? '', /"required": \[\n {4}"city"/);
      await page.getByRole('button', { name: 'Require Approval' }).click();
      assert.deepEqual(await fake.wasAsked('chat/forbidTool'), { model, id: 'search_files' });
      await page.locator('.tool-allowed').waitFor({ state: 'detached' });
      await saidOf(page, 'Search files will ask before running.');
      await page.locator('.tools-search').fill('nothing has these');
      await page.getByText('No matches.').waitFor();
    });

    it("collapses VS Code's own tools unless they match a search", async () => {
      const { page } = await open();
      await page.locator('.bar-tools').click();
      await isFocused(page, '.tools-search');
      const tool = box(page, 'Ask user vscode_ask');
      assert.equal(await tool.isVisible(), false);
      await page.getByText('Show Tools').click();
      await tool.waitFor();
      await page.getByText('Show Tools').click();
      await page.keyboard.press('Shift+Tab');
      await page.locator('.tools-search').fill('ask user');
      await tool.waitFor();
    });

    it("sets the tool choice with the service's terms", async () => {
      const { page, fake } = await open();
      await page.locator('.bar-tools').click();
      const choice = page.getByLabel('Tool choice');
      assert.equal(await choice.inputValue(), 'auto');
      await choice.selectOption({ label: 'tool (must use search_files)' });
      assert.deepEqual(await fake.wasAsked('chat/toolChoice'), {
        model,
        choice: { type: 'tool', tool: 'search_files', single: true },
      });
      await page.getByLabel('One call at a time').uncheck();
      assert.deepEqual(await fake.wasAsked('chat/toolChoice', 2), {
        model,
        choice: { type: 'tool', tool: 'search_files', single: false },
      });
    });

    it('updates when tools are added and removed', async () => {
      const { page, host, fake } = await open();
      fake.tools = { ...manyTools, groups: [], offered: 0 };
      host.tell('chat/toolsChanged', {});
      await page.locator('.bar-tools .bar-count').waitFor({ state: 'detached' });
      await page.locator('.bar-tools').click();
      await page.getByText('Install an extension or MCP server').waitFor();
    });

    it('shows no tools of another conversation until its own have loaded', async () => {
      let tell = (_tools: ToolsState): void => {};
      const reported = new Promise<ToolsState>((resolve) => (tell = resolve));
      let asked = 0;
      const { page, host } = await open(emptySnapshot(), {
        'chat/tools': () => (asked++ === 0 ? Promise.resolve(manyTools) : reported),
      });
      host.tell('chat/changed', emptySnapshot({ conversationId: 'c2' }));
      await page.locator('.bar-tools .bar-count').waitFor({ state: 'detached' });
      await page.locator('.bar-tools').click();
      await page.getByText('Loading…').waitFor();
      tell({ ...manyTools, offered: 2 });
      await page.locator('.bar-count', { hasText: '2' }).waitFor();
    });
  });

  describe('writing a tool', () => {
    const name = (page: Page) => page.getByRole('textbox', { name: 'Name', exact: true });
    const schema = (page: Page) => page.getByRole('textbox', { name: 'Input schema' });

    it('moves by keyboard from the list to the form and back, without a Tab trap', async () => {
      const { page, fake } = await open();
      await page.locator('.bar-tools').focus();
      await page.keyboard.press('Enter');
      await isFocused(page, '.tools-search');
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await isFocused(page, '.tool-name-input');
      await page.keyboard.type('get_time');
      await page.keyboard.press('Tab');
      await page.keyboard.type('Tells the time.');
      await page.keyboard.press('Tab');
      await isFocused(page, '.tool-schema-input');
      await page.keyboard.press('Tab');
      assert.doesNotMatch(await focused(page), /tool-schema-input/);
      await page.keyboard.press('Enter');
      const { form } = (await fake.wasAsked('chat/saveOwnTool')) as { form: { schema: string } };
      assert.deepEqual(
        { ...form, schema: JSON.parse(form.schema).type },
        {
          name: 'get_time',
          description: 'Tells the time.',
          schema: 'object',
        },
      );
      await box(page, 'get_time').waitFor();
      await isFocused(page, '.tools-new');
      await saidOf(page, 'Saved get_time and selected it for this conversation.');
      await page.keyboard.press('Escape');
      await panel(page).waitFor({ state: 'detached' });
      await isFocused(page, '.bar-tools');
    });

    it('shows the error and its location below the field, focuses it, and saves no tool', async () => {
      const { page, fake } = await open();
      fake.toolIssues = [{ field: 'schema', text: 'A comma is missing.', offset: 22, line: 3, column: 3 }];
      await page.locator('.bar-tools').click();
      await page.locator('.tools-new').click();
      await schema(page).fill('{\n  "type": "object"\n  "a": 1\n}');
      await page.getByText('Line 3, column 3: A comma is missing.').waitFor();
      assert.equal(await schema(page).getAttribute('aria-invalid'), 'true');
      await page.getByRole('button', { name: 'Go to Error' }).click();
      await page.waitForFunction(
        () => document.querySelector<HTMLTextAreaElement>('.tool-schema-input')?.selectionStart === 22,
      );
      await page.locator('vscode-button', { hasText: 'Save' }).locator('button').click();
      await fake.wasAsked('chat/saveOwnTool');
      await isFocused(page, '.tool-schema-input');
      fake.toolIssues = [];
      await schema(page).fill('{ "type": "object" }');
      await page.locator('.parameter-issue').waitFor({ state: 'detached' });
    });

    it('keeps the draft when the panel closes or the page reloads, until it is discarded', async () => {
      const { page } = await open();
      await page.locator('.bar-tools').click();
      await page.locator('.tools-new').click();
      await name(page).fill('half_a_na');
      await page.locator('.composer-text').fill('a draft');
      await panel(page).waitFor({ state: 'detached' });
      await page.reload();
      await page.locator('.bar-tools').click();
      await isFocused(page, '.tool-name-input');
      assert.equal(await name(page).inputValue(), 'half_a_na');
      assert.equal(await page.locator('.composer-text').inputValue(), 'a draft');
      await page.locator('vscode-button', { hasText: 'Cancel' }).locator('button').click();
      await isFocused(page, '.tools-new');
      await page.locator('.tools-new').click();
      assert.equal(await name(page).inputValue(), '');
    });

    it('edits and deletes a saved tool by its name', async () => {
      const { page, fake } = await open();
      await page.locator('.bar-tools').click();
      await page.getByRole('button', { name: 'Edit get_weather' }).click();
      await name(page).fill('get_forecast');
      await page.locator('vscode-button', { hasText: 'Save' }).locator('button').click();
      const saved = (await fake.wasAsked('chat/saveOwnTool')) as { replaces: string; form: { name: string } };
      assert.deepEqual([saved.replaces, saved.form.name], ['get_weather', 'get_forecast']);
      await page.getByRole('button', { name: 'Edit get_forecast' }).click();
      await page.getByRole('button', { name: 'Delete Tool' }).click();
      assert.deepEqual(await fake.wasAsked('chat/deleteOwnTool'), { model, name: 'get_forecast' });
      await page.waitForFunction(() => !document.querySelector('[data-tool="get_forecast"]'));
    });
  });

  describe('calls', () => {
    const decision = async (fake: ChatHost, times = 1) =>
      (await fake.wasAsked('chat/answerToolCall', times)) as { turnId: string; block: number; decision: ToolDecision };
    const button = (page: Page, card: number, text: string) =>
      page.locator('.call').nth(card).locator('vscode-button', { hasText: text });
    const turnId = 'Is it warm in Paris?';

    it('take no focus, are announced once, and are reachable from the question box by keyboard', async () => {
      const { page, fake } = await open(callStates['asking']);
      await isFocused(page, '.composer-text');
      const words = ['Search files wants to run.', 'get_weather wants to run.'];
      await saidOf(page, words[1]!);
      assert.deepEqual(
        (await spoken(page)).filter((text) => text.includes('wants to run')),
        words,
      );
      await page.getByText('2 tool calls need your decision.').waitFor();
      await page.keyboard.press('Shift+Tab');
      await isFocused(page, '.waits-go');
      await page.keyboard.press('Enter');
      await isFocused(page, '.call-decision vscode-button');
      await page.keyboard.press('Enter');
      assert.deepEqual(await decision(fake), { turnId, block: 1, decision: { type: 'allow', always: false } });
    });

    it('show input and result as text, whatever they contain', async () => {
      const { page } = await open(
        asked([
          call(
            'a',
            { canAllow: true, note: '<img src=x>' },
            { html: '<img src=x onerror=alert(1)>', turn: 'x\u202Ey' },
          ),
          call('b', {
            state: 'done',
            result: '# not a heading <script>alert(1)</script> ![x](https://evil.example/p.png)',
          }),
        ]),
      );
      assert.match((await page.locator('.call-text').first().textContent()) ?? '', /<img src=x onerror.*x\\u202ey/s);
      await page.locator('.call').nth(1).locator('summary', { hasText: 'Result' }).click();
      assert.match(
        (await page.locator('.call').nth(1).locator('.call-text').nth(1).innerText()) ?? '',
        /^# not a heading <script>/,
      );
      assert.equal(await page.locator('.call img, .call script, .call h1').count(), 0);
    });

    it('are always allowed, denied, or denied with a message', async () => {
      const { page, fake } = await open(callStates['asking']);
      await button(page, 0, 'Allow in This Conversation').locator('button').click();
      assert.deepEqual((await decision(fake)).decision, { type: 'allow', always: true });
      await fake.wasAsked('chat/tools', 2);
      await button(page, 1, 'Deny').first().locator('button').click();
      assert.deepEqual(await decision(fake, 2), { turnId, block: 2, decision: { type: 'deny', words: '' } });
      await page.locator('.call').nth(1).locator('summary', { hasText: 'Enter Result Manually' }).click();
      await page.getByRole('textbox', { name: 'Result of get_weather' }).fill('Use Celsius.');
      await button(page, 1, 'Deny with This Message').locator('button').click();
      assert.deepEqual((await decision(fake, 3)).decision, { type: 'deny', words: 'Use Celsius.' });
    });

    it("accept only an entered result if the tool can't run", async () => {
      const { page, fake } = await open(callStates['cannotRun']);
      assert.equal(await button(page, 0, 'Allow').count(), 0);
      await page.getByText('In Restricted Mode no tool of the editor is run.').waitFor();
      await page.getByRole('textbox', { name: 'Result of run_in_terminal' }).fill('ok');
      await button(page, 0, 'Send Result').locator('button').click();
      assert.deepEqual((await decision(fake)).decision, { type: 'result', text: 'ok', isError: false });
    });

    it('accept an entered result, restored after a reload, and continue in place', async () => {
      const { page, fake } = await open(callStates['awaiting']);
      const result = page.getByRole('textbox', { name: 'Result of get_weather' });
      await result.fill('21 °C');
      await page.reload();
      await page.waitForFunction(() => document.querySelector<HTMLTextAreaElement>('.call-typed')?.value === '21 °C');
      const view = { state: 'done', label: 'get_weather', result: '21 °C', by: 'person' } as const;
      const [turn] = asked([call('get_weather', view)], { state: 'streaming' }).turns;
      Object.assign(fake, { snapshot: emptySnapshot({ turns: [turn!] }) });
      await button(page, 0, 'Send as Error').focus();
      await page.keyboard.press('Enter');
      assert.deepEqual((await decision(fake)).decision, { type: 'result', text: '21 °C', isError: true });
      await page.locator('.call-done', { hasText: 'result entered by you' }).waitFor();
      await isFocused(page, '.call');
      assert.equal(await page.locator('.waits').count(), 0);
      await fake.wasAsked('chat/follow');
      fake.emit({ type: 'append', block: 2, kind: 'text', text: 'It is warm.' });
      await page.locator('.md', { hasText: 'It is warm.' }).waitFor();
      await page.waitForFunction(() => sessionStorage.getItem('state')?.includes('21 °C') === false);
    });

    it('leave the focus outside of the page if a dialog has taken it', async () => {
      let decide = () => {};
      const decided = new Promise<void>((resolve) => (decide = resolve));
      const view = { state: 'done', label: 'get_weather', result: '21 °C' } as const;
      const [turn] = asked([call('get_weather', view)], { state: 'streaming' }).turns;
      const { page, fake } = await open(asked([call('get_weather', { canAllow: true })]), {
        'chat/answerToolCall': () => decided.then(() => ({ turn: turn! })),
      });
      const address = page.url();
      await page.goto(new URL('/rest', address).href);
      await page.evaluate((src) => {
        const frame = Object.assign(document.createElement('iframe'), { src, width: 340, height: 600 });
        document.body.append(frame, document.createElement('input'));
        window.addEventListener('message', ({ data }) => frame.contentWindow!.postMessage(data, '*'));
      }, address);
      const inside = page.frameLocator('iframe');
      await inside.locator('vscode-button', { hasText: 'Allow Once' }).locator('button').click();
      await inside.locator('vscode-button[disabled]', { hasText: 'Allow Once' }).waitFor();
      await page.locator('input').focus();
      Object.assign(fake, { snapshot: emptySnapshot({ turns: [turn!] }) });
      decide();
      await inside.locator('.call-done').waitFor();
      await inside.locator('body').evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))));
      assert.equal(await page.evaluate(() => document.activeElement?.tagName), 'INPUT');
    });

    it('show a call while it asks, runs, and fails, and stop it', async () => {
      const { page, fake } = await open(asked([call('get_weather', { canAllow: true })], { state: 'streaming' }));
      await fake.wasAsked('chat/follow');
      fake.emit({ type: 'toolCall', block: 1, call: { state: 'running', label: 'get_weather' } });
      await button(page, 0, 'Stop').locator('button').click();
      assert.deepEqual(await fake.wasAsked('chat/stop'), { turnId });
      fake.emit({ type: 'toolCall', block: 1, call: { state: 'failed', label: 'get_weather', result: 'No network.' } });
      await page.locator('.call-failed .call-text', { hasText: 'No network.' }).waitFor();
    });

    it('allow another question while they wait', async () => {
      const { page, fake } = await open(callStates['asking']);
      await page.locator('.composer-text').fill('Something else');
      await page.keyboard.press('Enter');
      await fake.wasAsked('chat/ask');
      await page.locator('.waits').waitFor({ state: 'detached' });
    });

    it('are decided in side-by-side answers when one of them is selected', async () => {
      const answer = (text: string) =>
        ({ state: 'done', model: text, blocks: [call('get_weather', { canAllow: true })] }) as const;
      const columns = ['m/one', 'm/two'].map((text) => ({ tryId: text, answer: answer(text) }));
      const { page, fake } = await open(emptySnapshot({ turns: [comparedTurn('Warm?', columns)] }));
      await page.getByText('To allow or deny this call, continue this response.').first().waitFor();
      assert.equal(await page.locator('.call-decision, .waits').count(), 0);
      await page.locator('.compare-column vscode-button').first().locator('button').click();
      assert.deepEqual(await fake.wasAsked('chat/pick'), { turnId: 'Warm?', tryId: 'm/one' });
    });

    it('report a pause after many rounds, and continue on request', async () => {
      const { page, fake } = await open(callStates['limit']);
      await page.getByText('Paused after 10 tool rounds').waitFor();
      assert.equal(await page.getByRole('button', { name: 'Continue' }).count(), 1);
      await page.getByRole('button', { name: 'Continue' }).click();
      assert.deepEqual(await fake.wasAsked('chat/continue'), { turnId });
    });
  });
});
