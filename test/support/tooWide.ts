import type { Page } from 'playwright-core';

/** Which of the elements that `selector` finds reach beyond the side of the page, but for those in `except`. */
export async function tooWide(page: Page, selector: string, except?: string): Promise<readonly string[]> {
  return page.evaluate(
    ([requested, left]) =>
      [...document.querySelectorAll(requested)]
        .filter((element) => left === undefined || !element.closest(left))
        .filter((element) => element.getBoundingClientRect().right > document.documentElement.clientWidth + 0.5)
        .map((element) => `${element.tagName} ${element.getAttribute('class') ?? ''}`),
    [selector, except] as const,
  );
}
