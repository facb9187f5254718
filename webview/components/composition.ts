/**
 * Keeps the keys of a composition (Chinese, Japanese, Korean) from every handler of the page: an Enter that chooses a word doesn't send, and
 * arrow keys that move between words don't move in a list. Older engines report such a key by its code 229 only.
 */
export function ignoreComposingKeys(page: Window): void {
  const ignore = (event: KeyboardEvent) => {
    if (event.isComposing || event.keyCode === 229) event.stopImmediatePropagation();
  };
  for (const name of ['keydown', 'keyup'] as const) page.addEventListener(name, ignore, { capture: true });
}

type TypedEvent = { readonly currentTarget: { readonly value: string }; readonly isComposing?: boolean };

/** Attributes for a search box: passes on what is typed once its composition has ended. The box must not be controlled by that text. */
export function searchInput(search: (text: string) => void) {
  return {
    onInput: ({ currentTarget, isComposing }: TypedEvent) => {
      if (isComposing !== true) search(currentTarget.value);
    },
    onCompositionEnd: ({ currentTarget }: TypedEvent) => search(currentTarget.value),
  };
}
