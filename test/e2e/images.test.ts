import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { FrameLocator, Locator } from 'playwright-core';
import { drawPicture } from '../../src/demo/drawing';
import type { DeskWindow } from '../host/window';
import { signInTo } from '../support/chatJourney';
import { startFilledDemo } from '../support/filledDemo';
import type { FilledDemo } from '../support/filledDemo';
import { inOrder } from '../support/inOrder';
import { writeMadeFile } from '../support/madeFiles';
import { until } from '../support/until';
import { writeMade } from '../support/writeMade';

const prompt = 'A quiet mountain lake at dawn';

describe('an image, from its prompt to the gallery and into a document', function () {
  inOrder(this);
  let desk: DeskWindow;
  let demo: FilledDemo;
  let folder: string;
  before(async function () {
    folder = mkdtempSync(path.join(tmpdir(), 'images-'));
    writeFileSync(path.join(folder, 'notes.md'), '# Notes\n\n');
    writeFileSync(path.join(folder, 'pasted.md'), '');
    demo = await startFilledDemo({ pace: 'fast' });
    desk = await this.openDesk({
      folder,
      size: { width: 1500, height: 950 },
      settings: { 'inferenceDesk.images.perMinute': 4, 'inferenceDesk.media.folder': 'made' },
    });
    await signInTo(desk, demo);
  });
  after(async () => {
    await desk?.close();
    await demo?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const page = (): FrameLocator => desk.editorPage;
  const button = (name: string): Locator => page().getByRole('button', { name, exact: true });
  const box = (name: string): Locator => page().getByRole('textbox', { name, exact: true });
  const run = (): Locator => page().locator('.images-run').first();
  const tab = (name: string): Locator => desk.page.locator('.tab', { hasText: name });
  const tile = (): Locator => page().locator('#tile-0');
  const details = (): Locator => page().getByRole('complementary');
  const search = (): Locator => page().getByRole('searchbox');
  const file = (text: string): Locator =>
    desk.page.locator('.explorer-folders-view .monaco-list-row').filter({ hasText: text }).first();
  const row = (text: string): Locator =>
    desk.page.locator('.sidebar .pane-body .monaco-list-row', { hasText: text }).first();
  const made = () => path.join(folder, 'made');
  const madeNames = (ending: string) => readdirSync(made()).filter((name) => name.endsWith(ending));
  const ordered = async () => {
    return (await demo.requests()).filter(({ path: to }) => to.endsWith('/images/generations')).map(({ body }) => body);
  };
  const isSeen = (picture: Locator) =>
    until(
      () => picture.evaluate((image: HTMLImageElement) => (image.complete && image.naturalWidth > 0) || undefined),
      'the picture is seen',
    );
  /** VS Code in a browser reads the user settings file when it loads. */
  const setPerMinute = (perMinute: number) => {
    const settings = path.join(desk.server.dataFolder, 'data/User/settings.json');
    const now = JSON.parse(readFileSync(settings, 'utf8')) as object;
    writeFileSync(settings, JSON.stringify({ ...now, 'inferenceDesk.images.perMinute': perMinute }));
  };
  const writeImage = (text: string) => {
    const [width, height] = [192, 128];
    const size = [width, height] as const;
    return writeMadeFile(made(), {
      kind: 'image',
      bytes: drawPicture({ prompt: text, negativePrompt: '', seed: 1, width, height, format: 'png' }),
      contentType: 'image/png',
      size,
      request: { model: 'black-forest-labs/FLUX.1-schnell', prompt: text, image_size: size.join('x') },
      seed: 1,
      createdAt: new Date().toISOString(),
    });
  };

  it('generates an image with Ctrl+Enter, saves its details, and shows its seed', async () => {
    await desk.command('Inference Desk: Generate Images');
    await box('Prompt').click();
    await box('Prompt').fill(prompt);
    await box('Seed').fill('42');
    await button('512 × 512').click();
    await page().getByText('1 image.').waitFor();
    await box('Prompt').press('Control+Enter');
    await isSeen(page().locator('.images-open img'));
    await page()
      .getByText(/^Seed 42 · 512 × 512/)
      .waitFor();
    // The cost is known once the balance has decreased, before the next request.
    await page()
      .getByText(/^Seed 42 · 512 × 512.* · Cost 0\.03$/)
      .waitFor();
    await page().getByText('Price: about 0.03').waitFor();
    await desk.screenshot('images-first');
    assert.deepEqual([madeNames('.png').length, madeNames('.recipe.json').length], [1, 1]);
    const model = 'black-forest-labs/FLUX.2-pro';
    assert.deepEqual(await ordered(), [{ model, prompt, image_size: '512x512', seed: 42 }]);
  });

  it('copies a generated image, and pastes it as a link to its file', async () => {
    const [name = ''] = madeNames('.png');
    await page().locator('.images-shown').hover();
    await button('Copy Image').click();
    await page().getByText('Image copied').first().waitFor();
    await desk.command('Go to File');
    await desk.quickInput.locator('input.input').first().fill('pasted.md');
    await desk.pick('pasted.md');
    await tab('pasted.md').waitFor();
    const lines = desk.page.locator('.editor-instance .view-lines').first();
    await lines.click();
    await desk.page.keyboard.press('Control+V');
    await lines.getByText(prompt).waitFor();
    await desk.screenshot('kept-pasted');
    await desk.page.keyboard.press('Control+End');
    await desk.page.keyboard.press('Enter');
    // All pixels except one are the same.
    await desk.page.evaluate(async () => {
      const [copied] = await navigator.clipboard.read();
      const picture = await createImageBitmap(await copied!.getType('image/png'));
      const canvas = new OffscreenCanvas(picture.width, picture.height);
      const drawing = canvas.getContext('2d')!;
      drawing.drawImage(picture, 0, 0);
      drawing.fillStyle = 'magenta';
      drawing.fillRect(9, 9, 1, 1);
      await navigator.clipboard.write([new ClipboardItem({ 'image/png': canvas.convertToBlob() })]);
    });
    await desk.page.keyboard.press('Control+V');
    await lines.getByText('image.png').waitFor();
    await desk.command('File: Save');
    const text = () => readFileSync(path.join(folder, 'pasted.md'), 'utf8');
    // VS Code saves automatically, too.
    await until(() => Promise.resolve(text().includes('image.png') || undefined), 'the saved text');
    assert.deepEqual(text().split('\n'), [`![${prompt}](made/${name})`, '![alt text](image.png)']);
    assert.deepEqual(madeNames('.png'), [name]);
    await desk.command('View: Close Editor');
  });

  /** The confirmation that states the price. */
  const question = () => desk.page.locator('.monaco-dialog-box', { hasText: 'Regenerate "' });
  async function answerRegenerate(): Promise<void> {
    await question().getByRole('button', { name: 'Regenerate' }).click();
    await question().waitFor({ state: 'detached' });
  }

  it('regenerates an image from the Explorer with the same seed', async () => {
    const name = madeNames('.png')[0] ?? '';
    await desk.command('View: Show Explorer');
    await file('made').click();
    await desk.chooseInMenu(file(/-[0-9a-f]{12}\.png$/.exec(name)?.[0] ?? ''), ['Inference Desk', 'Regenerate'], {
      whenShown: () => desk.screenshot('kept-explorer-menu'),
      until: question(),
    });
    await answerRegenerate();
    const recipe = () => readFileSync(path.join(made(), `${name}.recipe.json`), 'utf8');
    // Both jobs generated the same image, byte for byte, so they share one file.
    await until(() => Promise.resolve(recipe().includes('"earlier"') || undefined), 'the second order');
    assert.deepEqual(madeNames('.png'), [name]);
  });

  it('shows the image and its details in the view', async () => {
    await desk.openView('Images and Videos');
    await row(prompt).waitFor();
    await row(prompt).hover();
    const hover = desk.page.locator('.workbench-hover', { hasText: 'FLUX.2-pro' });
    await isSeen(hover.locator('img'));
    await desk.screenshot('kept-view-hover');
  });

  it('retries several failed images from the view after one confirmation', async () => {
    const endpoint = 'POST /images/generations';
    const failed = desk.page.locator('.sidebar .pane-body .monaco-list-row', { hasText: 'not started' });
    const made = desk.page.locator('.sidebar .pane-body .monaco-list-row', { hasText: '512×512' }).first();
    const dialog = desk.page.locator('.monaco-dialog-box', { hasText: 'Retry 2 jobs?' });
    await demo.call('POST', '/_control/arm', { fault: 'parameter', endpoint, times: 2 });
    for (const row of [failed, failed.nth(1)]) {
      await desk.chooseInMenu(made, 'Regenerate', { until: question() });
      await answerRegenerate();
      await row.waitFor();
    }
    const before = (await ordered()).length;
    await demo.call('POST', '/_control/arm', { fault: 'slow-first-byte', endpoint, times: 2, delayMs: 6000 });
    await failed.first().click();
    await failed.nth(1).click({ modifiers: ['Control'] });
    await desk.chooseInMenu(failed.first(), 'Retry', {
      whenShown: () => desk.screenshot('kept-retry-menu'),
      until: dialog,
    });
    await dialog.getByText('Retry 2 jobs?').waitFor();
    await desk.screenshot('kept-retry-question');
    await dialog.getByRole('button', { name: 'Retry' }).click();
    await desk.page.locator('.sidebar .pane-body .monaco-list-row', { hasText: 'generating' }).nth(1).waitFor();
    // Each is retried in its row.
    await failed.first().waitFor({ state: 'detached' });
    await desk.screenshot('kept-retrying');
    await desk.page.locator('.monaco-list-row', { hasText: 'generating' }).first().waitFor({ state: 'detached' });
    await desk.screenshot('kept-retried');
    const [first, ...others] = await ordered();
    assert.deepEqual(others.slice(before - 1), [first, first]);
    assert.equal(madeNames('.png').length, 1);
  });

  it('copies an image into the project, and inserts it with a description', async () => {
    const outside = mkdtempSync(path.join(tmpdir(), 'outside-'));
    const other = await writeMade(demo, outside, 'A blue bird on a wire');
    await desk.command('View: Show Explorer');
    await file('notes.md').dblclick();
    const lines = desk.page.locator('.editor-instance .view-lines').first();
    await lines.getByText('Notes').waitFor();
    await desk.page.keyboard.press('Control+End');
    await desk.command('Go to File');
    await desk.quickInput.locator('input.input').first().fill(path.join(outside, other));
    await desk.pick(other);
    await tab(other).waitFor();
    await desk.status('1024x768').waitFor();
    await desk.chooseInMenu(tab(other), ['Image or Video', 'Insert at Cursor…']);
    await desk.quickRows.filter({ hasText: 'Link to Original' }).waitFor();
    await desk.screenshot('kept-insert');
    await desk.pick('Markdown');
    const requested = `![A blue bird on a wire](assets/${other})`;
    /** Joins lines, because long ones wrap. */
    const text = async () => (await lines.innerText()).replaceAll('\u00a0', ' ').replaceAll('\n', '');
    await until(async () => ((await text()).includes(requested) ? true : undefined), requested);
    assert.deepEqual(readdirSync(path.join(folder, 'assets')), [other]);
    rmSync(outside, { recursive: true });
  });

  it('finds the image in the gallery, which follows file changes and reports damaged files', async () => {
    await desk.command('Inference Desk: Open Gallery');
    const facts = page().locator('.table-page-facts');
    const count = (text: string) => facts.getByText(text, { exact: true }).waitFor();
    await isSeen(tile().locator('img'));
    const before = Number(/\d+/.exec(await facts.innerText())?.[0]);
    writeImage('A ferry in the fog');
    await count(`${before + 1} files`);
    const gone = writeImage('A ferry that leaves');
    await count(`${before + 2} files`);
    rmSync(path.join(made(), gone));
    await count(`${before + 1} files`);
    const torn = `${writeImage('A torn one')}.recipe.json`;
    writeFileSync(path.join(made(), torn), '{"version":1,');
    await page().getByText("Couldn't read the details of 1 file").waitFor();
    await count(`${before + 1} files`);
    await search().fill('ferry');
    await count(`1 of ${before + 1}`);
    await tile().click();
    await details().getByText('A ferry in the fog').waitFor();
    await isSeen(tile().locator('img'));
    await desk.screenshot('gallery-torn');
    await button(torn).click();
    await tab(torn).waitFor();
    await desk.command('View: Close Editor');
  });

  it('zooms a single image', async () => {
    await tile().focus();
    await desk.page.keyboard.press('Enter');
    const dialog = page().getByRole('dialog');
    await isSeen(dialog.locator('.laid-picture img'));
    await desk.page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });

  it('inserts an image dragged from the gallery with its name and description', async () => {
    await desk.command('View: Move Editor into Right Group');
    await tab('notes.md').click();
    const lines = desk.page.locator('.editor-instance .view-lines').first();
    await tile().dragTo(lines.locator('.view-line').first(), { targetPosition: { x: 4, y: 4 } });
    await lines.getByText('A ferry in the fog').waitFor();
    await desk.screenshot('kept-dragged');
    await lines.locator('.view-line').first().click();
    await desk.command('File: Save');
    const written = /!\[A ferry in the fog\]\(made\/a-ferry-[\w-]+\.png\)/;
    const text = () => readFileSync(path.join(folder, 'notes.md'), 'utf8');
    await until(() => Promise.resolve(written.test(text()) || undefined), 'the picture in the text');
    await desk.command('View: Join All Editor Groups');
    await tab('Gallery').click();
  });

  it('generates seeds at the rate limit, and holds the unsent rest after a reload', async () => {
    await tab('Images').click();
    await page().getByText('Variations').click();
    await page().getByRole('combobox', { name: 'Seeds' }).selectOption('sequence');
    await box('Number of seeds').fill('20');
    await box('Seed').fill('100');
    await page()
      .getByText(/20 images in 20 requests/)
      .waitFor();
    await button('Generate').click();
    const waits = run().getByText(/The next request will be sent at/);
    await waits.waitFor();
    await desk.screenshot('images-pace');
    setPerMinute(60);
    await desk.reloadWindow();
    await run().getByText('The window closed before all requests were sent.', { exact: false }).waitFor();
    assert.equal(await box('Seed').inputValue(), '100');
    await desk.screenshot('images-reloaded');
    const thumbnails = (state: string) => page().locator(`.images-thumb[data-state=${state}]`);
    const before = await thumbnails('shown').count();
    await demo.call('POST', '/_control/pace', { pace: { workMs: 1500 } });
    await run().getByRole('button', { name: 'Continue' }).click();
    await thumbnails('sending').nth(3).waitFor();
    setPerMinute(4);
    await desk.reloadWindow();
    await demo.call('POST', '/_control/pace', { pace: { workMs: 40 } });
    await thumbnails('shown')
      .nth(before + 3)
      .waitFor();
    assert.equal(await thumbnails('lost').count(), 0);
    await run().getByRole('button', { name: 'Continue' }).click();
    await waits.waitFor();
    await run().getByRole('button', { name: 'Stop' }).click();
    await run()
      .getByText(/^Stopped\./)
      .waitFor();
  });

  it('restores the position in the gallery after a reload', async () => {
    await tab('Gallery').click();
    await details().getByText('A ferry in the fog').waitFor();
    assert.equal(await search().inputValue(), 'ferry');
    await isSeen(tile().locator('img'));
  });

  it('deletes an image after confirmation, and restores it with Undo', async () => {
    await desk.openView('Images and Videos');
    const dialog = desk.page.locator('.monaco-dialog-box');
    // Deletes the newest, because older images can be out of view if the sweep generated many.
    await desk.chooseInMenu(row(prompt), /^Delete$/, {
      whenShown: () => desk.screenshot('kept-view-menu'),
      until: dialog,
    });
    await dialog.getByText('Links to the file will stop working. You can undo this.').waitFor();
    await desk.screenshot('kept-remove');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    await tile().waitFor();
    const before = madeNames('.png').length;
    const leaves = (count: number) =>
      until(async () => madeNames('.png').length === count || undefined, `${count} images`);
    await desk.chooseInMenu(row(prompt), /^Delete$/, { until: dialog });
    await dialog.getByRole('button', { name: 'Delete' }).click();
    const notice = await desk.notice(/Deleted ".+"\./);
    await leaves(before - 1);
    await desk.screenshot('kept-deleted');
    await notice.getByRole('button', { name: 'Undo' }).click();
    await leaves(before);
  });

  it('lists the image on the activity page from the status bar, with a link back', async () => {
    await desk.page.locator('.statusbar-item[id*="inference-desk"] a').first().click();
    await page().getByRole('heading', { name: 'Activity and Spend' }).waitFor();
    const work = page().locator('.activity-row');
    await work.filter({ hasText: prompt }).first().waitFor();
    const images = page().locator('.activity-table tr', { hasText: 'Images, videos, speech' });
    await images.waitFor();
    await desk.screenshot('activity');
    await desk.page.setViewportSize({ width: 900, height: 950 });
    await desk.screenshot('activity-900');
    await desk.page.setViewportSize({ width: 1500, height: 950 });
    await work.filter({ hasText: prompt }).first().getByRole('button', { name: prompt }).click();
    await page().locator('.images-run').first().waitFor();
    assert.deepEqual(desk.faults, []);
  });
});
