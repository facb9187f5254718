import type { Page } from 'playwright-core';

/** Unix milliseconds with fractions. The page and this process use the same clock. */
export const now = (): number => performance.timeOrigin + performance.now();

/**
 * Prepares a page to report when text is painted in an element that `place` selects. The first call resolves once it watches, and the
 * second once the text is painted.
 */
export async function watchPaint(page: Page, place: string): Promise<(word: string) => Promise<() => Promise<number>>> {
  await page.evaluate((selector) => {
    const paintOf = (word: string) =>
      new Promise<number>((resolve) => {
        const seen = new MutationObserver(() => {
          if (![...document.querySelectorAll(selector)].some(({ textContent }) => textContent.includes(word))) return;
          seen.disconnect();
          // The text was rendered in an animation callback, so a message posted now is delivered after the frame is painted.
          const { port1, port2 } = new MessageChannel();
          port1.addEventListener('message', () => resolve(performance.timeOrigin + performance.now()));
          port1.start();
          port2.postMessage(undefined);
        });
        seen.observe(document.body, { subtree: true, childList: true, characterData: true });
      });
    Object.assign(window, { watchFor: (word: string) => void Object.assign(window, { painted: paintOf(word) }) });
  }, place);
  return async (word) => {
    await page.evaluate(
      (requested) => (window as unknown as { watchFor(word: string): void }).watchFor(requested),
      word,
    );
    return () => page.evaluate(() => (window as unknown as { painted: Promise<number> }).painted);
  };
}
