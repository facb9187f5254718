import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { freePairs, metadataBounds } from '../../../src/protocol/batchSubmit';
import { FieldBelow } from '../../components/fieldBelow';
import { fill } from '../../components/fill';
import { IconButton } from '../../components/iconButton';
import type { PairFault } from './form';
import { hasRoom, pairsUsed } from './form';
import type { Submit } from './submitContext';

interface MetadataProps {
  readonly submit: Submit;
  readonly faults: readonly (PairFault | undefined)[];
}

/** The user's own metadata pairs, one per row. */
export function Metadata({ submit, faults }: MetadataProps) {
  const { session, strings } = submit;
  const form = session.form.value;
  const group = useRef<HTMLFieldSetElement>(null);
  const count = useRef(form.pairs.length);
  // Focuses a row that was added, so that it can be filled in.
  useLayoutEffect(() => {
    if (form.pairs.length > count.current)
      group.current?.querySelector<HTMLInputElement>('.pair:last-of-type input')?.focus();
    count.current = form.pairs.length;
  }, [form.pairs.length]);
  return (
    <fieldset class="send-field" ref={group}>
      <legend>{strings.metadata}</legend>
      <span class="send-below">
        <span class="send-hint">{strings.metadataHint}</span>
        <span class="send-hint send-aside">{fill(strings.pairsUsed, pairsUsed(form), freePairs)}</span>
      </span>
      {form.pairs.map((pair, index) => (
        <Pair key={index} submit={submit} pair={pair} index={index} fault={faults[index]} />
      ))}
      {hasRoom(form) && (
        <button type="button" class="link submit-add" onClick={() => session.addPair()}>
          {strings.addPair}
        </button>
      )}
    </fieldset>
  );
}

interface PairProps {
  readonly submit: Submit;
  readonly pair: { readonly key: string; readonly value: string };
  readonly index: number;
  readonly fault: PairFault | undefined;
}

function Pair({ submit: { session, strings }, pair, index, fault }: PairProps) {
  const id = useId();
  const isOfValue = fault === 'valueLong';
  const number = String(index + 1);
  const counter = (text: string, most: number) => fill(strings.counter, text.length, most);
  return (
    <div class="pair">
      <span class="pair-key">
        <input
          class="parameter-input"
          type="text"
          dir="auto"
          placeholder={strings.key}
          aria-label={fill(strings.keyOf, number)}
          aria-invalid={fault !== undefined && !isOfValue}
          aria-describedby={`${id}-key`}
          value={pair.key}
          onInput={({ currentTarget }) => session.changePair(index, { key: currentTarget.value })}
        />
        <FieldBelow
          id={`${id}-key`}
          fault={fault && !isOfValue ? strings[fault] : undefined}
          aside={counter(pair.key.trim(), metadataBounds.key)}
        >
          {''}
        </FieldBelow>
      </span>
      <span class="pair-value">
        <textarea
          dir="auto"
          class="parameter-input parameter-text"
          rows={1}
          placeholder={strings.value}
          aria-label={fill(strings.valueOf, number)}
          aria-invalid={isOfValue}
          aria-describedby={`${id}-value`}
          value={pair.value}
          onInput={({ currentTarget }) => session.changePair(index, { value: currentTarget.value })}
        />
        <FieldBelow
          id={`${id}-value`}
          fault={isOfValue ? strings.valueLong : undefined}
          aside={counter(pair.value, metadataBounds.value)}
        >
          {''}
        </FieldBelow>
      </span>
      <IconButton icon="close" label={fill(strings.removePair, number)} onClick={() => session.removePair(index)} />
    </div>
  );
}
