import type { Signal } from '@preact/signals';
import { fill } from '../../components/fill';
import { NumberField } from '../../components/parameterFields';
import type { Rerank } from './rerankContext';

interface BestCountProps {
  readonly label: string;
  readonly placeholder: string;
  readonly text: Signal<string>;
  /** `undefined` if the text is not a valid count. */
  readonly count: number | undefined;
  readonly most: number;
  readonly rerank: Rerank;
}

/** A field for how many of the best documents to use. */
export function BestCount({ label, placeholder, text, count, most, rerank: { strings, number } }: BestCountProps) {
  const issue = count === undefined ? fill(strings.countWrong, number(most)) : undefined;
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
