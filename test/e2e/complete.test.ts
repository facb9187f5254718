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

describe('completing text where it is', function () {
  inOrder(this);
  let desk: DeskWindow;
  let demo: FilledDemo;
  let folder: string;

  before(async function () {
    demo = await startFilledDemo({ pace: { firstTokenMs: 300, tokenMs: 120 } });
    folder = mkdtempSync(path.join(tmpdir(), 'complete-'));
    writeFileSync(path.join(folder, 'story.txt'), `${story}\n\nThis paragraph stands behind it.\n`);
    // In a browser the editor saves by itself.
    desk = await this.openDesk({
      folder,
      settings: { 'files.autoSave': 'off', 'editor.wordWrap': 'on', 'editor.minimap.enabled': false },
    });
    await signInTo(desk, demo);
    await desk.command('View: Show Explorer');
    await desk.page.locator('.explorer-folders-view .monaco-list-row', { hasText: 'story.txt' }).dblclick();
    await text('lighthouse').waitFor();
  });
  after(async () => {
    await desk?.close();
    await demo?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const group = (index: number): Locator => desk.page.locator('.editor-group-container').nth(index);
  const text = (words: string | RegExp): Locator => group(0).locator('.view-lines', { hasText: words });
  const lens = (words: string | RegExp, index = 0): Locator =>
    group(index).locator('.codelens-decoration', { hasText: words }).first();
  const lensLink = (words: string): Locator => group(0).locator('.codelens-decoration a', { hasText: words }).first();
  const pace = (tokenMs: number) => demo.call('POST', '/_control/pace', { pace: { tokenMs } });
  const key = (keys: string) => desk.page.keyboard.press(keys);
  /** Selects the first line of the story; clicking gives the editor the focus. */
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
  /** Some words of the answer are drawn below its place. */
  const grows = () =>
    desk.page.waitForFunction(() =>
      [...document.querySelectorAll('.view-lines span')].some((span) => {
        const [, answer = ''] = getComputedStyle(span, '::after').content.split('keeps what came)');
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

  it('comes from the menu on the selection, is seen while it comes, and is one undo step', async () => {
    await selectStory();
    const line = group(0).locator('.view-line', { hasText: 'lighthouse stood' }).first();
    await desk.chooseInMenu(line, ['Inference Desk', 'Complete: Insert After'], {
      position: { x: 40, y: 8 },
      whenShown: () => desk.screenshot('complete-menu'),
    });
    await desk.status('Completing…').first().waitFor();
    await grows();
    await desk.screenshot('complete-streaming');
    await desk.theme('dark');
    await desk.screenshot('complete-streaming-dark');
    await pace(1);
    await lens(/tokens in, \d+ out · stop/).waitFor();
    await desk.screenshot('complete-inserted-dark');
    await desk.theme('light');
    await desk.screenshot('complete-inserted');
    await group(0).locator('.view-line').last().click();
    await undone();
    await text(story).waitFor();
  });

  it('stops with Esc, keeps what came, and offers to go on', async () => {
    await pace(150);
    await selectStory();
    await desk.command('Complete: Insert After');
    await desk.status('Completing…').first().waitFor();
    await grows();
    await group(0).locator('.view-line').last().click();
    await key('Escape');
    await lens(/stopped/).waitFor();
    await lensLink('Go On').waitFor();
    await desk.screenshot('complete-stopped');
    await lensLink('tokens in').click();
    await desk.quickRows.filter({ hasText: 'Copy Answer' }).waitFor();
    await desk.screenshot('complete-facts');
    await key('Escape');
    await group(0).locator('.view-line').last().click();
    await undone();
  });

  it('offers alternatives, shown and compared beside, and inserts the one that is taken', async () => {
    await pace(1);
    write({ n: 4, max_tokens: 40, seed: 7 });
    await selectStory();
    await desk.command('Complete: Insert After');
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
    await desk.screenshot('complete-taken');
    await group(0).locator('.view-line').last().click();
    await undone();
  });

  it('brings the alternatives back, also after a reload', async () => {
    await desk.reloadWindow();
    await text('lighthouse').waitFor();
    await group(0).locator('.view-line').last().click();
    await desk.command('Complete: Show Last Alternatives');
    await desk.quickRows.nth(2).waitFor();
    await desk.screenshot('complete-again');
    await key('Enter');
    await lens(/tokens in/).waitFor();
    await group(0).locator('.view-line').last().click();
    await undone();
  });

  it('asks whether to go on without a parameter that is refused', async () => {
    write({ logprobs: 20, max_tokens: 30 });
    await selectStory();
    await desk.command('Complete: Insert After');
    const notice = await desk.notice(/refused the parameter logprobs/);
    await desk.screenshot('complete-refused');
    await notice.getByRole('button', { name: 'Send Without It' }).click();
    await lens(/tokens in/).waitFor();
    await group(0).locator('.view-line').last().click();
    await undone();
  });

  it('shows how sure the model was of each token', async () => {
    write({ max_tokens: 120 });
    await desk.command('Complete: Show Tokens…');
    await desk.quickRows.filter({ hasText: 'Of the prompt' }).waitFor();
    await desk.screenshot('complete-tokens-choice');
    await desk.pick('Of the prompt');
    await selectStory();
    await desk.command('Complete: Insert After');
    await lens(/tokens in/).waitFor();
    await desk.status(/unsure of \d+ tokens/).waitFor();
    await desk.screenshot('complete-tokens');
    await desk.command('Complete: Next Unsure Token');
    await desk.page.locator('.monaco-hover', { hasText: 'logprob' }).first().waitFor();
    await desk.screenshot('complete-token-hover');
    for (const [kind, token] of [
      ['dark', '␣stood'],
      ['highContrast', '␣end'],
      ['light', '␣pier'],
    ] as const) {
      await desk.theme(kind);
      await desk.command('Complete: Next Unsure Token');
      await desk.page.locator('.monaco-hover', { hasText: token }).first().waitFor();
      await desk.screenshot(`complete-tokens-${kind}`);
    }
    await desk.command('Complete: Hide Tokens');
    await desk.status(/unsure of/).waitFor({ state: 'hidden' });
    await group(0).locator('.view-line').last().click();
    await undone();
  });

  it('shows an answer beside, with its facts', async () => {
    await pace(40);
    await selectStory();
    await desk.command('Complete: Show Beside');
    await group(1).locator('.view-lines').first().waitFor();
    await group(1)
      .locator('.view-line', { hasText: /\w\s\w+\s\w+/ })
      .first()
      .waitFor();
    await desk.screenshot('complete-beside-streaming');
    await pace(1);
    await lens(/tokens in/, 1).waitFor();
    await desk.screenshot('complete-beside');
  });

  it('refused nothing and threw nothing in its pages', () => {
    assert.deepEqual(desk.faults, []);
  });
});
