import * as l10n from '@vscode/l10n';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import type { ComponentChildren } from 'preact';
import type { CompletionNumber, CompletionView, BiasIssue, CompletionBias } from '../../../src/protocol/completion';
import { IconButton } from '../../components/iconButton';
import { ListField } from '../../components/listField';
import { FieldNote, type FieldNoteProps } from '../../components/parameter';
import { NumberField } from '../../components/parameterFields';
import type { CompletionSession } from './session';
import { Icon } from '../../components/icon';

export interface TabProps {
  readonly session: CompletionSession;
  readonly view: CompletionView;
}

/** The parameters as fields. While the JSON is invalid, they show the values in effect and cannot be changed. */
export function FormTab(tab: TabProps) {
  return (
    <>
      <Group name="length" heading={l10n.t('Length and count')}>
        <Numbers {...tab} group="length" />
        <Stops {...tab} />
      </Group>
      <Group name="choice" heading={l10n.t('Sampling')}>
        <Numbers {...tab} group="choice" />
      </Group>
      <Group name="repetition" heading={l10n.t('Repetition')}>
        <Numbers {...tab} group="repetition" />
      </Group>
      <Group name="tokens" heading={l10n.t('Tokens')}>
        <BiasRows {...tab} note={noteOf(tab, 'logit_bias')} />
        <Numbers {...tab} group="tokens" />
      </Group>
    </>
  );
}

interface GroupProps {
  readonly name: string;
  readonly heading: string;
  readonly children: ComponentChildren;
}

function Group({ name, heading, children }: GroupProps) {
  return (
    <section class="completion-section" aria-labelledby={`${name}-heading`}>
      <h2 id={`${name}-heading`}>{heading}</h2>
      {children}
    </section>
  );
}

/** The numbers of a group, as the host lists them. */
function Numbers({ group, ...tab }: TabProps & { readonly group: CompletionNumber['group'] }) {
  const numbers = tab.view.numbers.filter((one) => one.group === group);
  const inRow = numbers.filter(({ control }) => control !== 'probabilities');
  return (
    <>
      {inRow.length > 0 && (
        <div class="parameters-numbers">
          {inRow.map((number) => {
            const props = { ...tab, name: number.name };
            if (number.control === 'seed') return <Seed key={number.name} {...props} />;
            if (number.control === 'slider') return <Slider key={number.name} {...props} range={number} />;
            return <Field key={number.name} {...props} />;
          })}
        </div>
      )}
      {numbers
        .filter((number) => !inRow.includes(number))
        .map(({ name }) => (
          <Probabilities key={name} {...tab} name={name} />
        ))}
    </>
  );
}

interface FieldProps extends TabProps {
  readonly name: string;
  readonly placeholder?: string;
  readonly children?: ComponentChildren;
}

function Field({ session, view, name, placeholder, children }: FieldProps) {
  return (
    <NumberField
      label={name}
      value={session.form.value?.numbers[name] ?? ''}
      placeholder={placeholder ?? l10n.t('Service default')}
      hint={view.hints[name] ?? ''}
      note={noteOf({ session, view }, name)}
      disabled={view.isBroken}
      onInput={(value) => session.editNumber(name, value)}
    >
      {children}
    </NumberField>
  );
}

/** Random seeds are below this: enough of them to avoid repeats, and short enough to read aloud. */
const seeds = 1_000_000;

function Seed(props: FieldProps) {
  const { session, name, view } = props;
  const roll = () => session.editNumber(name, String(Math.floor(Math.random() * seeds)));
  return (
    <Field {...props} placeholder={l10n.t('Random')}>
      {!view.isBroken && <IconButton icon="refresh" label={l10n.t('Generate Random Seed')} onClick={roll} />}
    </Field>
  );
}

const sliderStep = 0.1;

/** A box and a slider, which is at 0, without effect, while nothing is set. */
function Slider({ range, ...props }: FieldProps & { readonly range: CompletionNumber }) {
  const { session, view, name } = props;
  const text = session.form.value?.numbers[name]?.trim() ?? '';
  const typed = Number(text);
  return (
    <div class="completion-penalty">
      <Field {...props} />
      <input
        type="range"
        class={text === '' ? 'completion-slider completion-slider-unset' : 'completion-slider'}
        min={range.min}
        max={range.max}
        step={sliderStep}
        value={Number.isFinite(typed) ? typed : 0}
        disabled={view.isBroken}
        aria-label={l10n.t('{0}, slider', name)}
        onInput={({ currentTarget }) => session.editNumber(name, currentTarget.value)}
      />
    </div>
  );
}

function Stops(tab: TabProps) {
  const { session } = tab;
  return (
    <ListField
      words={{
        label: l10n.t('Stop sequences'),
        hint: l10n.t('Strings that end the completion. Line break: \\n. Tab: \\t.'),
        entry: (number) => l10n.t('Stop sequence {0}', number),
        add: l10n.t('Add Stop Sequence'),
        remove: (entry) => l10n.t('Remove Stop Sequence {0}', entry),
      }}
      entries={session.form.value?.stop ?? []}
      issues={tab.view.stopIssues}
      note={noteOf(tab, 'stop')}
      disabled={tab.view.isBroken}
      onChange={(stop) => session.edit({ stop })}
    />
  );
}

