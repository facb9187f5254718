import { useId } from 'preact/hooks';
import { longestNote } from '../../../src/protocol/voice';
import { fill } from '../../components/fill';
import type { VoiceProps } from './voiceContext';

/** The user's notes on the voice. */
export function NoteForm({ shown: { session, strings }, view }: VoiceProps) {
  const id = useId();
  const { text, isAllowed } = session.note.value ?? view.note;
  return (
    <section class="voice-section" aria-labelledby="voice-note">
      <h2 id="voice-note">{strings.noteHeading}</h2>
      <div class="parameter">
        <label class="parameter-label" for={id}>
          {strings.noteLabel}
        </label>
        <textarea
          id={id}
          class="parameter-input voice-note"
          rows={2}
          dir="auto"
          maxLength={longestNote}
          placeholder={strings.notePlaceholder}
          aria-describedby={`${id}-hint`}
          value={text}
          onInput={({ currentTarget }) => session.writeNote({ text: currentTarget.value })}
        />
        <label class="check">
          <input
            type="checkbox"
            checked={isAllowed}
            onChange={({ currentTarget }) => session.writeNote({ isAllowed: currentTarget.checked })}
          />
          {strings.noteAllowed}
        </label>
        <span class="parameter-hint" id={`${id}-hint`}>
          {strings.noteAbout} {view.note.writtenAt !== '' && fill(strings.noteWritten, view.note.writtenAt)}
        </span>
      </div>
    </section>
  );
}
