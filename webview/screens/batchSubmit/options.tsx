import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { metadataBounds, type SubmitView, freePairs } from '../../../src/protocol/batchSubmit';
import { ComboBox } from '../../components/comboBox';
import { FieldBelow } from '../../components/fieldBelow';
import { fill } from '../../components/fill';
import { faultsOf, hoursOf, type PairFault, hasRoom, pairsUsed } from './form';
import type { Submit } from './submitContext';
import { IconButton } from '../../components/iconButton';

export function Options({ submit, view }: { readonly submit: Submit; readonly view: SubmitView }) {
  const { session, strings } = submit;
  const form = session.form.value;
  const faults = faultsOf(form);
  return (
    <section class="send-section" aria-labelledby="options-heading">
      <h2 id="options-heading">{strings.optionsHeading}</h2>
      <TextField
        label={strings.name}
        hint={strings.nameHint}
        value={form.name}
        fault={faults.name ? strings.valueLong : undefined}
        submit={submit}
        onInput={(name) => session.change({ name })}
      />
      <TextField
        label={strings.description}
        hint=""
        value={form.description}
        fault={faults.description ? strings.valueLong : undefined}
        submit={submit}
        onInput={(description) => session.change({ description })}
      />
      <Hours submit={submit} isWrong={faults.hours} />
      <Model submit={submit} view={view} />
      <Metadata submit={submit} faults={faults.pairs} />
    </section>
  );
}

interface TextFieldProps {
  readonly label: string;
  readonly hint: string;
  readonly value: string;
  readonly fault: string | undefined;
  readonly submit: Submit;
  readonly onInput: (value: string) => void;
}

/** A metadata field, with the number of characters used. */
function TextField({ label, hint, value, fault, submit: { strings }, onInput }: TextFieldProps) {
  const id = useId();
  const counter = fill(strings.counter, value.trim().length, metadataBounds.value);
  return (
    <div class="send-field">
      <label for={id}>{label}</label>
      <textarea
        dir="auto"
        id={id}
        class="parameter-input parameter-text"
        rows={1}
        value={value}
        aria-invalid={fault !== undefined}
        aria-describedby={`${id}-about`}
        onInput={({ currentTarget }) => onInput(currentTarget.value)}
      />
      <FieldBelow id={`${id}-about`} fault={fault} aside={counter}>
        {hint}
      </FieldBelow>
    </div>
  );
}

function Hours({ submit: { session, strings }, isWrong }: { readonly submit: Submit; readonly isWrong: boolean }) {
  const id = useId();
  const form = session.form.value;
  const isLong = (hoursOf(form) ?? 0) > 24;
  return (
    <div class="send-field">
      <label for={id}>{strings.hours}</label>
      <span class="submit-hours">
        <input
          id={id}
          class="parameter-input"
          type="number"
          min={24}
          max={336}
          step={24}
          value={form.hours}
          aria-invalid={isWrong}
          aria-describedby={`${id}-about`}
          onInput={({ currentTarget }) => session.change({ hours: currentTarget.value })}
        />
        {strings.hoursUnit}
      </span>
      <FieldBelow id={`${id}-about`} fault={isWrong ? strings.hoursFault : undefined}>
        {isLong ? <span class="submit-doubt">{strings.hoursLong}</span> : strings.hoursHint}
      </FieldBelow>
    </div>
  );
}

function Model({ submit: { session, strings }, view }: { readonly submit: Submit; readonly view: SubmitView }) {
  const id = useId();
  const { model } = session.form.value;
  const hint =
    model.trim() !== ''
      ? strings.modelWarning
      : view.modelCount > 1
        ? fill(strings.modelMixed, view.modelCount)
        : undefined;
  return (
    <div class="send-field">
      <label for={id}>{strings.model}</label>
      <ComboBox
        id={id}
        value={model}
        items={session.models.value}
        words={{ show: strings.showModels, noMatch: strings.noModels, placeholder: strings.modelPlaceholder }}
        describedBy={`${id}-about`}
        onOpen={() => void session.loadModels()}
        onChange={(value) => session.change({ model: value })}
      />
      <FieldBelow id={`${id}-about`} fault={undefined}>
        {hint ? <span class="submit-doubt">{hint}</span> : strings.modelHint}
      </FieldBelow>
    </div>
  );
}

interface MetadataProps {
  readonly submit: Submit;
  readonly faults: readonly (PairFault | undefined)[];
}

/** The user's own metadata pairs, one per row. */
function Metadata({ submit, faults }: MetadataProps) {
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
