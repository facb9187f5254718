import type { VoiceField } from '../../../src/protocol/voice';
import { ComboBox } from '../../components/comboBox';
import { FieldNote, Parameter } from '../../components/parameter';
import { ChoiceField, NumberField } from '../../components/parameterFields';
import { LastCost } from '../../components/lastCost';
import { isSendKey } from '../../components/sendOnce';
import type { FieldNoteProps } from '../../components/parameter';
import type { VoiceProps } from './voiceContext';
import { Notice } from './notice';

const formats = ['mp3', 'opus', 'wav', 'pcm'] as const;

/** The text to speak, and the parameters. */
export function SpeakForm(props: VoiceProps) {
  const { session, strings } = props.shown;
  const { view } = props;
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isSendKey(event)) return;
    event.preventDefault();
    if (mayTry(props)) void session.speak();
  };
  return (
    <section class="voice-section" aria-labelledby="voice-try" onKeyDown={onKeyDown}>
      <h2 id="voice-try">{strings.tryHeading}</h2>
      <Parameter
        label={strings.text}
        hint={view.hints.input ?? ''}
        note={noteOf(props, 'input')}
        control={(id, describedBy) => (
          <textarea
            id={id}
            class="parameter-input voice-text"
            rows={4}
            dir="auto"
            placeholder={strings.textPlaceholder}
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
      <Notice notice={view.said} onAct={(action) => session.act(action)} />
    </section>
  );
}

/** Also true if the host has not received the typed text yet, because its obstacle then refers to an older text. */
function mayTry({ shown: { session }, view }: VoiceProps): boolean {
  return view.speaking === undefined && (view.obstacle === '' || session.form.value.input !== view.form.input);
}

function SpeakBar(props: VoiceProps) {
  const { session, strings } = props.shown;
  const { speaking, obstacle, lastCost } = props.view;
  if (speaking !== undefined) {
    return (
      <div class="voice-run" key="running">
        <vscode-button appearance="secondary" onClick={() => session.stop()}>
          {strings.stop}
        </vscode-button>
        <span class="voice-muted voice-progress">
          <vscode-progress-ring aria-label={strings.tryHeading} />
          {speaking}
        </span>
      </div>
    );
  }
  const isReady = obstacle === '';
  return (
    // The key creates a new control, because an existing one retains properties that are not set again, such as `disabled`.
    <div class="voice-run" key="ready">
      <vscode-button
        appearance="primary"
        disabled={!isReady}
        title={strings.speakHint}
        aria-describedby="voice-obstacle"
        onClick={() => isReady && void session.speak()}
      >
        {strings.speak}
      </vscode-button>
      <span class="voice-muted" id="voice-obstacle">
        {obstacle}
        {lastCost && <LastCost cost={lastCost} />}
      </span>
    </div>
  );
}

function Model(props: VoiceProps) {
  const { session, strings } = props.shown;
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
            show: strings.showModels,
            noMatch: strings.noModels,
            placeholder: defaultModel || strings.modelPlaceholder,
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
  const { session, strings } = props.shown;
  const { response_format } = session.form.value;
  return (
    <ChoiceField
      label="response_format"
      value={response_format}
      choices={[{ value: '', label: strings.notSet }, ...formats.map((format) => ({ value: format, label: format }))]}
      hint={(response_format === '' && props.view.hints.response_format) || ''}
      note={noteOf(props, 'response_format')}
      onChoose={(chosen) => session.edit({ response_format: chosen })}
    />
  );
}

function Rate(props: VoiceProps) {
  const { session, strings } = props.shown;
  return (
    <Parameter
      label="sample_rate"
      note={noteOf(props, 'sample_rate')}
      control={(id, describedBy) => (
        <ComboBox
          id={id}
          value={session.form.value.sample_rate}
          items={props.view.rates.map((rate) => ({ id: rate, name: rate, detail: '', group: '' }))}
          words={{ show: strings.showRates, noMatch: strings.noRates, placeholder: strings.notSet }}
          describedBy={describedBy}
          onOpen={() => {}}
          onChange={(sample_rate) => session.edit({ sample_rate })}
        />
      )}
    />
  );
}

function Numeric({ name, ...props }: VoiceProps & { readonly name: 'speed' | 'gain' }) {
  const { session, strings } = props.shown;
  return (
    <NumberField
      label={name}
      value={session.form.value[name]}
      placeholder={strings.notSet}
      hint={props.view.hints[name] ?? ''}
      note={noteOf(props, name)}
      onInput={(value) => session.edit({ [name]: value })}
    />
  );
}

function Stream(props: VoiceProps) {
  const { session, strings } = props.shown;
  return (
    <div class="parameter">
      <label class="check">
        <input
          type="checkbox"
          checked={session.form.value.stream}
          onChange={({ currentTarget }) => session.edit({ stream: currentTarget.checked })}
        />
        {strings.stream}
      </label>
      <FieldNote id="voice-stream-note" {...noteOf(props, 'stream')} />
    </div>
  );
}

function noteOf({ view }: VoiceProps, field: VoiceField): FieldNoteProps {
  return { issue: view.issues[field], warning: view.warnings[field] };
}
