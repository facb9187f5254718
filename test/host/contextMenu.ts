import type { Locator, Page } from 'playwright-core';

type Words = string | RegExp;

export interface MenuChoice {
  /** The left one for a button that opens a menu. */
  readonly button?: 'left' | 'right';
  /** Where on the target the pointer is, from its upper left corner; its middle by default. */
  readonly position?: { readonly x: number; readonly y: number };
  /** Called before each click on the target, to show a button that is hidden again when the pointer or the focus leaves its view. */
  readonly show?: () => Promise<void>;
  /** Called once the last entry is there, before it is taken. */
  readonly whenShown?: () => Promise<void>;
  /** What comes of it. Where it does not, the menu is opened again: the editor hands no row over while it reads a view anew. */
  readonly until?: Locator;
}

export interface ContextMenus {
  /** Opens the menu of what is pointed at and takes this entry, or the last of these through their submenus. */
  chooseInMenu(target: Locator, entries: Words | readonly Words[], choice?: MenuChoice): Promise<void>;
  /** Opens the menu of fixes for where the caret is, and resolves to this one in it. It goes again where problems are told anew, as after an edit. */
  fix(title: string): Promise<Locator>;
}

const mostTries = 4;
/** An entry that is not there by then is in a menu that has gone again. */
const shownMs = 8000;

/**
 * A menu goes as soon as anything else takes the focus, such as a page that has just loaded: it is then opened again. Entries are taken by
 * key, because a menu takes no click in its first moments.
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

  /** Whether the entry itself was told of the key: then it was taken, whatever became of the menu. */
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
      // The menu that a submenu opens from can have an entry of the same name.
      const entry = index === 0 ? entryOf(words) : entryOf(words, submenus);
      if (!(await isThere(entry))) return false;
      if (index === entries.length - 1) await whenShown?.();
      if (!(await take(entry).catch(() => false))) return false;
    }
    return true;
  };

  const close = async (): Promise<void> => {
    // Each submenu takes a key of its own.
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
