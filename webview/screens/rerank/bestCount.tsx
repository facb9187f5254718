import * as l10n from '@vscode/l10n';
import type { Signal } from '@preact/signals';
import { NumberField } from '../../components/parameterFields';
import { pageNumber } from '../../components/pageLanguage';

interface BestCountProps {
  readonly label: string;
  readonly placeholder: string;
  readonly text: Signal<string>;
  /** `undefined` if the text is not a valid count. */
  readonly count: number | undefined;
  readonly most: number;
}

/** A field for how many of the best documents to use. */
export function BestCount({ label, placeholder, text, count, most }: BestCountProps) {
  const issue = count === undefined ? l10n.t('Enter a whole number up to {0}.', pageNumber(most)) : undefined;
  return (
    <NumberField
      label={label}
      value={text.value}
      placeholder={placeholder}
      hint=""
      note={{ issue }}
      onInput={(typed) => (text.value = typed)}
    />
  );
}
