import './note.css';

export interface NoteAction {
  readonly id: string;
  readonly label: string;
}

/** The actions of a note. */
export interface NoteOffer {
  readonly actions: readonly NoteAction[];
  readonly onAct: (id: string) => void;
  /** Called when the pointer or the focus comes near an action, and with nothing when it leaves. */
  readonly onNear?: (id: string | undefined) => void;
  /** Shown after the actions, e.g. the price of one. */
  readonly status?: string | undefined;
}

export interface NoteProps extends NoteOffer {
  readonly tone: 'error' | 'warning' | 'info';
  readonly title: string;
  readonly detail: string;
  /** Set if the note can be dismissed. */
  readonly dismiss?: { readonly label: string; readonly run: () => void };
}

/** An error, warning or hint, shown where it occurred: what happened, why, and possible actions. */
export function Note({ tone, title, detail, actions, onAct, onNear, status, dismiss }: NoteProps) {
  return (
    <div class={`note note-${tone}`} dir="auto">
      <strong class="note-title">{title}</strong>
      {detail && <span class="note-detail">{detail}</span>}
      {(actions.length > 0 || dismiss) && (
        <span class="note-actions">
          {actions.map(({ id, label }) => (
            <button
              type="button"
              class="link"
              key={id}
              onClick={() => onAct(id)}
              onPointerEnter={() => onNear?.(id)}
              onPointerLeave={() => onNear?.(undefined)}
              onFocus={() => onNear?.(id)}
              onBlur={() => onNear?.(undefined)}
            >
              {label}
            </button>
          ))}
          {dismiss && (
            <button type="button" class="link" onClick={dismiss.run}>
              {dismiss.label}
            </button>
          )}
          {onNear && (
            <span class="note-status" role="status">
              {status}
            </span>
          )}
        </span>
      )}
    </div>
  );
}
