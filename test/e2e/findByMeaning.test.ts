import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { DeskWindow } from '../host/window';
import { signInTo } from '../support/chatJourney';
import { startFilledDemo, type FilledDemo } from '../support/filledDemo';
import { inOrder } from '../support/inOrder';
import { until } from '../support/until';

const files: Readonly<Record<string, string>> = {
  'readme.md': `# Harbour\n\n${'A line of the readme.\n'.repeat(60)}`,
  'src/network/retry.ts': [
    '/** Requests that a server was too busy for. */',
    'const mostAttempts = 3;',
    ...Array.from({ length: 30 }, (_, line) => `const filler${line} = ${line};`),
    'export function waitBeforeRetry(attempt: number, retryAfter?: number): number {',
    '  // A rate limit says how long to wait before a request is retried.',
    '  return retryAfter ?? 2 ** attempt * 500;',
    '}',
  ].join('\n'),
  'src/network/a/folder/with/a/long/name/that/does/not/end/transport.ts':
    'export async function send(request: Request) {\n  // The request goes out once; whether it is retried is decided elsewhere.\n}\n',
  'docs/limits.md': '# Limits\n\nThe rate limit is 60 requests a minute. After that, requests wait.\n',
  'docs/cooking.md': '# Soup\n\nCut the onions. Wait until they are brown.\n',
};
const question = 'How long does a request wait before it is retried after a rate limit?';

