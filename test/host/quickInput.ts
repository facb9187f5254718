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
const mostTries = 4;

export function quickInputOf(page: Page): QuickInput {
  const quickInput = page.locator('.quick-input-widget');
  const quickRows = quickInput.locator('.monaco-list-row');
  const box = quickInput.locator('input.input').first();
  const choose = async (typed: string, row: string, limitMs = usualLimitMs): Promise<void> => {
    await box.fill(typed);
    // Those of before, such as what was used last, stand there until the rows have what was typed marked in them.
    const found = quickRows.filter({ has: page.locator('.label-name .highlight') });
    const fitting = found.filter({ hasText: row }).first();
    await fitting.waitFor({ timeout: limitMs });
    // The one that says no more, before one that only begins alike and was used last.
    // By the whole label: each word that was typed is marked by an element of its own.
    const whole = new RegExp(`^${row.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)}$`);
    const exact = found.filter({ has: page.locator('.label-name', { hasText: whole }) }).first();
    await ((await exact.count()) > 0 ? exact : fitting).click();
  };
  const openPalette = async (): Promise<void> => {
    // A key goes to the page that has the focus, and a webview that is still loading drops it.
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
    await page.keyboard.press('F1');
    await box.waitFor();
  };
  const command = async (title: string): Promise<void> => {
    for (let tries = 1; ; tries++) {
      await openPalette();
      try {
        return await choose(`>${title}`, title, listedMs);
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
      await choose(label, label);
      await page.locator(`.monaco-workbench.${seen}`).waitFor();
    },
    pick: (text) => quickRows.filter({ hasText: text }).first().click(),
    answer: async (text) => {
      await box.waitFor();
      await box.fill(text);
      await box.press('Enter');
    },
  };
}
