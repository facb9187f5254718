import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { FrameLocator, Locator } from 'playwright-core';
import type { DeskWindow } from '../host/window';
import { signInTo } from '../support/chatJourney';
import { startFilledDemo } from '../support/filledDemo';
import type { FilledDemo } from '../support/filledDemo';
import { inOrder } from '../support/inOrder';
import { until } from '../support/until';

const paragraphs = [
  'Cars and trains bring people from town to town.',
  'Growing tomatoes in pots needs sun,\nwater and patience.',
  'A recipe for tomato soup with basil.',
  'Growing grass is easy: it grows by itself.',
];
const text = `# Notes\n\n${paragraphs.join('\n\n')}\n`;
const query = 'growing tomatoes';
const plants = ['id,name,notes', '1,Cars,"Trains, too"', '2,Growing tomatoes in pots,Sun and water', '3,Grass,Grows'];

/** What is looked through by meaning. */
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

describe('a ranking of a selection and of files in a folder', function () {
  inOrder(this);
  let desk: DeskWindow;
  let demo: FilledDemo;
  let folder: string;
  before(async function () {
    folder = mkdtempSync(path.join(tmpdir(), 'rerank-'));
    writeFileSync(path.join(folder, 'notes.md'), text);
    const fillers = Array.from({ length: 220 }, (_, index) => [
      `notes/note-${index}.txt`,
      `Note ${index}: all is calm.\n`,
    ]);
    for (const [name, content] of [...Object.entries(files), ...fillers]) {
      mkdirSync(path.dirname(path.join(folder, name!)), { recursive: true });
      writeFileSync(path.join(folder, name!), content!);
    }
    demo = await startFilledDemo({ pace: 'fast' });
    // As on the desktop. The editor of a browser saves by itself, sometimes later than anybody waits.
    // The demo service lists no prices.
    const prices = { '*': { input: 1, output: 1 } };
    const settings = { 'files.autoSave': 'off', 'inferenceDesk.prices': prices };
    desk = await this.openDesk({ folder, settings, size: { width: 1500, height: 900 } });
    await signInTo(desk, demo);
    await desk.command('View: Show Explorer');
    await desk.page.locator('.explorer-folders-view .monaco-list-row', { hasText: 'notes.md' }).dblclick();
    await lines().getByText('Cars and trains').waitFor();
    await desk.command('View: Toggle Primary Side Bar Visibility');
  });
  after(async () => {
    await desk?.close();
    await demo?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const lines = (): Locator => desk.page.locator('.editor-instance .view-lines').first();
  const page = (): FrameLocator => desk.editorPage;
  const button = (name: string | RegExp): Locator => page().getByRole('button', { name });
  const rows = (): Locator => page().locator('.virtual-rows .ranking-row');
  /** Where the best one stood. */
  const was = (place: string) => rows().first().locator('.rerank-cell-was').getByText(place, { exact: true });
  const shown = () => lines().innerText();
  const holds = (what: RegExp) =>
    until(async () => (what.test((await shown()).replaceAll(/\s+/g, ' ')) ? true : undefined), String(what));

  /** What stands behind the texts is drawn, a moment after they change, and is no text of the page. */
  const scoresAre = (order: RegExp) =>
    until(async () => {
      const drawn = await lines().evaluate((all) =>
        [...all.querySelectorAll('span')]
          .map((span) => getComputedStyle(span, '::after').content)
          .filter((content) => content.includes('#')),
      );
      return order.test(drawn.join(' ')) ? true : undefined;
    }, `scores in the order ${order}`);

  it('opens from the menu on a selection, split into paragraphs', async () => {
    await lines().getByText('Cars and trains').click();
    await desk.page.keyboard.press('Control+Home');
    await desk.page.keyboard.press('ArrowDown');
    await desk.page.keyboard.press('ArrowDown');
    await desk.page.keyboard.press('Control+Shift+End');
    await desk.chooseInMenu(lines().getByText('Cars and trains'), ['Inference Desk', 'Rerank Selection…']);
    await page().locator('.virtual-rows .documents-row').nth(3).waitFor();
    equal(await page().locator('.virtual-rows .documents-row').count(), 4);
  });

  it('ranks paragraphs by a query, best first', async () => {
    await page().getByRole('textbox', { name: 'Query' }).fill(query);
    await button('Rerank').click();
    await rows().nth(3).waitFor();
    await rows()
      .first()
      .getByText(/Growing tomatoes in pots/)
      .waitFor();
  });

  it('shows scores next to the text', async () => {
    await button(/^Show Scores in Editor/).click();
    await scoresAre(/#4.*#1.*#3.*#2/);
    await desk.screenshot('rerank-scores');
  });

  it('opens the location of a row', async () => {
    await rows().first().dblclick();
    await desk.status('Ln 6, Col 20').waitFor();
  });

  it('reorders the text by rank after review, as one undo step', async () => {
    await button(/^Reorder/).click();
    await desk.page.locator('.monaco-diff-editor').waitFor();
    await desk.screenshot('rerank-diff');
    // The page may have the focus again by then: actions of a tab are there while it has it.
    await tab('by score').click();
    await desk.page.getByRole('button', { name: 'Accept Proposed Change' }).click();
    await desk.page.locator('.monaco-diff-editor').waitFor({ state: 'detached' });
    await holds(/Notes.*Growing tomatoes.*Growing grass/);
    await scoresAre(/#1.*#2.*#3.*#4/);
    await was('1').waitFor();
    await lines().getByText('Growing grass').click();
    await desk.page.keyboard.press('Control+z');
    await holds(/Notes.*Cars and trains.*Growing tomatoes.*tomato soup.*Growing grass/);
    await scoresAre(/#4.*#1.*#3.*#2/);
    await was('2').waitFor();
  });

  it('restores the ranking after a reload', async () => {
    await desk.page.keyboard.press('Control+s');
    equal(readFileSync(path.join(folder, 'notes.md'), 'utf8'), text);
    await desk.reloadWindow();
    await rows().nth(3).waitFor();
    equal(await page().getByRole('textbox', { name: 'Query' }).inputValue(), query);
    await holds(/Notes.*Cars and trains.*Growing tomatoes.*tomato soup.*Growing grass/);
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
  const found = (text: string | RegExp) => desk.quickRows.filter({ hasText: text }).first();
  const says = (words: RegExp) =>
    until(async () => (words.test((await box().getAttribute('placeholder')) ?? '') ? true : undefined), String(words));
  const titleButton = (name: string) => desk.quickInput.locator(`.quick-input-titlebar [aria-label^="${name}"]`);
  const pace = (workMs: number) => demo.call('POST', '/_control/pace', { pace: { workMs } });
  const ask = async (text: string) => {
    await desk.command('Inference Desk: Semantic Search…');
    await title().getByText('Semantic Search', { exact: true }).waitFor();
    await desk.answer(text);
    await title().getByText('Semantic Search: ').waitFor();
  };

  it('asks for a question, and before it creates many embeddings', async () => {
    await pace(2000);
    await desk.command('View: Close All Editors');
    await desk.command('View: Show Explorer');
    await desk.page.locator('.explorer-folders-view .monaco-list-row', { hasText: 'readme.md' }).dblclick();
    await tab('readme.md').waitFor();
    await lines().click();
    await desk.page.keyboard.press('Control+G');
    await desk.answer(':30');
    await desk.status(/Ln 30, /).waitFor();
    await desk.command('Inference Desk: Semantic Search…');
    await says(/Describe code or text/);
    await box().fill(question);
    await found(/Find \(up to ~\S+ without confirmation\)/).waitFor();
    await desk.answer(question);
    await found('Create Embeddings').waitFor();
    match((await found('Create Embeddings').textContent())!, /Passages: 227, tokens: about [\d,]+/);
    await found('Search by Words').click();
  });

  it('shows candidates during ranking, then the sorted results', async () => {
    await found('not ranked yet').waitFor();
    await says(/Ranking candidates/);
    await found(/ranked$/).waitFor();
    await says(/Ranked by .*rerank.* · 4 passages · 226 files searched · [\d,]+ tokens/);
    const scores = (await desk.quickRows.allTextContents()).map((text) => /(\d\.\d\d) {2}[▰▱]{5}/.exec(text)?.[1]);
    ok(scores.length > 2 && scores.every((score) => score !== undefined));
    deepEqual(scores, scores.toSorted().toReversed());
    await found('retry.ts:34').waitFor();
    await desk.screenshot('find-ranked');
  });

  it('previews each result during navigation, and restores the editor', async () => {
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

  it('shows the results again without ranking, and opens the selected one', async () => {
    await desk.command('Inference Desk: Semantic Search…');
    await found('saved results').click();
    await found('retry.ts:34').waitFor();
    await titleButton('Copy List').click();
    const copied = /^\d\.\d\d\t\S+:\d+\t.+\n/;
    const clipboard = () => desk.page.evaluate(() => navigator.clipboard.readText());
    await until(async () => (copied.test(await clipboard()) ? true : undefined), 'the copied list');
    await box().fill('retry.ts');
    await desk.page.keyboard.press('Enter');
    await desk.status(/Ln 34, /).waitFor();
    await desk.quickInput.waitFor({ state: 'hidden' });
    await areOpen(['readme.md', 'retry.ts']);
  });

  it('opens a result to the side', async () => {
    await desk.command('Inference Desk: Semantic Search…');
    await found('saved results').click();
    await found('limits.md').hover();
    await found('limits.md').locator('[aria-label="Open to the Side"]').click();
    await desk.page.locator('.editor-group-container').nth(1).locator('.tab', { hasText: 'limits.md' }).waitFor();
    equal(
      await desk.page.locator('.editor-group-container').first().locator('.tab', { hasText: 'limits.md' }).count(),
      0,
    );
    await desk.command('View: Close All Editors');
  });

  it('creates embeddings after confirmation, and searches with them', async () => {
    await pace(300);
    await desk.command('Inference Desk: Semantic Search…');
    await found('saved results').click();
    await found('retry.ts:34').waitFor();
    await titleButton('Search Again (up to ~').waitFor();
    await titleButton('Change Search Method (up to ~').click();
    await found('Create Embeddings').click();
    await says(/Creating embeddings… \d+ of 227 passages/);
    await says(/Ranked by .*100 passages/);
    await found('limits.md').waitFor();
    await desk.page.keyboard.press('Escape');
    await desk.quickInput.waitFor({ state: 'hidden' });
  });

  it('shows the error and next step with the candidates', async () => {
    await demo.call('POST', '/_control/arm', { fault: 'balance-403', endpoint: 'POST /rerank', times: 9 });
    await ask('onions in a soup');
    await found('Try Again').waitFor();
    await found('cooking.md').waitFor();
    await desk.screenshot('find-not-ranked');
    await found('Show Full Message').click();
    await desk.notice('Out of credit');
    await desk.clearNotices();
    await ask('onions in a soup');
    await demo.call('POST', '/_control/reset', {});
    await found('Try Again').waitFor();
    for (const key of ['ArrowDown', 'ArrowDown', 'Enter']) await box().press(key);
    await says(/Ranked by/);
    equal(await found('Try Again').count(), 0);
    await titleButton('Back').click();
    await title().getByText('Semantic Search', { exact: true }).waitFor();
    equal(await box().inputValue(), 'onions in a soup');
    await desk.page.keyboard.press('Escape');
  });

  it('ranks a table by the selected columns, and keeps its header in place', async () => {
    await desk.command('View: Close All Editors');
    writeFileSync(path.join(folder, 'plants.csv'), `${plants.join('\n')}\n`);
    await desk.command('View: Show Explorer');
    await desk.page.locator('.explorer-folders-view .monaco-list-row', { hasText: 'plants.csv' }).dblclick();
    await lines().getByText('Growing tomatoes').waitFor();
    await desk.command('View: Toggle Primary Side Bar Visibility');
    await desk.command('Inference Desk: Rerank…');
    await desk.pick('Active File');
    await page().locator('.virtual-rows .documents-row', { hasText: 'id: 1 name: Cars' }).waitFor();
    await button('Columns: 3 of 3').click();
    await page().getByRole('checkbox', { name: 'id' }).uncheck();
    await page().getByRole('checkbox', { name: 'notes' }).uncheck();
    await desk.screenshot('rerank-columns');
    await desk.page.keyboard.press('Escape');
    const row = page().locator('.virtual-rows .documents-row', { hasText: /^\W*1\W*Cars/ });
    await row.waitFor();
    await page().getByRole('textbox', { name: 'Query' }).fill(query);
    await button('Rerank').click();
    await rows().first().getByText('Growing tomatoes in pots', { exact: true }).waitFor();
    await button(/^Show Scores in Editor/).click();
    await desk.page.locator('.editor-instance .glyph-margin-widgets .cgmr').nth(2).waitFor();
    await desk.screenshot('rerank-table');
    await button(/^Reorder/).click();
    await desk.page.locator('.monaco-diff-editor').waitFor();
    await tab('by score').click();
    await desk.page.getByRole('button', { name: 'Accept Proposed Change' }).click();
    await desk.page.locator('.monaco-diff-editor').waitFor({ state: 'detached' });
    await holds(/id,name,notes.*2,Growing tomatoes.*Cars/);
    await lines().getByText('Growing tomatoes').click();
    await desk.page.keyboard.press('Control+z');
    await desk.command('File: Save');
    equal(readFileSync(path.join(folder, 'plants.csv'), 'utf8'), `${plants.join('\n')}\n`);
    deepEqual(desk.faults, []);
  });
});
