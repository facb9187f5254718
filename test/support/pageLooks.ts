import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { accessibilityFaults } from './accessibility';
import { forcedFaults } from './forcedColours';
import { layoutFaults } from './layoutFaults';
import type { LayoutOptions } from './layoutFaults';
import { takePicture } from './takePicture';
import { allThemes, wearTheme } from './webviewPage';
import type { Theme } from './webviewPage';

const folder = 'dist/test/screenshots/webview';
/** Set, pictures are taken of every theme at every size, and nothing is judged but by who looks at them. */
const takesAll = (process.env['INFERENCE_DESK_PICTURES'] ?? '') !== '';

/** What a theme alone can break. The rest is asked at the widest and at the narrowest. */
const ofColours = ['color-contrast', 'link-in-text-block'];

type Size = readonly [width: number, height: number];
interface Look {
  readonly theme: Theme;
  readonly size: Size;
}

/** Of a page in an editor, and in the side bar. The last of each is a usual one at 200 % zoom, which leaves half as many pixels. */
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
  /** Stays at its size: what is open over the page closes as soon as that changes. */
  readonly stays?: boolean;
  /** All where absent. */
  readonly themes?: readonly Theme[];
}

/**
 * Looks at a page in every theme and at every size, the narrowest at 200 % zoom: fails for what cannot be read, reached or seen whole.
 * Leaves it as it was.
 */
export async function look(page: Page, name: string, options: LookOptions = {}): Promise<void> {
  const { place = 'editor', stays = false, themes = allThemes } = options;
  const before = page.viewportSize()!;
  const own: Size = [before.width, before.height];
  const all = stays ? [own] : sizes[place];
  const themeNow = await page.evaluate(() => document.body.dataset['theme'] as Theme);
  // What a theme changes is its colours, what a size changes is the layout: each is judged once, in pairs.
  const looks = takesAll
    ? all.flatMap((size) => themes.map((theme): Look => ({ theme, size })))
    : Array.from({ length: Math.max(all.length, themes.length) }, (_, at): Look => ({
        theme: themes[at % themes.length]!,
        size: all[at % all.length]!,
      }));
  const faults: string[] = [];
  for (const [at, { theme, size }] of looks.entries()) {
    await wearTheme(page, theme);
    if (!stays) await page.setViewportSize({ width: size[0], height: size[1] });
    const about = `${theme}-${size[0]}`;
    await takePicture(page, `${folder}/${name}-${about}.png`);
    if (takesAll) continue;
    const found = [
      ...(await accessibilityFaults(page, at === 0 || at === 3 ? undefined : ofColours)),
      ...(await layoutFaults(page, options)),
    ];
    faults.push(...found.map((fault) => `${about}: ${fault}`));
  }
  if (!takesAll) faults.push(...(await forcedFaults(page)));
  await wearTheme(page, themeNow);
  if (!stays) await page.setViewportSize(before);
  assert.deepEqual(faults, []);
}
