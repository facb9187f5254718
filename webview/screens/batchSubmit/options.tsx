import * as l10n from '@vscode/l10n';
import { pageNumber } from '../../components/pageLanguage';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import type { SubmitBounds, SubmitView } from '../../../src/protocol/batchSubmit';
import { ComboBox } from '../../components/comboBox';
import { FieldBelow } from '../../components/fieldBelow';
import { faultsOf, hoursOf, type PairFault, hasRoom, pairsUsed } from './form';
import type { SubmitSession } from './session';
import { IconButton } from '../../components/iconButton';

export function Options({ session, view }: { readonly session: SubmitSession; readonly view: SubmitView }) {
  const form = session.form.value;
  const bounds = view.bounds.metadata;
  const faults = faultsOf(form, view.bounds);
  return (
    <section class="send-section" aria-labelledby="options-heading">
      <h2 id="options-heading">{l10n.t('Options')}</h2>
      <TextField
        label={l10n.t('Name')}
        value={form.name}
        fault={faults.name ? valueLong(bounds) : undefined}
        most={bounds.value}
        onInput={(name) => session.change({ name })}
      />
      {!view.bounds.isInline && (
        <TextField
          label={l10n.t('Description')}
          value={form.description}
          fault={faults.description ? valueLong(bounds) : undefined}
          most={bounds.value}
          onInput={(description) => session.change({ description })}
        />
      )}
      <Hours session={session} bounds={view.bounds} isWrong={faults.hours} />
      {(view.bounds.replacementModels.length > 0 || view.hasFile) && <Model session={session} view={view} />}
      {!view.bounds.isInline && <Metadata session={session} bounds={view.bounds} faults={faults.pairs} />}
    </section>
  );
}

interface TextFieldProps {
  readonly label: string;
  readonly value: string;
  readonly fault: string | undefined;
  /** The longest it may be, in UTF-16 units. */
  readonly most: number;
  readonly onInput: (value: string) => void;
}

/** A metadata field, with the number of characters used. */
function TextField({ label, value, fault, most, onInput }: TextFieldProps) {
  const id = useId();
  const counter = counterText(value.trim(), most);
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
      <FieldBelow id={`${id}-about`} fault={fault} aside={counter} />
    </div>
  );
}

interface HoursProps {
  readonly session: SubmitSession;
  readonly bounds: SubmitBounds;
  readonly isWrong: boolean;
}

function Hours({ session, bounds, isWrong }: HoursProps) {
  const id = useId();
  const form = session.form.value;
  const { least, most, usual } = bounds.hours;
  const isLong = least === usual && (hoursOf(form, bounds) ?? 0) > usual;
  return (
    <div class="send-field">
      <label for={id}>{l10n.t('Completion window')}</label>
      <span class="submit-hours">
        <input
          id={id}
          class="parameter-input"
          type="number"
          min={least}
          max={most}
          step={24}
          value={form.hours}
          aria-invalid={isWrong}
          aria-describedby={`${id}-about`}
          onInput={({ currentTarget }) => session.change({ hours: currentTarget.value })}
        />
        {l10n.t('hours')}
      </span>
      <FieldBelow
        id={`${id}-about`}
        fault={
          isWrong ? l10n.t('Enter a whole number from {0} to {1}.', pageNumber(least), pageNumber(most)) : undefined
        }
      >
        {least === most ? (
          l10n.t("Unfinished requests expire then. Other values aren't allowed.")
        ) : isLong ? (
          <span class="submit-doubt">{l10n.t('More than {0} hours might be rejected.', pageNumber(least))}</span>
        ) : (
          l10n.t('From {0} to {1} hours. Unfinished requests expire then.', pageNumber(least), pageNumber(most))
        )}
      </FieldBelow>
    </div>
  );
}

