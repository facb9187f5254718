import type { SubmitView } from '../../../src/protocol/batchSubmit';
import { uploadOf } from './form';
import type { Submit } from './submitContext';

/** Offers to reuse earlier uploads of the same content; nothing if there are none. */
export function Uploads({ submit, view: { uploads } }: { readonly submit: Submit; readonly view: SubmitView }) {
  const { session, strings } = submit;
  if (uploads.length === 0) return null;
  const chosen = uploadOf(session.form.value, uploads) ?? '';
  const choice = (id: string, label: string, text: string, doubt?: string) => (
    <label class="check send-choice" key={id}>
      <input type="radio" name="upload" checked={chosen === id} onChange={() => session.change({ upload: id })} />
      <span>
        {label}
        {text && <span class="send-hint">{text}</span>}
        {doubt && <span class="send-hint submit-doubt">{doubt}</span>}
      </span>
    </label>
  );
  return (
    <div class="send-section" role="radiogroup" aria-labelledby="uploads-heading">
      <h2 id="uploads-heading">{strings.uploadsHeading}</h2>
      {uploads.map(({ id, text, doubt }) => choice(id, strings.useUpload, text, doubt))}
      {choice('', strings.uploadAnew, '')}
    </div>
  );
}
