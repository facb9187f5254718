import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { galleryAssets, galleryPages } from '../support/galleryPages';
import { imageAsset } from '../support/madeAssets';
import { until } from '../support/until';

describe('the gallery page', () => {
  const open = galleryPages();

  const isTrue = (look: () => Promise<boolean>, what: string) =>
    until(async () => ((await look()) ? true : undefined), what);

  it('groups files by day, and shows the details of the selected one', async () => {
    const { tile, details, page, tiles } = await open();
    await tile(0).click();
    await tiles.nth(6).waitFor();
    assert.equal(await tiles.count(), 7);
    assert.deepEqual(await page.getByRole('rowheader').allInnerTexts(), ['Today', 'Yesterday']);
    await details.getByText('A lighthouse on basalt columns, gouache, low sun').waitFor();
    for (const text of [
      'people, text, blur',
      'black-forest-labs/FLUX.1-schnell',
      '4294',
      '1.3 sec',
      'num_inference_steps',
    ])
      await details.getByText(text, { exact: true }).waitFor();
    await details.getByRole('button', { name: 'View larger (Enter)' }).locator('img').waitFor();
  });

  it('moves between tiles with the arrow keys, with one tab stop', async () => {
    const { tile, page, details, grid } = await open();
    await tile(0).focus();
    await page.keyboard.press('ArrowRight');
    await details.getByText('morning').waitFor();
    const isFocused = (one: Locator) => one.evaluate((element) => element === document.activeElement);
    assert.ok(await isFocused(tile(1)));
    await page.keyboard.press('End');
    await details.getByText('No picture by its content').waitFor();
    await isTrue(() => isFocused(tile(6)), 'the last one has the focus');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Home');
    await isTrue(() => isFocused(tile(0)), 'the first one has the focus');
    assert.equal(await grid.locator('[role=gridcell][tabindex="0"]').count(), 1);
    await page.keyboard.press('Escape');
    await details.waitFor({ state: 'detached' });
    await isTrue(() => isFocused(tile(0)), 'the tile has the focus');
  });

  it('searches while typing, counts the matches, and shows all files again', async () => {
    const { search, tiles, page, button, spoken, countIs } = await open();
    await tiles.nth(6).waitFor();
    await search.fill('model:flux gouache');
    await countIs('2 of 7');
    await tiles.nth(2).waitFor({ state: 'detached' });
    assert.equal(await tiles.count(), 2);
    await spoken('2 of 7');
    await search.fill('submarine');
    await page.getByRole('main').getByText('No results for "submarine".').waitFor();
    await spoken('No results for');
    await button('Show All').click();
    await tiles.nth(6).waitFor();
    assert.equal(await search.inputValue(), '');
    await page.getByRole('combobox', { name: 'Kind' }).selectOption({ label: 'Videos' });
    await countIs('1 of 7');
    await page.getByRole('combobox', { name: 'Kind' }).selectOption({ label: 'All kinds' });
    await page.getByRole('combobox', { name: 'Sort by' }).selectOption({ label: 'By model' });
    await page.getByRole('rowheader', { name: 'Wan-AI/Wan2.2-T2V-A14B' }).waitFor();
  });

  it("hides Generate if the service doesn't support images", async () => {
    let go!: () => void;
    const held = new Promise<void>((resolve) => (go = resolve));
    const { page, ours, tiles } = await open({
      handlers: {
        async 'gallery/arrange'(order, { signal }) {
          await held;
          return { ...(await ours.controller.arrange(order, signal)), canMake: false, notices: [] };
        },
      },
    });
    go();
    await tiles.first().waitFor();
    assert.equal(await page.locator('vscode-button', { hasText: 'Generate an Image' }).count(), 0);
  });

  it('keeps the search text when it is rendered again', async () => {
    let go!: () => void;
    const held = new Promise<void>((resolve) => (go = resolve));
    const { search, ours, countIs } = await open({
      handlers: {
        async 'gallery/arrange'(order, { signal }) {
          if (order.view.query === '') await held;
          return { ...(await ours.controller.arrange(order, signal)), canMake: true, notices: [] };
        },
      },
    });
    await search.fill('gouache');
    go();
    await countIs('2 of 7');
    assert.equal(await search.inputValue(), 'gouache');
  });

  it('offers the actions of a file by buttons, menu, and keys', async () => {
    const { tile, details, page, asks, ours } = await open();
    await tile(1).click({ button: 'right' });
    const menu = page.getByRole('menu');
    await menu.getByRole('menuitem', { name: 'Open Containing Folder' }).click();
    const id = ours.idOf(galleryAssets[1]!);
    await asks('act', { id, action: 'reveal' });
    await details.getByRole('button', { name: 'Edit and Generate…' }).click();
    await until(() => ours.asked.find(([, about]) => (about as { action: string }).action === 'vary'), 'asks to vary');
    await details.getByRole('button', { name: 'More Actions' }).click();
    await menu.getByRole('menuitem').nth(11).waitFor();
    assert.equal(await menu.getByRole('menuitem').count(), 12);
    await menu.getByRole('menuitem', { name: 'Edit Image…' }).click();
    await until(() => ours.asked.find(([, about]) => (about as { action: string }).action === 'edit'), 'asks to edit');
    await tile(1).focus();
    await page.keyboard.press('Delete');
    await until(
      () => ours.asked.find(([, about]) => (about as { action: string }).action === 'remove'),
      'asks to remove',
    );
    await details.getByText('Trace ID').hover();
    await details.getByRole('button', { name: 'Copy Trace ID' }).click();
    assert.equal(((await asks('copy')) as { id: string }).id, id);
    await tile(4).click();
    await details.getByText('Spoken text').waitFor();
    assert.equal(await details.getByRole('button', { name: 'Edit and Generate…' }).count(), 0);
  });

  it('labels each file with its prompt, and shows its seed and size on hover', async () => {
    const { tile } = await open();
    await tile(2)
      .locator('.tile-caption', { hasText: /^Narrow street after the rain$/ })
      .waitFor();
    assert.match((await tile(2).getAttribute('title')) ?? '', /^Image: Narrow street.*seed 4296 · 256 × 384/);
  });

  it('selects files with check boxes, clicks, and keys, and applies actions to all of them', async () => {
    const { tile, page, ours, button, spoken } = await open();
    const bar = page.getByRole('group', { name: 'Selected files' });
    const check = (index: number) => tile(index).getByRole('checkbox');
    const checked = async () =>
      Promise.all([0, 1, 2, 3, 4].map(async (index) => (await check(index).getAttribute('aria-checked')) === 'true'));
    const checkedAre = (...requested: readonly boolean[]) =>
      isTrue(async () => JSON.stringify(await checked()) === JSON.stringify(requested), `checked ${requested.join()}`);
    await tile(0).waitFor();
    assert.equal(await bar.count(), 0);
    await check(1).click();
    await bar.getByText('1 selected').waitFor();
    await spoken('1 selected');
    await tile(3).click({ modifiers: ['ControlOrMeta'] });
    await checkedAre(false, true, false, true, false);
    await tile(4).click({ modifiers: ['Shift'] });
    await checkedAre(false, true, false, true, true);
    await button('Export Details…').click();
    const about = () => ours.asked.filter(([method]) => method === 'actOnSelected').map(([, asked]) => asked);
    const ids = [1, 3, 4].map((index) => ours.idOf(galleryAssets[index]!));
    await until(() => about()[0], 'the export');
    assert.deepEqual(about(), [{ ids, action: 'exportDetails' }]);
    await button('Clear Selection').click();
    await bar.waitFor({ state: 'detached' });
    // By keys: a range grows and shrinks, Space takes one out, and Delete is about all that are selected.
    await tile(0).focus();
    await page.keyboard.press('Shift+ArrowRight');
    await page.keyboard.press('Shift+ArrowRight');
    await checkedAre(true, true, true, false, false);
    await page.keyboard.press('Shift+ArrowLeft');
    await checkedAre(true, true, false, false, false);
    await page.keyboard.press(' ');
    await checkedAre(true, false, false, false, false);
    await page.keyboard.press('ControlOrMeta+a');
    await bar.getByText('7 selected').waitFor();
    assert.equal(await bar.getByRole('button', { name: 'Compare' }).count(), 0);
    await page.keyboard.press('Delete');
    await until(() => about()[1], 'the deletion');
    assert.deepEqual(about()[1], { ids: galleryAssets.map((asset) => ours.idOf(asset)), action: 'remove' });
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await bar.waitFor({ state: 'detached' });
  });

  it('limits the number of selected files, and deselects deleted ones', async () => {
    const many = Array.from({ length: 600 }, (_, seed) => imageAsset({ prompt: `street ${seed}`, seed }));
    const { tile, page, shelf, host, countIs } = await open({ assets: many });
    await tile(0).focus();
    await page.keyboard.press('ControlOrMeta+a');
    await page.getByText('You can select up to 500 files.').first().waitFor();
    await page.getByText('500 selected').first().waitFor();
    // Also of what a filter hides, only what is deleted is let go of.
    await page.getByRole('combobox', { name: 'Kind' }).selectOption({ label: 'Videos' });
    await countIs('0 of 600');
    shelf.assets = many.slice(499);
    host.tell('gallery/changed', {});
    await page.getByText('1 selected').first().waitFor();
  });

  it("plays videos and speech, and says if VS Code can't", async () => {
    const { tile, page, details, asks } = await open();
    await tile(3).focus();
    await page.keyboard.press('Enter');
    const video = details.locator('video');
    await video.evaluate((element: HTMLVideoElement) => {
      element.muted = true;
      return element.play();
    });
    await isTrue(() => video.evaluate((element: HTMLVideoElement) => element.currentTime > 0.2), 'the video goes on');
    await details.getByText('No longer saved on this machine').waitFor();
    await details.getByRole('button', { name: 'Use as First Frame' }).click();
    const { png } = (await asks('useFrame')) as { png: string };
    assert.equal(Buffer.from(png, 'base64').readUInt32BE(16), 160);
    assert.equal(await video.evaluate((element: HTMLVideoElement) => element.paused), true);
    await tile(4).click();
    await isTrue(
      () => details.locator('audio').evaluate((element: HTMLAudioElement) => element.duration > 0.9),
      'the speech has its length',
    );
    await details.locator('audio').evaluate((element) => element.dispatchEvent(new Event('error')));
    await details.getByText("VS Code can't play this file").waitFor();
    await details.getByRole('button', { name: 'Open Externally' }).click();
    assert.equal(((await asks('act')) as { action: string }).action, 'openOutside');
  });

  it("shows a label for files that aren't images or are missing", async () => {
    const { tile, details } = await open({ gone: new Set([galleryAssets[6]!.path]) });
    await tile(6).getByText("Can't be displayed").waitFor();
    await tile(6).click();
    await details.getByText('The file no longer exists').waitFor();
  });

  it('keeps the selection and position while files change', async () => {
    const many = Array.from({ length: 300 }, (_, seed) => imageAsset({ prompt: `street ${seed}`, seed }));
    const { shelf, host, tile, details, page, scrolledTo, countIs } = await open({ assets: many });
    await tile(0).click();
    const at = await scrolledTo(3000);
    await tile(at).click();
    await details.getByText(`street ${at}`, { exact: true }).waitFor();
    const place = () =>
      page.locator('.tile-active').evaluate((element) => Math.round(element.getBoundingClientRect().top));
    const before = await place();
    shelf.assets = [...Array.from({ length: 40 }, (_, seed) => imageAsset({ prompt: `new ${seed}`, seed })), ...many];
    host.tell('gallery/changed', {});
    await tile(at + 40)
      .and(page.locator('.tile-active'))
      .waitFor();
    await isTrue(async () => Math.abs((await place()) - before) <= 1, `the tile where it was seen, at ${before}`);
    assert.equal(await details.getByText(`street ${at}`, { exact: true }).count(), 1);
    shelf.assets = many.slice(0, 20);
    host.tell('gallery/changed', {});
    await details.waitFor({ state: 'detached' });
    await countIs('20 files');
  });

  it('renders only the visible tiles of three thousand, and requests no others', async () => {
    const many = Array.from({ length: 3000 }, (_, seed) => imageAsset({ prompt: `street ${seed}`, seed }));
    let most = 0;
    const { tile, tiles, grid, page, details, ours } = await open({
      assets: many,
      toSrc: () => 'data:image/gif;base64,R0lGODlhAQABAIAAAP///wAAACH5BAEAAAAALAAAAAABAAEAAAICRAEAOw==',
      handlers: {
        async 'gallery/tiles'({ from, count }) {
          const found = ours.controller.tiles(from, count);
          most = Math.max(most, found.length);
          return { tiles: found };
        },
      },
    });
    await tile(0).focus();
    await page.keyboard.press('End');
    await details.getByText('street 2999', { exact: true }).waitFor();
    assert.ok((await tiles.count()) < 100);
    for (let step = 0; step <= 40; step++)
      await grid.evaluate((element, part) => (element.scrollTop = element.scrollHeight * part), step / 40);
    assert.ok((await tiles.count()) < 100);
    assert.ok(most <= 100, `${most} at once`);
  });

  it('restores its position after a reload', async () => {
    const many = Array.from({ length: 300 }, (_, seed) => imageAsset({ prompt: `street ${seed}`, seed }));
    const { grid, tile, page, details, search, scrolledTo, countIs } = await open({ assets: many });
    await tile(0).click();
    await search.fill('street');
    await countIs('300 of 300');
    const at = await scrolledTo(3000);
    await tile(at).click();
    await details.getByText(`street ${at}`, { exact: true }).waitFor();
    const scrolled = () => grid.evaluate((element) => element.scrollTop);
    const before = await scrolled();
    await isTrue(
      () => page.evaluate(() => JSON.parse(sessionStorage.getItem('state') ?? '{}').scroll > 2000),
      'it is kept',
    );
    await page.reload();
    await details.getByText(`street ${at}`, { exact: true }).waitFor();
    assert.equal(await search.inputValue(), 'street');
    await isTrue(async () => Math.abs((await scrolled()) - before) < 2, 'it stands where it stood');
    await tile(at).and(page.locator('.tile-active')).waitFor();
  });

  it('lists unreadable files with links, next to the others', async () => {
    const notices = [
      {
        id: 'recipes',
        title: "Couldn't read the details of 1 file",
        detail: 'It is damaged.',
        actions: [{ id: '0', label: 'a.recipe.json' }],
      },
    ];
    const { button, asks, tiles } = await open({ notices });
    await button('a.recipe.json').click();
    await asks('mend', { notice: 'recipes', action: '0' });
    await tiles.nth(6).waitFor();
    assert.equal(await tiles.count(), 7);
  });

  it('says that there are no files yet, and how to generate one', async () => {
    const { page, asks, search } = await open({ assets: [] });
    await page.getByText('No images or videos yet').waitFor();
    await page.locator('vscode-button', { hasText: 'Generate an Image' }).locator('button').click();
    await asks('make', { kind: 'image' });
    assert.equal(await search.count(), 0);
  });

  it('shows folder errors, and reloads the folders', async () => {
    let isWell = false;
    const { page, button, tiles, ours } = await open({
      handlers: {
        'gallery/arrange': async (order, { signal }) => {
          if (isWell) return { ...(await ours.controller.arrange(order, signal)), canMake: true, notices: [] };
          throw {
            kind: 'storage',
            title: 'The recipes could not be read',
            detail: 'Too many files are open.',
            actions: [],
          };
        },
      },
    });
    await page.getByText('Too many files are open.', { exact: true }).waitFor();
    const spoken = page.locator('[role=status]', { hasText: 'Too many files are open.' });
    await spoken.waitFor({ state: 'attached' });
    isWell = true;
    await button('Reload').click();
    await tiles.nth(6).waitFor();
    assert.equal(await page.getByText('Too many files are open.', { exact: true }).count(), 0);
  });
});
