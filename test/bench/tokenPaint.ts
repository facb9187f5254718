import type { Page } from 'playwright-core';

/** Unix milliseconds, with fractions. The page's clock and this one are the machine's. */
export const now = (): number => performance.timeOrigin + performance.now();

/**
 * Readies a page to tell when words are painted in an element that `place` selects: the first call returns once it watches, the second once
 * they are.
 */
export async function watchPaint(page: Page, place: string): Promise<(word: string) => Promise<() => Promise<number>>> {
  await page.evaluate((selector) => {
    const paintOf = (word: string) =>
      new Promise<number>((resolve) => {
        const seen = new MutationObserver(() => {
          if (![...document.querySelectorAll(selector)].some(({ textContent }) => textContent.includes(word))) return;
          seen.disconnect();
          // It was drawn in a frame's callback: what is posted now is delivered behind the paint of that frame.
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
