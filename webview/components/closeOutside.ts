import type { Signal } from '@preact/signals';

/**
 * Closes an open popup on a click or focus outside `root`, except on the button whose `aria-controls` names `root`, which closes it
 * on its own. Returns a function that stops listening.
 */
export function closeOutside(root: { readonly current: HTMLElement | null }, open: Signal<boolean>): () => void {
  const onElsewhere = (event: Event) => {
    const { target } = event;
    // The clicked element may have removed itself from the page by now.
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
