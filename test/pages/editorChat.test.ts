import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { Handlers } from '../../src/protocol/call';
import type { EditorChatChoice, EditorChatScreen, EditorChatView } from '../../src/protocol/editorChat';
import { look } from '../support/pageLooks';
import { screenPages } from '../support/screenPages';
import { until } from '../support/until';

const models = ['Qwen/Qwen3-Coder-480B-A35B-Instruct', 'Qwen/Qwen3-8B'].map((id) => ({ id, label: id }));
const choice = (use: EditorChatChoice['use'], more: Partial<EditorChatChoice>): EditorChatChoice => ({
  use,
  model: '',
  models,
  facts: [],
  isOffered: true,
  ...more,
});
const view: EditorChatView = {
  account: 'SiliconFlow',
  choices: [
    choice('chat', {
      model: models[0]!.id,
      facts: [
        { text: 'Tool calls', state: 'works' },
        { text: '262,144 tokens' },
        { text: 'Price of the first agent request: about ¥0.05' },
      ],
    }),
    choice('utility', { model: models[1]!.id, facts: [{ text: 'Use a small, fast model.' }] }),
    choice('suggestions', { models: [{ id: '', label: 'Off' }, ...models], facts: [{ text: 'By Inference Desk' }] }),
  ],
};

describe('the VS Code Chat models page', () => {
  const openPage = screenPages();

  async function open(shown: EditorChatView = view, width = 900) {
    const asked: string[] = [];
    const note = (name: string) => async () => {
      asked.push(name);
      return {};
    };
    const handlers: Handlers<EditorChatScreen> = {
      'editorChat/ready': async () => shown,
      'editorChat/choose': async ({ use, model }) => {
        asked.push(`${use} ${model}`);
        return { ...shown, choices: shown.choices.map((one) => (one.use === use ? { ...one, model } : one)) };
      },
      'editorChat/open': note('open'),
      'editorChat/check': note('check'),
      'editorChat/showSpending': note('spending'),
      'editorChat/act': note('act'),
    };
    const one = await openPage('editorChat', { theme: 'dark', width, height: 600, handlers });
    await one.page.getByRole('heading', { name: 'Use in VS Code Chat' }).waitFor();
    await one.page.locator('.editor-chat-choice').nth(2).waitFor();
    return { ...one, asked: (name: string) => until(() => (asked.includes(name) ? true : undefined), name) };
  }

  it('saves each choice, and opens the Chat, the check, and the spending', async () => {
    const { page, asked } = await open();
    await page.getByLabel('Utility tasks').getByRole('combobox').selectOption('Qwen/Qwen3-Coder-480B-A35B-Instruct');
    await asked('utility Qwen/Qwen3-Coder-480B-A35B-Instruct');
    await page.getByLabel('Inline suggestions').getByRole('combobox').selectOption('Qwen/Qwen3-8B');
    await asked('suggestions Qwen/Qwen3-8B');
    await page.locator('vscode-button:has-text("Open VS Code Chat")').click();
    await asked('open');
    await page.locator('vscode-button:has-text("Check Model…")').click();
    await asked('check');
    await page.getByRole('button', { name: 'Show Activity and Spend' }).click();
    await asked('spending');
  });

  it("explains if VS Code can't use our models, and offers none", async () => {
    const { isOffered: _isOffered, ...unoffered } = choice('utility', { facts: [{ text: 'Update VS Code.' }] });
    const { page } = await open({ ...view, choices: [view.choices[0]!, unoffered, view.choices[2]!] });
    assert.equal(await page.getByRole('combobox').count(), 2);
    await page.getByText('Update VS Code.').waitFor();
  });

  it('is readable and reachable', async () => {
    const { page } = await open();
    await look(page, 'editor-chat');
  });

  it('fits in 420 pixels', async () => {
    const { page } = await open(view, 420);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth));
  });
});

describe('the VS Code Chat models page in Chinese', () => {
  const chinese = JSON.parse(readFileSync('media/l10n/bundle.l10n.zh-cn.json', 'utf8')) as Record<string, string>;
  const openPage = screenPages((text) => chinese[text] ?? text);

  it('is readable at every width', async () => {
    const done = async () => ({});
    const handlers: Handlers<EditorChatScreen> = {
      'editorChat/ready': async () => view,
      'editorChat/choose': async () => view,
      'editorChat/open': done,
      'editorChat/check': done,
      'editorChat/showSpending': done,
      'editorChat/act': done,
    };
    const { page } = await openPage('editorChat', { theme: 'light', width: 900, height: 600, handlers });
    await page.locator('.editor-chat-choice').nth(2).waitFor();
    await look(page, 'editor-chat-chinese');
  });
});
