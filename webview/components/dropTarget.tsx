import { useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { carriesFiles } from './droppedAddresses';
import './dropTarget.css';
import { Icon } from './icon';
import type { IconName } from './iconNames';

export interface DropTargetProps {
  readonly icon: IconName;
  /** Worded: what becomes of it. */
  readonly text: string;
  /** What is dropped is gone as soon as this returns. */
  readonly onDrop: (data: DataTransfer) => void;
}

/** Takes files that are dropped anywhere on the page, and says so while they are over it. */
export function DropTarget({ icon, text, onDrop }: DropTargetProps) {
  const isOver = useSignal(false);
  const take = useRef(onDrop);
  take.current = onDrop;
  // Before it is seen: what is dropped on a page that is not taken there is opened in its place.
  useLayoutEffect(() => {
    const onOver = (event: DragEvent) => {
      if (!event.dataTransfer || !carriesFiles(event.dataTransfer)) return;
      // The editor leaves a drag alone that the page has said it takes.
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
