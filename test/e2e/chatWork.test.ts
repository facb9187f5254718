import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { imageSize } from 'image-size';
import type { Locator } from 'playwright-core';
import type { DeskWindow } from '../host/window';
import { drawPicture } from '../../src/demo/drawing';
import { startChatGateway } from '../support/chatGateway';
import { chatOf, type JourneyChat, signInTo } from '../support/chatJourney';
import { type FilledDemo, startFilledDemo } from '../support/filledDemo';
import { inOrder } from '../support/inOrder';
import type { OriginServer } from '../support/originServer';
import { until } from '../support/until';

const files: Readonly<Record<string, string>> = {
  'src/answer.ts': 'export const answer = 42;\nexport const question = undefined;\n',
  'src/debug.log': 'not to be seen\n',
  'notes.md': 'Forty-two is even.\n',
  'printer.ts': 'export const print = (lines: string[]) => lines.join("\\n");\n',
  'requests.jsonl': '{"custom_id":"chat-1"}\r\n',
  '.gitignore': '*.log\n',
};

/** The longest code for which confirmation is possible: eighteen rows of the widest letters. */
const longest = `${'W'.repeat(30)}\n`.repeat(18);

interface SeenRequest {
  readonly path: string;
  readonly body: { readonly messages?: readonly { readonly role: string; readonly content: string }[] };
}

interface SentBlock {
  readonly type: string;
  readonly text?: string;
  readonly source?: { readonly media_type: string; readonly data: string };
}