function Model({ session, view }: { readonly session: SubmitSession; readonly view: SubmitView }) {
  const id = useId();
  const { model } = session.form.value;
  const known = view.bounds.replacementModels;
  const isKnown = known.includes(model.trim());
  const hint =
    model.trim() !== '' && !isKnown && !view.bounds.isInline
      ? l10n.t('A copy of the file with this model is uploaded.')
      : model.trim() === '' && view.modelCount > 1 && view.bounds.hasOneModel
        ? l10n.t('The lines use {0} models. A batch allows only one.', pageNumber(view.modelCount))
        : undefined;
  return (
    <div class="send-field">
      <label for={id}>{l10n.t('Model for all requests')}</label>
      <ComboBox
        id={id}
        value={model}
        items={session.models.value}
        words={{
          show: l10n.t('Show Models'),
          noMatch: l10n.t('No matches. You can enter any model ID.'),
          placeholder: l10n.t("Keep each line's model"),
        }}
        describedBy={`${id}-about`}
        onOpen={() => void session.loadModels()}
        onChange={(value) => session.change({ model: value })}
      />
      <FieldBelow id={`${id}-about`} fault={undefined}>
        {hint ? <span class="submit-doubt">{hint}</span> : l10n.t('If set, replaces the model in every line.')}
      </FieldBelow>
    </div>
  );
}

interface MetadataProps {
  readonly session: SubmitSession;
  readonly bounds: SubmitBounds;
  readonly faults: readonly (PairFault | undefined)[];
}

/** The user's own metadata pairs, one per row. */
function Metadata({ session, bounds, faults }: MetadataProps) {
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
      <legend>{l10n.t('Metadata')}</legend>
      <span class="send-below">
        <span class="send-hint">{l10n.t('Key-value pairs returned with the batch.')}</span>
        <span class="send-hint send-aside">
          {l10n.t('{0} of {1} pairs', pageNumber(pairsUsed(form)), pageNumber(bounds.metadata.pairs))}
        </span>
      </span>
      {form.pairs.map((pair, index) => (
        <Pair key={index} session={session} bounds={bounds.metadata} pair={pair} index={index} fault={faults[index]} />
      ))}
      {hasRoom(form, bounds) && (
        <button type="button" class="link submit-add" onClick={() => session.addPair()}>
          {l10n.t('Add Pair')}
        </button>
      )}
    </fieldset>
  );
}

interface PairProps {
  readonly session: SubmitSession;
  readonly bounds: SubmitBounds['metadata'];
  readonly pair: { readonly key: string; readonly value: string };
  readonly index: number;
  readonly fault: PairFault | undefined;
}

function Pair({ session, bounds, pair, index, fault }: PairProps) {
  const id = useId();
  const isOfValue = fault === 'valueLong';
  const number = String(index + 1);
  return (
    <div class="pair">
      <span class="pair-key">
        <input
          class="parameter-input"
          type="text"
          dir="auto"
          placeholder={l10n.t('Key')}
          aria-label={l10n.t('Key of pair {0}', number)}
          aria-invalid={fault !== undefined && !isOfValue}
          aria-describedby={`${id}-key`}
          value={pair.key}
          onInput={({ currentTarget }) => session.changePair(index, { key: currentTarget.value })}
        />
        <FieldBelow
          id={`${id}-key`}
          fault={fault && !isOfValue ? keyFault(fault, bounds) : undefined}
          aside={counterText(pair.key.trim(), bounds.key)}
        >
          {''}
        </FieldBelow>
      </span>
      <span class="pair-value">
        <textarea
          dir="auto"
          class="parameter-input parameter-text"
          rows={1}
          placeholder={l10n.t('Value')}
          aria-label={l10n.t('Value of pair {0}', number)}
          aria-invalid={isOfValue}
          aria-describedby={`${id}-value`}
          value={pair.value}
          onInput={({ currentTarget }) => session.changePair(index, { value: currentTarget.value })}
        />
        <FieldBelow
          id={`${id}-value`}
          fault={isOfValue ? valueLong(bounds) : undefined}
          aside={counterText(pair.value, bounds.value)}
        >
          {''}
        </FieldBelow>
      </span>
      <IconButton icon="close" label={l10n.t('Remove Pair {0}', number)} onClick={() => session.removePair(index)} />
    </div>
  );
}

const counterText = (text: string, most: number) => l10n.t('{0} / {1}', pageNumber(text.length), pageNumber(most));

const valueLong = ({ value }: SubmitBounds['metadata']) => l10n.t('Use up to {0} characters.', pageNumber(value));

function keyFault(fault: Exclude<PairFault, 'valueLong'>, { key }: SubmitBounds['metadata']): string {
  switch (fault) {
    case 'keyMissing':
      return l10n.t('Enter a key for this value.');
    case 'keyLong':
      return l10n.t('Use up to {0} characters.', pageNumber(key));
    case 'keyTwice':
      return l10n.t('This key already exists.');
    case 'keyTaken':
      return l10n.t('This key is reserved.');
  }
}
