import { useId, useRef } from 'preact/hooks';
import type { ParameterField } from '../../../src/protocol/chatParameters';
import { fill } from '../../components/fill';
import { Icon } from '../../components/icon';
import { IconButton } from '../../components/iconButton';
import type { Chat } from './chatContext';

interface FieldProps<Name extends ParameterField> {
  readonly chat: Chat;
  readonly name: Name;
}

type TextFieldProps = FieldProps<'system' | 'prefill'> & { readonly label: string; readonly rows: number };

export function TextField({ chat, name, label, rows }: TextFieldProps) {
  const { parameters } = chat.session;
  const id = useId();
  return (
    <div class="parameter">
      <label class="parameter-label" for={id}>
        {label}
      </label>
      <textarea
        id={id}
        class="parameter-input parameter-text"
        dir="auto"
        rows={rows}
        placeholder={chat.strings.notSet}
        aria-describedby={`${id}-note`}
        value={parameters.form.value?.[name] ?? ''}
        onInput={(event) => parameters.edit({ [name]: event.currentTarget.value })}
      />
      <FieldNote chat={chat} name={name} id={`${id}-note`} />
    </div>
  );
}

type NumberFieldProps = FieldProps<'max_tokens' | 'temperature' | 'top_p' | 'top_k'> & {
  /** What an empty field means; `undefined`: the hint says it. */
  readonly placeholder: string | undefined;
};

/** A text box, because a number box drops what is no number instead of saying so. */
export function NumberField({ chat, name, placeholder }: NumberFieldProps) {
  const { parameters } = chat.session;
  const id = useId();
  const { issues, hints } = parameters.state.value ?? {};
  const hint = hints?.[name] ?? '';
  return (
    <div class="parameter parameter-number">
      <label class="parameter-label" for={id}>
        {name}
      </label>
      <input
        id={id}
        class="parameter-input"
        type="text"
        inputMode="decimal"
        autocomplete="off"
        placeholder={placeholder ?? chat.strings.defaultSent}
        aria-invalid={issues?.[name] !== undefined}
        aria-describedby={`${id}-hint ${id}-note`}
        value={parameters.form.value?.[name] ?? ''}
        onInput={(event) => parameters.edit({ [name]: event.currentTarget.value })}
      />
      <span class="parameter-hint" id={`${id}-hint`}>
        {placeholder === undefined ? fill(chat.strings.defaultValue, hint) : hint}
      </span>
      <FieldNote chat={chat} name={name} id={`${id}-note`} />
    </div>
  );
}

type ListFieldProps = FieldProps<'stop_sequences'> & { readonly label: string };

/** One box for each entry. Enter adds one; emptying the last and Backspace takes it away. */
export function ListField({ chat, name, label }: ListFieldProps) {
  const { session, strings } = chat;
  const { parameters } = session;
  const group = useRef<HTMLDivElement>(null);
  const id = useId();
  const entries = parameters.form.value?.[name] ?? [];
  const set = (changed: readonly string[]) => parameters.edit({ [name]: changed });
  const focus = (index: number) =>
    requestAnimationFrame(() => {
      const boxes = group.current?.querySelectorAll<HTMLElement>('input');
      (boxes?.[index] ?? group.current?.querySelector<HTMLElement>('.parameter-add'))?.focus();
    });
  const add = (at: number) => {
    set(entries.toSpliced(at, 0, ''));
    focus(at);
  };
  const remove = (at: number) => {
    set(entries.toSpliced(at, 1));
    focus(Math.max(0, at - 1));
  };
  return (
    <div class="parameter" role="group" aria-labelledby={id} aria-describedby={`${id}-hint ${id}-note`} ref={group}>
      <span class="parameter-label" id={id}>
        {label}
      </span>
      {entries.map((entry, index) => (
        <div class="parameter-entry" key={index}>
          <input
            class="parameter-input parameter-code"
            type="text"
            autocomplete="off"
            aria-label={fill(strings.stopSequenceNumber, String(index + 1))}
            value={entry}
            onInput={(event) => set(entries.with(index, event.currentTarget.value))}
            onKeyDown={(event) => {
              if (event.isComposing) return;
              if (event.key === 'Enter') add(index + 1);
              else if (event.key === 'Backspace' && entry === '') remove(index);
              else return;
              event.preventDefault();
            }}
          />
          <IconButton
            icon="close"
            label={fill(strings.removeStopSequence, entry || String(index + 1))}
            onClick={() => remove(index)}
          />
        </div>
      ))}
      <button type="button" class="link parameter-add" onClick={() => add(entries.length)}>
        <Icon name="add" />
        {strings.addStopSequence}
      </button>
      <span class="parameter-hint" id={`${id}-hint`}>
        {entries.length > 0 && strings.stopSequencesHint}
      </span>
      <FieldNote chat={chat} name={name} id={`${id}-note`} />
    </div>
  );
}

/** What is wrong with a field, what may be, or that the model does not take it. */
function FieldNote({ chat, name, id }: FieldProps<ParameterField> & { readonly id: string }) {
  const { session, strings } = chat;
  const { issues, warnings, notTaken } = session.parameters.state.value ?? {};
  const issue = issues?.[name];
  const refusal = notTaken?.[name];
  const warning = issue || refusal ? undefined : warnings?.[name];
  return (
    <span class="parameter-note" id={id} aria-live="polite">
      {issue && <Said icon="error" class="parameter-issue" text={issue} />}
      {warning && <Said icon="warning" class="parameter-warning" text={warning} />}
      {refusal && (
        <>
          <Said icon="circle-slash" class="parameter-warning" text={refusal} />{' '}
          <button type="button" class="link" onClick={() => void session.parameters.sendAgain(name)}>
            {strings.sendParameterAgain}
          </button>
        </>
      )}
    </span>
  );
}

function Said({ icon, class: name, text }: { readonly icon: string; readonly class: string; readonly text: string }) {
  return (
    <span class={name}>
      <Icon name={icon} /> {text}
    </span>
  );
}
