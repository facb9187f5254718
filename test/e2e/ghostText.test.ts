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

describe('ghost text in an editor', function () {
  inOrder(this);
  let desk: DeskWindow;
  let demo: FilledDemo;
  let folder: string;

  before(async function () {
    demo = await startFilledDemo({ pace: 'fast' });
    folder = mkdtempSync(path.join(tmpdir(), 'ghost-'));
    writeFileSync(path.join(folder, 'sum.ts'), 'export function sum(numbers: number[]): number {\n  \n}\n');
    writeFileSync(path.join(folder, 'notes.md'), '# Notes\n\n');
    writeFileSync(path.join(folder, '.env'), 'KEY=1\n');
    // In a browser the editor saves by itself.
    desk = await this.openDesk({ folder, settings: { 'files.autoSave': 'off', 'editor.quickSuggestions': false } });
    await signInTo(desk, demo);
    await desk.command('View: Show Explorer');
    await openFile('sum.ts');
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
  const goTo = async (line: number, column: number): Promise<void> => {
    await desk.page.locator('.editor-group-container .view-lines').click();
    await desk.page.keyboard.press('Control+G');
    await desk.answer(`:${line}:${column}`);
    await desk.status(`Ln ${line}, Col ${column}`).waitFor();
    await desk.page.locator('.monaco-editor.focused').first().waitFor();
  };
  const ghost = (): Locator => desk.page.locator('[class*="ghost-text"]').first();
  const text = (): Locator => desk.page.locator('.editor-group-container .view-lines');
  const languageStatus = (): Locator => desk.page.locator('[id="status.languageStatus"]');
  const entry = (words: string | RegExp): Locator =>
    desk.page.locator('.hover-language-status', { hasText: words }).first();
  /** Shows what the editor says of the language, with these words of ours among it. */
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
  const requests = async (): Promise<number> => {
    return (await demo.requests()).filter(({ path: where }) => where === '/v1/completions').length;
  };

  it('is off until it is turned on, which says what it costs', async () => {
    await goTo(2, 3);
    assert.equal(await desk.page.locator('[class*="ghost-text-decoration"]').count(), 0);
    await desk.command('Inference Desk: Trigger Ghost Text');
    await desk.quickRows.filter({ hasText: 'At each pause in typing' }).waitFor();
    await desk.screenshot('ghost-turn-on');
    await desk.pick('Only when asked for');
    await ghost().waitFor();
    await desk.screenshot('ghost-first');
    await desk.page.keyboard.press('Escape');
  });

  it('comes when asked for by its key, and is accepted with Tab', async () => {
    await goTo(2, 3);
    await desk.page.keyboard.press('Alt+\\');
    await ghost().waitFor();
    await desk.screenshot('ghost-manual');
    await desk.theme('dark');
    await goTo(2, 3);
    await desk.page.keyboard.press('Alt+\\');
    await ghost().waitFor();
    await desk.screenshot('ghost-manual-dark');
    await desk.page.keyboard.press('Tab');
    await text()
      .filter({ hasText: /return\s\w+;/ })
      .waitFor();
    await text()
      .filter({ hasText: /sorted|result/i })
      .waitFor();
    // The default model refuses what follows the cursor: it was asked again without, and never more for the same place.
    assert.equal(await requests(), 2);
    await readStatus(/on request, prefix only/);
    await desk.screenshot('ghost-status-prefix-dark');
    await desk.theme('light');
    await readStatus(/on request, prefix only/);
    await desk.screenshot('ghost-status-prefix');
  });

  it('has a model chosen for it, and comes by itself where that is wanted', async () => {
    await desk.command('Inference Desk: Choose Model for Ghost Text');
    await desk.quickRows.filter({ hasText: /The default for completion.*prefix only/ }).waitFor();
    await desk.screenshot('ghost-models');
    await desk.answer('Qwen2.5-Coder');
    await readStatus(/Qwen2\.5-Cod/);
    await desk.command('Inference Desk: Ghost Text…');
    await desk.quickRows.filter({ hasText: 'At each pause in typing' }).waitFor();
    await desk.quickInput.getByPlaceholder(/1 of 1 accepted/).waitFor();
    await desk.screenshot('ghost-menu');
    await desk.pick('At each pause in typing');
    // What is typed before the setting is known is not answered.
    await readStatus('Ghost text: automatic');
    await goTo(3, 3);
    await desk.page.keyboard.press('End');
    await desk.page.keyboard.press('Enter');
    await desk.page.keyboard.type('const again = ');
    await ghost().waitFor();
    await desk.screenshot('ghost-automatic');
    await readStatus('Ghost text: automatic');
    await desk.screenshot('ghost-status-automatic');
    await desk.theme('dark');
    await readStatus('Ghost text: automatic');
    await desk.screenshot('ghost-status-automatic-dark');
  });

  it('is silent while it is snoozed, and in files and languages where it is off', async () => {
    await desk.command('Inference Desk: Snooze Ghost Text');
    await desk.quickRows.filter({ hasText: 'For 15 minutes' }).waitFor();
    await desk.screenshot('ghost-snooze-dark');
    await desk.pick('For 15 minutes');
    await readStatus('Ghost text: snoozed until');
    await desk.screenshot('ghost-status-snoozed-dark');
    const before = await requests();
    await goTo(1, 1);
    await desk.command('Inference Desk: Trigger Ghost Text');
    await desk.notice('Ghost text: snoozed until');
    await desk.clearNotices();
    assert.equal(await requests(), before);
    await desk.command('Inference Desk: Resume Ghost Text');
    await readStatus('Ghost text: automatic');
    await openFile('notes.md');
    await readStatus('Ghost text: off for markdown');
    await desk.command('Inference Desk: Turn Ghost Text On or Off for This Language');
    await readStatus('Ghost text: automatic');
    await desk.command('Inference Desk: Turn Ghost Text On or Off for This File');
    await readStatus('Ghost text: off for this file');
    await openFile('.env');
    await readStatus('Ghost text: kept out');
    await desk.screenshot('ghost-status-secret-dark');
    assert.equal(await requests(), before);
  });

  it('says in the status what went wrong, once, and what to do', async () => {
    await desk.theme('light');
    await openFile('sum.ts');
    await demo.call('POST', '/_control/arm', { fault: 'balance-403', endpoint: 'POST /completions', times: 1 });
    await goTo(1, 1);
    await desk.page.keyboard.press('End');
    await desk.page.keyboard.press('Enter');
    await readStatus(/Ghost text: .*balance/i);
    await desk.screenshot('ghost-status-balance');
    await desk.theme('dark');
    await readStatus(/Ghost text: .*balance/i);
    await desk.screenshot('ghost-status-balance-dark');
    assert.equal(await desk.toasts.count(), 0);
    await desk.command('Inference Desk: Ghost Text…');
    await desk.quickRows.filter({ hasText: 'Try again' }).waitFor();
    await desk.screenshot('ghost-menu-balance-dark');
    await desk.pick('What happened');
    await desk.notice(/balance is used up/);
    await desk.clearNotices();
    await desk.command('Inference Desk: Ghost Text…');
    await desk.pick('Try again');
    await readStatus('Ghost text: automatic');
  });

  it('is off again, and then nothing tells of it', async () => {
    await desk.command('Inference Desk: Turn Ghost Text On or Off');
    const entries = entry('');
    await until(async () => {
      await desk.page.mouse.move(600, 300);
      if (!(await languageStatus().isVisible())) return true;
      await languageStatus().hover();
      // Those of others are there: ours is not only late.
      await entries.waitFor({ timeout: 2000 }).catch(() => undefined);
      return (await entries.isVisible()) && (await entry('Ghost text').count()) === 0 ? true : undefined;
    }, 'the end of the entry');
    assert.deepEqual(desk.faults, []);
  });
});
