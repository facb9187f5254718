import type { Locator, Page } from 'playwright-core';
import type { QuickInput } from './quickInput.ts';

/** The notifications of the window. A window under test shows no toasts, so they are behind the bell. */
export interface Notices {
  /** Resolves to the notification with this text, once it appears. */
  notice(text: string | RegExp): Promise<Locator>;
  clearNotices(): Promise<void>;
}

export function noticesOf(page: Page, { command }: Pick<QuickInput, 'command'>): Notices {
  const center = page.locator('.notifications-center');
  return {
    async notice(text) {
      const found = center.locator('.notification-list-item', { hasText: text }).first();
      // The notification list closes when the last one disappears, such as a completed progress.
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
