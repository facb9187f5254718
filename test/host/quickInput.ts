import type { Locator, Page } from 'playwright-core';
import { usualLimitMs } from '../support/until.ts';

/** One colour theme of each kind: its label in the theme picker, and the class by which it is seen to have arrived. */
const themeMarks = {
  light: { label: 'Light Modern', seen: 'vs' },
  dark: { label: 'Dark Modern', seen: 'vs-dark' },
  highContrast: { label: 'Dark High Contrast', seen: 'hc-black' },
  highContrastLight: { label: 'Light High Contrast', seen: 'hc-light' },
} as const;

export type ThemeKind = keyof typeof themeMarks;

/** The palette, and the picks and boxes that open in its place. */
export interface QuickInput {
  /** Runs a command by its title through the command palette. */
  command(title: string): Promise<void>;
  /** Takes the row with this text in the open quick pick. */
  pick(text: string | RegExp): Promise<void>;
  /** Types into the open input box or quick pick, and confirms. */
  answer(text: string): Promise<void>;
  /** The open quick pick or input box. */
  readonly quickInput: Locator;
  /** Rows of the open quick pick. */
  readonly quickRows: Locator;
  theme(kind: ThemeKind): Promise<void>;
}

const listedMs = 10_000;
const openedMs = 3000;
const mostTries = 4;

/**
 * Clicks until the element itself was told of it: the busy editor draws rows anew between the button's going down and its coming up, and
 * then tells none of them.
 */
async function press(target: Locator): Promise<void> {
  for (let tries = 1; ; tries++) {
    // It was there a moment ago: if it is gone, a pick of our own that was just left has closed the palette.
    const element = (await target.elementHandle({ timeout: openedMs }))!;
    const reported = await element.evaluateHandle((row) => {
      const click = { came: false };
      row.addEventListener('click', () => (click.came = true), { capture: true, once: true });
      return click;
    });
    try {
      await element.click({ timeout: listedMs });
      // A window that is loaded anew by it tells nothing any more.
      if (await reported.evaluate(({ came }) => came).catch(() => true)) return;
    } catch (error) {
      if (tries === mostTries) throw error;
    }
    if (tries === mostTries) throw new Error(`No click came to ${String(target)}, clicked ${mostTries} times`);
  }
}

/** By what only the palette begins with: what was there before may still be on its way out. */
async function isPaletteOpen(page: Page): Promise<boolean> {
  const isShown = () => {
    const input = document.querySelector<HTMLInputElement>('.quick-input-widget input.input');
    return input?.checkVisibility() === true && input.value.startsWith('>');
  };
  return page.waitForFunction(isShown, undefined, { timeout: openedMs }).then(
    () => true,
    () => false,
  );
}

/** A key goes to the page that has the focus, and a webview that has just been given it back, or is still loading, drops it. */
async function openPalette(page: Page): Promise<void> {
  for (let tries = 0; tries < mostTries; tries++) {
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
    await page.keyboard.press('F1');
    if (await isPaletteOpen(page)) return;
  }
  throw new Error(`The palette did not open by F1, pressed ${mostTries} times`);
}

/** The rows of a pick lie over the tabs, whose hovers would then lie over what a page has at its top. The status bar is empty there. */
async function moveToStatusBar(page: Page): Promise<void> {
  const { width, height } = page.viewportSize()!;
  await page.mouse.move(width / 2, height - 1);
}

export function quickInputOf(page: Page): QuickInput {
  const quickInput = page.locator('.quick-input-widget');
  const quickRows = quickInput.locator('.monaco-list-row');
  const box = quickInput.locator('input.input').first();
  /** Takes the row that fits what was typed. */
  const choose = async (row: string, limitMs = usualLimitMs): Promise<void> => {
    // Those of before, such as what was used last, stand there until the rows have what was typed marked in them.
    const found = quickRows.filter({ has: page.locator('.label-name .highlight') });
    const fitting = found.filter({ hasText: row }).first();
    await fitting.waitFor({ timeout: limitMs });
    // The one that says no more, before one that only begins alike and was used last.
    // By the whole label: each word that was typed is marked by an element of its own.
    const whole = new RegExp(`^${row.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)}$`);
    const exact = found.filter({ has: page.locator('.label-name', { hasText: whole }) }).first();
    await press((await exact.count()) > 0 ? exact : fitting);
    await moveToStatusBar(page);
  };
  const command = async (title: string): Promise<void> => {
    for (let tries = 1; ; tries++) {
      await openPalette(page);
      try {
        // What takes the palette's place meanwhile, such as a progress, takes no text.
        await box.fill(`>${title}`, { timeout: openedMs });
        return await choose(title, listedMs);
      } catch (error) {
        if (tries === mostTries) throw error;
        // The palette lists what was there when it opened: commands of an extension that was still read are not among them.
        await page.keyboard.press('Escape');
        await quickInput.waitFor({ state: 'hidden' });
      }
    }
  };
  return {
    quickInput,
    quickRows,
    command,
    theme: async (kind) => {
      const { label, seen } = themeMarks[kind];
      await command('Preferences: Color Theme');
      // Typed before the list has come is typed into nothing; the row itself may be out of sight until then.
      await quickRows.nth(1).waitFor();
      await box.fill(label);
      await choose(label);
      await page.locator(`.monaco-workbench.${seen}`).waitFor();
    },
    pick: async (text) => {
      const row = quickRows.filter({ hasText: text }).first();
      await row.waitFor();
      await press(row);
      await moveToStatusBar(page);
    },
    answer: async (text) => {
      await box.waitFor();
      await box.fill(text);
      await box.press('Enter');
    },
  };
}
