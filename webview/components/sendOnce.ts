/** Ctrl or Cmd with Enter, pressed anew: not a key that is held, nor Enter that ends a composition (older engines say that by key code 229 only). */
export function isSendKey(event: KeyboardEvent): boolean {
  const { key, ctrlKey, metaKey, isComposing, keyCode, repeat } = event;
  return key === 'Enter' && (ctrlKey || metaKey) && !isComposing && keyCode !== 229 && !repeat;
}

/** A click that is meant: not the second of a double click. One made by a key counts none. */
export function isFirstClick({ detail }: Pick<MouseEvent, 'detail'>): boolean {
  return detail <= 1;
}

/** A button that is pressed by Enter is clicked again and again while that is held. */
export function ignoreHeldEnter(event: KeyboardEvent): void {
  if (event.key === 'Enter' && event.repeat) event.preventDefault();
}
