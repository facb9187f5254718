import { DropTarget } from '../../components/dropTarget';
import { fill } from '../../components/fill';
import { Recording } from './recording';
import { SpokenText } from './spokenText';
import type { Upload } from './uploadContext';
import { VoiceFields } from './voiceFields';
import { droppedAddresses } from '../../components/droppedAddresses';
import { droppedFiles, toBase64 } from '../../components/droppedFiles';
import { voiceBounds } from '../../../src/protocol/mediaBounds';
import type { VoiceUploadView, VoiceUploadOutcome } from '../../../src/protocol/voiceUpload';
import { SeverityIcon } from '../../components/severityIcon';
import { SentReceipt } from '../../components/sentReceipt';
import { Note } from '../../components/note';
import { SendButton, SendFooter, SendProgress } from '../../components/sendFooter';

/** The recording to upload, its problems and the fields; after the upload, the outcome. */
export function UploadPage({ upload }: { readonly upload: Upload }) {
  const { session, strings } = upload;
  const view = session.view.value;
  const isDone = view?.outcome?.kind === 'created';
  const drop = (data: DataTransfer) =>
    void readDropped(data).then((dropped) => (dropped ? session.drop(dropped) : undefined));
  return (
    <>
      <div class="send-body">
        <div class="send-column">
          <header class="send-head">
            <h1 class="send-title" dir="auto">
              {fill(isDone ? '{0}' : strings.heading, view?.fileName ?? '')}
            </h1>
            <p class="send-place sample-place">
              {view?.sample && view.sample.place !== view.fileName && <bdi>{view.sample.place}</bdi>}
              {view && !isDone && !view.progress && <FileLinks upload={upload} hasFile={view.fileName !== ''} />}
            </p>
          </header>
          {isDone && <Receipt upload={upload} outcome={view.outcome} />}
          {view && <Recording upload={upload} view={view} />}
          {view && !isDone && (
            <>
              <Checks upload={upload} view={view} />
              <section class="send-section" aria-labelledby="voice-heading">
                <h2 id="voice-heading">{strings.voice}</h2>
                <SpokenText upload={upload} view={view} />
                <VoiceFields upload={upload} />
              </section>
              <NoteFields upload={upload} />
            </>
          )}
        </div>
      </div>
      {!isDone && <SendBar upload={upload} />}
      {view && !isDone && !view.progress && <DropTarget icon="mic" text={strings.dropHere} onDrop={drop} />}
    </>
  );
}

function FileLinks({ upload: { session, strings }, hasFile }: { readonly upload: Upload; readonly hasFile: boolean }) {
  return (
    <span class="sample-links">
      <button type="button" class="link" onClick={() => void session.ask('choose')}>
        {strings.chooseOther}
      </button>
      {hasFile && (
        <button type="button" class="link" onClick={() => void session.ask('readAgain')}>
          {strings.readAgain}
        </button>
      )}
    </span>
  );
}

/** A larger file is not a voice sample; the host has the same limit for files it reads. */
const mostBytes = 50_000_000;

/** Returns the URL of the first dropped file, else its content; `undefined` if there is none. Call it while handling the drop. */
async function readDropped(
  data: DataTransfer,
): Promise<{ readonly uri: string } | { readonly name: string; readonly base64: string } | undefined> {
  const [uri] = droppedAddresses(data);
  if (uri !== undefined) return { uri };
  const [{ file } = {}] = droppedFiles(data, 1);
  if (!file) return undefined;
  const name = file.name.slice(-200) || '?';
  // A file that is too large is read only as far as the host needs to see that. A folder cannot be read.
  return { name, base64: await toBase64(file.slice(0, mostBytes + 1)).catch(() => '') };
}

/** The problems found in the recording and its transcript. */
function Checks({ upload: { strings }, view }: { readonly upload: Upload; readonly view: VoiceUploadView }) {
  if (view.state !== 'ready') return null;
  const { findings } = view;
  return (
    <section class="send-section" aria-labelledby="checks-heading">
      <h2 id="checks-heading">{strings.checks}</h2>
      <ul class="sample-findings">
        {findings.map(({ severity, text }) => (
          <li key={text}>
            <SeverityIcon kind={severity} />
            <span class="spoken">{strings[severity]}</span>
            <span class="sample-finding">{text}</span>
          </li>
        ))}
        {findings.length === 0 && (
          <li>
            <SeverityIcon kind="good" />
            <span class="sample-finding">{strings.noFindings}</span>
          </li>
        )}
      </ul>
    </section>
  );
}

interface ReceiptProps {
  readonly upload: Upload;
  readonly outcome: VoiceUploadOutcome;
}

/** Shown once the voice exists: its URI and further actions. */
function Receipt({ upload: { session, strings }, outcome }: ReceiptProps) {
  return (
    <SentReceipt
      sign="good"
      title={outcome.title}
      detail={outcome.detail}
      actions={outcome.actions}
      onAct={(id) => void session.act(id)}
      trouble={session.trouble.value}
    >
      <dl class="sample-uri">
        <dt class="send-muted">{strings.uri}</dt>
        <dd>
          <code>{outcome.uri}</code>
        </dd>
      </dl>
    </SentReceipt>
  );
}

/** Whose voice it is: a note for the user, stored on this machine. */
function NoteFields({ upload: { session, strings } }: { readonly upload: Upload }) {
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

const tones = { created: 'info', named: 'info', unknown: 'warning', failed: 'error' } as const;

/** The upload button, with the obstacle, the progress, or the error. */
function SendBar({ upload }: { readonly upload: Upload }) {
  const { session, strings } = upload;
  const view = session.view.value;
  const trouble = session.trouble.value;
  const progress = view?.progress;
  const outcome = progress ? undefined : view?.outcome;
  const act = (id: string) => {
    // Handled here, because the name field is on this page.
    if (id === 'changeName') document.querySelector<HTMLInputElement>('#sample-name')?.select();
    void session.act(id);
  };
  return (
    <SendFooter>
      {outcome && (
        <Note
          tone={tones[outcome.kind]}
          title={outcome.title}
          detail={outcome.detail}
          actions={outcome.actions}
          onAct={act}
        />
      )}
      {trouble && <Note tone="error" {...trouble} onAct={act} />}
      {progress && <SendProgress {...progress} cancel={strings.cancel} onCancel={() => void session.ask('stop')} />}
      {view && !progress && outcome?.kind !== 'unknown' && <Ready upload={upload} />}
    </SendFooter>
  );
}

function Ready({ upload: { session, strings } }: { readonly upload: Upload }) {
  const obstacle = session.obstacle.value;
  const account = session.view.value?.account?.text ?? '';
  return (
    <SendButton
      label={strings.upload}
      about={obstacle === undefined ? fill(strings.willSend, account) : strings[obstacle]}
      disabled={obstacle !== undefined}
      onSend={() => void session.send()}
    />
  );
}
