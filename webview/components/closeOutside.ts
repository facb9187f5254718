import type { Signal } from '@preact/signals';

/** Closes what stands open when the person goes elsewhere. Gives what ends it. */
export function closeOutside(root: { readonly current: HTMLElement | null }, open: Signal<boolean>): () => void {
  const onElsewhere = (event: Event) => {
    // What was clicked may have removed itself from the page by now.
    if (event.target instanceof Node && event.target.isConnected && !root.current?.contains(event.target)) {
      open.value = false;
    }
  };
  document.addEventListener('pointerdown', onElsewhere);
  document.addEventListener('focusin', onElsewhere);
  return () => {
    document.removeEventListener('pointerdown', onElsewhere);
    document.removeEventListener('focusin', onElsewhere);
  };
}
