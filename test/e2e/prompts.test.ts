import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { DeskWindow } from '../host/window';
import { signInTo } from '../support/chatJourney';
import { type FilledDemo, startFilledDemo } from '../support/filledDemo';
import { inOrder } from '../support/inOrder';
import { until } from '../support/until';

const prompt = `---
description: Explains code
mod
parameters:
  temperature: 3
  max_tokens: 60
variables:
  tone: [plain, warm]
---

Explain to {{audience}}, in a {{tone}} way:

\`\`\`{{language}}
{{selection}}
\`\`\`
`;

describe('a prompt file', function () {
  inOrder(this);
  let desk: DeskWindow;
  let demo: FilledDemo;
  let folder: string;

  before(async function () {
    folder = mkdtempSync(path.join(tmpdir(), 'prompts-'));
    writeFileSync(path.join(folder, 'explain.desk.md'), prompt);
    writeFileSync(path.join(folder, 'greet.ts'), 'export const greet = (name: string) => `Hello ${name}`;\n');
    writeFileSync(path.join(folder, 'requests.jsonl'), '');
    demo = await startFilledDemo({ pace: 'fast' });
    desk = await this.openDesk({ folder });
    await signInTo(desk, demo);
    await desk.command('View: Show Explorer');
  });
  after(async () => {
    await desk?.close();
    await demo?.close();
    await rm(folder, { recursive: true, force: true });
  });

  const openFile = async (name: string): Promise<void> => {
    await desk.page.locator('.explorer-folders-view').getByText(name).dblclick();
    await desk.page.locator('.tab.active', { hasText: name }).waitFor();
  };
  const lens = (title: string) => desk.page.locator('.codelens-decoration a', { hasText: title });
  const goTo = async (place: string): Promise<void> => {
    await desk.page.keyboard.press('Control+g');
    await desk.quickInput.waitFor();
    await desk.answer(place);
    await desk.quickInput.waitFor({ state: 'hidden' });
  };
  const editor = (text: string) => desk.page.locator('.editor-instance .view-lines', { hasText: text });

  it('completes keys, parameters, and available models', async () => {
    await openFile('greet.ts');
    await desk.page.locator('.view-line').first().click();
    await desk.page.keyboard.press('Control+a');
    await openFile('explain.desk.md');
    await lens('Run').waitFor();
    const list = desk.page.locator('.suggest-widget .monaco-list-row');
    // Suggestions close when problems are updated, for example after the models have loaded.
    await until(async () => {
      await goTo(':3:4');
      await desk.page.keyboard.press('Control+Space');
      return list
        .filter({ hasText: 'models' })
        .waitFor({ timeout: 5000 })
        .then(
          () => true,
          () => undefined,
        );
    }, 'what may stand there');
    await desk.screenshot('prompts-keys');
    await desk.page.keyboard.press('Enter');
    await list.filter({ hasText: 'deepseek-ai' }).first().waitFor();
    await desk.page.keyboard.type('Qwen3-30B-A3B-I');
    await list.filter({ hasText: 'Qwen3-30B-A3B-Instruct' }).first().waitFor();
    await desk.page.keyboard.press('Enter');
    await editor('model: Qwen/Qwen3-30B-A3B-Instruct-2507').waitFor();
  });

  it('reports problems, and fixes them', async () => {
    await desk.page.locator('.squiggly-error').first().waitFor();
    await goTo(':5:16');
    await desk.fix('Change to 2');
    await desk.screenshot('prompts-fix');
    await desk.page.keyboard.press('Enter');
    await editor('temperature: 2').waitFor();
    await goTo(':11:14');
    await desk.fix('Declare audience');
    await desk.page.keyboard.press('Enter');
    await editor('audience:').waitFor();
    await desk.page.locator('.squiggly-error').waitFor({ state: 'detached' });
  });

  it('runs in a new conversation with the requested values', async () => {
    await lens('Run').click();
    await desk.quickRows.filter({ hasText: 'warm' }).waitFor();
    await desk.pick('warm');
    await desk.quickInput.getByText('audience').first().waitFor();
    await desk.answer('a new colleague');
    await desk.webview.getByText('Explain to a new colleague, in a warm way:').first().waitFor();
    await desk.webview
      .getByText(/Hello \$\{name\}/)
      .first()
      .waitFor();
    await desk.webview
      .getByText(/The demo service has no model/)
      .first()
      .waitFor();
    await desk.screenshot('prompts-run');
  });

  it('compares models with the previous values', async () => {
    await desk.page.locator('.tab', { hasText: 'explain.desk.md' }).click();
    await desk.command('Inference Desk: Compare Models on Prompt File…');
    await desk.quickRows.filter({ hasText: 'warm' }).waitFor();
    await desk.page.keyboard.press('Enter');
    await desk.quickInput.getByText('audience').first().waitFor();
    assert.equal(await desk.quickInput.locator('input.input').first().inputValue(), 'a new colleague');
    await desk.page.keyboard.press('Enter');
    await desk.quickInput.getByText('1 Selected').waitFor();
    await desk.pick('deepseek-ai');
    await desk.page.keyboard.press('Enter');
    await desk.quickInput.waitFor({ state: 'hidden' });
    await desk.webview.getByRole('button', { name: 'Continue with This Response' }).first().waitFor();
  });

  it('appends the request to a batch file', async () => {
    await desk.page.locator('.tab', { hasText: 'explain.desk.md' }).click();
    await lens('Add to Batch File').click();
    await desk.quickRows.filter({ hasText: 'warm' }).waitFor();
    await desk.page.keyboard.press('Enter');
    await desk.quickInput.getByText('audience').first().waitFor();
    await desk.page.keyboard.press('Enter');
    await desk.pick('requests.jsonl');
    await desk.page.locator('.tab.active', { hasText: 'requests.jsonl' }).waitFor();
    await desk.page.keyboard.press('Control+s');
    const line = await until(
      () => readFileSync(path.join(folder, 'requests.jsonl'), 'utf8').trim() || undefined,
      'the line',
    );
    const { custom_id, body } = JSON.parse(line) as {
      readonly custom_id: string;
      readonly body: { readonly temperature: number; readonly messages: readonly { readonly content: string }[] };
    };
    assert.equal(custom_id, 'explain-1');
    assert.equal(body.temperature, 2);
    assert.match(
      body.messages[0]?.content ?? '',
      /^Explain to a new colleague, in a warm way:\n\n```typescript\nexport/,
    );
    assert.deepEqual(desk.faults, []);
  });
});
