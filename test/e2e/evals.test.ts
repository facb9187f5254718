import assert from 'node:assert/strict';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { DeskWindow } from '../host/window';
import { signInTo } from '../support/chatJourney';
import { startFilledDemo } from '../support/filledDemo';
import type { FilledDemo } from '../support/filledDemo';
import { inOrder } from '../support/inOrder';
import { until } from '../support/until';

describe('from an eval file to a baseline', function () {
  inOrder(this);
  let desk: DeskWindow;
  let demo: FilledDemo;
  let folder: string;

  before(async function () {
    folder = mkdtempSync(path.join(tmpdir(), 'evals-'));
    for (const name of ['promptfooconfig.yaml', 'tickets.csv'])
      cpSync(path.join('media/samples', name), path.join(folder, name));
    demo = await startFilledDemo({ pace: 'instant' });
    desk = await this.openDesk({ folder, size: { width: 1280, height: 900 } });
    await signInTo(desk, demo);
    await desk.command('View: Show Explorer');
    await desk.page.locator('.explorer-folders-view').getByText('promptfooconfig.yaml').dblclick();
  });
  after(async () => {
    await desk?.close();
    await demo?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const lens = (text: string) => desk.page.locator('.codelens-decoration a:visible', { hasText: text }).first();
  const dialogButton = (name: string) => desk.page.locator('.monaco-dialog-box .monaco-button', { hasText: name });
  const heading = (name: string) => desk.editorPage.getByRole('heading', { name });

  it('runs an eval, and opens the verdict with the planted regression', async () => {
    await lens('Run Eval…').click();
    await dialogButton('Run Now').click();
    await heading('B is worse than A').waitFor();
    await desk.editorPage.getByText('Rows: 60, improved: 0, got worse: 15, unchanged: 45').waitFor();
    await desk.editorPage.getByRole('heading', { name: 'Regressions: 15' }).waitFor();
    await desk.screenshot('evals-verdict');
  });

  it('opens the regressions in the table, with keyboard navigation', async () => {
    await desk.editorPage.locator('vscode-button', { hasText: 'Review Regressions' }).click();
    const details = desk.editorPage.getByRole('complementary');
    await details.getByRole('heading', { name: 't-02' }).waitFor();
    await desk.page.keyboard.press('j');
    await details.getByRole('heading', { name: 't-06' }).waitFor();
    await desk.screenshot('evals-table');
  });

  it('saves each rating of a blind review by keyboard, and restores the page after a reload', async () => {
    await desk.editorPage.getByRole('button', { name: 'Blind Review' }).click();
    await desk.editorPage.getByText('0 of 16', { exact: true }).waitFor();
    for (const [index, key] of ['1', '2', '0'].entries()) {
      await desk.editorPage.getByRole('region', { name: 'Blind review' }).press(key);
      await desk.editorPage.getByText(`${index + 1} of 16`, { exact: true }).waitFor();
    }
    await desk.screenshot('evals-blind');
    const labels = () => readFileSync(path.join(folder, 'promptfooconfig.eval/human.jsonl'), 'utf8').trim().split('\n');
    assert.equal(labels().length, 3);
    // What is on disk is read again.
    await desk.editorPage.getByRole('button', { name: 'Verdict' }).click();
    await heading('B is worse than A').waitFor();
    await desk.editorPage.getByRole('button', { name: 'Blind Review' }).click();
    await desk.editorPage.getByText('3 of 16', { exact: true }).waitFor();
    await desk.editorPage.getByLabel('Rate by').selectOption('1 to 5');
    await desk.editorPage.getByText('0 of 16', { exact: true }).waitFor();
    for (const key of ['4', '2']) await desk.editorPage.getByRole('region', { name: 'Blind review' }).press(key);
    await desk.editorPage.getByText('1 of 16', { exact: true }).waitFor();
    await desk.screenshot('evals-points');
    const { scale, values } = JSON.parse(labels().at(-1)!) as { scale: string; values: readonly number[] };
    assert.deepEqual([scale, values.toSorted((a, b) => a - b)], ['points', [2, 4]]);
    await desk.reloadWindow();
    await desk.editorPage.getByText('1 of 16', { exact: true }).waitFor();
    await desk.editorPage.getByRole('button', { name: 'Verdict' }).click();
    await heading('B is worse than A').waitFor();
  });

  it('sets the run as the baseline for later verdicts', async () => {
    await desk.editorPage.getByRole('button', { name: 'Set A as Baseline' }).click();
    await desk.notice('Saved four labels as the baseline in baseline.json.');
    await heading('B is worse than the baseline').waitFor();
    const file = path.join(folder, 'baseline.json');
    await until(() => existsSync(file) || undefined, 'the baseline');
    const { evals } = JSON.parse(readFileSync(file, 'utf8')) as {
      evals: Record<string, { label: string; rows: Record<string, number> }>;
    };
    const { label, rows } = evals['promptfooconfig.yaml']!;
    assert.deepEqual([label, Object.values(rows).length], ['four labels', 60]);
    await desk.screenshot('evals-baseline');
  });
});
