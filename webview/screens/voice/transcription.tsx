import * as l10n from '@vscode/l10n';
import { useId } from 'preact/hooks';
import { ComboBox } from '../../components/comboBox';
import type { VoiceProps } from './session';
import { Notice } from './notice';

/** Transcribes a recording. */
export function Transcription({ session, view }: VoiceProps) {
  const { transcribing, transcriptTrouble } = view;
  const id = useId();
  return (
    <section class="voice-section" aria-labelledby="voice-transcribe">
      <h2 id="voice-transcribe">{l10n.t('Transcribe')}</h2>
      <p class="voice-muted" id={`${id}-about`}>
        {l10n.t('Writes down what is said in a recording or a take, up to an hour and 50 MB.')}
      </p>
      <div class="parameter">
        <label class="parameter-label" for={id}>
          {l10n.t('Model for transcription')}
        </label>
        <ComboBox
          id={id}
          value={session.transcriptionModel.value ?? view.transcriptionModel}
          items={view.transcriptionModels}
          words={{
            show: l10n.t('Show the models'),
            noMatch: l10n.t('No model fits'),
            placeholder: l10n.t('Choose a model'),
          }}
          describedBy={`${id}-about`}
          onOpen={() => {}}
          onChange={(model) => (session.transcriptionModel.value = model)}
        />
      </div>
      <div class="voice-run">
        {transcribing === undefined ? (
          <vscode-button key="choose" appearance="secondary" onClick={() => session.transcribe()}>
            {l10n.t('Choose a recording…')}
          </vscode-button>
        ) : (
          <>
            <vscode-button appearance="secondary" onClick={() => session.stopTranscribing()}>
              {l10n.t('Stop')}
            </vscode-button>
            <span class="voice-muted voice-progress">
              <vscode-progress-ring aria-label={l10n.t('Transcribe')} />
              {transcribing}
            </span>
          </>
        )}
      </div>
      <Notice notice={transcriptTrouble} onAct={(action) => session.act(action)} />
      <Transcript session={session} view={view} />
    </section>
  );
}

function Transcript({ session, view: { transcript } }: VoiceProps) {
  if (!transcript) return null;
  return (
    <figure class="voice-transcript">
      <figcaption>
        {l10n.t('What is said in {0}', transcript.name)}
        <span class="voice-muted">{transcript.facts}</span>
      </figcaption>
      <blockquote dir="auto" tabIndex={0} aria-label={l10n.t('What is said in {0}', transcript.name)}>
        {transcript.text || l10n.t('No words were heard.')}
      </blockquote>
      <div class="voice-links">
        <button type="button" class="link" onClick={() => session.doWithTranscript('copy')}>
          {l10n.t('Copy')}
        </button>
        <button type="button" class="link" onClick={() => session.doWithTranscript('insert')}>
          {l10n.t('Insert at the cursor')}
        </button>
        <button type="button" class="link" onClick={() => session.doWithTranscript('open')}>
          {l10n.t('Open as a document')}
        </button>
        <button type="button" class="link" onClick={() => session.doWithTranscript('dismiss')}>
          {l10n.t('Put away')}
        </button>
      </div>
    </figure>
  );
}
