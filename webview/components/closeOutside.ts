import type { Signal } from '@preact/signals';

/**
 * Closes what stands open when the person goes elsewhere; the button that says it controls `root` closes it itself. Gives what
 * ends it.
 */
export function closeOutside(root: { readonly current: HTMLElement | null }, open: Signal<boolean>): () => void {
  const onElsewhere = (event: Event) => {
    const { target } = event;
    // What was clicked may have removed itself from the page by now.
    if (!(target instanceof Element) || !target.isConnected || root.current?.contains(target)) return;
    const controlled = target.closest('[aria-controls]')?.getAttribute('aria-controls');
    if (controlled === null || controlled === undefined || controlled !== root.current?.id) open.value = false;
  };
  document.addEventListener('pointerdown', onElsewhere);
  document.addEventListener('focusin', onElsewhere);
  return () => {
    document.removeEventListener('pointerdown', onElsewhere);
    document.removeEventListener('focusin', onElsewhere);
  };
}
