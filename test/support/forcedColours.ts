import type { Page } from 'playwright-core';

/** Returns what is lost in forced colors, which remove every background, and what moves despite reduced motion. */
export async function forcedFaults(page: Page): Promise<readonly string[]> {
  await page.emulateMedia({ forcedColors: 'active', reducedMotion: 'reduce' });
  const faults = await page.evaluate(() => {
    const fields = 'input:not([type=range]), select, textarea, vscode-button';
    const hasEdge = (element: Element | null | undefined): boolean => {
      if (!element) return false;
      const { borderBottomWidth, borderBottomStyle } = getComputedStyle(element);
      return Number.parseFloat(borderBottomWidth) > 0 && borderBottomStyle !== 'none';
    };
    const bare = [...document.querySelectorAll(fields)].filter(
      (one) =>
        one.checkVisibility() &&
        !one.closest('.spoken') &&
        !hasEdge(one) &&
        !hasEdge(one.parentElement) &&
        !hasEdge(one.shadowRoot?.querySelector('.control')),
    );
    const moving = document
      .getAnimations()
      .filter(({ playState, effect }) => playState === 'running' && Number(effect?.getComputedTiming().duration) > 1)
      .map(({ effect }) => (effect as KeyframeEffect).target);
    const say = (what: string, found: readonly (Element | null)[]) =>
      found.map((one) => `${what}: ${one?.tagName.toLowerCase()}.${one?.getAttribute('class') ?? ''}`);
    return [...say('without an edge in forced colours', bare), ...say('moves', moving)];
  });
  await page.emulateMedia({ forcedColors: 'none', reducedMotion: 'reduce' });
  return faults;
}
