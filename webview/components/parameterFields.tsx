import type { ComponentChildren } from 'preact';
import { Parameter } from './parameter';
import type { FieldNoteProps } from './parameter';

interface FieldProps {
  readonly label: string;
  readonly value: string;
  /** Says what an empty field means. */
  readonly placeholder: string;
  readonly note: FieldNoteProps;
  readonly disabled?: boolean;
  readonly onInput: (value: string) => void;
}

export interface NumberFieldProps extends FieldProps {
  readonly id?: string;
  readonly hint?: string;
  /** Shown next to the box, such as a button that fills it. */
  readonly children?: ComponentChildren;
}

/** A text box, because a number box drops invalid input instead of reporting it. */
export function NumberField({ value, placeholder, disabled, onInput, children, ...field }: NumberFieldProps) {
  return (
    <Parameter
      {...field}
      isNumber
      control={(id, describedBy) => (
        <span class="parameter-box">
          <input
            id={id}
            class="parameter-input"
            type="text"
            inputMode="decimal"
            autocomplete="off"
            placeholder={placeholder}
            disabled={disabled}
            aria-invalid={field.note.issue !== undefined}
            aria-describedby={describedBy}
            value={value}
            onInput={({ currentTarget }) => onInput(currentTarget.value)}
          />
          {children}
        </span>
      )}
    />
  );
}

export interface TextFieldProps extends FieldProps {
  readonly hint?: string;
  readonly rows?: number;
}

/** A text box for one or a few sentences. */
export function TextField({ value, placeholder, rows = 2, disabled, onInput, ...field }: TextFieldProps) {
  return (
    <Parameter
      {...field}
      control={(id, describedBy) => (
        <textarea
          id={id}
          class="parameter-input parameter-text"
          dir="auto"
          rows={rows}
          placeholder={placeholder}
          disabled={disabled}
          aria-invalid={field.note.issue !== undefined}
          aria-describedby={describedBy}
          value={value}
          onInput={({ currentTarget }) => onInput(currentTarget.value)}
        />
      )}
    />
  );
}

export interface ChoiceFieldProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly choices: readonly { readonly value: Value; readonly label: string }[];
  readonly hint?: string;
  readonly note?: FieldNoteProps;
  readonly disabled?: boolean;
  readonly onChoose: (value: Value) => void;
}

/** A choice between a few values. */
export function ChoiceField<Value extends string>(props: ChoiceFieldProps<Value>) {
  const { value, choices, disabled, onChoose, ...field } = props;
  return (
    <Parameter
      {...field}
      control={(id, describedBy) => (
        <select
          id={id}
          class="parameter-input"
          aria-describedby={describedBy}
          title={choices.find((choice) => choice.value === value)?.label}
          disabled={disabled}
          value={value}
          onChange={({ currentTarget }) => {
            const chosen = choices[currentTarget.selectedIndex];
            if (chosen) onChoose(chosen.value);
          }}
        >
          {choices.map((choice) => (
            <option key={choice.value} value={choice.value}>
              {choice.label}
            </option>
          ))}
        </select>
      )}
    />
  );
}