/** The value the check box sets; the number field can change it. */
const usualAlternatives = '5';

function Probabilities({ name, ...tab }: FieldProps) {
  const { session } = tab;
  const id = useId();
  const isOn = (session.form.value?.numbers[name] ?? '') !== '';
  return (
    <div class="completion-probabilities">
      <label class="check">
        <input
          type="checkbox"
          checked={isOn}
          disabled={tab.view.isBroken}
          aria-describedby={`${id}-hint`}
          onChange={({ currentTarget }) => session.editNumber(name, currentTarget.checked ? usualAlternatives : '')}
        />
        {l10n.t('Request token probabilities')}
      </label>
      <span class="parameter-hint" id={`${id}-hint`}>
        {l10n.t('Number of alternatives per token.')}
      </span>
      {isOn ? (
        <div class="parameters-numbers">
          <Field {...tab} name={name} />
        </div>
      ) : (
        <FieldNote id={`${id}-note`} {...noteOf(tab, name)} />
      )}
    </div>
  );
}

function noteOf({ session, view }: TabProps, name: string): FieldNoteProps {
  const refusal = view.notTaken[name];
  return {
    issue: view.isBroken ? undefined : view.issues[name],
    warning: view.warnings[name],
    refusal: refusal
      ? { text: refusal, again: l10n.t('Send Again'), sendAgain: () => void session.sendAgain(name) }
      : undefined,
  };
}

interface BiasRowsProps {
  readonly session: CompletionSession;
  readonly view: CompletionView;
  readonly note: FieldNoteProps;
}

/** A row for each token whose likelihood is changed. */
function BiasRows({ session, view, note }: BiasRowsProps) {
  const group = useRef<HTMLDivElement>(null);
  const id = useId();
  const rows = session.form.value?.logit_bias ?? [];
  const count = useRef(rows.length);
  // Focuses a row that was added, so that it can be filled in.
  useLayoutEffect(() => {
    const isAdded = rows.length === count.current + 1 && rows.at(-1)?.token === '';
    count.current = rows.length;
    if (isAdded) group.current?.querySelector<HTMLInputElement>('.bias:last-of-type input')?.focus();
  }, [rows.length]);
  const set = (changed: readonly CompletionBias[]) => session.edit({ logit_bias: changed });
  const remove = (index: number) => {
    set(rows.toSpliced(index, 1));
    requestAnimationFrame(() => {
      const left = group.current?.querySelectorAll<HTMLElement>('.bias');
      const next = left?.[Math.max(0, index - 1)]?.querySelector<HTMLElement>('input');
      (next ?? group.current?.querySelector<HTMLElement>('.parameter-add'))?.focus();
    });
  };
  return (
    <div class="parameter" role="group" aria-labelledby={id} aria-describedby={`${id}-hint ${id}-note`} ref={group}>
      <span class="parameter-label" id={id}>
        {l10n.t('Token bias (logit_bias)')}
      </span>
      {rows.map((row, index) => (
        <BiasRow
          key={index}
          row={row}
          index={index}
          issue={view.isBroken ? undefined : view.biasIssues[index]}
          disabled={view.isBroken}
          onChange={(part) => set(rows.with(index, { ...row, ...part }))}
          onRemove={() => remove(index)}
        />
      ))}
      {!view.isBroken && (
        <button type="button" class="link parameter-add" onClick={() => set([...rows, { token: '', bias: '' }])}>
          <Icon name="add" />
          {l10n.t('Add Bias')}
        </button>
      )}
      <span class="parameter-hint" id={`${id}-hint`}>
        {rows.length > 0 && l10n.t('By token ID. −100 bans a token, 100 forces it.')}
      </span>
      <FieldNote id={`${id}-note`} {...note} />
    </div>
  );
}

interface BiasRowProps {
  readonly row: CompletionBias;
  readonly index: number;
  readonly issue: BiasIssue | undefined;
  readonly disabled: boolean;
  readonly onChange: (part: Partial<CompletionBias>) => void;
  readonly onRemove: () => void;
}

function BiasRow({ row, index, issue, disabled, onChange, onRemove }: BiasRowProps) {
  const id = useId();
  const number = String(index + 1);
  const box = (name: keyof CompletionBias, label: string, placeholder: string) => (
    <input
      class="parameter-input"
      type="text"
      inputMode="decimal"
      autocomplete="off"
      disabled={disabled}
      placeholder={placeholder}
      aria-label={label}
      aria-invalid={issue?.box === name}
      aria-describedby={`${id}-note`}
      value={row[name]}
      onInput={({ currentTarget }) => onChange({ [name]: currentTarget.value })}
    />
  );
  return (
    <div class="bias parameter-number">
      <div class="bias-boxes">
        {box('token', l10n.t('Token ID for bias {0}', number), l10n.t('Token ID'))}
        {box('bias', l10n.t('Bias {0}', number), l10n.t('Bias'))}
        {!disabled && (
          <IconButton icon="close" label={l10n.t('Remove Bias {0}', row.token || number)} onClick={onRemove} />
        )}
      </div>
      <FieldNote id={`${id}-note`} issue={issue?.text} />
    </div>
  );
}
