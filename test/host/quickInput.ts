import type { Locator, Page } from 'playwright-core';
import { usualLimitMs } from '../support/until.ts';

/** One color theme of each kind: its label in the theme picker, and the class that shows that it is active. */
const themeMarks = {
  light: { label: 'Light Modern', seen: 'vs' },
  dark: { label: 'Dark Modern', seen: 'vs-dark' },
  highContrast: { label: 'Dark High Contrast', seen: 'hc-black' },
  highContrastLight: { label: 'Light High Contrast', seen: 'hc-light' },
} as const;

export type ThemeKind = keyof typeof themeMarks;

/** The palette, and the pickers and boxes that open in its place. */
export interface QuickInput {
  /** Runs a command by its title through the command palette. */
  command(title: string): Promise<void>;
  /** Selects the row with this text in the open quick pick. */
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
 * Clicks until the element itself received the click. A busy VS Code renders rows again between mouse down and mouse up, and then neither
 * receives it.
 */
async function press(target: Locator): Promise<void> {
  for (let tries = 1; ; tries++) {
    // It existed a moment ago. If it is gone, a closing picker of ours has closed the palette.
    const element = (await target.elementHandle({ timeout: openedMs }))!;
    const reported = await element.evaluateHandle((row) => {
      const click = { came: false };
      row.addEventListener('click', () => (click.came = true), { capture: true, once: true });
      return click;
    });
    try {
      await element.click({ timeout: listedMs });
      // A window that reloads because of the click no longer reports anything.
      if (await reported.evaluate(({ came }) => came).catch(() => true)) return;
    } catch (error) {
      if (tries === mostTries) throw error;
    }
    if (tries === mostTries) throw new Error(`No click came to ${String(target)}, clicked ${mostTries} times`);
  }
}

/** Detects the palette by its unique prefix, because an earlier picker might still be closing. */
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

/** Opens the palette. A key goes to the focused page, and a webview that has just received the focus, or is still loading, drops it. */
async function openPalette(page: Page): Promise<void> {
  for (let tries = 0; tries < mostTries; tries++) {
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
    await page.keyboard.press('F1');
    if (await isPaletteOpen(page)) return;
  }
  throw new Error(`The palette did not open by F1, pressed ${mostTries} times`);
}

/**
 * Moves the pointer to an empty part of the status bar. A picker's rows are above the tabs, whose hovers would then cover the top of a
 * page.
 */
async function moveToStatusBar(page: Page): Promise<void> {
  const { width, height } = page.viewportSize()!;
  await page.mouse.move(width / 2, height - 1);
}

export function quickInputOf(page: Page): QuickInput {
  const quickInput = page.locator('.quick-input-widget');
  const quickRows = quickInput.locator('.monaco-list-row');
  const box = quickInput.locator('input.input').first();
  /** Selects the row that matches the typed text. */
  const choose = async (row: string, limitMs = usualLimitMs): Promise<void> => {
    // Earlier rows, such as recently used ones, remain until the new rows mark the typed text.
    const found = quickRows.filter({ has: page.locator('.label-name .highlight') });
    const fitting = found.filter({ hasText: row }).first();
    await fitting.waitFor({ timeout: limitMs });
    // Prefers an exact match to a recently used row with the same beginning. Compares the complete label, because each typed word is marked
    // with a separate element.
    const whole = new RegExp(`^${row.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)}$`);
    const exact = found.filter({ has: page.locator('.label-name', { hasText: whole }) }).first();
    await press((await exact.count()) > 0 ? exact : fitting);
    await moveToStatusBar(page);
  };
  const command = async (title: string): Promise<void> => {
    for (let tries = 1; ; tries++) {
      await openPalette(page);
      try {
        // Whatever has replaced the palette, such as a progress, accepts no text.
        await box.fill(`>${title}`, { timeout: openedMs });
        return await choose(title, listedMs);
      } catch (error) {
        if (tries === mostTries) throw error;
        // The palette lists the commands that were known when it opened, without those of an extension that was still loading.
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
      // Text typed before the list has loaded is lost. The row itself can be out of view until then.
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
