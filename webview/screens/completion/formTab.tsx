import * as l10n from '@vscode/l10n';
import { useId } from 'preact/hooks';
import type { ComponentChildren } from 'preact';
import type { CompletionField, CompletionNumber, CompletionView } from '../../../src/protocol/completion';
import { IconButton } from '../../components/iconButton';
import { ListField } from '../../components/listField';
import { FieldNote } from '../../components/parameter';
import { NumberField } from '../../components/parameterFields';
import type { FieldNoteProps } from '../../components/parameter';
import { BiasRows } from './biasRows';
import type { CompletionSession } from './session';

export interface TabProps {
  readonly session: CompletionSession;
  readonly view: CompletionView;
}

/** The parameters as fields. While the JSON is invalid, they show the values in effect and cannot be changed. */
export function FormTab(tab: TabProps) {
  return (
    <>
      <Group name="length" heading={l10n.t('Length and number')}>
        <div class="parameters-numbers">
          <Field {...tab} name="max_tokens" />
          <Field {...tab} name="n" />
        </div>
        <Stops {...tab} />
      </Group>
      <Group name="choice" heading={l10n.t('Choice of words')}>
        <div class="parameters-numbers">
          <Field {...tab} name="temperature" />
          <Field {...tab} name="top_p" />
          <Field {...tab} name="top_k" />
          <Seed {...tab} />
        </div>
      </Group>
      <Group name="repetition" heading={l10n.t('Repetition')}>
        <div class="parameters-numbers">
          <Field {...tab} name="repetition_penalty" />
          <Penalty {...tab} name="presence_penalty" />
          <Penalty {...tab} name="frequency_penalty" />
        </div>
      </Group>
      <Group name="tokens" heading={l10n.t('Tokens')}>
        <BiasRows {...tab} note={noteOf(tab, 'logit_bias')} />
        <Probabilities {...tab} />
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

interface FieldProps extends TabProps {
  readonly name: CompletionNumber;
  readonly placeholder?: string;
  readonly children?: ComponentChildren;
}

function Field({ session, view, name, placeholder, children }: FieldProps) {
  return (
    <NumberField
      label={name}
      value={session.form.value?.[name] ?? ''}
      placeholder={placeholder ?? l10n.t('not sent')}
      hint={view.hints[name] ?? ''}
      note={noteOf({ session, view }, name)}
      disabled={view.isBroken}
      onInput={(value) => session.edit({ [name]: value })}
    >
      {children}
    </NumberField>
  );
}

/** Random seeds are below this: enough of them to avoid repeats, and short enough to read aloud. */
const seeds = 1_000_000;

function Seed(tab: TabProps) {
  const { session } = tab;
  const roll = () => session.edit({ seed: String(Math.floor(Math.random() * seeds)) });
  return (
    <Field {...tab} name="seed" placeholder={l10n.t('random')}>
      {!tab.view.isBroken && <IconButton icon="refresh" label={l10n.t('Choose a seed by chance')} onClick={roll} />}
    </Field>
  );
}

/** Range of both penalties; the middle has no effect. */
const penaltyRange = { min: -2, max: 2, step: 0.1 } as const;

function Penalty(props: FieldProps) {
  const { session, view, name } = props;
  const text = session.form.value?.[name].trim() ?? '';
  const typed = Number(text);
  return (
    <div class="completion-penalty">
      <Field {...props} />
      <input
        type="range"
        class={text === '' ? 'completion-slider completion-slider-unset' : 'completion-slider'}
        {...penaltyRange}
        value={Number.isFinite(typed) ? typed : 0}
        disabled={view.isBroken}
        aria-label={l10n.t('{0}, slider', name)}
        onInput={({ currentTarget }) => session.edit({ [name]: currentTarget.value })}
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
        hint: l10n.t('An answer ends where one occurs. Write a line break as \\n, a tab as \\t.'),
        entry: (number) => l10n.t('Stop sequence {0}', number),
        add: l10n.t('Add a stop sequence'),
        remove: (entry) => l10n.t('Remove stop sequence {0}', entry),
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

function Probabilities(tab: TabProps) {
  const { session } = tab;
  const id = useId();
  const isOn = (session.form.value?.logprobs ?? '') !== '';
  return (
    <div class="completion-probabilities">
      <label class="check">
        <input
          type="checkbox"
          checked={isOn}
          disabled={tab.view.isBroken}
          aria-describedby={`${id}-hint`}
          onChange={({ currentTarget }) => session.edit({ logprobs: currentTarget.checked ? usualAlternatives : '' })}
        />
        {l10n.t('Ask for the probabilities of tokens')}
      </label>
      <span class="parameter-hint" id={`${id}-hint`}>
        {l10n.t('Needed for the view of tokens. The number says how many alternatives each token comes with.')}
      </span>
      {isOn ? (
        <div class="parameters-numbers">
          <Field {...tab} name="logprobs" />
        </div>
      ) : (
        <FieldNote id={`${id}-note`} {...noteOf(tab, 'logprobs')} />
      )}
    </div>
  );
}

function noteOf({ session, view }: TabProps, name: CompletionField): FieldNoteProps {
  const refusal = view.notTaken[name];
  return {
    issue: view.isBroken ? undefined : view.issues[name],
    warning: view.warnings[name],
    refusal: refusal
      ? { text: refusal, again: l10n.t('Send it again'), sendAgain: () => void session.sendAgain(name) }
      : undefined,
  };
}