describe('finding by meaning', function () {
  inOrder(this);
  let desk: DeskWindow;
  let demo: FilledDemo;
  let folder: string;

  before(async function () {
    demo = await startFilledDemo({ pace: { workMs: 2000 } });
    folder = mkdtempSync(path.join(tmpdir(), 'find-'));
    const fillers = Array.from({ length: 220 }, (_, index) => [
      `notes/note-${index}.txt`,
      `Note ${index}: all is calm.\n`,
    ]);
    for (const [name, text] of [...Object.entries(files), ...fillers]) {
      mkdirSync(path.dirname(path.join(folder, name!)), { recursive: true });
      writeFileSync(path.join(folder, name!), text!);
    }
    desk = await this.openDesk({ folder, settings: { 'files.autoSave': 'off' } });
    await signInTo(desk, demo);
    await desk.command('View: Show Explorer');
    await desk.page.locator('.explorer-folders-view .monaco-list-row', { hasText: 'readme.md' }).dblclick();
    await tab('readme.md').waitFor();
    await desk.page.locator('.view-lines').first().click();
    await desk.page.keyboard.press('Control+G');
    await desk.answer(':30');
    await desk.status(/Ln 30, /).waitFor();
  });
  after(async () => {
    await desk?.close();
    await demo?.close();
    await rm(folder, { recursive: true, force: true });
  });

  const tab = (name: string) => desk.page.locator('.tabs-container .tab', { hasText: name });
  const tabs = () =>
    desk.page
      .locator('.tabs-container .tab')
      .evaluateAll((all) => all.map((one) => one.getAttribute('data-resource-name')));
  const title = () => desk.quickInput.locator('.quick-input-title');
  const box = () => desk.quickInput.locator('input.input').first();
  const highlight = () => desk.page.locator('.view-overlays .cdr[class*="ced-"]');
  /** Nothing else is left of what was looked at: an editor that was shown meanwhile closes a moment after the list. */
  const areOpen = (names: readonly string[]) =>
    until(
      async () => (isDeepStrictEqual(await tabs(), names) && (await highlight().count()) === 0 ? true : undefined),
      `only ${names.join(', ')}`,
    );
  const row = (text: string | RegExp) => desk.quickRows.filter({ hasText: text }).first();
  const says = (words: RegExp) =>
    until(async () => (words.test((await box().getAttribute('placeholder')) ?? '') ? true : undefined), String(words));
  const titleButton = (name: string) => desk.quickInput.locator(`.quick-input-titlebar [aria-label^="${name}"]`);
  const pace = (workMs: number) => demo.call('POST', '/_control/pace', { pace: { workMs } });
  const ask = async (text: string) => {
    await desk.command('Rank Files for');
    await title().getByText('Rank Files for…').waitFor();
    await desk.answer(text);
    await title().getByText('Rank Files for: ').waitFor();
  };

  it('asks for the question, and before vectors of many files are made', async () => {
    await desk.command('Rank Files for');
    await says(/What are you looking for/);
    await desk.screenshot('find-question');
    await desk.answer(question);
    await row('Make Vectors').waitFor();
    match((await row('Make Vectors').textContent())!, /226 parts of files, about [\d,]+ tokens/);
    await desk.screenshot('find-vectors-question');
    await row('Search by Words').click();
  });

  it('shows candidates while they are ranked, then the places in order', async () => {
    await row('not ranked yet').waitFor();
    await says(/ranking them/);
    await desk.screenshot('find-candidates');
    await row(/ranked$/).waitFor();
    await says(/Ranked by .*rerank.* · 4 places · 225 files read · [\d,]+ tokens/);
    const scores = (await desk.quickRows.allTextContents()).map((text) => /(\d\.\d\d) {2}[▰▱]{5}/.exec(text)?.[1]);
    ok(scores.length > 2 && scores.every((score) => score !== undefined));
    deepEqual(scores, scores.toSorted().toReversed());
    await row('retry.ts:34').waitFor();
    await desk.screenshot('find-ranked');
  });

  it('shows each place while a person goes through them, and puts the editor back', async () => {
    await until(async () => ((await highlight().count()) > 0 ? true : undefined), 'the highlight');
    const first = await desk.page.locator('.tabs-container .tab.active').textContent();
    await box().press('ArrowDown');
    await until(
      async () => ((await desk.page.locator('.tabs-container .tab.active').textContent()) === first ? undefined : true),
      'the next place',
    );
    await desk.screenshot('find-preview');
    await desk.page.keyboard.press('Escape');
    await desk.quickInput.waitFor({ state: 'hidden' });
    await desk.status(/Ln 30, /).waitFor();
    await tab('limits.md').waitFor({ state: 'detached' });
    await areOpen(['readme.md']);
  });

  it('shows the places again without another ranking, and opens the one that is chosen', async () => {
    await desk.command('Rank Files for');
    await row('found already').click();
    await row('retry.ts:34').waitFor();
    await desk.screenshot('find-again');
    await titleButton('Copy the List').click();
    const copied = /^\d\.\d\d\t\S+:\d+\t.+\n/;
    const clipboard = () => desk.page.evaluate(() => navigator.clipboard.readText());
    await until(async () => (copied.test(await clipboard()) ? true : undefined), 'the copied list');
    await box().fill('retry.ts');
    await desk.page.keyboard.press('Enter');
    await desk.status(/Ln 34, /).waitFor();
    await desk.quickInput.waitFor({ state: 'hidden' });
    await areOpen(['readme.md', 'retry.ts']);
  });

  it('opens a place to the side', async () => {
    await desk.command('Rank Files for');
    await row('found already').click();
    await row('limits.md').hover();
    await row('limits.md').locator('[aria-label="Open to the Side"]').click();
    await desk.page.locator('.editor-group-container').nth(1).locator('.tab', { hasText: 'limits.md' }).waitFor();
    equal(
      await desk.page.locator('.editor-group-container').first().locator('.tab', { hasText: 'limits.md' }).count(),
      0,
    );
    await desk.command('View: Close All Editors');
  });

  it('makes vectors when it may, and finds by them', async () => {
    await pace(300);
    await desk.command('Rank Files for');
    await row('found already').click();
    await row('retry.ts:34').waitFor();
    await titleButton('Search by Words or by Vectors').click();
    await row('Make Vectors').click();
    await says(/Making vectors… \d+ of 226 parts of files/);
    await desk.screenshot('find-vectors');
    await says(/Ranked by .*100 places/);
    await row('limits.md').waitFor();
    await desk.screenshot('find-by-vectors');
  });

  it('is read in dark and narrow windows', async () => {
    await desk.page.keyboard.press('Escape');
    await desk.theme('dark');
    await desk.command('Rank Files for');
    await row('found already').click();
    await row('limits.md').waitFor();
    await desk.screenshot('find-dark');
    await desk.page.setViewportSize({ width: 560, height: 700 });
    await desk.screenshot('find-narrow');
    await desk.page.keyboard.press('Escape');
    await desk.page.setViewportSize({ width: 1280, height: 800 });
    await desk.theme('light');
  });

  it('says what went wrong and what to do, with the candidates it has', async () => {
    await demo.call('POST', '/_control/arm', { fault: 'balance-403', endpoint: 'POST /rerank', times: 9 });
    await ask('onions in a soup');
    await row('Try again').waitFor();
    await row('cooking.md').waitFor();
    await desk.screenshot('find-not-ranked');
    await row('Show the whole message').click();
    await desk.notice('The balance is used up');
    await desk.clearNotices();
    await ask('onions in a soup');
    await demo.call('POST', '/_control/reset', {});
    await row('Try again').waitFor();
    for (const key of ['ArrowDown', 'ArrowDown', 'Enter']) await box().press(key);
    await says(/Ranked by/);
    equal(await row('Try again').count(), 0);
    await demo.close();
    await titleButton('Search Again').click();
    await says(/did not work/);
    await row('Try again').waitFor();
    await desk.screenshot('find-service-gone');
    await titleButton('Back').click();
    await title().getByText('Rank Files for…').waitFor();
    equal(await box().inputValue(), 'onions in a soup');
    await desk.page.keyboard.press('Escape');
    deepEqual(desk.faults, []);
  });
});
