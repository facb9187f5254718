import type { Locator } from 'playwright-core';
import { unmarkedPart } from './pseudoText';

/** Selectors of excluded elements. */
const unseen = 'script, style';

const attributes = ['aria-label', 'title', 'placeholder', 'alt', 'aria-description', 'aria-roledescription'];

/** Returns the visible text below `parts`, line by line as rendered, and accessible names and tooltips. Runs in the page. */
function shownTexts(parts: readonly Element[], [left, names]: readonly [string, readonly string[]]): string[] {
  const lines = new Map<Element, string>();
  const said: string[] = [];
  const lineOf = (element: Element): Element => {
    const isInline = getComputedStyle(element).display.startsWith('inline') || element.tagName === 'A';
    return isInline && !parts.includes(element) && element.parentElement ? lineOf(element.parentElement) : element;
  };
  for (const element of parts.flatMap((part) => [part, ...part.querySelectorAll('*')])) {
    if (!element.closest(left)) for (const name of names) said.push(element.getAttribute(name) ?? '');
  }
  for (const part of parts) {
    const nodes = document.createTreeWalker(part, NodeFilter.SHOW_TEXT);
    for (let node = nodes.nextNode(); node; node = nodes.nextNode()) {
      const { parentElement: parent, textContent } = node;
      if (!parent || parent.closest(left) || !parent.checkVisibility()) continue;
      const line = lineOf(parent);
      lines.set(line, `${lines.get(line) ?? ''} ${textContent}`);
    }
  }
  return [...said, ...lines.values()];
}

/** Returns the texts without the pseudo language's mark, which are the same in every language. */
export async function untranslatedTexts(
  part: Locator,
  isData: (text: string) => boolean,
  written = unseen,
): Promise<readonly string[]> {
  const texts = await part.evaluateAll(shownTexts, [`${unseen}, ${written}`, attributes] as const);
  const unmarked = texts.filter((text) => text !== '').map((text) => unmarkedPart(text).trim());
  return [...new Set(unmarked)].filter((text) => /\p{L}{2,}/u.test(text) && !isData(text));
}
