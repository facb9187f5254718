import { useId } from 'preact/hooks';
import { metadataBounds } from '../../../src/protocol/batchSubmit';
import type { SubmitView } from '../../../src/protocol/batchSubmit';
import { ComboBox } from '../../components/comboBox';
import { FieldBelow } from '../../components/fieldBelow';
import { fill } from '../../components/fill';
import { faultsOf, hoursOf } from './form';
import { Metadata } from './metadata';
import type { Submit } from './submitContext';

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
