import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { Icon } from './icon';
import type { IconName } from './iconNames';
import './parameters.css';

/** The notes that can appear below a field. An issue or a refusal hides the warning. */
export interface FieldNoteProps {
  /** Why the value is invalid. */
  readonly issue?: string | undefined;
  /** Set if the model does not take the parameter; a link below it offers to send it anyway. */
  readonly refusal?: { readonly text: string; readonly again: string; readonly sendAgain: () => void } | undefined;
  /** Set if the parameter is sent but may be refused. */
  readonly warning?: string | undefined;
  /** Why the parameter cannot be set at all. */
  readonly notTaken?: string | undefined;
}

export function FieldNote({ id, issue, refusal, warning, notTaken }: FieldNoteProps & { readonly id: string }) {
  return (
    <span class="parameter-note" id={id} aria-live="polite">
      {notTaken && <Said icon="circle-slash" class="parameter-warning" text={notTaken} />}
      {issue && <Said icon="error" class="parameter-issue" text={issue} />}
      {warning && !issue && !refusal && <Said icon="warning" class="parameter-warning" text={warning} />}
      {refusal && (
        <>
          <Said icon="circle-slash" class="parameter-warning" text={refusal.text} />{' '}
          <button type="button" class="link" onClick={refusal.sendAgain}>
            {refusal.again}
          </button>
        </>
      )}
    </span>
  );
}

function Said({ icon, class: name, text }: { readonly icon: IconName; readonly class: string; readonly text: string }) {
  return (
    <span class={name}>
      <Icon name={icon} /> {text}
    </span>
  );
}

export interface ParameterProps {
  /** Id of the control; generated if absent. */
  readonly id?: string;
  readonly label: string;
  /** Tooltip of the whole field. */
  readonly title?: string;
  readonly hint?: string;
  readonly note?: FieldNoteProps;
  readonly isNumber?: boolean;
  readonly control: (id: string, describedBy: string) => ComponentChildren;
}

/** A labelled control, with its hint and the note on its value below it. */
export function Parameter({ id: givenId, label, title, hint, note, isNumber, control }: ParameterProps) {
  const found = useId();
  const id = givenId ?? found;
  const hintId = `${id}-hint`;
  const noteId = `${id}-note`;
  return (
    <div class={`parameter${isNumber ? ' parameter-number' : ''}`} title={title}>
      <label class="parameter-label" for={id}>
        {label}
      </label>
      {control(id, hint === undefined ? noteId : `${hintId} ${noteId}`)}
      {hint !== undefined && (
        <span class="parameter-hint" id={hintId}>
          {hint}
        </span>
      )}
      <FieldNote id={noteId} {...note} />
    </div>
  );
}
