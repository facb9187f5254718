import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { Note } from './note';
import type { NoteProps, NoteText } from './note';
import './sendPage.css';
import { SeverityIcon } from './severityIcon';

export interface SentReceiptProps extends NoteText {
  readonly actions: NoteProps['actions'];
  readonly onAct: NoteProps['onAct'];
  readonly sign: 'good' | 'warning';
  /** The error of the last action. */
  readonly error: (NoteText & { readonly actions: NoteProps['actions'] }) | undefined;
  /** Details of what was sent. */
  readonly children: ComponentChildren;
}

/** Confirms that something was sent: its result and the actions on it. Takes the focus once. */
export function SentReceipt({ sign, title, detail, actions, onAct, error, children }: SentReceiptProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  // The pressed button no longer exists. A layout effect, because a later one would steal the focus from what the user has selected in the
  // meantime.
  useLayoutEffect(() => heading.current?.focus(), []);
  const [first, ...others] = actions;
  return (
    <section class="send-section">
      <h2 class="send-done" ref={heading} tabIndex={-1}>
        <SeverityIcon kind={sign} />
        {title}
      </h2>
      <p class="send-muted">{detail}</p>
      {children}
      <div class="send-row send-next">
        {first && <vscode-button onClick={() => onAct(first.id)}>{first.label}</vscode-button>}
        {others.map(({ id, label }) => (
          <button type="button" class="link" key={id} onClick={() => onAct(id)}>
            {label}
          </button>
        ))}
      </div>
      {error && <Note tone="error" {...error} onAct={onAct} />}
    </section>
  );
}
