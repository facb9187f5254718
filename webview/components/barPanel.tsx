import type { Signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { focusAction } from './actionBar';
import './barPanel.css';
import { closeOutside } from './closeOutside';
import { IconButton } from './iconButton';

export interface BarPanelProps {
  /** Of the action of the bar that opens it, which gets the focus back. Its class is `<action>-panel`. */
  readonly action: string;
  readonly id: string;
  readonly open: Signal<boolean>;
  readonly title: string;
  readonly closeLabel: string;
  /** Where the focus goes when it opens. */
  readonly focus: string;
  readonly children: ComponentChildren;
}

/** Stands above the bar while it is open. Escape and a click elsewhere close it. */
export function BarPanel(props: BarPanelProps) {
  return props.open.value ? <OpenPanel {...props} /> : null;
}

function OpenPanel({ action, id, open, title, closeLabel, focus, children }: BarPanelProps) {
  const root = useRef<HTMLDivElement>(null);
  useEffect(() => closeOutside(root, open), [open]);
  // At once: a moment later it would take the focus away from a field that was chosen meanwhile.
  useLayoutEffect(() => root.current?.querySelector<HTMLElement>(focus)?.focus(), []);
  const close = () => {
    open.value = false;
    focusAction(action);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing || event.key !== 'Escape') return;
    event.preventDefault();
    event.stopPropagation();
    close();
  };
  useLayoutEffect(() => {
    // A control that removed itself leaves the focus nowhere for a moment, or for good.
    const onElsewhere = (event: KeyboardEvent) => event.target === document.body && onKeyDown(event);
    document.addEventListener('keydown', onElsewhere);
    return () => document.removeEventListener('keydown', onElsewhere);
  }, []);
  return (
    <div class={`bar-panel ${action}-panel`} id={id} role="dialog" aria-label={title} ref={root} onKeyDown={onKeyDown}>
      <div class="bar-panel-head">
        <h2 class="bar-panel-title">{title}</h2>
        <IconButton icon="close" label={closeLabel} onClick={close} />
      </div>
      {children}
    </div>
  );
}
