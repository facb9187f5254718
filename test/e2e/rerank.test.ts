import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
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

describe('from a selection to its ranking', function () {
  inOrder(this);
  let desk: DeskWindow;
  let demo: FilledDemo;
  let folder: string;
  before(async function () {
    folder = mkdtempSync(path.join(tmpdir(), 'rerank-'));
    writeFileSync(path.join(folder, 'notes.md'), text);
    demo = await startFilledDemo({ pace: 'fast' });
    desk = await this.openDesk({ folder, size: { width: 1500, height: 900 } });
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

  it('is opened by the menu on the selection, split into its paragraphs', async () => {
    await lines().getByText('Cars and trains').click();
    await desk.page.keyboard.press('Control+Home');
    await desk.page.keyboard.press('ArrowDown');
    await desk.page.keyboard.press('ArrowDown');
    await desk.page.keyboard.press('Control+Shift+End');
    await desk.chooseInMenu(lines().getByText('Cars and trains'), ['Inference Desk', 'Rerank Selection…'], {
      whenShown: () => desk.screenshot('rerank-menu'),
    });
    await page().locator('.virtual-rows .documents-row').nth(3).waitFor();
    await desk.screenshot('rerank-documents');
    assert.equal(await page().locator('.virtual-rows .documents-row').count(), 4);
  });

  it('is ranked by a query, best first', async () => {
    await page().getByRole('textbox', { name: 'Query' }).fill(query);
    await button('Rerank').click();
    await rows().nth(3).waitFor();
    assert.match(await rows().first().innerText(), /Growing tomatoes in pots/);
    await desk.screenshot('rerank-ranking');
  });

  it('has its scores beside the text', async () => {
    await button(/^Scores in the editor|^Show the scores/).click();
    await scoresAre(/#4.*#1.*#3.*#2/);
    await desk.screenshot('rerank-scores');
  });

  it('leads from a row to its place', async () => {
    await rows().first().dblclick();
    await desk.status('Ln 6, Col 20').waitFor();
    await desk.screenshot('rerank-jump');
  });

  it('is brought into the order of the ranking after a look at it, and back by one undo', async () => {
    await button(/^Reorder/).click();
    await desk.page.locator('.monaco-diff-editor').waitFor();
    await desk.screenshot('rerank-diff');
    await desk.page.getByRole('button', { name: 'Apply Replacement' }).click();
    await desk.page.locator('.monaco-diff-editor').waitFor({ state: 'detached' });
    await holds(/Notes.*Growing tomatoes.*Growing grass/);
    await scoresAre(/#1.*#2.*#3.*#4/);
    await was('1').waitFor();
    await desk.screenshot('rerank-reordered');
    await lines().getByText('Growing grass').click();
    await desk.page.keyboard.press('Control+z');
    await holds(/Notes.*Cars and trains.*Growing tomatoes.*tomato soup.*Growing grass/);
    await scoresAre(/#4.*#1.*#3.*#2/);
    await was('2').waitFor();
    await desk.screenshot('rerank-undone');
  });

  it('is compared between models, by what is judged', async () => {
    await page().getByRole('tab', { name: 'Compare' }).click();
    await button(/^Compare 3 models/).click();
    await page().locator('.virtual-rows .comparison-row').nth(3).waitFor();
    const first = page().locator('.virtual-rows .comparison-row').filter({ hasText: 'Growing tomatoes' });
    await first.getByRole('button', { name: 'Relevant (R)', exact: true }).click();
    await page().getByText('Judged documents: 1.').waitFor();
    await page().getByText('1.000').first().waitFor();
    await desk.screenshot('rerank-compare');
  });

  it('is copied, and there again after a reload', async () => {
    await page().getByRole('tab', { name: 'Ranking' }).click();
    await button('Copy as…').click();
    await button('Markdown table').click();
    await page().getByRole('tabpanel').getByText('4 documents were copied.').waitFor();
    await desk.screenshot('rerank-copied');
    const copied = await desk.page.evaluate(() => navigator.clipboard.readText());
    assert.match(copied, /^\| Rank \| Score \| Document \| Place \|/);
    await desk.reloadWindow();
    await rows().nth(3).waitFor();
    assert.equal(await page().getByRole('textbox', { name: 'Query' }).inputValue(), query);
    await desk.screenshot('rerank-restored');
    assert.equal(readFileSync(path.join(folder, 'notes.md'), 'utf8'), text);
  });

  it('says what to do where nothing is selected', async () => {
    await lines().getByText('Cars and trains').click();
    await desk.command('Inference Desk: Rerank Selection');
    await desk.notice(/Nothing is selected/);
    await desk.screenshot('rerank-nothing');
  });

  it('refused nothing and threw nothing in its pages', () => {
    assert.deepEqual(desk.faults, []);
  });
});
