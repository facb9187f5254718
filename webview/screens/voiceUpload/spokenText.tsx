import * as l10n from '@vscode/l10n';
import { useSignal } from '@preact/signals';
import type { VoiceUploadView } from '../../../src/protocol/voiceUpload';
import { FieldBelow } from '../../components/fieldBelow';
import { Note } from '../../components/note';
import { isTextLong } from './form';
import type { UploadSession } from './session';

interface SpokenTextProps {
  readonly session: UploadSession;
  readonly view: VoiceUploadView;
}

/** The transcript of the recording; a transcription model can propose it. */
export function SpokenText({ session, view }: SpokenTextProps) {
  const form = session.form.value;
  const isProposed = session.proposal.isShown(form.text);
  return (
    <div class="send-field">
      <label for="sample-text">{l10n.t('Transcript')}</label>
      <textarea
        id="sample-text"
        class="parameter-input sample-text"
        rows={4}
        dir="auto"
        placeholder={l10n.t('e.g. The weather is lovely today.')}
        value={form.text}
        aria-invalid={isTextLong(form)}
        aria-describedby="sample-text-about"
        onInput={({ currentTarget }) => session.change({ text: currentTarget.value })}
      />
      <FieldBelow
        id="sample-text-about"
        fault={isTextLong(form) ? l10n.t('The transcript is too long for a sample.') : undefined}
        aside={view.textTime}
      >
        {isProposed
          ? l10n.t('Review the transcript and fix any mistakes.')
          : l10n.t('The exact words spoken in the recording.')}{' '}
        {isProposed && (
          <button type="button" class="link" onClick={() => session.proposal.undo()}>
            {l10n.t('Undo')}
          </button>
        )}
      </FieldBelow>
      {view.hearingModels.length > 0 && view.sample?.playUri !== undefined && <Propose session={session} view={view} />}
      {view.hearing?.kind === 'failed' && (
        <Note
          tone="error"
          title={view.hearing.error.title}
          detail={view.hearing.error.detail}
          actions={view.hearing.error.actions.filter(({ id }) => id !== 'retry')}
          onAct={(id) => void session.act(id)}
        />
      )}
    </div>
  );
}

function Propose({ session, view: { hearingModels, hearing } }: SpokenTextProps) {
  const chosen = useSignal('');
  const model = hearingModels.includes(chosen.value) ? chosen.value : (hearingModels[0] ?? '');
  if (hearing?.kind === 'running') {
    return (
      <span class="sample-propose">
        <progress class="reading-bar" aria-label={l10n.t('Transcribing recording…')} />
        <span class="send-hint">{l10n.t('Transcribing recording…')}</span>
        <button type="button" class="link" onClick={() => void session.ask('voiceUpload/stopTranscribing', {})}>
          {l10n.t('Stop')}
        </button>
      </span>
    );
  }
  return (
    <span class="sample-propose">
      <button
        type="button"
        class="link"
        title={model}
        onClick={() => void session.ask('voiceUpload/transcribe', { model })}
      >
        {l10n.t('Transcribe Recording')}
      </button>
      {hearingModels.length > 1 && (
        <select
          class="parameter-input sample-hearing"
          aria-label={l10n.t('Transcription model')}
          title={model}
          value={model}
          onChange={({ currentTarget }) => (chosen.value = currentTarget.value)}
        >
          {hearingModels.map((id) => (
            <option value={id} key={id}>
              {id}
            </option>
          ))}
        </select>
      )}
    </span>
  );
}
