import { voiceBounds } from '../../../src/protocol/voiceUpload';
import type { Upload } from './uploadContext';

/** Whose voice it is: a note for the user, stored on this machine. */
export function NoteFields({ upload: { session, strings } }: { readonly upload: Upload }) {
  const form = session.form.value;
  return (
    <section class="send-section" aria-labelledby="notes-heading">
      <h2 id="notes-heading">{strings.notes}</h2>
      <p id="notes-about" class="send-hint sample-notes-hint">
        {strings.notesHint}
      </p>
      <div class="send-field">
        <label for="sample-note">{strings.noteField}</label>
        <textarea
          id="sample-note"
          class="parameter-input parameter-text"
          rows={2}
          dir="auto"
          maxLength={voiceBounds.note}
          placeholder={strings.notePlaceholder}
          value={form.note}
          aria-describedby="notes-about"
          onInput={({ currentTarget }) => session.change({ note: currentTarget.value })}
        />
      </div>
      <label class="check send-choice">
        <input
          type="checkbox"
          checked={form.isAllowed}
          onChange={({ currentTarget }) => session.change({ isAllowed: currentTarget.checked })}
        />
        <span>{strings.isAllowed}</span>
      </label>
    </section>
  );
}
