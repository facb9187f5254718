import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { FrameLocator, Locator } from 'playwright-core';
import type { DeskWindow } from '../host/window';
import { signInTo } from '../support/chatJourney';
import { startFilledDemo } from '../support/filledDemo';
import type { FilledDemo } from '../support/filledDemo';
import { inOrder } from '../support/inOrder';
import { writeMade } from '../support/writeMade';
import { until } from '../support/until';

const prompt = 'A red fox in deep snow, golden hour, "35 mm"';

describe('a file that was made, from the Explorer and the view', function () {
  inOrder(this);
  let desk: DeskWindow;
  let demo: FilledDemo;
  let folder: string;
  let name: string;
  before(async function () {
    folder = mkdtempSync(path.join(tmpdir(), 'kept-'));
    demo = await startFilledDemo({ pace: 'fast' });
    name = await writeMade(demo, path.join(folder, 'made'), prompt);
    writeFileSync(path.join(folder, 'notes.md'), '# Notes\n\n');
    desk = await this.openDesk({
      folder,
      size: { width: 1500, height: 950 },
      settings: { 'inferenceDesk.media.folder': 'made' },
    });
    await signInTo(desk, demo);
  });
  after(async () => {
    await desk?.close();
    await demo?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const file = (text: string): Locator =>
    desk.page.locator('.explorer-folders-view .monaco-list-row').filter({ hasText: text }).first();
  const rows = (): Locator => desk.page.locator('.sidebar .pane-body .custom-view-tree-node-item');
  const row = (text: string | RegExp): Locator =>
    desk.page.locator('.sidebar .pane-body .monaco-list-row', { hasText: text }).first();
  const lines = (): Locator => desk.page.locator('.editor-instance .view-lines').first();
  const page = (): FrameLocator => desk.editorPage;
  const ofMade = async (item: string): Promise<void> => {
    await desk.command('View: Show Explorer');
    const picture = file(/-[0-9a-f]{12}\.png$/.exec(name)![0]);
    if (!(await picture.isVisible())) await file('made').click();
    await desk.chooseInMenu(picture, ['Image or Video', item], {
      whenShown: () => desk.screenshot('kept-explorer-menu'),
    });
  };
  /** As one line: long ones wrap. */
  const text = async () => (await lines().innerText()).replaceAll('\u00a0', ' ').replaceAll('\n', '');

  it('stands in the view with its picture and how it was made', async () => {
    await desk.openView('Images and Videos');
    await row('A red fox').waitFor();
    await desk.screenshot('kept-view');
    await row('A red fox').hover();
    const hover = desk.page.locator('.workbench-hover', { hasText: 'Qwen/Qwen-Image' });
    await hover.waitFor();
    await until(
      () => hover.locator('img').evaluate((image: HTMLImageElement) => image.naturalWidth > 0 || undefined),
      'the picture in the hover',
      20_000,
    );
    await desk.screenshot('kept-view-hover');
    await row('A red fox').click({ button: 'right' });
    await desk.page.locator('.monaco-menu').getByText('Move Image or Video to Trash…').waitFor();
    await desk.screenshot('kept-view-menu');
    await desk.page.keyboard.press('Escape');
  });

  it('is inserted as Markdown with the words that describe it, as one step', async () => {
    await desk.command('View: Show Explorer');
    await file('notes.md').dblclick();
    await lines().getByText('Notes').waitFor();
    await desk.page.keyboard.press('Control+End');
    await ofMade('Insert at Cursor…');
    await desk.quickRows.filter({ hasText: 'Markdown' }).first().waitFor();
    await desk.screenshot('kept-insert-forms');
    await desk.pick('Markdown');
    await desk.quickInput.getByText('What it shows').waitFor();
    await desk.screenshot('kept-insert-alt');
    await desk.page.keyboard.press('Enter');
    const wanted = `![A red fox in deep snow, golden hour, "35 mm"](made/${name})`;
    await until(async () => ((await text()).includes(wanted) ? true : undefined), wanted, 20_000);
    await desk.screenshot('kept-inserted');
    await desk.page.keyboard.press('Control+z');
    await until(async () => ((await text()).includes('red fox') ? undefined : true), 'an empty line', 20_000);
    await desk.page.keyboard.press('Control+y');
    await desk.command('File: Save');
    await until(
      () =>
        Promise.resolve(readFileSync(path.join(folder, 'notes.md'), 'utf8') === `# Notes\n\n${wanted}` || undefined),
      'the saved text',
      20_000,
    );
  });

  it('shows its recipe', async () => {
    await ofMade('Show Recipe');
    await lines().getByText('"prompt"').first().waitFor();
    await desk.screenshot('kept-recipe');
  });

  it('opens in the viewer of the editor, from where it is varied', async () => {
    await desk.openView('Images and Videos');
    await row('A red fox').click();
    await desk.page.locator('.tab', { hasText: name }).waitFor();
    await desk.status('1024x768').waitFor();
    await desk.screenshot('kept-viewer');
    await desk.command('Inference Desk: Vary');
    await page().getByRole('textbox', { name: 'Prompt', exact: true }).waitFor();
    assert.equal(await page().getByRole('textbox', { name: 'Prompt', exact: true }).inputValue(), prompt);
    await desk.screenshot('kept-vary');
  });

  it('is made again from the Explorer, with the seed it was made with', async () => {
    const made = () => readdirSync(path.join(folder, 'made')).filter((one) => one.endsWith('.recipe.json'));
    const read = () =>
      made().map((one) => JSON.parse(readFileSync(path.join(folder, 'made', one), 'utf8')) as { earlier?: unknown[] });
    await ofMade('Regenerate');
    await until(
      () => Promise.resolve(made().length > 1 || read().some(({ earlier }) => earlier?.length) || undefined),
      'the order that gave it again',
      30_000,
    );
    await desk.screenshot('kept-regenerated');
  });

  it('is copied into the project where it is outside of it', async () => {
    const outside = mkdtempSync(path.join(tmpdir(), 'outside-'));
    const other = await writeMade(demo, outside, 'A blue bird on a wire');
    await desk.command('Go to File');
    await desk.quickInput.locator('input.input').first().fill(path.join(outside, other));
    await desk.pick(other);
    await desk.page.locator('.tab', { hasText: other }).waitFor();
    await desk.status('1024x768').waitFor();
    await desk.command('Inference Desk: Insert at Cursor');
    await desk.quickRows.filter({ hasText: 'Copy to assets' }).waitFor();
    await desk.screenshot('kept-insert-outside');
    await desk.pick('Copy to assets');
    await desk.pick('Path');
    await until(() => Promise.resolve(existsSync(path.join(folder, 'assets', other)) || undefined), 'the copy', 20_000);
    await until(async () => ((await text()).includes(`assets/${other}`) ? true : undefined), 'its path', 20_000);
    rmSync(outside, { recursive: true });
  });

  it('begins from the status bar, and an order stands in the view while it is under way', async () => {
    await demo.call('POST', '/_control/pace', { pace: { videoQueueMs: 600_000 } });
    await desk.status(/Journey/).click();
    await desk.quickRows.filter({ hasText: 'Make a video' }).waitFor();
    await desk.screenshot('kept-status-menu');
    await desk.pick('Make a video');
    await page().getByRole('textbox', { name: 'Prompt', exact: true }).fill('Waves against a lighthouse at night');
    await page().getByRole('button', { name: 'Make video' }).click();
    await desk.openView('Images and Videos');
    await row('Waves against')
      .getByText(/in queue/)
      .waitFor();
    await desk.screenshot('kept-running');
  });

  it('leads from the row of an order to its page, also where the view is dark or narrow', async () => {
    await desk.theme('dark');
    await desk.screenshot('kept-running-dark');
    await row('Waves against').click();
    await page().getByText('Waves against a lighthouse').first().waitFor();
    await desk.widenSideBar(220);
    await desk.screenshot('kept-narrow');
    assert.ok((await rows().count()) >= 2);
  });

  it('is offered with a model that makes pictures', async () => {
    await desk.widenSideBar(340);
    await desk.openView('Models');
    // Else its few rows lie beneath the headings that stay in sight.
    await desk.page.locator('.sidebar .pane-header[aria-label^="Chat"]').click();
    await desk.command('Inference Desk: Search Models');
    await desk.answer('Qwen/Qwen-Image');
    await desk.chooseInMenu(row('Qwen-Image'), 'Use in Images', {
      whenShown: () => desk.screenshot('kept-model-menu'),
    });
    await page().getByRole('textbox', { name: 'Prompt', exact: true }).waitFor();
  });

  it('is moved away only when the person said so', async () => {
    await desk.openView('Images and Videos');
    await desk.chooseInMenu(row('A red fox'), 'Move Image or Video to Trash…');
    const dialog = desk.page.locator('.monaco-dialog-box');
    await dialog.getByRole('button', { name: 'Move to Trash' }).waitFor();
    await desk.screenshot('kept-remove');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    assert.ok(existsSync(path.join(folder, 'made', name)));
  });

  it('refused nothing and threw nothing in its pages', () => {
    assert.deepEqual(desk.faults, []);
  });
});
