import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { IconButton } from './iconButton';
import './imageView.css';

export interface ImageDialogProps {
  readonly label: string;
  /** Localized position among the others, next to the heading. */
  readonly place?: string | undefined;
  /** Buttons of the header. */
  readonly tools: ComponentChildren;
  /** Shown below the image. */
  readonly foot: ComponentChildren;
  readonly onClose: () => void;
  /** Returns the element to focus on closing; by default the one that was focused before. */
  readonly returnFocus?: (() => HTMLElement | null | undefined) | undefined;
  /** Returns `false` for a key it does not handle. */
  readonly onKey: (key: string) => boolean;
  readonly children: ComponentChildren;
}

/** A modal dialog that covers the page, takes the focus and returns it. Escape closes it. */
export function ImageDialog(props: ImageDialogProps) {
  const { label, place, tools, foot, onClose, children } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  const latest = useRef(props);
  latest.current = props;
  useLayoutEffect(() => {
    const before = document.activeElement;
    const { current } = dialog;
    current?.showModal();
    current?.querySelector<HTMLElement>('.picture-room')?.focus();
    return () => {
      // Read before the browser restores the focus to the previous element, because the user may have moved to another image since.
      const target = latest.current.returnFocus?.() ?? before;
      current?.close();
      if (target instanceof HTMLElement) target.focus();
    };
  }, []);
  const onKeyDown = (event: KeyboardEvent) => {
    const { key, target } = event;
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (target instanceof HTMLElement && target.closest('input, textarea, select, .menu')) return;
    if (props.onKey(key)) event.preventDefault();
  };
  return (
    <dialog
      ref={dialog}
      class="picture-dialog"
      aria-label={label}
      onKeyDown={onKeyDown}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <header class="picture-head">
        <h2 class="picture-title" title={label}>
          {label}
        </h2>
        {place !== undefined && <span class="picture-place">{place}</span>}
        <span class="picture-tools">{tools}</span>
        <IconButton icon="close" label={l10n.t('Close (Escape)')} onClick={onClose} />
      </header>
      {children}
      <footer class="picture-foot">{foot}</footer>
    </dialog>
  );
}
