import assert from 'node:assert/strict';
import type { EvalView } from '../../src/protocol/evalResults';
import { betterRun, createEvalResultsHost, interruptedRun, unclearRun } from '../support/evalResultsHost';
import { look } from '../support/pageLooks';
import { screenPages } from '../support/screenPages';
import { until } from '../support/until';

describe('the page with the results of an eval', () => {
  const openPage = screenPages();

  async function open(view: EvalView, width = 900) {
    const ours = createEvalResultsHost(view);
    const one = await openPage('evalResults', { theme: 'dark', width, height: 664, handlers: ours.handlers });
    await one.page.getByRole('heading', { name: view.title }).waitFor();
    const asked = (name: string) => until(() => (ours.asked.includes(name) ? true : undefined), name);
    return { ...one, ours, asked };
  }
  const button = (name: string) => `vscode-button:has-text("${name}")`;

  it('says the verdict first, with rates, regressions, and the next step', async () => {
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

  it('has zero in view, and the interval in its place', async () => {
    const { page } = await open(betterRun);
    const at = async (name: string) => (await page.locator(name).boundingBox())!;
    const [axis, zero, interval, estimate] = await Promise.all(
      ['.eval-axis', '.eval-zero', '.eval-interval', '.eval-estimate'].map(at),
    );
    assert.equal(axis!.height, 44);
    assert.ok(zero!.x >= axis!.x && interval!.x > zero!.x);
    assert.ok(estimate!.x > interval!.x && estimate!.x < interval!.x + interval!.width);
  });

  it('leads from a choice of variants and from a notice to the host', async () => {
    const { page, asked } = await open(interruptedRun);
    await page.getByLabel('Reference').selectOption('A triage.v3');
    await asked('load aaaaaa bbbbbb');
    await page.getByRole('button', { name: 'Retry Failed Requests…' }).click();
    await asked('act retry');
    await page.locator(button('Resume Run…')).click();
    await asked('act run');
  });

  it('replaces what it shows when a run goes on', async () => {
    const { page, host } = await open({ ...interruptedRun, stage: 'running', notices: [] });
    await page.getByText('Responses so far: 360 of 450').waitFor();
    host.tell('eval/changed', unclearRun);
    await page.getByRole('heading', { name: "Can't tell whether B is better than A" }).waitFor();
    assert.equal(await page.getByText('Responses so far').count(), 0);
    await page.getByRole('row', { name: 'To show 5 points more rows: 224 about ¥4.63' }).waitFor();
  });

  for (const [name, view] of Object.entries({ better: betterRun, unclear: unclearRun, interrupted: interruptedRun }))
    it(`can be read and reached: ${name}`, async () => {
      const { page } = await open(view);
      await look(page, `eval-${name}`, { colours: true });
    });
});
