import './selectField.css';

export interface SelectFieldProps<Value extends string> {
  readonly label: string;
  readonly value: Value | undefined;
  readonly options: readonly { readonly value: Value; readonly label: string }[];
  readonly disabled?: boolean;
  readonly onChoose: (value: Value) => void;
}

/** A choice between a few values, styled like the editor's own. */
export function SelectField<Value extends string>(props: SelectFieldProps<Value>) {
  const { label, value, options, disabled, onChoose } = props;
  return (
    <select
      class="select-field"
      aria-label={label}
      title={label}
      value={value}
      disabled={disabled}
      onChange={({ currentTarget }) => {
        const chosen = options[currentTarget.selectedIndex];
        if (chosen) onChoose(chosen.value);
      }}
    >
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </select>
  );
}
