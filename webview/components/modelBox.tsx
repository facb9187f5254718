import * as l10n from '@vscode/l10n';
import { useEffect } from 'preact/hooks';
import { ComboBox } from './comboBox';

export interface ModelBoxProps {
  readonly id: string;
  readonly value: string;
  /** `undefined` until the list is known. `detail` is shown beside the model's id. */
  readonly models: readonly { readonly id: string; readonly detail?: string }[] | undefined;
  readonly isLoading: boolean;
  /** How many times the user was asked to choose another model; each increment focuses the box. */
  readonly focusRequests: number;
  readonly describedBy: string;
  readonly onChange: (value: string) => void;
}

/** The model a form uses: one of the listed models or any other id. */
export function ModelBox({ id, value, models, isLoading, focusRequests, describedBy, onChange }: ModelBoxProps) {
  useEffect(() => {
    if (focusRequests > 0) document.getElementById(id)?.focus();
  }, [focusRequests]);
  return (
    <ComboBox
      id={id}
      value={value}
      items={(models ?? []).map((model) => ({ id: model.id, name: model.id, detail: model.detail ?? '', group: '' }))}
      words={{
        show: l10n.t('Show Models'),
        noMatch:
          isLoading || models === undefined
            ? l10n.t('Loading models…')
            : l10n.t('No matches. You can enter any model ID.'),
        placeholder: l10n.t('Select or enter a model'),
      }}
      describedBy={describedBy}
      onOpen={() => undefined}
      onChange={onChange}
    />
  );
}
