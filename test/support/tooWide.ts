import type { Page } from 'playwright-core';

/** Returns the elements matching `selector` that extend beyond the side of the page, except those matching `except`. */
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
