import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { galleryPages } from '../support/galleryPages';
import { until } from '../support/until';

describe('enlarged images', () => {
  const open = galleryPages();

  const isFocused = (one: Locator) =>
    until(() => one.evaluate((element) => element === document.activeElement || undefined), 'the focus');
  const percent = (page: Page) => page.locator('.zoom-percent').innerText();
  const isPercent = (page: Page, requested: RegExp) =>
    until(async () => (requested.test(await percent(page)) ? true : undefined), `a zoom of ${requested}`);
  const box = (page: Page, at = 0) =>
    page
      .locator('.laid-picture')
      .nth(at)
      .evaluate((element) => {
        const { x, y, width, height } = element.getBoundingClientRect();
        return { x, y, width, height };
      });

  async function openLarge() {
    const one = await open({ width: 900, height: 700 });
    await one.tile(0).focus();
    await one.page.keyboard.press('Enter');
    await one.dialog.locator('.laid-picture img').waitFor();
    await isPercent(one.page, /^100%$/);
    return one;
  }

  it('open with Enter, fit the window, and restore the focus on Escape', async () => {
    const { page, dialog, tile } = await openLarge();
    // All of it is seen in 512 × 384 pixels.
    const isLaid = async () => {
      const { width, height } = await box(page);
      return width === 512 && height === 384 ? true : undefined;
    };
    await until(isLaid, 'the picture as large as it is');
    await dialog.getByText('1 of 7').waitFor();
    await dialog.getByText('A lighthouse on basalt columns, gouache, low sun').waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await isFocused(tile(0));
  });

  it('are zoomed with keys, buttons, and the wheel around the pointer', async () => {
    const { page, button } = await openLarge();
    await page.keyboard.press('+');
    await isPercent(page, /^125%$/);
    await page.keyboard.press('-');
    await page.keyboard.press('-');
    await isPercent(page, /^75%$/);
    await page.keyboard.press('1');
    await isPercent(page, /^100%$/);
    await button('Zoom In (+)').click();
    await button('Zoom In (+)').click();
    await isPercent(page, /^150%$/);
    await button('Fit (0)').click();
    await isPercent(page, /^100%$/);
    // Less than the room has stands in its middle, wherever the pointer is.
    for (let press = 0; press < 4; press++) await page.keyboard.press('+');
    await isPercent(page, /^300%$/);
    const pointer = { x: 380, y: 300 };
    const before = await box(page);
    const part = (seen: { x: number; width: number }) => (pointer.x - seen.x) / seen.width;
    await page.mouse.move(pointer.x, pointer.y);
    for (let notch = 0; notch < 3; notch++) await page.mouse.wheel(0, -100);
    await isPercent(page, /^[4-9]\d\d%$/);
    const after = await box(page);
    assert.ok(Math.abs(part(after) - part(before)) < 0.01, `${part(before)} to ${part(after)}`);
  });

  it('move by dragging and with the arrow keys if they are larger than the view', async () => {
    const { page } = await openLarge();
    for (let press = 0; press < 5; press++) await page.keyboard.press('+');
    await isPercent(page, /^400%$/);
    const before = await box(page);
    await page.mouse.move(450, 350);
    await page.mouse.down();
    await page.mouse.move(410, 330, { steps: 4 });
    await page.mouse.up();
    const dragged = await box(page);
    assert.deepEqual([Math.round(dragged.x - before.x), Math.round(dragged.y - before.y)], [-40, -20]);
    await page.keyboard.press('ArrowLeft');
    assert.equal(Math.round((await box(page)).x - dragged.x), 60);
    for (let press = 0; press < 60; press++) await page.keyboard.press('ArrowRight');
    const room = await page.locator('.picture-room').boundingBox();
    const end = await box(page);
    assert.ok(Math.abs(end.x + end.width - room!.width) < 1);
  });

  it('lead to adjacent images with arrow keys and buttons, and skip other files', async () => {
    const { page, dialog, button, tile } = await openLarge();
    await button('Previous (Left Arrow)').waitFor({ state: 'detached' });
    await page.keyboard.press('ArrowRight');
    await dialog.getByText('2 of 7').waitFor();
    await button('Next (Right Arrow)').click();
    await dialog.getByText('3 of 7').waitFor();
    await button('Next (Right Arrow)').click();
    await dialog.getByText('6 of 7').waitFor();
    await page.keyboard.press('PageDown');
    await dialog.getByText('7 of 7').waitFor();
    await dialog.getByText("Can't be displayed").waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await isFocused(tile(6));
  });

  async function openCompare() {
    const one = await open({ width: 1000, height: 700 });
    const { tile, page } = one;
    await tile(0).focus();
    await page.keyboard.press(' ');
    await page.getByRole('group', { name: 'Selected files' }).getByText('1 selected').waitFor();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press(' ');
    await page.getByRole('button', { name: 'Compare' }).click();
    await one.dialog.locator('.laid-picture img').nth(1).waitFor();
    const slider = page.getByRole('slider', { name: 'Divider' });
    await slider.waitFor();
    return { ...one, slider };
  }

  it('are scaled to the same size for a comparison, with a note', async () => {
    const { page, dialog } = await openCompare();
    await dialog.getByText('Original sizes: 512 × 384 and 256 × 192.').waitFor();
    assert.deepEqual(await box(page, 0), await box(page, 1));
    await page.keyboard.press('+');
    await isPercent(page, /^125%$/);
    assert.deepEqual(await box(page, 0), await box(page, 1));
  });

  it('have a slider for mouse and keyboard that announces its position', async () => {
    const { page, slider } = await openCompare();
    assert.equal(await slider.getAttribute('aria-valuenow'), '50');
    await slider.focus();
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('PageDown');
    assert.equal(
      await slider.getAttribute('aria-valuetext'),
      '39% of seed 4294 · 512 × 384, then seed 4295 · 256 × 192',
    );
    const middle = (await slider.boundingBox())!;
    const picture = await box(page);
    await page.mouse.move(middle.x + middle.width / 2, 300);
    await page.mouse.down();
    await page.mouse.move(picture.x + picture.width * 0.8, 300, { steps: 5 });
    await page.mouse.up();
    assert.equal(await slider.getAttribute('aria-valuenow'), '80');
    const cut = await page
      .locator('.compare-layer')
      .nth(1)
      .evaluate((layer) => layer.style.clipPath);
    const cutAt = Number(/([\d.]+)px\)$/.exec(cut)?.[1]);
    assert.ok(Math.abs(cutAt - picture.x - picture.width * 0.8) < 1, cut);
  });

  it('are swapped, and shown side by side with the same zoom', async () => {
    const { page, slider, button, dialog } = await openCompare();
    await button('Swap').click();
    assert.match((await slider.getAttribute('aria-valuetext'))!, /^50% of seed 4295/);
    await button('Side by Side').click();
    await dialog.locator('.picture-room').nth(1).waitFor();
    const [left, right] = [await box(page, 0), await box(page, 1)];
    assert.deepEqual([left.width, left.y], [right.width, right.y]);
    assert.ok(right.x > left.x + left.width);
    await page.mouse.move(right.x + 100, 300);
    await page.mouse.wheel(0, -300);
    await until(async () => ((await box(page, 0)).width > left.width ? true : undefined), 'both are larger');
    assert.equal((await box(page, 0)).width, (await box(page, 1)).width);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });
});
