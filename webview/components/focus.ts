import type { RefObject } from 'preact';
import { useLayoutEffect } from 'preact/hooks';

const tabbables =
  'a[href], button, input, select, textarea, summary, audio[controls], video[controls], vscode-button, [tabindex]';

/** An ancestor of the element that was focused, and the index of the branch that leads to it. */
interface Place {
  readonly parent: Element;
  readonly index: number;
}

/**
 * Prevents the loss of focus: if the focused control is removed or disabled and no other takes the focus, the nearest control gets it.
 * Otherwise Tab would restart at the top of the page and a screen reader would lose its position.
 */
export function retainFocus(root: HTMLElement): void {
  let last: HTMLElement | undefined;
  let places: readonly Place[] = [];
  let isLooking = false;
  let wasTaken = false;

  const isThere = () => last !== undefined && last.isConnected && isUsable(last);
  const look = () => {
    isLooking = false;
    const { activeElement } = document;
    if (!last || (activeElement !== document.body && activeElement !== last) || !document.hasFocus()) return;
    if (isThere()) {
      if (activeElement === last) return;
      // Either the control was unusable for a moment, or the user clicked on something that takes no focus.
      if (wasTaken) last.focus({ preventScroll: true });
      else last = undefined;
      return;
    }
    const target = nearest(places);
    if (!target) return;
    target.focus({ preventScroll: true });
    // Not for mouse users, who see their position.
    if (target.matches(':focus-visible')) target.scrollIntoView({ block: 'nearest' });
  };
  const lookSoon = () => {
    if (isLooking) return;
    isLooking = true;
    // The code that removes a control may have a better target for the focus, and sets it once that is drawn.
    requestAnimationFrame(() => setTimeout(look));
  };

  root.addEventListener('focusin', ({ target }) => {
    if (!(target instanceof HTMLElement)) return;
    last = target;
    wasTaken = false;
    places = placesOf(target);
  });
  // Also fires for a control that is being removed.
  root.addEventListener('focusout', lookSoon);
  const onChange = () => {
    if (last === undefined || isThere()) return;
    wasTaken = true;
    lookSoon();
  };
  new MutationObserver(onChange).observe(root, {
    childList: true,
    subtree: true,
    attributes: true,
    attributeFilter: ['disabled', 'hidden', 'inert', 'open', 'class'],
  });
}

function placesOf(element: HTMLElement): readonly Place[] {
  const places: Place[] = [];
  for (let at: Element = element; at.parentElement; at = at.parentElement)
    places.push({ parent: at.parentElement, index: [...at.parentElement.children].indexOf(at) });
  return places;
}

/** Returns a control in the smallest ancestor that has any: the one that replaced or follows the lost one, else the one before it. */
function nearest(places: readonly Place[]): HTMLElement | undefined {
  for (const { parent, index } of places) {
    if (!parent.isConnected) continue;
    const children = [...parent.children];
    const found = first(children.slice(index)) ?? first(children.slice(0, index).toReversed(), -1);
    if (found) return found;
  }
  return undefined;
}

/** Returns the first control (`at` 0) or the last one (-1) of the first element that contains any. */
function first(elements: readonly Element[], at: 0 | -1 = 0): HTMLElement | undefined {
  for (const element of elements) {
    const inside = [element, ...element.querySelectorAll(tabbables)].filter(
      (one): one is HTMLElement => one instanceof HTMLElement && one.matches(tabbables) && isReached(one),
    );
    const found = inside.at(at);
    if (found) return found;
  }
  return undefined;
}

function isReached(element: HTMLElement): boolean {
  return isUsable(element) && (element.tabIndex >= 0 || element.matches('vscode-button'));
}

function isUsable(element: HTMLElement): boolean {
  return !isDisabled(element) && element.checkVisibility({ visibilityProperty: true }) && !element.closest('[inert]');
}

/** A control of the toolkit has a `disabled` property instead. */
function isDisabled(element: HTMLElement): boolean {
  return element.matches(':disabled') || ('disabled' in element && element.disabled === true);
}

/**
 * Focuses the element after an operation, unless the user has moved elsewhere in the window in the meantime. An element's own `focus()`
 * would take the focus from there, such as from a dialog that asks before a charge.
 */
export function focusIfActive(target: HTMLElement | null | undefined): void {
  if (document.hasFocus()) target?.focus();
}

/** Focuses the first box to fill in once it exists, unless the focus is already in the page. */
export function useFocusAtStart(box: RefObject<HTMLElement | null>, isThere: boolean): void {
  // Not after the next frame: `retainFocus` may have given the focus to something else by then.
  useLayoutEffect(() => {
    if (isThere && document.activeElement === document.body) focusIfActive(box.current);
  }, [isThere]);
}
