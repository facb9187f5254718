import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { EvalView } from '../../src/protocol/evalResults';
import { betterRun, createEvalResultsHost, interruptedRun, unclearRun } from '../support/evalResultsHost';
import { look } from '../support/pageLooks';
import { screenPages } from '../support/screenPages';
import { until } from '../support/until';

describe('the results page of an eval', () => {
  const openPage = screenPages();

  async function open(view: EvalView, width = 900, rows = 20) {
    const ours = createEvalResultsHost(view, rows);
    const one = await openPage('evalResults', { theme: 'dark', width, height: 664, handlers: ours.handlers });
    await one.page.getByRole('heading', { name: view.title }).waitFor();
    const asked = (name: string) => until(() => (ours.asked.includes(name) ? true : undefined), name);
    return { ...one, ours, asked };
  }
  const button = (name: string) => `vscode-button:has-text("${name}")`;

  it('starts with the verdict, with rates, regressions, and the next step', async () => {
    const { page, asked } = await open(betterRun);
    await page.getByRole('heading', { name: 'B is better than A' }).waitFor();
    assert.equal(await page.getByRole('row', { name: /triage\.v4 85\.3% 78\.8–90\.1/ }).count(), 1);
    assert.equal(await page.getByRole('row', { name: /T-1049/ }).count(), 1);
    await page.locator(button('Set as Baseline')).click();
    await asked('accept bbbbbb');
    await page.getByRole('button', { name: 'Set A as Baseline' }).focus();
    await page.keyboard.press('Enter');
    await asked('accept aaaaaa');
    await page.locator(button('Export…')).click();
    await asked('act export');
  });

  it('shows zero and the interval at their positions', async () => {
    const { page } = await open(betterRun);
    const at = async (name: string) => (await page.locator(name).boundingBox())!;
    const [axis, zero, interval, estimate] = await Promise.all(
      ['.eval-axis', '.eval-zero', '.eval-interval', '.eval-estimate'].map(at),
    );
    assert.equal(axis!.height, 44);
    assert.ok(zero!.x >= axis!.x && interval!.x > zero!.x);
    assert.ok(estimate!.x > interval!.x && estimate!.x < interval!.x + interval!.width);
  });

  it('opens variants and notices in the host', async () => {
    const { page, asked } = await open(interruptedRun);
    await page.getByLabel('Reference').selectOption('A triage.v3');
    await asked('load aaaaaa ');
    await page.getByRole('button', { name: 'Retry Failed Requests…' }).click();
    await asked('act retry');
    await page.locator(button('Resume Run…')).click();
    await asked('act run');
  });

  it('updates while a run continues', async () => {
    const { page, host } = await open({ ...interruptedRun, stage: 'running', notices: [] });
    await page.getByText('Responses so far: 360 of 450').waitFor();
    host.tell('eval/changed', unclearRun);
    await page.getByRole('heading', { name: "Can't tell whether B is better than A" }).waitFor();
    assert.equal(await page.getByText('Responses so far').count(), 0);
    await page.getByRole('row', { name: 'To detect 5 points rows to add: 224 about ¥4.63' }).waitFor();
    await page.getByRole('heading', { name: 'Reliability' }).waitFor();
  });

  const rowOf = (page: Page, name: string) =>
    page.locator('.evals-row', { has: page.locator('.evals-cell-name', { hasText: name }) });

  it('links the verdict to the regressions in the table, with keyboard navigation', async () => {
    const { page } = await open({ ...betterRun, primary: { id: 'regressions', label: 'Review Regressions' } }, 1400);
    await page.locator(button('Review Regressions')).click();
    await page.getByRole('tab', { name: 'Regressions 3', selected: true }).waitFor();
    const details = page.getByRole('complementary');
    await details.getByRole('heading', { name: 'T-1049' }).waitFor();
    assert.equal(await page.evaluate(() => document.activeElement?.classList.contains('evals-table')), true);
    await page.keyboard.press('J');
    await details.getByRole('heading', { name: 'T-2008' }).waitFor();
    await page.keyboard.press('k');
    await details.getByRole('heading', { name: 'T-1049' }).waitFor();
    assert.equal(await details.locator('mark').count(), 0);
    await page.keyboard.press('d');
    await details.locator('mark', { hasText: 'account' }).waitFor();
    await details.getByText('The reason names the delivery address.').first().waitFor();
    await page.keyboard.press('Escape');
    await details.waitFor({ state: 'detached' });
  });

  it('groups rows, and collapses those that both variants pass', async () => {
    const { page } = await open(betterRun, 1400);
    await page.getByRole('button', { name: 'Table', exact: true }).click();
    await rowOf(page, 'T-1049').waitFor();
    assert.equal(await rowOf(page, 'T-1110').count(), 0);
    await page.locator('.group-heading', { hasText: 'Passed by both' }).click();
    await rowOf(page, 'T-1110').waitFor();
    await page.getByRole('tab', { name: 'Missing' }).click();
    await page.locator('.evals-row .evals-cell-first', { hasText: 'no response' }).first().waitFor();
    await page.locator('.evals-row .eval-mark-missing').first().waitFor();
    assert.equal(await page.locator('.evals-row .eval-mark-fail').count(), 0);
  });

  it('shows 5,000 rows without rendering them all, and scrolls to their end', async () => {
    const { page } = await open(betterRun, 1400, 5000);
    await page.getByRole('button', { name: 'Table', exact: true }).click();
    await page.getByLabel('Group by').selectOption('No grouping');
    await rowOf(page, 'T-2010').waitFor();
    assert.ok((await page.locator('.evals-row').count()) < 100);
    await page.locator('.evals-table').focus();
    await page.keyboard.press('End');
    await rowOf(page, 'T-6999').waitFor();
  });

  it('keeps the table, its filter, and the row after a reload', async () => {
    const { page } = await open(betterRun, 1400);
    await page.getByRole('button', { name: 'Table', exact: true }).click();
    await page.getByRole('tab', { name: 'Regressions' }).click();
    await rowOf(page, 'T-2008').click();
    const heading = page.getByRole('complementary').getByRole('heading', { name: 'T-2008' });
    await heading.waitFor();
    await page.reload();
    await heading.waitFor();
    await page.getByRole('tab', { name: 'Regressions 3', selected: true }).waitFor();
  });

  it('is readable and reachable: table', async () => {
    const { page } = await open(betterRun);
    await page.getByRole('button', { name: 'Table', exact: true }).click();
    await rowOf(page, 'T-1049').waitFor();
    await look(page, 'eval-table', { colours: true });
    await rowOf(page, 'T-1049').click();
    await page.getByRole('complementary').waitFor();
    await look(page, 'eval-row');
  });

  it('is reviewed blind with the keyboard only, with a note, an undo, and the result at the end', async () => {
    const { page, ours, asked } = await open(betterRun, 1100);
    await page.getByRole('button', { name: 'Blind Review' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('Where do I change my delivery address?').waitFor();
    // Neither the names of variants nor the next step, which tells the better one.
    assert.doesNotMatch((await page.locator('main').innerHTML()) ?? '', /triage\.|Set as Baseline/);
    await page.keyboard.press('1');
    await asked('rate 0 left');
    await page.getByText('Screen stays black after the update').waitFor();
    await page.getByText('1 of 3', { exact: true }).waitFor();
    await page.keyboard.press('u');
    await asked('undo 0');
    await page.getByText('Where do I change my delivery address?').waitFor();
    await page.keyboard.press('0');
    await page.getByText('Screen stays black after the update').waitFor();
    assert.equal(await page.getByText('bug', { exact: true }).count(), 0);
    await page.keyboard.press('e');
    await page.getByText('bug', { exact: true }).waitFor();
    await page.keyboard.press('d');
    await page.locator('.eval-pane mark').first().waitFor();
    await page.keyboard.press('?');
    await page.getByText('Next row').waitFor();
    await page.keyboard.press('n');
    await page.keyboard.type('12 bad words');
    await page.keyboard.press('Enter');
    await page.keyboard.press('b');
    await asked('rate 1 bad 12 bad words');
    await page.getByText('Two numbers on my invoice, which one is right?').waitFor();
    await page.keyboard.press('2');
    await page.getByRole('heading', { name: 'All rows are rated' }).waitFor();
    await page.getByText("66.7%, Cohen's κ: 0.4, rows: 3").waitFor();
    assert.equal(ours.asked.filter((one) => one.startsWith('rate 2')).length, 1);
    await page.keyboard.press('k');
    await page.getByRole('button', { name: '2 Right Is Better', pressed: true }).waitFor();
  });

  it('is rated as passed or failed, and from 1 to 5, by keyboard', async () => {
    const { page, asked } = await open(betterRun, 1100);
    await page.getByRole('button', { name: 'Blind Review' }).click();
    const review = page.getByRole('region', { name: 'Blind review' });
    await page.getByLabel('Rate by').selectOption('Pass or Fail');
    await asked('review pass');
    await page.getByRole('button', { name: '0 Both Pass' }).waitFor();
    await review.press('0');
    await asked('rate 0 tie');
    await page.getByLabel('Rate by').selectOption('1 to 5');
    await asked('review points');
    await page.getByText('Press 1 to 5 for the left one').waitFor();
    await page.getByRole('button', { name: 'Right 4', disabled: true }).waitFor();
    await review.press('5');
    await page.getByRole('button', { name: 'Left 5', pressed: true }).waitFor();
    await review.press('u');
    await review.press('2');
    await page.getByRole('button', { name: 'Left 2', pressed: true }).waitFor();
    await look(page, 'eval-points');
    await review.press('4');
    await asked('rate 0 right 2 4');
    await page.reload();
    await page.getByText('Press 1 to 5 for the left one').waitFor();
  });

  it('keeps an unsaved note with its row, also through a reload', async () => {
    const { page } = await open(betterRun, 1100);
    await page.getByRole('button', { name: 'Blind Review' }).click();
    await page.getByRole('textbox', { name: 'Note' }).fill('Half a note');
    await page.keyboard.press('Enter');
    await page.keyboard.press('j');
    await page.getByText('Screen stays black after the update').waitFor();
    assert.equal(await page.getByRole('textbox', { name: 'Note' }).inputValue(), '');
    await page.reload();
    await page.getByText('Where do I change my delivery address?').waitFor();
    assert.equal(await page.getByRole('textbox', { name: 'Note' }).inputValue(), 'Half a note');
  });

  it('is readable and reachable: blind review', async () => {
    const { page } = await open(betterRun);
    await page.getByRole('button', { name: 'Blind Review' }).click();
    await page.getByText('Where do I change my delivery address?').waitFor();
    await look(page, 'eval-blind', { colours: true });
    for (const key of ['1', '0', '2']) {
      await page.getByRole('region', { name: 'Blind review' }).press(key);
      await page.getByText(`${['1', '0', '2'].indexOf(key) + 1} of 3`, { exact: true }).waitFor();
    }
    await page.getByRole('heading', { name: 'All rows are rated' }).waitFor();
    await look(page, 'eval-blind-result');
  });

  for (const [name, view] of Object.entries({ better: betterRun, unclear: unclearRun, interrupted: interruptedRun }))
    it(`is readable and reachable: ${name}`, async () => {
      const { page } = await open(view);
      await look(page, `eval-${name}`, { colours: true });
    });
});
