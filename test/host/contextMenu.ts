import type { Locator, Page } from 'playwright-core';

type Words = string | RegExp;

export interface MenuChoice {
  /** `left` for a button that opens a menu. */
  readonly button?: 'left' | 'right';
  /** The position of the pointer on the target, from its upper left corner. Defaults to the center. */
  readonly position?: { readonly x: number; readonly y: number };
  /** Called before each click on the target, to show a button that is hidden when the pointer or the focus leaves its view. */
  readonly show?: () => Promise<void>;
  /** Called once the last entry is visible, before it is selected. */
  readonly whenShown?: () => Promise<void>;
  /** The expected effect. Without it, the menu is opened again, because VS Code passes no row while it reloads a view. */
  readonly until?: Locator;
}

export interface ContextMenus {
  /** Opens the context menu of the target and selects this entry, or the last of these through their submenus. */
  chooseInMenu(target: Locator, entries: Words | readonly Words[], choice?: MenuChoice): Promise<void>;
  /**
   * Opens the quick fix menu at the cursor, and resolves to this fix in it. The menu closes when problems are updated, for example after an
   * edit.
   */
  fix(title: string): Promise<Locator>;
}

const mostTries = 4;
/** If an entry isn't visible by then, its menu has closed. */
const shownMs = 8000;

/**
 * A menu closes as soon as another element takes the focus, such as a page that has just loaded, and is then opened again. Entries are
 * selected by key, because a menu ignores clicks in its first moments.
 */
export function contextMenusOf(page: Page): ContextMenus {
  const menus = page.locator('.context-view .monaco-menu');
  const submenus = page.locator('.monaco-submenu .monaco-menu');
  const entryOf = (words: Words, of: Locator = menus): Locator =>
    of
      .locator('a.action-menu-item', { has: page.locator('.action-label', { hasText: words }) })
      .filter({ visible: true })
      .first();
  const succeeds = (done: Promise<void>): Promise<boolean> =>
    done.then(
      () => true,
      () => false,
    );
  const isThere = (what: Locator): Promise<boolean> => succeeds(what.waitFor({ timeout: shownMs }));

  /** Returns whether the entry itself received the key. If so, it was selected, whatever happened to the menu. */
  const take = async (entry: Locator): Promise<boolean> => {
    await entry.hover({ timeout: shownMs });
    const reported = await entry.evaluateHandle((element) => {
      const key = { came: false };
      element.addEventListener('keydown', () => (key.came = true), { capture: true, once: true });
      return key;
    });
    await entry.press('Enter', { timeout: shownMs });
    return reported.evaluate(({ came }) => came);
  };

  const walk = async (entries: readonly Words[], whenShown: MenuChoice['whenShown']): Promise<boolean> => {
    for (const [index, words] of entries.entries()) {
      // The parent menu of a submenu can have an entry of the same name.
      const entry = index === 0 ? entryOf(words) : entryOf(words, submenus);
      if (!(await isThere(entry))) return false;
      if (index === entries.length - 1) await whenShown?.();
      if (!(await take(entry).catch(() => false))) return false;
    }
    return true;
  };

  const close = async (): Promise<void> => {
    // Each submenu needs a separate key.
    for (let keys = 0; keys < 3 && (await menus.first().isVisible()); keys++) await page.keyboard.press('Escape');
  };

  return {
    async chooseInMenu(target, entries, { position, button = 'right', show, whenShown, until } = {}) {
      const all = typeof entries === 'string' || entries instanceof RegExp ? [entries] : entries;
      for (let tries = 0; tries < mostTries; tries++) {
        await show?.();
        if (!(await succeeds(target.click({ button, timeout: shownMs, ...(position && { position }) })))) continue;
        if (!(await walk(all, whenShown))) await close();
        else if (!until || (await isThere(until.first()))) return;
      }
      throw new Error(`Nothing came of the menu with ${all.map(String).join(' › ')}, opened ${mostTries} times`);
    },
    async fix(title) {
      const row = page.locator('.action-widget .monaco-list-row', { hasText: title }).first();
      for (let tries = 0; tries < mostTries; tries++) {
        await page.keyboard.press('Control+.');
        if (await isThere(row)) return row;
      }
      throw new Error(`No fix "${title}" was offered, asked ${mostTries} times`);
    },
  };
}
