import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import type { DeskWindow } from '../host/window';
import { signInTo } from '../support/chatJourney';
import { startFilledDemo, type FilledDemo } from '../support/filledDemo';
import { inOrder } from '../support/inOrder';
import { until } from '../support/until';

const story = 'The lighthouse stood at the end of the pier, and nobody knew who lit it';

describe('text completion in the editor and inline suggestions', function () {
  inOrder(this);
  let desk: DeskWindow;
  let demo: FilledDemo;
  let folder: string;

  before(async function () {
    demo = await startFilledDemo({ pace: { firstTokenMs: 300, tokenMs: 120 } });
    folder = mkdtempSync(path.join(tmpdir(), 'complete-'));
    writeFileSync(path.join(folder, 'story.txt'), `${story}\n\nThis paragraph stands behind it.\n`);
    writeFileSync(path.join(folder, 'sum.ts'), 'export function sum(numbers: number[]): number {\n  \n}\n');
    writeFileSync(path.join(folder, 'notes.md'), '# Notes\n\n');
    const cell = { cell_type: 'code', metadata: {}, source: ['total = '], outputs: [], execution_count: null };
    const metadata = { language_info: { name: 'python' } };
    const notebook = { cells: [cell], metadata, nbformat: 4, nbformat_minor: 5 };
    writeFileSync(path.join(folder, 'totals.ipynb'), JSON.stringify(notebook));
    // VS Code in a browser saves automatically.
    desk = await this.openDesk({
      folder,
      settings: {
        'files.autoSave': 'off',
        'editor.wordWrap': 'on',
        'editor.minimap.enabled': false,
        'editor.quickSuggestions': false,
      },
    });
    await signInTo(desk, demo);
    await desk.command('View: Show Explorer');
    await openFile('story.txt');
    await text('lighthouse').waitFor();
  });
  after(async () => {
    await desk?.close();
    await demo?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const openFile = async (name: string): Promise<void> => {
    await desk.page.locator('.explorer-folders-view .monaco-list-row', { hasText: name }).dblclick();
    await desk.page.locator('.tab.active', { hasText: name }).waitFor();
  };
  const group = (index: number): Locator => desk.page.locator('.editor-group-container').nth(index);
  const text = (words: string | RegExp): Locator => group(0).locator('.view-lines', { hasText: words });
  const lens = (words: string | RegExp, index = 0): Locator =>
    group(index).locator('.codelens-decoration', { hasText: words }).first();
  const lensLink = (words: string): Locator => group(0).locator('.codelens-decoration a', { hasText: words }).first();
  const pace = (tokenMs: number) => demo.call('POST', '/_control/pace', { pace: { tokenMs } });
  const key = (keys: string) => desk.page.keyboard.press(keys);
  /** Selects the first line of the story with a click, which focuses the editor. */
  const selectStory = async (): Promise<void> => {
    await until(async () => {
      await group(0).locator('.view-line', { hasText: 'lighthouse stood' }).first().click();
      await key('Control+Home');
      await key('Shift+End');
      const selected = desk.status(`(${story.length} selected)`);
      return selected.waitFor({ timeout: 3000 }).then(
        () => true as const,
        () => undefined,
      );
    }, 'the selected line');
  };
  /** Waits until some words of the answer appear below the cursor. */
  const grows = () =>
    desk.page.waitForFunction(() =>
      [...document.querySelectorAll('.view-lines span')].some((span) => {
        const [, answer = ''] = getComputedStyle(span, '::after').content.split('keep the text)');
        return answer.length > 20;
      }),
    );
  const undone = async (): Promise<void> => {
    await key('Control+z');
    await desk.page.locator('.tab.active:not(.dirty)', { hasText: 'story.txt' }).waitFor();
    await lens('tokens in').waitFor({ state: 'detached' });
  };
  const write = (parameters: object): void => {
    const storage = path.join(desk.server.dataFolder, 'data/User/globalStorage/inference-desk.inference-desk');
    writeFileSync(
      path.join(storage, 'completion.json'),
      JSON.stringify({ version: 1, presets: [], refused: [], setup: { parameters } }),
    );
  };

  it('completes a selection from its menu as one undo step, with a live preview', async () => {
    await selectStory();
    const line = group(0).locator('.view-line', { hasText: 'lighthouse stood' }).first();
    await desk.chooseInMenu(line, ['Inference Desk', 'Complete Text'], { position: { x: 40, y: 8 } });
    await desk
      .status(/Completing….* · Price: /)
      .first()
      .waitFor();
    await grows();
    await desk.screenshot('complete-streaming');
    await pace(1);
    await lens(/tokens in, \d+ out · stop/).waitFor();
    await desk.screenshot('complete-inserted');
    await group(0).locator('.view-line').last().click();
    await undone();
    await text(story).waitFor();
  });

  it('stops with Esc, keeps the text, and offers to continue', async () => {
    await pace(150);
    await selectStory();
    await desk.command('Inference Desk: Complete Text');
    await desk.status('Completing…').first().waitFor();
    await grows();
    await group(0).locator('.view-line').last().click();
    await key('Escape');
    await lens(/stopped/).waitFor();
    await lensLink('Continue').waitFor();
    await group(0).locator('.view-line').last().click();
    await undone();
  });

  it('shows and compares alternatives to the side, and inserts the selected one', async () => {
    await pace(1);
    write({ n: 4, max_tokens: 40, seed: 7 });
    await selectStory();
    await desk.command('Inference Desk: Complete Text');
    await desk.quickRows.nth(2).waitFor();
    await group(1).locator('.view-line').first().waitFor();
    await key('ArrowDown');
    await desk.screenshot('complete-alternatives');
    await desk.quickRows.nth(1).hover();
    await desk.quickRows.nth(1).locator('.action-label').first().click();
    await desk.page.locator('.monaco-diff-editor').first().waitFor();
    await desk.page.locator('.monaco-diff-editor .line-insert').first().waitFor();
    await desk.screenshot('complete-compare');
    await desk.quickRows.nth(1).click();
    await lens(/tokens in/).waitFor();
    await lensLink('Alternatives').waitFor();
    await group(0).locator('.view-line').last().click();
    await undone();
  });

  it('offers to continue without a rejected parameter', async () => {
    write({ logprobs: 20, max_tokens: 30 });
    await selectStory();
    await desk.command('Inference Desk: Complete Text');
    const notice = await desk.notice(/rejected the parameter logprobs/);
    await notice.getByRole('button', { name: 'Send Without Parameter' }).click();
    await lens(/tokens in/).waitFor();
    await group(0).locator('.view-line').last().click();
    await undone();
  });

  it('inserts the completion into a notebook cell after a failed request', async () => {
    write({ max_tokens: 20 });
    await openFile('totals.ipynb');
    const line = desk.page.locator('.notebookOverlay .cell .view-line', { hasText: 'total =' }).first();
    const complete = async () => {
      await line.click();
      await key('Control+End');
      await desk.command('Inference Desk: Complete Text');
    };
    await demo.call('POST', '/_control/arm', { fault: 'balance-403', endpoint: 'POST /completions', times: 1 });
    await complete();
    await desk.notice(/credit/i);
    await desk.screenshot('complete-notebook-failed');
    await desk.command('Notifications: Clear All Notifications');
    assert.equal((await line.textContent())?.trim().endsWith('='), true);
    await complete();
    const cell = desk.page.locator('.notebookOverlay .cell .view-lines').first();
    await until(
      async () => ((await cell.textContent()) ?? '').length > 'total = '.length + 10 || undefined,
      'the text',
    );
    await desk.page.setViewportSize({ width: 900, height: 800 });
    await desk.screenshot('complete-notebook-900');
    await desk.page.setViewportSize({ width: 1400, height: 900 });
    await desk.screenshot('complete-notebook');
    await desk.page.setViewportSize({ width: 1280, height: 800 });
    await desk.command('View: Revert and Close Editor');
    await text('lighthouse').waitFor();
  });

  it('shows the probability of each token', async () => {
    write({ max_tokens: 120 });
    await desk.command('Inference Desk: Show Token Probabilities…');
    await desk.pick('Prompt and completion');
    await selectStory();
    await desk.command('Inference Desk: Complete Text');
    await lens(/tokens in/).waitFor();
    await desk.status(/Low confidence: \d+ of \d+ tokens/).waitFor();
    await desk.command('Inference Desk: Go to Next Low-Confidence Token');
    await desk.page.locator('.monaco-hover', { hasText: 'logprob' }).first().waitFor();
    await desk.screenshot('complete-tokens');
    await desk.theme('dark');
    await desk.command('Inference Desk: Go to Next Low-Confidence Token');
    await desk.page.locator('.monaco-hover', { hasText: '␣stood' }).first().waitFor();
    await desk.screenshot('complete-tokens-dark');
    await desk.command('Inference Desk: Show Token Probabilities…');
    await desk.pick('None');
    await desk.status(/Low confidence/).waitFor({ state: 'hidden' });
    await group(0).locator('.view-line').last().click();
    await undone();
  });

  const goTo = async (line: number, column: number): Promise<void> => {
    await group(0).locator('.view-lines').click();
    await key('Control+G');
    await desk.answer(`:${line}:${column}`);
    await desk.status(`Ln ${line}, Col ${column}`).waitFor();
    await desk.page.locator('.monaco-editor.focused').first().waitFor();
  };
  const ghost = (): Locator => desk.page.locator('[class*="ghost-text"]').first();
  const languageStatus = (): Locator => desk.page.locator('[id="status.languageStatus"]');
  const entry = (words: string | RegExp): Locator =>
    desk.page.locator('.hover-language-status', { hasText: words }).first();
  /** Opens VS Code's language status, and waits for our text in it. */
  const readStatus = async (words: string | RegExp): Promise<void> => {
    await languageStatus().waitFor();
    await until(
      async () => {
        await desk.page.mouse.move(600, 300);
        await languageStatus().hover();
        return (await entry(words)
          .waitFor({ timeout: 2000 })
          .then(
            () => true,
            () => undefined,
          )) as true | undefined;
      },
      `the words ${String(words)}`,
    );
  };
  /** Opens the inline suggestion menu from the language status. */
  const openMenu = async (words: string | RegExp): Promise<void> => {
    await readStatus(words);
    await entry(words).getByText('Change', { exact: true }).click();
  };
  const requests = async (): Promise<number> => {
    return (await demo.requests()).filter(({ path: where }) => where === '/v1/completions').length;
  };

  it('shows an inline suggestion when its shortcut is pressed, and accepts it with Tab', async () => {
    await openFile('sum.ts');
    await goTo(2, 3);
    assert.equal(await desk.page.locator('[class*="ghost-text-decoration"]').count(), 0);
    const before = await requests();
    await desk.command('Inference Desk: Trigger Inline Suggestion');
    await desk.quickRows.filter({ hasText: 'When You Pause Typing' }).waitFor();
    await desk.screenshot('ghost-turn-on');
    await desk.pick('On Request');
    await ghost().waitFor();
    await key('Escape');
    await goTo(2, 3);
    await key('Alt+\\');
    await ghost().waitFor();
    await desk.screenshot('ghost-manual-dark');
    await key('Tab');
    await text(/return\s\w+;/).waitFor();
    await text(/sorted|result/i).waitFor();
    // The default model rejects the suffix, so the request was repeated once without it, and not again for the same position.
    assert.equal((await requests()) - before, 2);
    await readStatus(/on request, text before cursor only/);
  });

  it('uses the selected model, and suggests automatically if enabled', async () => {
    await desk.theme('light');
    await desk.command('Inference Desk: Select Inline Suggestion Model…');
    await desk.quickRows.filter({ hasText: /Default completion model.*text before cursor only/ }).waitFor();
    await desk.answer('Qwen2.5-Coder');
    await openMenu(/Qwen2\.5-Cod/);
    await desk.quickInput.getByPlaceholder(/1 of 1 accepted/).waitFor();
    await desk.pick('When You Pause Typing');
    // Typing isn't answered before the setting has taken effect.
    await readStatus('Inline suggestions: automatic');
    await goTo(3, 3);
    await key('End');
    await key('Enter');
    await desk.page.keyboard.type('const again = ');
    await ghost().waitFor();
    await readStatus('Inline suggestions: automatic');
    await desk.screenshot('ghost-status-automatic');
  });

  it('sends nothing while snoozed, or in disabled languages and files', async () => {
    const before = await requests();
    await desk.command('Inference Desk: Snooze Inline Suggestions…');
    await desk.pick('For 15 minutes');
    await openMenu('Inline suggestions: snoozed until');
    await desk.pick('Resume Now');
    await openFile('notes.md');
    await openMenu('Inline suggestions: off for markdown');
    await desk.pick('Turn On for markdown');
    await openMenu('Inline suggestions: automatic');
    await desk.pick('Turn Off for This File');
    await readStatus('Inline suggestions: off for this file');
    assert.equal(await requests(), before);
  });

  it('shows an error once in the status, and resumes on request', async () => {
    await openFile('sum.ts');
    await demo.call('POST', '/_control/arm', { fault: 'balance-403', endpoint: 'POST /completions', times: 1 });
    await goTo(1, 1);
    await key('End');
    await key('Enter');
    await readStatus(/Inline suggestions: .*credit/i);
    await desk.screenshot('ghost-status-balance');
    assert.equal(await desk.toasts.count(), 0);
    await openMenu(/Inline suggestions: .*credit/i);
    await desk.pick('Try Again');
    await readStatus('Inline suggestions: automatic');
  });

  it('shows no status once turned off', async () => {
    await desk.command('Inference Desk: Toggle Inline Suggestions');
    const entries = entry('');
    await until(async () => {
      await desk.page.mouse.move(600, 300);
      if (!(await languageStatus().isVisible())) return true;
      await languageStatus().hover();
      // Other extensions' entries are there, so ours isn't just late.
      await entries.waitFor({ timeout: 2000 }).catch(() => undefined);
      return (await entries.isVisible()) && (await entry('Inline suggestions: ').count()) === 0 ? true : undefined;
    }, 'the end of the entry');
    assert.deepEqual(desk.faults, []);
  });
});
