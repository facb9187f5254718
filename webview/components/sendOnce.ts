/** Whether the key is Ctrl+Enter or Cmd+Enter, and not repeated by holding it. */
export function isSendKey(event: KeyboardEvent): boolean {
  const { key, ctrlKey, metaKey, repeat } = event;
  return key === 'Enter' && (ctrlKey || metaKey) && !repeat;
}

/** Whether a click is not the second one of a double click. A click by keyboard has `detail` 0. */
export function isFirstClick({ detail }: MouseEvent): boolean {
  return detail <= 1;
}

/** Prevents a held Enter key from clicking a button repeatedly. */
export function ignoreHeldEnter(event: KeyboardEvent): void {
  if (event.key === 'Enter' && event.repeat) event.preventDefault();
}
