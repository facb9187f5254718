import assert from 'node:assert/strict';
import type { ModelCheckView } from '../../src/protocol/modelCheck';
import { checked, checking, createModelCheckHost, unchecked, withRows } from '../support/modelCheckHost';
import { look } from '../support/pageLooks';
import { screenPages } from '../support/screenPages';
import { until } from '../support/until';

describe('the page for checking a model', () => {
  const openPage = screenPages();

  async function open(view: ModelCheckView, width = 900) {
    const ours = createModelCheckHost(view);
    const one = await openPage('modelCheck', { theme: 'dark', width, height: 664, handlers: ours.handlers });
    await one.page.getByRole('heading', { name: 'Check Model' }).waitFor();
    const row = (label: string) =>
      one.page.locator('.check-row', { has: one.page.getByRole('rowheader', { name: label, exact: true }) });
    const asked = (name: string) => until(() => (ours.asked.includes(name) ? true : undefined), name);
    return { ...one, ours, row, asked };
  }
  const button = (name: string) => `vscode-button:has-text("${name}")`;

  it('shows all rows and the cost before a request, and starts on request', async () => {
    const { page, ours, asked } = await open(unchecked);
    assert.equal(await page.locator('.check-row').count(), 12);
    assert.equal(await page.getByText('Unchecked').count(), 12);
    await page.getByText('Free on your own server').waitFor();
    assert.deepEqual(ours.asked, []);
    await page.locator(button('Check Model')).click();
    await asked('check');
  });

  it('fills the rows in place while checking, and can be stopped', async () => {
    const { page, host, row, asked } = await open(unchecked);
    const topOf = async (label: string) => (await row(label).boundingBox())?.y;
    const before = [await topOf('Streams'), await topOf('Response length')];
    host.tell('modelCheck/changed', checking);
    await row('Streams').getByText('48 tokens/s').waitFor();
    assert.deepEqual([await topOf('Streams'), await topOf('Response length')], before);
    assert.equal(await page.getByText('Unchecked').count(), 9);
    await page.locator(button('Stop')).click();
    await asked('stop');
  });

  it('links a row to its request and its option, by mouse and keyboard', async () => {
    const { page, row, asked } = await open(checked);
    await row('Structured tool call').hover();
    await row('Structured tool call').getByText('Show Request').click();
    await asked('showRequest toolCall');
    await row('Answers').focus();
    await page.keyboard.press('Enter');
    await asked('showRequest answers');
    for (let step = 0; step < 4; step += 1) await page.keyboard.press('ArrowDown');
    await page.keyboard.press('c');
    await asked('copyOption reasoning');
    await page.getByRole('button', { name: 'Copy All Options' }).click();
    await asked('copyOptions');
    await page.locator(button('Copy Report')).click();
    await asked('copyReport');
    await page.locator(button('Check Again')).click();
    await asked('check');
  });

  it('gives the evidence the space of its link until a row is used', async () => {
    const { page, row } = await open(checked);
    const fact = row('Context').locator('.check-fact');
    const isCut = () => fact.evaluate(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth);
    assert.equal(await isCut(), false);
    await row('Context').hover();
    await row('Context').getByText('Show Request').waitFor();
    await page.mouse.move(0, 0);
    assert.equal(await isCut(), false);
  });

  it('gives the space of server options to the results of a service that has none', async () => {
    const evidence = 'stop_reason "end_turn", then message_stop';
    const view = withRows(unchecked, { ends: { evidence, hasRequest: true } }, { stage: 'done', takesOptions: false });
    const { page, row } = await open(view);
    await page.getByText('Enter', { exact: true }).waitFor();
    assert.equal(await page.getByText('Server option to set').isVisible(), false);
    assert.equal(await page.getByText('Copy Option').count(), 0);
    const fact = row('Ends cleanly').locator('.check-fact');
    assert.equal(await fact.evaluate(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth), false);
    await page.setViewportSize({ width: 300, height: 664 });
    await fact.waitFor({ state: 'hidden' });
    const word = row('Ends cleanly').getByText('Unchecked');
    assert.ok((await word.boundingBox())!.width > 20);
    await look(page, 'modelCheck-without-options-300');
  });

  it('shows why a check failed, and what to do', async () => {
    const actions = [{ id: 'manageKey', label: 'Manage key' }];
    const error = { title: 'Sign in again', detail: 'The service rejected the key.', actions };
    const { page, asked } = await open({ ...unchecked, stage: 'done', error });
    await page.getByText('The service rejected the key.').waitFor();
    await look(page, 'modelCheck-failed');
    await page.getByRole('button', { name: 'Manage key' }).click();
    await asked('act manageKey');
  });

  it('is readable and reachable before, during, and after a check', async () => {
    const { page, host } = await open(checked);
    await look(page, 'modelCheck', { colours: true });
    host.tell('modelCheck/changed', checking);
    await page.locator(button('Stop')).waitFor();
    await look(page, 'modelCheck-checking');
  });

  for (const width of [300, 240]) {
    it(`keeps results and options at ${width} px, and drops the evidence`, async () => {
      const { page, row, asked } = await open(checked, width);
      await row('Context').getByText('--ctx-size 40960').waitFor();
      assert.equal(await row('Context').locator('.check-evidence').isVisible(), false);
      assert.match((await row('Context').textContent()) ?? '', /Limited/);
      assert.equal(await page.locator('.check-copy-icon').isVisible(), true);
      const cut = await page
        .locator(
          '.check-rows tr:not(.check-group) th:visible, .check-rows code:visible, .check-line code, .page-foot-text',
        )
        .evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent));
      assert.deepEqual(cut, [], 'texts that are cut off');
      await row('Context').dblclick();
      await asked('showRequest context');
    });
  }
});
