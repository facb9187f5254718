import { useEffect } from 'preact/hooks';
import { ComboBox } from './comboBox';

export interface ModelBoxProps {
  readonly id: string;
  readonly value: string;
  /** `undefined` until the list is known. `detail` is shown beside the model's id. */
  readonly models: readonly { readonly id: string; readonly detail?: string }[] | undefined;
  readonly isLoading: boolean;
  readonly words: {
    readonly showModels: string;
    readonly noModels: string;
    readonly modelsLoading: string;
    readonly modelPlaceholder: string;
  };
  /** How many times the user was asked to choose another model; each increment focuses the box. */
  readonly focusRequests: number;
  readonly describedBy: string;
  readonly onChange: (value: string) => void;
}

/** The model a form uses: one of the listed models or any other id. */
export function ModelBox({ id, value, models, isLoading, words, focusRequests, describedBy, onChange }: ModelBoxProps) {
  useEffect(() => {
    if (focusRequests > 0) document.getElementById(id)?.focus();
  }, [focusRequests]);
  return (
    <ComboBox
      id={id}
      value={value}
      items={(models ?? []).map((model) => ({ id: model.id, name: model.id, detail: model.detail ?? '', group: '' }))}
      words={{
        show: words.showModels,
        noMatch: isLoading || models === undefined ? words.modelsLoading : words.noModels,
        placeholder: words.modelPlaceholder,
      }}
      describedBy={describedBy}
      onOpen={() => undefined}
      onChange={onChange}
    />
  );
}
