import './note.css';

export interface NoteAction {
  readonly id: string;
  readonly label: string;
}

export interface NoteProps {
  readonly tone: 'error' | 'warning' | 'info';
  readonly title: string;
  readonly detail: string;
  readonly actions: readonly NoteAction[];
  readonly onAct: (id: string) => void;
  /** Set if the note can be dismissed. */
  readonly dismiss?: { readonly label: string; readonly run: () => void };
}

/** An error, warning or hint, shown where it occurred: what happened, why, and possible actions. */
export function Note({ tone, title, detail, actions, onAct, dismiss }: NoteProps) {
  return (
    <div class={`note note-${tone}`} dir="auto">
      <strong class="note-title">{title}</strong>
      {detail && <span class="note-detail">{detail}</span>}
      {(actions.length > 0 || dismiss) && (
        <span class="note-actions">
          {actions.map(({ id, label }) => (
            <button type="button" class="link" key={id} onClick={() => onAct(id)}>
              {label}
            </button>
          ))}
          {dismiss && (
            <button type="button" class="link" onClick={dismiss.run}>
              {dismiss.label}
            </button>
          )}
        </span>
      )}
    </div>
  );
}
