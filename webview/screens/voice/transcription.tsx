import { useId } from 'preact/hooks';
import { ComboBox } from '../../components/comboBox';
import { fill } from '../../components/fill';
import type { VoiceProps } from './voiceContext';
import { Notice } from './notice';

/** Transcribes a recording. */
export function Transcription({ shown, view }: VoiceProps) {
  const { session, strings } = shown;
  const { transcribing, transcriptTrouble } = view;
  const id = useId();
  return (
    <section class="voice-section" aria-labelledby="voice-transcribe">
      <h2 id="voice-transcribe">{strings.transcribeHeading}</h2>
      <p class="voice-muted" id={`${id}-about`}>
        {strings.transcribeAbout}
      </p>
      <div class="parameter">
        <label class="parameter-label" for={id}>
          {strings.transcriptionModel}
        </label>
        <ComboBox
          id={id}
          value={session.transcriptionModel.value ?? view.transcriptionModel}
          items={view.transcriptionModels}
          words={{ show: strings.showModels, noMatch: strings.noModels, placeholder: strings.modelPlaceholder }}
          describedBy={`${id}-about`}
          onOpen={() => {}}
          onChange={(model) => (session.transcriptionModel.value = model)}
        />
      </div>
      <div class="voice-run">
        {transcribing === undefined ? (
          <vscode-button key="choose" appearance="secondary" onClick={() => session.transcribe()}>
            {strings.transcribeFile}
          </vscode-button>
        ) : (
          <>
            <vscode-button appearance="secondary" onClick={() => session.stopTranscribing()}>
              {strings.stop}
            </vscode-button>
            <span class="voice-muted voice-progress">
              <vscode-progress-ring aria-label={strings.transcribeHeading} />
              {transcribing}
            </span>
          </>
        )}
      </div>
      <Notice notice={transcriptTrouble} onAct={(action) => session.act(action)} />
      <Transcript shown={shown} view={view} />
    </section>
  );
}

function Transcript({ shown: { session, strings }, view: { transcript } }: VoiceProps) {
  if (!transcript) return null;
  return (
    <figure class="voice-transcript">
      <figcaption>
        {fill(strings.transcript, transcript.name)}
        <span class="voice-muted">{transcript.facts}</span>
      </figcaption>
      <blockquote dir="auto" tabIndex={0} aria-label={fill(strings.transcript, transcript.name)}>
        {transcript.text || strings.transcriptEmpty}
      </blockquote>
      <div class="voice-links">
        <button type="button" class="link" onClick={() => session.doWithTranscript('copy')}>
          {strings.copy}
        </button>
        <button type="button" class="link" onClick={() => session.doWithTranscript('insert')}>
          {strings.insert}
        </button>
        <button type="button" class="link" onClick={() => session.doWithTranscript('open')}>
          {strings.open}
        </button>
        <button type="button" class="link" onClick={() => session.doWithTranscript('dismiss')}>
          {strings.dismiss}
        </button>
      </div>
    </figure>
  );
}
