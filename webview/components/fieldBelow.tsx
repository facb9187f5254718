import type { ComponentChildren } from 'preact';
import { FieldNote } from './parameter';
import './sendPage.css';
import './sendFields.css';

export interface FieldBelowProps {
  readonly id: string;
  readonly fault: string | undefined;
  /** Shown at the end of the line, such as the number of characters left. */
  readonly aside?: string;
  readonly children?: ComponentChildren;
}

/** The error of a field, else its hint. */
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
