import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import './details.css';
import { IconButton } from './iconButton';
import { pressedKey } from './virtualTable';

export interface DetailsPaneProps {
  readonly label: string;
  /** The row shown; a different row starts scrolled to the top, unless `keepsScroll`. */
  readonly row: number;
  readonly keepsScroll?: boolean;
  /** Called for keys other than Escape that no field in the pane takes. A letter is in lower case, also with Caps Lock. */
  readonly onKey?: (key: string, event: KeyboardEvent) => void;
  /** A heading with the class `details-title`, and buttons. */
  readonly head: ComponentChildren;
  /** Localized. */
  readonly close: string;
  readonly onClose: () => void;
  readonly class?: string;
  readonly children: ComponentChildren;
}

/** The details of the selected row, next to its table. The table gets the focus back on closing. */
export function DetailsPane(props: DetailsPaneProps) {
  const { label, row, head, close, children } = props;
  const body = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!props.keepsScroll) body.current?.scrollTo(0, 0);
  }, [row]);
  // If the details replace the table, the table can't keep the focus.
  useLayoutEffect(() => {
    const table = tableElement();
    if (table && getComputedStyle(table).visibility === 'hidden') body.current?.focus();
  }, []);
  const onClose = () => {
    props.onClose();
    tableElement()?.focus();
    // It may only become visible when the details are gone.
    requestAnimationFrame(() => document.activeElement === document.body && tableElement()?.focus());
  };
  return (
    <aside
      class={`details-pane ${props.class ?? ''}`}
      aria-label={label}
      onKeyDown={(event) => (event.key === 'Escape' ? onClose() : props.onKey?.(pressedKey(event), event))}
    >
      <div class="details-head">
        {head}
        <IconButton icon="close" label={close} onClick={onClose} />
      </div>
      <div class="details-body" ref={body} tabIndex={0} role="group" aria-label={label}>
        {children}
      </div>
    </aside>
  );
}

function tableElement(): HTMLElement | null {
  return document.querySelector<HTMLElement>('.virtual-table');
}
