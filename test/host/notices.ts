import type { Locator, Page } from 'playwright-core';
import type { QuickInput } from './quickInput.ts';

/** What the window tells. A window under test shows no toasts: notices wait behind the bell. */
export interface Notices {
  /** The notice with this text, once it is there. */
  notice(text: string | RegExp): Promise<Locator>;
  clearNotices(): Promise<void>;
}

export function noticesOf(page: Page, { command }: Pick<QuickInput, 'command'>): Notices {
  const center = page.locator('.notifications-center');
  return {
    async notice(text) {
      const found = center.locator('.notification-list-item', { hasText: text }).first();
      // The list of them closes when the last one goes, such as a progress that is over.
      while (!(await found.isVisible())) {
        if (!(await center.isVisible())) await command('Notifications: Show Notifications');
        await found.waitFor({ timeout: 2000 }).catch(() => undefined);
      }
      return found;
    },
    async clearNotices() {
      await command('Notifications: Clear All Notifications');
      await center.waitFor({ state: 'hidden' });
    },
  };
}
