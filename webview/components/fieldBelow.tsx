import type { ComponentChildren } from 'preact';
import { FieldNote } from './parameter';
import './sendPage.css';
import './sendFields.css';

export interface FieldBelowProps {
  readonly id: string;
  readonly fault: string | undefined;
  /** At the end of the line, as how much room is left. */
  readonly aside?: string;
  readonly children: ComponentChildren;
}

/** What is wrong with a field, else what there is to know of it. */
export function FieldBelow({ id, fault, aside, children }: FieldBelowProps) {
  return (
    <span class="send-below">
      {fault === undefined ? (
        <span id={id} class="send-hint">
          {children}
        </span>
      ) : (
        <FieldNote id={id} issue={fault} />
      )}
      {aside && <span class="send-hint send-aside">{aside}</span>}
    </span>
  );
}
