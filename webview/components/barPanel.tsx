import type { Signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { focusAction } from './actionBar';
import './barPanel.css';
import { closeOutside } from './closeOutside';
import { IconButton } from './iconButton';

export interface BarPanelProps {
  /** Id of the bar action that opens the panel and gets the focus back. The panel has the class `<action>-panel`. */
  readonly action: string;
  readonly id: string;
  readonly open: Signal<boolean>;
  readonly title: string;
  readonly closeLabel: string;
  /** Selector of the element that gets the focus when the panel opens. */
  readonly focus: string;
  readonly children: ComponentChildren;
}

/** A panel shown above the bar while `open` is true. Escape and a click outside close it. */
export function BarPanel(props: BarPanelProps) {
  return props.open.value ? <OpenPanel {...props} /> : null;
}

function OpenPanel({ action, id, open, title, closeLabel, focus, children }: BarPanelProps) {
  const root = useRef<HTMLDivElement>(null);
  useEffect(() => closeOutside(root, open), [open]);
  // A layout effect, because a later one would steal the focus from a field that the user has selected in the meantime.
  useLayoutEffect(() => root.current?.querySelector<HTMLElement>(focus)?.focus(), []);
  const close = () => {
    open.value = false;
    focusAction(action);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    event.stopPropagation();
    close();
  };
  useLayoutEffect(() => {
    // A focused control that removes itself leaves the focus on the body, for a moment or permanently.
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
