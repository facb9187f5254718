import type { Page } from 'playwright-core';

export interface LayoutOptions {
  /** A selector of elements that can extend beyond the edge: spoken only, or moved in their frame. */
  readonly except?: string;
}

/** Returns elements that are out of view sideways, clipped in a control, covered, or too long to read in a line. */
export async function layoutFaults(page: Page, { except = '' }: LayoutOptions = {}): Promise<readonly string[]> {
  return page.evaluate(
    ([left]) => {
      const wide = document.documentElement.clientWidth;
      const nameOf = (element: Element) => {
        const text = (element.getAttribute('aria-label') ?? element.textContent ?? '').trim().slice(0, 40);
        return `${element.tagName.toLowerCase()}.${element.getAttribute('class') ?? ''} “${text}”`;
      };
      const skips = ['.spoken', left].filter(Boolean).join(', ');
      const seen = [...document.body.querySelectorAll('*')].filter(
        (element) =>
          element.checkVisibility({ visibilityProperty: true }) &&
          !element.closest(skips) &&
          !element.closest('svg *, script, style'),
      );
      const clips = (element: Element): boolean => {
        for (let at = element.parentElement; at && at !== document.body; at = at.parentElement)
          if (getComputedStyle(at).overflowX !== 'visible') return true;
        return false;
      };
      const scrolls = (element: Element) =>
        ['auto', 'scroll'].includes(getComputedStyle(element).overflowX) &&
        element.scrollWidth > element.clientWidth + 1 &&
        !element.matches('pre, textarea, .md-table, .md *, [role=listbox][aria-orientation=horizontal]');
      const dialog = document.querySelector(':modal');
      const controls = seen.filter(
        (element) =>
          element.matches(
            'button, input, select, textarea, vscode-button, summary, a[href], [role=tab], [role=slider]',
          ) &&
          !element.matches(':disabled') &&
          (!dialog || dialog.contains(element)),
      );
      const pen = document.createElement('canvas').getContext('2d')!;
      const arrow = 16;
      const isCutSelect = (element: HTMLSelectElement) => {
        const { font, paddingLeft, paddingRight } = getComputedStyle(element);
        pen.font = font;
        const room = element.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight) - arrow;
        return pen.measureText(element.selectedOptions[0]?.text ?? '').width > room + 1;
      };
      const isCut = (element: Element) =>
        (element.matches('button:not([title]), [role=tab], summary') &&
          getComputedStyle(element).overflowX !== 'visible' &&
          element.scrollWidth > element.clientWidth + 1) ||
        (element instanceof HTMLSelectElement && element.title === '' && isCutSelect(element));
      const linesOf = (element: Element) => {
        const range = document.createRange();
        range.selectNodeContents(element);
        return new Set([...range.getClientRects()].map(({ top }) => Math.round(top / 4))).size;
      };
      const isLong = (element: Element) => {
        if (!element.matches('p, dd, li, blockquote') || element.querySelector('p, div, ul, pre')) return false;
        const lines = linesOf(element);
        return lines > 1 && (element.textContent ?? '').length / lines > 125;
      };
      const isCovered = (element: Element) => {
        element.scrollIntoView({ block: 'center', inline: 'nearest' });
        const { left: x, top: y, width, height } = element.getBoundingClientRect();
        if (width < 2 || height < 2) return false;
        const hit = document.elementFromPoint(x + width / 2, y + Math.min(height, innerHeight) / 2);
        if (hit?.closest('[role=dialog], [role=menu], [role=listbox], .bar-panel, .picker-popup, .ring-card'))
          return false;
        return !hit || !(element.contains(hit) || hit.contains(element) || hit.closest('label')?.contains(element));
      };
      const places = seen.map((element) => [element, element.scrollTop, element.scrollLeft] as const);
      const covered = controls.filter(isCovered);
      for (const [element, top, start] of places) element.scrollTo({ top, left: start, behavior: 'instant' });
      const say = (what: string, found: readonly Element[]) => found.map((element) => `${what}: ${nameOf(element)}`);
      return [
        ...say(
          'beyond the side',
          seen.filter((element) => element.getBoundingClientRect().right > wide + 0.5 && !clips(element)),
        ),
        ...say('scrolls sideways', seen.filter(scrolls)),
        ...say('cut off', controls.filter(isCut)),
        ...say('a long line', seen.filter(isLong)),
        ...say('covered', covered),
      ];
    },
    [except],
  );
}
