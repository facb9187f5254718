import { useSignal } from '@preact/signals';
import { render } from 'preact';
import { createAnnouncer } from '../../components/announcer';
import '../../components/parameters.css';
import '../../components/sendPage.css';
import '../../components/sendFields.css';
import type { Host } from '../../host';
import { UploadSession } from './session';
import * as l10n from '@vscode/l10n';
import { DropTarget } from '../../components/dropTarget';
import { Recording } from './recording';
import { type Obstacle, nameFault, type NameFault, isTextLong } from './form';
import { droppedAddresses } from '../../components/droppedAddresses';
import { droppedFiles, toBase64 } from '../../components/droppedFiles';
import { voiceBounds } from '../../../src/protocol/mediaBounds';
import type {
  VoiceUploadFinding,
  VoiceUploadOutcome,
  VoiceUploadView,
  VoiceUploadScreen,
} from '../../../src/protocol/voiceUpload';
import { SeverityIcon } from '../../components/severityIcon';
import { SentReceipt } from '../../components/sentReceipt';
import { Note } from '../../components/note';
import { SendButton, SendFooter, SendProgress } from '../../components/sendFooter';
import { ComboBox } from '../../components/comboBox';
import { FieldBelow } from '../../components/fieldBelow';
import './voiceUpload.css';
import './fields.css';

export function mountVoiceUpload(root: HTMLElement, host: Host<VoiceUploadScreen>): void {
  const page = document.createElement('main');
  page.className = 'send-page sample';
  root.append(page);
  const announcer = createAnnouncer(root);
  const session = new UploadSession(host, (text) => announcer.say(text));
  host.on('voiceUpload/changed', (view) => session.show(view));
  render(<UploadPage session={session} />, page);
  void session.start();
}

/** The recording to upload, its problems and the fields; after the upload, the outcome. */
function UploadPage({ session }: { readonly session: UploadSession }) {
  const view = session.view.value;
  const isDone = view?.outcome?.kind === 'created';
  const drop = (data: DataTransfer) =>
    void readDropped(data).then((dropped) => (dropped ? session.ask('voiceUpload/drop', dropped) : undefined));
  return (
    <>
      <div class="send-body">
        <div class="send-column">
          <header class="send-head">
            <h1 class="send-title" dir="auto">
              {isDone ? view.fileName : l10n.t('Upload {0}', view?.fileName ?? '')}
            </h1>
            <p class="send-place sample-place">
              {view?.sample && view.sample.place !== view.fileName && <bdi>{view.sample.place}</bdi>}
              {view && !isDone && !view.progress && <FileLinks session={session} hasFile={view.fileName !== ''} />}
            </p>
          </header>
          {isDone && <Receipt session={session} outcome={view.outcome} />}
          {view && <Recording session={session} view={view} />}
          {view && !isDone && (
            <>
              <Checks view={view} />
              <section class="send-section" aria-labelledby="voice-heading">
                <h2 id="voice-heading">{l10n.t('Voice')}</h2>
                <SpokenText session={session} view={view} />
                <VoiceFields session={session} />
              </section>
              <NoteFields session={session} />
            </>
          )}
        </div>
      </div>
      {!isDone && <SendBar session={session} />}
      {view && !isDone && !view.progress && (
        <DropTarget icon="mic" text={l10n.t('Drop a recording to use it as the sample')} onDrop={drop} />
      )}
    </>
  );
}

