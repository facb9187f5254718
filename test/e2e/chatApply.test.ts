import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import type { DeskWindow } from '../host/window';
import { startChatGateway } from '../support/chatGateway';
import { chatOf, type JourneyChat, signInTo } from '../support/chatJourney';
import { type FilledDemo, startFilledDemo } from '../support/filledDemo';
import { inOrder } from '../support/inOrder';
import type { OriginServer } from '../support/originServer';
import { until } from '../support/until';

const rows =
  'def parse_rows(text):\n    return text.split("\\n")\n\n\ndef count(text):\n    return len(parse_rows(text))\n';
const files: Readonly<Record<string, string>> = {
  'rows.py': rows,
  'src/cart.ts': 'export function total(items: number[]): number {\n  return items.length;\n}\n',
  'src/app.ts': "import { total } from './cart';\n\nconsole.log(total([1, 2]));\n",
  'shop.json': '{\n  "name": "shop",\n  "open": true,\n}\n',
  'team.json': '{\n  "name": "team",\n}\n',
};

describe('code from answers in files', function () {
  inOrder(this);
  let desk: DeskWindow;
  let chat: JourneyChat;
  let demo: FilledDemo;
  let service: OriginServer;
  let folder: string;
  let answer = '';
  let asked = '';

  before(async function () {
    folder = mkdtempSync(path.join(tmpdir(), 'apply-'));
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
      writeFileSync(path.join(folder, name), text);
    }
    demo = await startFilledDemo({ pace: 'fast' });
    service = await startChatGateway(demo, (body) => {
      asked = body;
      return answer;
    });
    desk = await this.openDesk({ folder, settings: { 'files.autoSave': 'off' } });
    chat = chatOf(desk);
    await signInTo(desk, { ...demo, baseUrl: new URL('v1', service.url).href });
    await desk.widenSideBar(440);
  });
  after(async () => {
    await desk?.close();
    await service?.close();
    await demo?.close();
    await rm(folder, { recursive: true, force: true });
  });

  const editorText = (text: string): Locator => desk.page.locator('.view-lines', { hasText: text });
  const lens = (title: string): Locator => desk.page.locator('.codelens-decoration a', { hasText: title });
  const bar = () => desk.webview.locator('.edits-bar');
  const openFile = async (name: string) => {
    await desk.command('Go to File...');
    await desk.quickInput.locator('input.input').first().fill(name);
    await desk.pick(name);
    await desk.page.locator('.tab.active', { hasText: name }).waitFor();
    await desk.page.locator('.editor-instance .view-lines').first().click();
  };
  const onDisk = (name: string) => readFileSync(path.join(folder, name), 'utf8');

  it('renames a function across a file, with one undo step', async () => {
    await openFile('rows.py');
    await desk.command('Inference Desk: Add File to Chat');
    await desk.webview.locator('.composer .chip-text', { hasText: 'rows.py' }).waitFor();
    answer = `Renamed:\n\n\`\`\`python\n${rows.replaceAll('parse_rows', 'split_rows')}\`\`\`\n`;
    await chat.ask('Rename parse_rows to split_rows in my file.');
    await chat.lastTurn.locator('.md-target', { hasText: 'rows.py' }).waitFor();
    await chat.lastTurn.locator('.md-code-counts', { hasText: '+2 −2' }).waitFor();
    await desk.screenshot('apply-offered');
    await chat.lastTurn.locator('.md-apply').click();
    await editorText('split_rows').first().waitFor();
    await lens('Keep').first().waitFor();
    await bar().getByText('rows.py changed').waitFor();
    await chat.lastTurn.getByRole('button', { name: 'Applied', exact: true }).waitFor();
    await desk.screenshot('apply-pending');
    await desk.page.locator('.editor-instance .view-lines').first().click();
    await desk.page.keyboard.press('Control+z');
    await editorText('split_rows').waitFor({ state: 'detached' });
    await bar().waitFor({ state: 'detached' });
    await chat.lastTurn.getByRole('button', { name: 'Apply', exact: true }).waitFor();
    assert.equal(onDisk('rows.py'), rows);
  });

  it('keeps one change of a file and undoes the other, after a reload that shows another view', async () => {
    await chat.lastTurn.locator('.md-apply').click();
    await editorText('split_rows').first().waitFor();
    await lens('Keep').first().waitFor();
    await desk.command('View: Show Explorer');
    await desk.reloadWindow();
    await lens('Keep').first().click();
    await lens('Keep All').waitFor({ state: 'detached' });
    await lens('Undo').first().click();
    await lens('Keep').first().waitFor({ state: 'detached' });
    await desk.openChat();
    await chat.lastTurn.getByRole('button', { name: 'Apply', exact: true }).waitFor();
    await bar().waitFor({ state: 'detached' });
    await desk.page.locator('.view-line', { hasText: 'def split_rows' }).waitFor();
    await desk.page.locator('.view-line', { hasText: 'len(parse_rows' }).waitFor();
    await desk.command('File: Revert File');
  });

  it('applies changes to two files as one undo step', async () => {
    answer = [
      'In `src/cart.ts`:\n\n```ts\nexport function sum(items: number[]): number {',
      '  return items.reduce((one, other) => one + other, 0);\n}\n```\n',
      "**src/app.ts**\n\n```diff\n-import { total } from './cart';\n+import { sum } from './cart';",
      ' \n-console.log(total([1, 2]));\n+console.log(sum([1, 2]));\n```\n',
    ].join('\n');
    await chat.ask('Sum the items instead.');
    await chat.lastTurn.locator('.md-target', { hasText: 'app.ts' }).waitFor();
    await chat.lastTurn.locator('.md-more').first().click();
    await desk.webview.getByRole('menuitem', { name: 'Apply All' }).click();
    await bar().getByText('2 files changed').waitFor();
    await editorText('items.reduce').waitFor();
    await desk.screenshot('apply-set');
    await desk.page.locator('.editor-instance .view-lines').first().click();
    await desk.page.keyboard.press('Control+z');
    await bar().waitFor({ state: 'detached' });
    await editorText('items.length').waitFor();
  });

  it('shows a diff instead of applying code with an uncertain position', async () => {
    answer = 'In `src/app.ts`:\n\n```ts\nstart();\n```\n';
    await chat.ask('And start it?');
    await chat.lastTurn.locator('.md-target', { hasText: 'app.ts' }).waitFor();
    await chat.lastTurn.locator('.md-apply').click();
    await chat.lastTurn.locator('.note', { hasText: "Couldn't place the code" }).waitFor();
    await desk.page.locator('.monaco-diff-editor').waitFor();
    await desk.screenshot('apply-unplaced');
    assert.equal(onDisk('src/app.ts'), files['src/app.ts']);
    await desk.command('File: Save All');
    await desk.command('View: Close All Editors');
  });

  it('fixes a problem from its quick fix', async () => {
    await openFile('shop.json');
    await desk.page.locator('.squiggly-error, .squiggly-warning').first().waitFor();
    await desk.command('Go to Next Problem (Error, Warning, Info)');
    await desk.page.keyboard.press('Escape');
    await desk.page.keyboard.press('Control+.');
    await desk.page.locator('.action-widget', { hasText: 'Fix with Inference Desk' }).waitFor();
    await desk.screenshot('apply-quick-fix');
    await desk.page.locator('.action-widget').getByText('Fix with Inference Desk').click();
    await until(
      async () => /^Fix this problem in line \d+: /.test(await chat.box.inputValue()) || undefined,
      'the prompt',
    );
    await desk.webview.locator('.composer .chip-text', { hasText: 'shop.json' }).first().waitFor();
    answer = '```json\n{\n  "name": "shop",\n  "open": true\n}\n```\n';
    await chat.box.press('Enter');
    await chat.lastTurn.locator('.md-target', { hasText: 'shop.json' }).waitFor();
    assert.match(asked, /Fix this problem in line/);
    await chat.lastTurn.locator('.md-apply').click();
    await bar().getByRole('button', { name: 'Keep' }).click();
    await bar().waitFor({ state: 'detached' });
    await desk.command('File: Save');
    await desk.page.locator('.tab.dirty').waitFor({ state: 'detached' });
    assert.equal(onDisk('shop.json'), '{\n  "name": "shop",\n  "open": true\n}\n');
  });

  it('fixes a problem of the open file with /fix', async () => {
    await openFile('team.json');
    await desk.page.locator('.squiggly-error, .squiggly-warning').first().waitFor();
    await chat.box.click();
    await chat.box.pressSequentially('/fix');
    await desk.webview.getByRole('option', { name: 'fix', exact: false }).first().waitFor();
    await chat.box.press('Enter');
    await desk.webview.locator('.composer .chip-text', { hasText: 'Problems in team.json' }).waitFor();
    await until(async () => !(await chat.box.inputValue()).startsWith('/') || undefined, 'the prompt');
    await desk.screenshot('apply-slash-fix');
    answer = '```json\n{\n  "name": "team"\n}\n```\n';
    await chat.box.press('Enter');
    await chat.lastTurn.locator('.md-target', { hasText: 'team.json' }).waitFor();
    assert.match(asked, /Problems in team\.json/);
    await chat.lastTurn.locator('.md-apply').click();
    await bar().getByRole('button', { name: 'Keep' }).click();
    await bar().waitFor({ state: 'detached' });
    await desk.page.locator('.squiggly-error, .squiggly-warning').first().waitFor({ state: 'detached' });
    await desk.command('File: Save');
    await desk.page.locator('.tab.dirty').waitFor({ state: 'detached' });
    assert.equal(onDisk('team.json'), '{\n  "name": "team"\n}\n');
  });
});