describe('a working day in the chat', function () {
  inOrder(this);
  let desk: DeskWindow;
  let chat: JourneyChat;
  let demo: FilledDemo;
  let service: OriginServer;
  let folder: string;
  /** Replaces the demo service's answer. */
  let commands: string | undefined;

  before(async function () {
    folder = mkdtempSync(path.join(tmpdir(), 'work-'));
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
      writeFileSync(path.join(folder, name), text);
    }
    const image = { prompt: 'a cat', negativePrompt: '', seed: 1, height: 40, format: 'png' } as const;
    writeFileSync(path.join(folder, 'chosen.png'), drawPicture({ ...image, width: 60 }));
    writeFileSync(path.join(folder, 'large.png'), drawPicture({ ...image, width: 8200 }));
    demo = await startFilledDemo({ pace: 'fast' });
    service = await startChatGateway(demo, () =>
      commands === undefined ? undefined : `\`\`\`bash\n${commands}\n\`\`\`\n`,
    );
    desk = await this.openDesk({
      folder,
      settings: { 'files.autoSave': 'off', 'inferenceDesk.chat.messageLimit': 10 },
    });
    chat = chatOf(desk);
    await signInTo(desk, { ...demo, baseUrl: new URL('v1', service.url).href });
    await desk.widenSideBar(520);
  });
  after(async () => {
    await desk?.close();
    await service?.close();
    await demo?.close();
    await rm(folder, { recursive: true, force: true });
  });

  const button = (name: string | RegExp): Locator => desk.webview.getByRole('button', { name });
  const field = (name: string): Locator => desk.webview.getByRole('textbox', { name, exact: true });
  const editorText = (text: string): Locator => desk.page.locator('.view-lines', { hasText: text });
  const activeTab = (name: string): Locator => desk.page.locator('.tab.active', { hasText: name });
  const chip = (text: string): Locator => desk.webview.locator('.composer .chip-text', { hasText: text });
  const openFile = async (name: string) => {
    await desk.command('Go to File...');
    await desk.quickInput.locator('input.input').first().fill(name);
    await desk.pick(name);
    await activeTab(name).waitFor();
    await desk.page.locator('.editor-instance .view-lines').first().click();
  };
  const newConversation = async () => {
    await desk.page.getByRole('button', { name: 'New Conversation' }).click();
    await desk.webview.locator('.welcome').waitFor();
  };
  const lastRequest = async (): Promise<SeenRequest['body']> => {
    return (await demo.requests()).filter((request) => request.path.endsWith('/messages')).at(-1)?.body ?? {};
  };

  it('sends the parameters of an applied preset, and shows them in the request', async () => {
    await button(/^Parameters/).click();
    await field('temperature').fill('0.2');
    await button('Add Stop Sequence').click();
    await field('Stop sequence 1').fill('ZEBRA');
    await button('Save as Preset').click();
    await field('Preset name').fill('Careful');
    await field('Preset name').press('Enter');
    await desk.webview.locator('option', { hasText: 'Careful' }).waitFor({ state: 'attached' });
    await desk.page.keyboard.press('Escape');
    await chat.ask('What is 6 * 7?');
    await chat.counted.waitFor();
    await newConversation();
    await button(/^Parameters/).click();
    await desk.webview.getByLabel('Presets').selectOption({ label: 'Careful' });
    await button(/Parameters.*2 set/).waitFor();
    await field('temperature').press('Escape');
    await chat.ask('What is 7 * 8?');
    await chat.counted.waitFor();
    const { messages: _, ...sent } = (await lastRequest()) as Record<string, unknown>;
    assert.deepEqual([sent['temperature'], sent['stop_sequences'], sent['top_p']], [0.2, ['ZEBRA'], undefined]);
    await chat.lastTurn.getByRole('button', { name: 'Show Request and Response' }).click();
    await activeTab('POST v1 messages.http').waitFor();
    await editorText('ZEBRA').first().waitFor();
    await desk.screenshot('work-exchange');
  });

  it('exports the request as code without the key', async () => {
    await desk.command('Inference Desk: Export Conversation…');
    await desk.quickRows.filter({ hasText: 'Python' }).waitFor();
    await desk.screenshot('work-export-forms');
    await desk.pick('Python');
    await desk.pick('New Editor');
    await editorText('INFERENCE_DESK_API_KEY').waitFor();
  });

  it('adds the request to a batch file as one step that can be undone', async () => {
    await desk.page.locator('.sidebar a.codicon-toolbar-more:visible').click();
    const entry = desk.page.locator('.context-view .monaco-menu a.action-menu-item', {
      hasText: 'Add Conversation to Batch File…',
    });
    await entry.hover();
    await entry.press('Enter');
    await desk.pick('requests.jsonl');
    await activeTab('requests.jsonl').waitFor();
    await editorText('chat-2').waitFor();
    await desk.command('File: Save');
    const saved = await until(() => {
      const text = readFileSync(path.join(folder, 'requests.jsonl'), 'utf8');
      return text.includes('chat-2') ? text : undefined;
    }, 'the new line');
    const [first, second, end] = saved.split('\r\n');
    assert.deepEqual([first, end], ['{"custom_id":"chat-1"}', '']);
    const { url, body } = JSON.parse(second ?? '') as { url: string; body: { messages: unknown[] } };
    assert.equal(url, '/v1/chat/completions');
    assert.deepEqual(body.messages, [{ role: 'user', content: 'What is 7 * 8?' }]);
    await desk.page.keyboard.press('Control+z');
    await editorText('chat-2').waitFor({ state: 'detached' });
  });

  it('offers a custom tool, waits for its result, and continues in the background', async () => {
    await desk.webview.locator('.bar-tools').click();
    await button('New Tool…').click();
    await field('Name').fill('get_weather');
    await field('Description').fill('Gives the weather of a city.');
    await desk.webview.locator('vscode-button', { hasText: 'Save' }).locator('button').click();
    await desk.webview.getByRole('button', { name: 'Tools, 1 selected' }).waitFor();
    await desk.page.keyboard.press('Escape');
    await chat.ask('Use get_weather: how is the weather in Paris?');
    await desk.webview.locator('.waits-text', { hasText: 'get_weather needs a result from you.' }).waitFor();
    await field('Result of get_weather').fill('21 °C and sunny');
    await desk.screenshot('work-tool-awaiting');
    await desk.command('View: Show Explorer');
    await desk.openChat();
    await desk.webview.locator('.call-awaitingResult').waitFor();
    assert.equal(await field('Result of get_weather').inputValue(), '21 °C and sunny');
    await desk.webview.locator('vscode-button', { hasText: 'Send Result' }).locator('button').click();
    await chat.lastTurn.locator('.call-done', { hasText: 'result entered by you' }).waitFor();
    await chat.lastTurn
      .locator('.md')
      .getByText(/21 °C and sunny/)
      .last()
      .waitFor();
    await chat.counted.waitFor();
  });

  it('compares three models, and continues with the selected one', async () => {
    await desk.widenSideBar(900);
    await button('Compare Models').click();
    // The conversation's model is already checked.
    for (const _ of [1, 2]) {
      await desk.page.keyboard.press('ArrowDown');
      await desk.page.keyboard.press('Enter');
    }
    await button('Compare 3 models').click();
    await desk.webview
      .locator('.compare-line-text', { hasText: 'The next question uses tokens on 3 models' })
      .waitFor();
    await chat.ask('Which is the larger of 8 and 9?');
    const columns = chat.lastTurn.locator('.compare-column');
    await columns.nth(2).waitFor();
    for (const index of [0, 1, 2])
      await columns
        .nth(index)
        .locator('.facts-text', { hasText: /\d+ in/ })
        .waitFor();
    const names = await columns.locator('.who-model').allTextContents();
    assert.equal(new Set(names).size, 3);
    await desk.screenshot('work-compared');
    await columns.nth(1).getByRole('button', { name: 'Continue with This Response' }).click();
    await chat.lastTurn.locator('.answer .who-model', { hasText: names[1]! }).waitFor();
    await desk.widenSideBar(520);
    await chat.ask('Write a Python function that merges two sorted lists.');
    await chat.counted.waitFor();
    assert.equal(await chat.lastTurn.locator('.who-model').textContent(), names[1]);
  });

  it('inserts code at the cursor, in place of a selection after a diff, and in a new file', async () => {
    await openFile('answer.ts');
    await desk.page.keyboard.press('Control+End');
    await chat.lastTurn.locator('.md-insert').first().click();
    await editorText('merge_sort').first().waitFor();
    await desk.page.keyboard.press('Control+z');
    await editorText('merge_sort').waitFor({ state: 'detached' });
    await desk.page.keyboard.press('Control+a');
    await chat.lastTurn.locator('.md-more').first().click();
    await desk.webview.getByRole('menuitem', { name: 'Replace Selection…' }).click();
    await desk.page.locator('.monaco-diff-editor .view-lines', { hasText: 'merge_sort' }).first().waitFor();
    await desk.screenshot('work-diff');
    await desk.page.getByRole('button', { name: 'Accept Proposed Change' }).click();
    await desk.page.locator('.monaco-diff-editor').waitFor({ state: 'detached' });
    await editorText('answer = 42').waitFor({ state: 'detached' });
    await editorText('merge_sort').first().waitFor();
    await desk.command('File: Revert File');
    await chat.lastTurn.locator('.md-more').first().click();
    await desk.webview.getByRole('menuitem', { name: 'New File' }).click();
    await activeTab('Untitled-').waitFor();
    await desk.status('Python').waitFor();
    assert.equal(readFileSync(path.join(folder, 'src/answer.ts'), 'utf8'), files['src/answer.ts']);
  });

  it('highlights code with the colors of built-in and installed themes', async () => {
    const colourOf = (word: Locator) => word.first().evaluate((element) => getComputedStyle(element).color);
    const inAnswer = chat.lastTurn.locator('.hljs-keyword', { hasText: /^def$/ });
    const inEditor = desk.page.locator('.view-line span span', { hasText: /^def$/ });
    let last = '';
    /** Waits until `def`, which every theme colors, has the same color in the answer as in the editor, and no longer the previous one. */
    const isSame = async (theme: string): Promise<void> => {
      last = await until(async () => {
        const [shown, requested] = await Promise.all([colourOf(inAnswer), colourOf(inEditor)]);
        return shown === requested && requested !== last ? requested : undefined;
      }, `the colours of ${theme}`);
    };
    await isSame('the theme it was opened in');
    for (const kind of ['dark', 'light', 'highContrast'] as const) {
      await desk.theme(kind);
      await isSame(kind);
    }
    await desk.command('Preferences: Color Theme');
    await desk.quickInput.locator('input.input').first().fill('Monokai');
    await desk.pick('Monokai');
    await desk.page.locator('.monaco-workbench.vs-dark').waitFor();
    await isSame('Monokai');
    await desk.screenshot('work-colours');
  });

  it('asks before it runs code in the terminal, shows all of it, and opens a new file on Enter', async () => {
    const dialog = desk.page.locator('.monaco-dialog-box');
    const runInTerminal = async (code: string) => {
      commands = code;
      await chat.ask('Which commands?');
      await chat.counted.waitFor();
      commands = undefined;
      await chat.lastTurn.locator('.md-more').click();
      await desk.webview.getByRole('menuitem', { name: 'Run in Terminal…' }).click();
    };
    await desk.page.setViewportSize({ width: 900, height: 560 });
    await runInTerminal(longest);
    await dialog.getByText('Run these 18 lines in the terminal?').waitFor();
    const hidden = await dialog
      .locator('.dialog-message-container')
      .evaluate((text) => [text.scrollHeight - text.clientHeight, text.scrollWidth - text.clientWidth]);
    await desk.screenshot('work-terminal-longest');
    assert.deepEqual(hidden, [0, 0]);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await desk.page.setViewportSize({ width: 1280, height: 800 });
    await runInTerminal('npm ci\n\nnpm test');
    await dialog.getByText('Run these 3 lines in the terminal?').waitFor();
    const buttons = await dialog.locator('.monaco-button').allTextContents();
    assert.deepEqual(buttons.toSorted(), ['Cancel', 'Open as New File', 'Run 3 Lines']);
    await dialog.locator('.monaco-button:focus', { hasText: 'Open as New File' }).waitFor();
    await desk.page.keyboard.press('Enter');
    await editorText('npm ci').waitFor();
    assert.equal(await desk.page.locator('.terminal-wrapper').count(), 0);
  });

  it('attaches context from the entire window, previews it, and sends it', async () => {
    await openFile('answer.ts');
    await desk.page.keyboard.press('Control+Home');
    await desk.page.keyboard.press('Shift+ArrowDown');
    await desk.command('Inference Desk: Add Selection to Chat');
    await chip('answer.ts:1').waitFor();

    await chat.box.click();
    await chat.box.pressSequentially('How many words are in #notes');
    await desk.webview.getByRole('option', { name: 'notes.md' }).waitFor();
    await chat.box.press('Enter');
    await chip('notes.md').click();
    await editorText('Forty-two is even.').first().waitFor();
    assert.equal(await chat.box.inputValue(), 'How many words are in ');

    await openFile('printer.ts');
    const to = await desk.page.locator('iframe.webview').boundingBox();
    assert.ok(to);
    await activeTab('printer.ts').hover();
    await desk.page.mouse.down();
    await desk.page.keyboard.down('Shift');
    await desk.page.mouse.move(to.x + to.width / 2, to.y + to.height / 2, { steps: 12 });
    await desk.webview.getByText('Drop to attach').waitFor();
    await desk.screenshot('work-drop');
    await desk.page.mouse.up();
    await desk.page.keyboard.up('Shift');
    await chip('printer.ts').waitFor();

    await desk.command('Terminal: Create New Terminal');
    await desk.page.locator('.terminal-wrapper .xterm').waitFor();
    await desk.page.keyboard.type('echo for the question');
    await desk.page.keyboard.press('Enter');
    await desk.command('Terminal: Select All');
    await desk.chooseInMenu(desk.page.locator('.terminal-wrapper .xterm-screen').first(), [
      'Inference Desk',
      'Add Terminal Selection to Chat',
    ]);
    await chip('Terminal').click();
    await editorText('for the question').first().waitFor();

    await desk.page.locator('.activitybar [aria-label^="Explorer"]').first().click();
    const row = desk.page.locator('.explorer-folders-view .monaco-list-row', { hasText: 'src' });
    await desk.chooseInMenu(row, ['Inference Desk', 'Add Folder to Chat']);
    await chip('src/').nth(1).waitFor();
    await desk.screenshot('work-attached');

    await chat.ask('How many words are in them?');
    await chat.counted.waitFor();
    await desk.webview.locator('.composer .chip').first().waitFor({ state: 'detached' });
    assert.equal(await chat.lastTurn.locator('.chips-sent .chip').count(), 5);
    const { messages = [] } = await lastRequest();
    const content = messages.at(-1)?.content ?? '';
    assert.match(content, /answer\.ts:1\n```typescript\nexport const answer = 42;\n```/);
    assert.match(content, /notes\.md\n```\w+\nForty-two is even\.\n```/);
    assert.match(content, /printer\.ts\n```\w+\nexport const print/);
    assert.match(content, /for the question/);
    assert.match(content, /src\/\n```\n1 file:\nanswer\.ts\n```/);
    assert.doesNotMatch(content, /question = undefined/);
  });

  it('compacts the earliest turns, shows the transcript, and starts fresh', async () => {
    assert.equal(await desk.webview.locator('.note-error').count(), 0);
    await desk.webview.getByText(/\d earlier turns sent as a transcript/).click();
    await desk.webview.locator('.fold-text', { hasText: '> What is 7 * 8?' }).waitFor();
    await desk.webview.getByText('Start Fresh from Here', { exact: true }).click();
    await desk.webview.getByText(/The \d turns above are no longer sent/).waitFor();
    await chat.ask('What is 9 * 9?');
    await chat.counted.waitFor();
    assert.doesNotMatch(JSON.stringify(await lastRequest()), /7 \* 8/);
  });

  it('restores pasted, chosen, and dropped images after a reload', async () => {
    await newConversation();
    await desk.page.evaluate(async () => {
      const canvas = new OffscreenCanvas(560, 280);
      canvas.getContext('2d')?.fillRect(0, 0, 280, 280);
      await navigator.clipboard.write([new ClipboardItem({ 'image/png': canvas.convertToBlob() })]);
    });
    await chat.box.click();
    await chat.box.press('Control+V');
    await chip('Pasted image').waitFor();
    await desk.webview
      .getByText(/might not support images\./)
      .first()
      .waitFor();

    await chat.box.pressSequentially('What do they show? #images');
    await desk.webview.getByRole('option', { name: 'Images…' }).click();
    // Text typed before the dialog has listed its folder is lost.
    await desk.quickRows.filter({ hasText: 'chosen.png' }).waitFor();
    const location = desk.quickInput.locator('input.input').first();
    await location.fill(path.join(folder, 'chosen.png'));
    await location.press('Enter');
    await chip('chosen.png').waitFor();

    await chat.box.evaluate(
      (box, uri) => {
        const dataTransfer = new DataTransfer();
        dataTransfer.setData('text/uri-list', uri);
        box.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
      },
      pathToFileURL(path.join(folder, 'large.png')).href,
    );
    await chip('large.png').waitFor();
    await desk.screenshot('work-images');

    await desk.reloadWindow();
    await desk.openChat();
    await chip('large.png').waitFor();
    assert.equal((await chat.box.inputValue()).trim(), 'What do they show?');
    await desk.webview.locator('.composer img.chip-image').nth(2).waitFor();
    await chip('Pasted image').click();
    await desk.webview.getByRole('dialog').getByText('560 × 280 px').waitFor();
    await desk.screenshot('work-image');
    await desk.page.keyboard.press('Escape');

    await chat.box.click();
    await chat.send();
    await chat.counted.waitFor();
    // Each picture is read on its own.
    const sent = chat.lastTurn.locator('.chips-sent img.chip-image');
    await sent.nth(2).waitFor();
    assert.equal(await sent.count(), 3);
    const content = ((await lastRequest()).messages?.at(-1)?.content ?? []) as unknown as SentBlock[];
    assert.deepEqual(
      content.map(({ type, text, source }) => text ?? `${type} ${source?.media_type}`),
      [
        '[Image: Pasted image]',
        'image image/png',
        '[Image: chosen.png]',
        'image image/png',
        '[Image: large.png]',
        'image image/png',
        'What do they show?',
      ],
    );
    const { width } = imageSize(Buffer.from(content[5]?.source?.data ?? '', 'base64'));
    assert.equal(width, 2048);
  });

  it('has no rejected calls and no errors in the pages', () => {
    assert.deepEqual(desk.faults, []);
  });
});
