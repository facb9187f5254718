import type { Page } from 'playwright-core';

export interface TabStop {
  /** The role for a screen reader. */
  readonly role: string;
  readonly name: string;
  /** Describes the element in failures. */
  readonly element: string;
  readonly isSeen: boolean;
}

export interface TabWalk {
  readonly stops: readonly TabStop[];
  /** Controls that Tab never reached. */
  readonly unreached: readonly string[];
}

interface Walker {
  look(): { readonly element: string; readonly isSeen: boolean; readonly isKnown: boolean } | undefined;
  unreached(): readonly string[];
}

declare global {
  // oxlint-disable-next-line no-var
  var walker: Walker;
}

const mostStops = 250;
/** Far longer than the focus is ever lost. Only failures take this long. */
const lostMs = 3000;

/** Presses Tab until it has been through the entire page. */
export async function walkByTab(page: Page): Promise<TabWalk> {
  const browser = await page.context().newCDPSession(page);
  await page.evaluate(beginWalk);
  const stops: TabStop[] = [];
  for (let presses = 0; presses < mostStops; presses++) {
    await page.keyboard.press('Tab');
    const found = await page.evaluate(() => globalThis.walker.look());
    if (found?.isKnown) break;
    if (!found) continue;
    const { result } = await browser.send('Runtime.evaluate', { expression: focusedElement });
    const { nodes } = await browser.send('Accessibility.getPartialAXTree', {
      objectId: result.objectId!,
      fetchRelatives: false,
    });
    const text = (value: { readonly value?: unknown } | undefined) =>
      typeof value?.value === 'string' ? value.value : '';
    stops.push({ ...found, role: text(nodes[0]?.role), name: text(nodes[0]?.name) });
  }
  const unreached = await page.evaluate(() => globalThis.walker.unreached());
  await browser.detach();
  return { stops, unreached };
}

const focusedElement = `(() => {
  let element = document.activeElement;
  while (element.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
  return element;
})()`;

/** Runs in the page. */
function beginWalk(): void {
  const controls =
    'a[href], button, input, select, textarea, summary, audio[controls], video[controls], vscode-button, [tabindex]';
  /** One element of these is reached with Tab, and the others with the arrow keys. */
  const composites =
    '[role=grid], [role=listbox], [role=menu], [role=tablist], [role=tree], [role=radiogroup], [role=toolbar]';
  const known = new Set<Element>();
  const describe = (element: Element) => {
    const text = element.ariaLabel ?? element.textContent ?? '';
    return `<${element.localName} class="${element.getAttribute('class') ?? ''}">${text.trim().slice(0, 40)}`;
  };
  const look = (one: Element | null | undefined) =>
    one ? lookOf(getComputedStyle(one)) + lookOf(getComputedStyle(one, '::after')) : '';
  const lookOf = (style: CSSStyleDeclaration) => {
    const { outlineStyle, outlineWidth, outlineColor, boxShadow, borderColor, backgroundColor, opacity } = style;
    const outline = outlineStyle === 'none' ? '' : `${outlineStyle} ${outlineWidth} ${outlineColor}`;
    return [outline, boxShadow, borderColor, backgroundColor, opacity].join();
  };
  const isShown = (element: HTMLElement) => {
    // It would start again with the first of its built-in controls, which the browser renders.
    if (element.matches('audio, video')) return true;
    const inner = element.shadowRoot?.activeElement ?? element;
    const ring = getComputedStyle(inner);
    if (ring.outlineStyle !== 'none' && Number.parseFloat(ring.outlineWidth) > 0) return true;
    const around = [inner, element, element.parentElement, element.parentElement?.parentElement, ...element.children];
    const looks = () => around.map(look).join('');
    const focused = looks();
    element.blur();
    const before = looks();
    element.focus();
    return focused !== before;
  };
  const isOffered = (element: HTMLElement) =>
    element.checkVisibility({ visibilityProperty: true }) &&
    !element.matches(':disabled, [disabled], [inert] *') &&
    !('disabled' in element && element.disabled === true);
  const isOther = (element: HTMLElement) => {
    if (element.tabIndex < 0 && !element.matches('vscode-button')) {
      const isControl = element.matches('a, button, input, select, textarea');
      return !isControl || element.closest(composites) !== null || element.closest('.combo') !== null;
    }
    return (
      element instanceof HTMLInputElement &&
      element.type === 'radio' &&
      [...known].some((one) => one instanceof HTMLInputElement && one.type === 'radio' && one.name === element.name)
    );
  };
  globalThis.walker = {
    look() {
      const { activeElement } = document;
      if (!(activeElement instanceof HTMLElement) || activeElement === document.body) return undefined;
      // A player has built-in controls.
      const isKnown = known.has(activeElement) && !activeElement.matches('audio, video');
      known.add(activeElement);
      return { element: describe(activeElement), isSeen: isShown(activeElement), isKnown };
    },
    unreached: () =>
      [...document.querySelectorAll<HTMLElement>(controls)]
        .filter((element) => isOffered(element) && !known.has(element) && !isOther(element))
        .map(describe),
  };
}

/**
 * Continues with Tab, presses each control, and closes what that opens with Escape. Returns the controls after which the focus was lost.
 */
export async function pressAll(page: Page, presses: number): Promise<readonly string[]> {
  const lost: string[] = [];
  for (let press = 0; press < presses; press++) {
    await page.keyboard.press('Tab');
    const about = await page.evaluate(() => {
      const { activeElement } = document;
      if (!(activeElement instanceof HTMLElement) || activeElement.matches('body, audio, video')) return undefined;
      const name = activeElement.ariaLabel ?? activeElement.textContent.trim().slice(0, 60);
      return { name, isText: activeElement.matches('textarea, [role=textbox], select') };
    });
    if (!about) continue;
    for (const key of about.isText ? ['Escape'] : [press % 2 === 0 ? 'Enter' : 'Space', 'Escape']) {
      await page.keyboard.press(key);
      if (await isLostAfter(page)) lost.push(`${key} on “${about.name}”`);
    }
    // Effects later than the next frame.
    if (await isLostAfter(page)) lost.push(`something on “${about.name}”`);
  }
  return lost;
}

/** Returns whether the focus is still lost once the effect is rendered and the focus has been moved. */
async function isLostAfter(page: Page): Promise<boolean> {
  await page.evaluate(
    () => new Promise<void>((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done)))),
  );
  return isLostFor(page);
}

/** Returns whether the focus is lost and doesn't return. */
async function isLostFor(page: Page): Promise<boolean> {
  if (await page.evaluate(() => document.activeElement !== document.body)) return false;
  const isBack = await page
    .waitForFunction(() => document.activeElement !== document.body, undefined, { timeout: lostMs })
    .catch(() => undefined);
  return isBack === undefined;
}
