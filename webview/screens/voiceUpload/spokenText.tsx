import { useSignal } from '@preact/signals';
import type { VoiceUploadView } from '../../../src/protocol/voiceUpload';
import { FieldBelow } from '../../components/fieldBelow';
import { Note } from '../../components/note';
import { isTextLong } from './form';
import type { Upload } from './uploadContext';

interface SpokenTextProps {
  readonly upload: Upload;
  readonly view: VoiceUploadView;
}

/** The transcript of the recording; a transcription model can propose it. */
export function SpokenText({ upload, view }: SpokenTextProps) {
  const { session, strings } = upload;
  const form = session.form.value;
  const isProposed = session.proposal.isShown(form.text);
  return (
    <div class="send-field">
      <label for="sample-text">{strings.text}</label>
      <textarea
        id="sample-text"
        class="parameter-input sample-text"
        rows={4}
        dir="auto"
        placeholder={strings.textPlaceholder}
        value={form.text}
        aria-invalid={isTextLong(form)}
        aria-describedby="sample-text-about"
        onInput={({ currentTarget }) => session.change({ text: currentTarget.value })}
      />
      <FieldBelow id="sample-text-about" fault={isTextLong(form) ? strings.textLong : undefined} aside={view.textTime}>
        {isProposed ? strings.proposed : strings.textHint}{' '}
        {isProposed && (
          <button type="button" class="link" onClick={() => session.proposal.undo()}>
            {strings.undo}
          </button>
        )}
      </FieldBelow>
      {view.hearingModels.length > 0 && view.sample?.playUri !== undefined && <Propose upload={upload} view={view} />}
      {view.hearing?.kind === 'failed' && (
        <Note
          tone="error"
          title={view.hearing.trouble.title}
          detail={view.hearing.trouble.detail}
          actions={view.hearing.trouble.actions.filter(({ id }) => id !== 'retry')}
          onAct={(id) => void session.act(id)}
        />
      )}
    </div>
  );
}

function Propose({ upload: { session, strings }, view: { hearingModels, hearing } }: SpokenTextProps) {
  const chosen = useSignal('');
  const model = hearingModels.includes(chosen.value) ? chosen.value : (hearingModels[0] ?? '');
  if (hearing?.kind === 'running') {
    return (
      <span class="sample-propose">
        <progress class="reading-bar" aria-label={strings.proposing} />
        <span class="send-hint">{strings.proposing}</span>
        <button type="button" class="link" onClick={() => void session.ask('stopTranscribing')}>
          {strings.stopProposing}
        </button>
      </span>
    );
  }
  return (
    <span class="sample-propose">
      <button type="button" class="link" title={model} onClick={() => void session.listen(model)}>
        {strings.propose}
      </button>
      {hearingModels.length > 1 && (
        <select
          class="parameter-input sample-hearing"
          aria-label={strings.proposeWith}
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
