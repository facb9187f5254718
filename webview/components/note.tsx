import { Icon } from './icon';
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

export interface NoteText {
  readonly title: string;
  readonly detail: string;
}

export interface NoteProps extends NoteText, NoteOffer {
  readonly tone: 'error' | 'warning' | 'info';
  /** Set if the note can be dismissed. */
  readonly dismiss?: { readonly label: string; readonly run: () => void };
}

/** Actions that explain an error but don't solve it. */
const explaining = /^(?:showExchange|showLog|reportProblem)(?::|$)/;

/**
 * An error, warning or hint, shown where it occurred: what happened, why, and possible actions. The first that can solve it is a button, and
 * the others are links.
 */
export function Note({ tone, title, detail, actions, onAct, onNear, status, dismiss }: NoteProps) {
  const main = actions.find(({ id }) => !explaining.test(id));
  const others = actions.filter((action) => action !== main);
  return (
    <div class={`note note-${tone}`} dir="auto">
      <Icon name={tone} class="note-icon" />
      <div class="note-body">
        <strong class="note-title">{title}</strong>
        {detail && <span class="note-detail">{detail}</span>}
        {(actions.length > 0 || dismiss) && (
          <span class="note-actions">
            {[...(main ? [main] : []), ...others].map((action) => (
              <button
                type="button"
                class={action === main ? 'note-button' : 'link'}
                key={action.id}
                onClick={() => onAct(action.id)}
                onPointerEnter={() => onNear?.(action.id)}
                onPointerLeave={() => onNear?.(undefined)}
                onFocus={() => onNear?.(action.id)}
                onBlur={() => onNear?.(undefined)}
              >
                {action.label}
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
    </div>
  );
}