function FileLinks({ session, hasFile }: { readonly session: UploadSession; readonly hasFile: boolean }) {
  return (
    <span class="sample-links">
      <button type="button" class="link" onClick={() => void session.ask('voiceUpload/choose', {})}>
        {l10n.t('Choose Another File')}
      </button>
      {hasFile && (
        <button type="button" class="link" onClick={() => void session.ask('voiceUpload/readAgain', {})}>
          {l10n.t('Reload')}
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
function Checks({ view }: { readonly view: VoiceUploadView }) {
  if (view.state !== 'ready') return null;
  const { findings } = view;
  return (
    <section class="send-section" aria-labelledby="checks-heading">
      <h2 id="checks-heading">{l10n.t('Checks')}</h2>
      <ul class="sample-findings">
        {findings.map(({ severity, text }) => (
          <li key={text}>
            <SeverityIcon kind={severity} />
            <span class="spoken">{severityText(severity)}</span>
            <span class="sample-finding">{text}</span>
          </li>
        ))}
        {findings.length === 0 && (
          <li>
            <SeverityIcon kind="good" />
            <span class="sample-finding">{l10n.t('No problems found.')}</span>
          </li>
        )}
      </ul>
    </section>
  );
}

function severityText(severity: VoiceUploadFinding['severity']): string {
  switch (severity) {
    case 'error':
      return l10n.t('Error');
    case 'warning':
      return l10n.t('Warning');
    case 'hint':
      return l10n.t('Hint');
  }
}

interface ReceiptProps {
  readonly session: UploadSession;
  readonly outcome: VoiceUploadOutcome;
}

/** Shown once the voice exists: its URI and further actions. */
function Receipt({ session, outcome }: ReceiptProps) {
  return (
    <SentReceipt
      sign="good"
      title={outcome.title}
      detail={outcome.detail}
      actions={outcome.actions}
      onAct={(id) => void session.act(id)}
      error={session.error.value}
    >
      <dl class="sample-uri">
        <dt class="send-muted">{l10n.t('Voice URI')}</dt>
        <dd>
          <code>{outcome.uri}</code>
        </dd>
      </dl>
    </SentReceipt>
  );
}

/**
 * The owner of the voice and the user's consent, stored on this machine. Both are required, and marked once they are all that is missing,
 * because an empty page has no errors.
 */
function NoteFields({ session }: { readonly session: UploadSession }) {
  const form = session.form.value;
  const obstacle = session.obstacle.value;
  const [needsOwner, needsConsent] = [obstacle === 'needsOwner', obstacle === 'needsConsent'];
  return (
    <section class="send-section" aria-labelledby="notes-heading">
      <h2 id="notes-heading">{l10n.t('Consent and source')}</h2>
      <div class="send-field">
        <label for="sample-note">{l10n.t('Voice owner and permission')}</label>
        <textarea
          id="sample-note"
          class="parameter-input parameter-text"
          rows={2}
          dir="auto"
          maxLength={voiceBounds.note}
          placeholder={l10n.t('e.g. my own voice')}
          value={form.note}
          required
          aria-invalid={needsOwner}
          aria-describedby="sample-note-about"
          onInput={({ currentTarget }) => session.change({ note: currentTarget.value })}
        />
        <FieldBelow id="sample-note-about" fault={needsOwner ? obstacleText('needsOwner') : undefined}>
          {l10n.t('Stored on this machine. Never sent.')}
        </FieldBelow>
      </div>
      <div class="send-field">
        <label class="check send-choice">
          <input
            type="checkbox"
            required
            checked={form.isAllowed}
            aria-invalid={needsConsent}
            aria-describedby="sample-consent-about"
            onChange={({ currentTarget }) => session.change({ isAllowed: currentTarget.checked })}
          />
          <span>{l10n.t('I have permission to use this voice')}</span>
        </label>
        <FieldBelow id="sample-consent-about" fault={needsConsent ? obstacleText('needsConsent') : undefined}>
          {l10n.t("Requires the voice owner's permission.")}
        </FieldBelow>
      </div>
    </section>
  );
}

const tones = { created: 'info', named: 'info', unknown: 'warning', failed: 'error' } as const;

/** The upload button, with the obstacle, the progress, or the error. */
function SendBar({ session }: { readonly session: UploadSession }) {
  const view = session.view.value;
  const error = session.error.value;
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
      {error && <Note tone="error" {...error} onAct={act} />}
      {progress && (
        <SendProgress
          {...progress}
          cancel={l10n.t('Cancel')}
          onCancel={() => void session.ask('voiceUpload/stop', {})}
        />
      )}
      {view && !progress && outcome?.kind !== 'unknown' && <Ready session={session} />}
    </SendFooter>
  );
}

function Ready({ session }: { readonly session: UploadSession }) {
  const obstacle = session.obstacle.value;
  const account = session.view.value?.account?.text ?? '';
  return (
    <SendButton
      label={l10n.t('Upload Voice')}
      about={obstacle === undefined ? l10n.t('Sent to {0}', account) : obstacleText(obstacle)}
      disabled={obstacle !== undefined}
      onSend={() => void session.send()}
    />
  );
}

function obstacleText(obstacle: Obstacle): string {
  switch (obstacle) {
    case 'needsSignIn':
      return l10n.t('Sign in first.');
    case 'needsSample':
      return l10n.t('Choose a recording.');
    case 'needsMending':
      return l10n.t('Fix the errors in the recording.');
    case 'needsText':
      return l10n.t('Enter the transcript.');
    case 'needsName':
      return l10n.t('Enter a name.');
    case 'needsModel':
      return l10n.t('Select a model.');
    case 'needsFields':
      return l10n.t('Fix the highlighted fields.');
    case 'needsOwner':
      return l10n.t('Enter the owner of the voice.');
    case 'needsConsent':
      return l10n.t('Confirm that you have permission to use this voice.');
  }
}

/** The voice's name, its model, and how it is sent. */
function VoiceFields({ session }: { readonly session: UploadSession }) {
  const form = session.form.value;
  const fault = nameFault(form);
  return (
    <>
      <div class="send-field">
        <label for="sample-name">{l10n.t('Name')}</label>
        <input
          id="sample-name"
          class="parameter-input"
          type="text"
          autocomplete="off"
          spellcheck={false}
          dir="auto"
          value={form.name}
          aria-invalid={fault !== undefined}
          aria-describedby="sample-name-about"
          onInput={({ currentTarget }) => session.change({ name: currentTarget.value })}
        />
        <FieldBelow id="sample-name-about" fault={fault && nameFaultText(fault)}>
          {l10n.t('Part of the URI. Up to 64 characters, no colons.')}
        </FieldBelow>
      </div>
      <div class="send-field">
        <label for="sample-model">{l10n.t('Model')}</label>
        <ComboBox
          id="sample-model"
          value={form.model}
          items={session.models.value}
          words={{
            show: l10n.t('Show Models'),
            noMatch: l10n.t('No matches. You can enter any model ID.'),
            placeholder: l10n.t('Select or enter a model'),
          }}
          describedBy="sample-model-about"
          onOpen={() => void session.loadModels()}
          onChange={(model) => session.change({ model })}
        />
        <FieldBelow id="sample-model-about" fault={undefined}>
          {l10n.t('The voice works only with this model.')}
        </FieldBelow>
      </div>
      <Way session={session} />
    </>
  );
}

function Way({ session }: { readonly session: UploadSession }) {
  const { way } = session.form.value;
  const choice = (value: typeof way, label: string, hint: string) => (
    <label class="check send-choice">
      <input type="radio" name="way" checked={way === value} onChange={() => session.change({ way: value })} />
      <span>
        {label}
        <span class="send-hint">{hint}</span>
      </span>
    </label>
  );
  return (
    <fieldset class="send-field">
      <legend>{l10n.t('Upload format')}</legend>
      {choice('file', l10n.t('File'), l10n.t('Recommended.'))}
      {choice(
        'base64',
        l10n.t('Base64 in JSON'),
        l10n.t('Increases the size by a third. Use it for services without form uploads.'),
      )}
    </fieldset>
  );
}

function nameFaultText(fault: NameFault): string {
  return fault === 'nameColon'
    ? l10n.t("The name can't contain a colon.")
    : l10n.t("The name can't be longer than 64 characters.");
}

interface SpokenTextProps {
  readonly session: UploadSession;
  readonly view: VoiceUploadView;
}

/** The transcript of the recording; a transcription model can propose it. */
function SpokenText({ session, view }: SpokenTextProps) {
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
