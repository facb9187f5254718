import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { accessibilityFaults } from './accessibility';
import { forcedFaults } from './forcedColours';
import { layoutFaults } from './layoutFaults';
import type { LayoutOptions } from './layoutFaults';
import { capture, drawn, takesAllPictures } from './takePicture';
import { allThemes, wearTheme } from './webviewPage';
import type { Theme } from './webviewPage';

const folder = 'dist/test/screenshots/webview';
/** Rules that only a theme can break. */
const ofColours = ['color-contrast', 'link-in-text-block'];
/** Rules that a size can break in addition to the layout: words replaced by icons, and new scrollbars. */
const ofSizes = [
  'aria-hidden-focus',
  'aria-input-field-name',
  'aria-toggle-field-name',
  'button-name',
  'label',
  'link-name',
  'scrollable-region-focusable',
  'select-name',
  'summary-name',
];

type Size = readonly [width: number, height: number];
/** Sizes of a page in an editor and in the side bar. The last of each is a common one at 200 % zoom, which leaves half as many pixels. */
const sizes: Readonly<Record<'editor' | 'side', readonly Size[]>> = {
  editor: [
    [1400, 860],
    [700, 900],
    [300, 900],
    [220, 900],
    [480, 320],
  ],
  side: [
    [700, 720],
    [300, 720],
    [220, 720],
    [170, 360],
  ],
};

export interface LookOptions extends LayoutOptions {
  readonly place?: keyof typeof sizes;
  /** Keeps the size, because what is open over the page closes on resize. */
  readonly stays?: boolean;
  /** For a screen's main state, and for custom colors, which are checked in every theme. */
  readonly colours?: boolean;
}

/**
 * Checks a page at every size, the narrowest at 200 % zoom, in a theme selected by its name. Fails for content that is unreadable,
 * unreachable, or clipped, and takes a screenshot of each size. Restores the page.
 */
export async function look(page: Page, name: string, options: LookOptions = {}): Promise<void> {
  const { place = 'editor', stays = false, colours = false } = options;
  const before = page.viewportSize()!;
  const own: Size = [before.width, before.height];
  const all = stays ? [own] : sizes[place];
  const themeNow = await page.evaluate(() => document.body.dataset['theme'] as Theme);
  // The toolkit updates its colors a frame later.
  const wear = (theme: Theme) => wearTheme(page, theme).then(() => drawn(page));
  const resize = async ([width, height]: Size) => {
    if (!stays) await page.setViewportSize({ width, height });
  };
  const picture = (theme: Theme, size: Size) => capture(page, `${folder}/${name}-${theme}-${size[0]}.png`);
  const pictures = async (themes: readonly Theme[]) => {
    for (const size of all) {
      await resize(size);
      for (const theme of themes) {
        await wear(theme);
        await picture(theme, size);
      }
    }
  };

  const faults: string[] = [];
  const theme = themeOf(name);
  const add = (about: string, found: readonly string[]) =>
    void faults.push(...found.map((fault) => `${about}: ${fault}`));
  if (takesAllPictures) await pictures(allThemes);
  else {
    if (theme !== themeNow) await wear(theme);
    // Only the layout depends on each single size.
    for (const [at, size] of all.entries()) {
      await resize(size);
      const about = `${theme}-${size[0]}`;
      await drawn(page);
      if (at === 0) {
        add(about, await accessibilityFaults(page));
        for (const other of allThemes.filter((one) => colours && one !== theme)) {
          await wear(other);
          add(`${other}-${size[0]}`, await accessibilityFaults(page, ofColours));
        }
        if (colours) await wear(theme);
      }
      add(about, await layoutFaults(page, options));
      if (at > 0 && size[0] === narrowest(all)) add(about, await accessibilityFaults(page, ofSizes));
    }
    add(theme, await forcedFaults(page));
    if (faults.length > 0) await pictures([theme]);
  }
  if (theme !== themeNow || takesAllPictures) await wear(themeNow);
  await resize(own);
  assert.deepEqual(faults, []);
}

const narrowest = (all: readonly Size[]) => Math.min(...all.map(([width]) => width));

/** Returns the same theme for a name in every run. */
function themeOf(name: string): Theme {
  const sum = Buffer.from(name).reduce((total, byte) => total + byte, 0);
  return allThemes[sum % allThemes.length]!;
}

/** Editor widths at which the header of a table page must be one line. */
const headerWidths = [500, 700, 900, 1300, 1900];

/**
 * Checks that the header of a page with a table is one line at every width, that its filters are from 900 px, and that the last action is
 * visible.
 */
export async function headerLooks(page: Page, name: string): Promise<void> {
  for (const width of headerWidths) {
    await page.setViewportSize({ width, height: 760 });
    await drawn(page);
    const faults = await page.evaluate(() => {
      const selector = window.innerWidth < 900 ? '.results-head' : '.results-head, .results-bar';
      const lines = [...document.querySelectorAll<HTMLElement>(selector)];
      const isTall = lines
        .filter(({ offsetHeight }) => offsetHeight > 48)
        .map(({ className }) => `${className} is tall`);
      const within = [...document.querySelectorAll('.results-actions > *, .results-find > *')];
      const isOut = within.filter((one) => {
        const { left, right, width: drawnWidth } = one.getBoundingClientRect();
        return drawnWidth > 0 && (left < 0 || right > window.innerWidth);
      });
      const isCut = within.filter((one) => one.tagName === 'VSCODE-BUTTON' && one.scrollWidth > one.clientWidth + 1);
      return [
        ...isTall,
        ...isOut.map((one) => `${one.className || one.tagName} is out of view`),
        ...isCut.map((one) => `${one.textContent} is cut`),
      ];
    });
    assert.deepEqual(faults, [], `${name} at ${width} px`);
    if (!takesAllPictures) continue;
    for (const theme of allThemes) {
      await wearTheme(page, theme);
      await drawn(page);
      await capture(page, `${folder}/header-${name}-${width}-${theme}.png`);
    }
  }
}
