import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import './details.css';
import { IconButton } from './iconButton';

export interface DetailsPaneProps {
  readonly label: string;
  /** The row shown; a different row starts scrolled to the top. */
  readonly row: number;
  /** A heading with the class `details-title`, and buttons. */
  readonly head: ComponentChildren;
  /** Localized. */
  readonly close: string;
  readonly onClose: () => void;
  readonly class?: string;
  readonly children: ComponentChildren;
}

/** The details of the selected row, beside its table. The table gets the focus back on closing. */
export function DetailsPane(props: DetailsPaneProps) {
  const { label, row, head, close, children } = props;
  const body = useRef<HTMLDivElement>(null);
  useEffect(() => body.current?.scrollTo(0, 0), [row]);
  const onClose = () => {
    props.onClose();
    document.querySelector<HTMLElement>('.virtual-table')?.focus();
  };
  return (
    <aside
      class={`details-pane ${props.class ?? ''}`}
      aria-label={label}
      onKeyDown={(event) => event.key === 'Escape' && onClose()}
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
