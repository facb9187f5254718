import * as l10n from '@vscode/l10n';
import type { VoiceField } from '../../../src/protocol/voice';
import { ComboBox } from '../../components/comboBox';
import { FieldNote, Parameter } from '../../components/parameter';
import { ChoiceField, NumberField } from '../../components/parameterFields';
import { LastCost } from '../../components/lastCost';
import { isSendKey } from '../../components/sendOnce';
import type { FieldNoteProps } from '../../components/parameter';
import type { VoiceProps } from './session';
import { Notice } from './notice';

const formats = ['mp3', 'opus', 'wav', 'pcm'] as const;

/** The text to speak, and the parameters. */
export function SpeakForm(props: VoiceProps) {
  const { session } = props;
  const { view } = props;
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isSendKey(event)) return;
    event.preventDefault();
    if (mayTry(props)) void session.speak();
  };
  return (
    <section class="voice-section" aria-labelledby="voice-try" onKeyDown={onKeyDown}>
      <h2 id="voice-try">{l10n.t('Generate speech')}</h2>
      <Parameter
        label={l10n.t('Text')}
        hint={view.hints.input ?? ''}
        note={noteOf(props, 'input')}
        control={(id, describedBy) => (
          <textarea
            id={id}
            class="parameter-input voice-text"
            rows={4}
            dir="auto"
            placeholder={l10n.t('e.g. Welcome to our store. How can I help?')}
            aria-describedby={describedBy}
            value={session.form.value.input}
            onInput={({ currentTarget }) => session.edit({ input: currentTarget.value })}
          />
        )}
      />
      <Model {...props} />
      <div class="parameters-numbers voice-parameters">
        <Format {...props} />
        <Rate {...props} />
        <Numeric {...props} name="speed" />
        <Numeric {...props} name="gain" />
      </div>
      <Stream {...props} />
      <SpeakBar {...props} />
      <Notice notice={view.outcome} onAct={(action) => void session.ask('voice/act', { id: action })} />
    </section>
  );
}

/** Also true if the host has not received the typed text yet, because its obstacle then refers to an older text. */
function mayTry({ session, view }: VoiceProps): boolean {
  return (
    view.canSpeak &&
    view.speaking === undefined &&
    (view.obstacle === '' || session.form.value.input !== view.form.input)
  );
}

function SpeakBar(props: VoiceProps) {
  const { session } = props;
  const { speaking, canSpeak, obstacle, price } = props.view;
  if (speaking !== undefined) {
    return (
      <div class="voice-run" key="running">
        <vscode-button appearance="secondary" onClick={() => session.stop()}>
          {l10n.t('Stop')}
        </vscode-button>
        <span class="voice-muted voice-progress">
          <vscode-progress-ring aria-label={l10n.t('Generate speech')} />
          {speaking}
        </span>
      </div>
    );
  }
  const isReady = canSpeak && obstacle === '';
  return (
    // The key creates a new control, because an existing one retains properties that are not set again, such as `disabled`.
    <div class="voice-run" key="ready">
      <vscode-button
        appearance="primary"
        disabled={!isReady}
        title={l10n.t('Generate Speech (Ctrl+Enter)')}
        aria-describedby="voice-obstacle"
        onClick={() => isReady && void session.speak()}
      >
        {l10n.t('Generate Speech')}
      </vscode-button>
      <span class="voice-muted" id="voice-obstacle">
        {canSpeak && obstacle}
        {price && <LastCost cost={price} />}
      </span>
    </div>
  );
}

function Model(props: VoiceProps) {
  const { session } = props;
  const { models, defaultModel } = props.view;
  return (
    <Parameter
      label="model"
      note={noteOf(props, 'model')}
      control={(id, describedBy) => (
        <ComboBox
          id={id}
          value={session.form.value.model}
          items={models}
          words={{
            show: l10n.t('Show Models'),
            noMatch: l10n.t('No matches.'),
            placeholder: defaultModel || l10n.t('Select a model'),
          }}
          describedBy={describedBy}
          onOpen={() => {}}
          onChange={(model) => session.edit({ model })}
        />
      )}
    />
  );
}

function Format(props: VoiceProps) {
  const { session } = props;
  const { response_format } = session.form.value;
  return (
    <ChoiceField
      label="response_format"
      value={response_format}
      choices={[
        { value: '', label: l10n.t('Service default') },
        ...formats.map((format) => ({ value: format, label: format })),
      ]}
      hint={(response_format === '' && props.view.hints.response_format) || ''}
      note={noteOf(props, 'response_format')}
      onChoose={(chosen) => session.edit({ response_format: chosen })}
    />
  );
}

function Rate(props: VoiceProps) {
  const { session } = props;
  return (
    <Parameter
      label="sample_rate"
      note={noteOf(props, 'sample_rate')}
      control={(id, describedBy) => (
        <ComboBox
          id={id}
          value={session.form.value.sample_rate}
          items={props.view.rates.map((rate) => ({ id: rate, name: rate, detail: '', group: '' }))}
          words={{
            show: l10n.t('Show Sample Rates'),
            noMatch: l10n.t('No matches.'),
            placeholder: l10n.t('Service default'),
          }}
          describedBy={describedBy}
          onOpen={() => {}}
          onChange={(sample_rate) => session.edit({ sample_rate })}
        />
      )}
    />
  );
}

function Numeric({ name, ...props }: VoiceProps & { readonly name: 'speed' | 'gain' }) {
  const { session } = props;
  return (
    <NumberField
      label={name}
      value={session.form.value[name]}
      placeholder={l10n.t('Service default')}
      hint={props.view.hints[name] ?? ''}
      note={noteOf(props, name)}
      onInput={(value) => session.edit({ [name]: value })}
    />
  );
}

function Stream(props: VoiceProps) {
  const { session } = props;
  return (
    <div class="parameter">
      <label class="check">
        <input
          type="checkbox"
          checked={session.form.value.stream}
          onChange={({ currentTarget }) => session.edit({ stream: currentTarget.checked })}
        />
        {l10n.t('Stream the audio (stream)')}
      </label>
      <FieldNote id="voice-stream-note" {...noteOf(props, 'stream')} />
    </div>
  );
}

function noteOf({ view }: VoiceProps, field: VoiceField): FieldNoteProps {
  return { issue: view.issues[field], warning: view.warnings[field] };
}
