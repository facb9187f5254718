import { useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { carriesFiles } from './droppedAddresses';
import './dropTarget.css';
import { Icon } from './icon';
import type { IconName } from './iconNames';

export interface DropTargetProps {
  readonly icon: IconName;
  /** Localized: what happens to the dropped files. */
  readonly text: string;
  /** The data is no longer readable once this returns. */
  readonly onDrop: (data: DataTransfer) => void;
}

/** Accepts files dropped anywhere on the page, and shows a hint while they are dragged over it. */
export function DropTarget({ icon, text, onDrop }: DropTargetProps) {
  const isOver = useSignal(false);
  const take = useRef(onDrop);
  take.current = onDrop;
  // Registered before the first paint, because a drop that the page does not handle opens the file in place of the page.
  useLayoutEffect(() => {
    const onOver = (event: DragEvent) => {
      if (!event.dataTransfer || !carriesFiles(event.dataTransfer)) return;
      // The editor does not handle a drag that the page has accepted.
      event.preventDefault();
      event.dataTransfer.dropEffect = 'copy';
      isOver.value = true;
    };
    const onLeave = (event: DragEvent) => {
      if (event.relatedTarget === null) isOver.value = false;
    };
    const onDropped = (event: DragEvent) => {
      isOver.value = false;
      if (!event.dataTransfer || !carriesFiles(event.dataTransfer)) return;
      event.preventDefault();
      take.current(event.dataTransfer);
    };
    const listeners = { dragenter: onOver, dragover: onOver, dragleave: onLeave, drop: onDropped } as const;
    const names = Object.keys(listeners) as readonly (keyof typeof listeners)[];
    for (const name of names) document.addEventListener(name, listeners[name]);
    return () => {
      for (const name of names) document.removeEventListener(name, listeners[name]);
    };
  }, [isOver]);
  if (!isOver.value) return null;
  return (
    <div class="drop-target">
      <Icon name={icon} />
      <p>{text}</p>
    </div>
  );
}
