import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { IconButton } from './iconButton';
import './imageView.css';

export interface ImageDialogProps {
  readonly label: string;
  /** Beside the heading, worded: where among others it stands. */
  readonly place?: string | undefined;
  /** Buttons of the head. */
  readonly tools: ComponentChildren;
  /** Beneath the picture. */
  readonly foot: ComponentChildren;
  /** Worded. */
  readonly close: string;
  readonly onClose: () => void;
  /** Gets the focus in the end; where absent, what had it before. */
  readonly returnFocus?: (() => HTMLElement | null | undefined) | undefined;
  /** `false` for a key that is not its. */
  readonly onKey: (key: string) => boolean;
  readonly children: ComponentChildren;
}

/** Covers the page, takes the focus, and gives it back. Escape closes it. */
export function ImageDialog(props: ImageDialogProps) {
  const { label, place, tools, foot, close, onClose, children } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  const latest = useRef(props);
  latest.current = props;
  useLayoutEffect(() => {
    const before = document.activeElement;
    const { current } = dialog;
    current?.showModal();
    current?.querySelector<HTMLElement>('.picture-room')?.focus();
    return () => {
      // Asked before the browser gives the focus to what had it, which may be another one of many by now.
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
        <IconButton icon="close" label={close} onClick={onClose} />
      </header>
      {children}
      <footer class="picture-foot">{foot}</footer>
    </dialog>
  );
}
