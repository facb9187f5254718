const tabbables =
  'a[href], button, input, select, textarea, summary, audio[controls], video[controls], vscode-button, [tabindex]';

/** An element the focus was in, and where it stood among those beside it. */
interface Place {
  readonly parent: Element;
  readonly index: number;
}

/**
 * Where the control that has the focus goes away, or can no more be used, and nothing else took the focus by then, it goes to the nearest
 * control there is: else the keyboard begins again at the top of the page, and a screen reader loses its place.
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
      // It could not be used for a moment; else a person left it for nothing.
      if (wasTaken) last.focus({ preventScroll: true });
      else last = undefined;
      return;
    }
    const target = nearest(places);
    if (!target) return;
    target.focus({ preventScroll: true });
    // Whoever points at things sees where they are.
    if (target.matches(':focus-visible')) target.scrollIntoView({ block: 'nearest' });
  };
  const lookSoon = () => {
    if (isLooking) return;
    isLooking = true;
    // Whoever takes something away may have a better place for the focus, and goes there once it is drawn.
    requestAnimationFrame(() => setTimeout(look));
  };

  root.addEventListener('focusin', ({ target }) => {
    if (!(target instanceof HTMLElement)) return;
    last = target;
    wasTaken = false;
    places = placesOf(target);
  });
  // Also told of what is just being taken away.
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

/** In the smallest part around it that has any: what came in its place or follows it, else what stands before it. */
function nearest(places: readonly Place[]): HTMLElement | undefined {
  for (const { parent, index } of places) {
    if (!parent.isConnected) continue;
    const children = [...parent.children];
    const found = first(children.slice(index)) ?? first(children.slice(0, index).toReversed(), -1);
    if (found) return found;
  }
  return undefined;
}

/** `at`: 0 for the first of each, -1 for the last. */
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

/** A control of the toolkit says so by a property. */
function isDisabled(element: HTMLElement): boolean {
  return element.matches(':disabled') || ('disabled' in element && element.disabled === true);
}
