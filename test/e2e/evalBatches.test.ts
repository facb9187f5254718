import { deepEqual, equal } from 'node:assert/strict';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { DeskWindow } from '../host/window';
import { signInTo } from '../support/chatJourney';
import { startFilledDemo, type FilledDemo } from '../support/filledDemo';
import { inOrder } from '../support/inOrder';
import { killExtensionHosts } from '../support/killExtensionHosts';
import { until } from '../support/until';

/** The sample has 60 rows with two prompts. */
const requests = 120;

describe('an eval run as a batch', function () {
  inOrder(this);
  let desk: DeskWindow;
  let demo: FilledDemo;
  let folder: string;

  before(async function () {
    folder = mkdtempSync(path.join(tmpdir(), 'eval-batches-'));
    for (const name of ['promptfooconfig.yaml', 'tickets.csv'])
      cpSync(path.join('media/samples', name), path.join(folder, name));
    // Long enough for the window to be killed while the batch is in progress.
    demo = await startFilledDemo({ pace: { firstTokenMs: 0, tokenMs: 0, batchQueueMs: 4000, batchLineMs: 0 } });
    desk = await this.openDesk({ folder, size: { width: 1280, height: 900 } });
    await signInTo(desk, demo);
    await openFile();
  });
  after(async () => {
    await desk?.close();
    await demo?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const openFile = async () => {
    await desk.command('View: Show Explorer');
    await desk.page.locator('.explorer-folders-view').getByText('promptfooconfig.yaml').dblclick();
  };
  const lens = (text: string) => desk.page.locator('.codelens-decoration a:visible', { hasText: text }).first();
  const dialog = () => desk.page.locator('.monaco-dialog-box');
  const posts = async (to: string) =>
    (await demo.requests()).filter(({ method, path: at }) => method === 'POST' && at.endsWith(to)).length;
  const responses = () => {
    const file = path.join(folder, 'promptfooconfig.eval/responses.jsonl');
    return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').filter(Boolean).length : 0;
  };

  it('states the price, and submits nothing if declined', async () => {
    await lens('Run Eval…').click();
    await dialog().getByText('Run this eval?').waitFor();
    await dialog()
      .getByText(/Rows: 60, variants: 2, requests: 120/)
      .waitFor();
    await desk.screenshot('eval-batch-confirm');
    await dialog().getByRole('button', { name: 'Cancel' }).click();
    await dialog().waitFor({ state: 'hidden' });
    deepEqual([await posts('/batches'), await posts('/chat/completions')], [0, 0]);
    equal(existsSync(path.join(folder, 'promptfooconfig.eval')), false);
  });

  it('submits one batch, and has each response once after the window is killed', async () => {
    await lens('Run Eval…').click();
    await dialog().getByRole('button', { name: 'Submit as Batch' }).click();
    await until(async () => (await posts('/batches')) === 1 || undefined, 'the batch');
    await killExtensionHosts(desk);
    // VS Code closes the tabs of crashed extensions, and sometimes the file.
    await desk.command('View: Close All Editors');
    await openFile();
    await lens('Show Results').click();
    await until(
      async () => {
        const button = desk.editorPage.locator('vscode-button', { hasText: 'Get Results' });
        if (await button.isVisible()) await button.click();
        return responses() === requests || undefined;
      },
      'all responses',
      60_000,
    );
    await desk.editorPage.getByRole('heading', { name: 'B is worse than A' }).waitFor();
    await desk.screenshot('eval-batch-results');
    deepEqual([await posts('/batches'), await posts('/chat/completions')], [1, 0]);
  });
});
