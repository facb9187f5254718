import * as l10n from '@vscode/l10n';
import '../../components/parameters.css';
import '../../components/sendPage.css';
import '../../components/sendFields.css';
import './batchSubmit.css';
import './fields.css';
import { render } from 'preact';
import type {
  BatchSubmitScreen,
  SubmitView,
  SubmitOutcome,
  SubmitCheck,
  SubmitProblem,
} from '../../../src/protocol/batchSubmit';
import { createAnnouncer } from '../../components/announcer';
import { pageNumber } from '../../components/pageLanguage';
import { SeverityIcon, severityText } from '../../components/severityIcon';
import type { Host } from '../../host';
import { SubmitSession } from './session';
import { SendFacts } from '../../components/sendFacts';
import { Options } from './options';
import { type Obstacle, uploadOf, errorsIn } from './form';
import { SentReceipt } from '../../components/sentReceipt';
import { Note } from '../../components/note';
import { SendButton, SendFooter, SendProgress } from '../../components/sendFooter';

export function mountBatchSubmit(root: HTMLElement, host: Host<BatchSubmitScreen>): void {
  const page = document.createElement('main');
  page.className = 'send-page submit';
  root.append(page);
  const announcer = createAnnouncer(root);
  const session = new SubmitSession(host, (text) => announcer.say(text));
  host.on('submit/changed', (view) => session.show(view));
  render(<SubmitPage session={session} />, page);
  void session.start();
}

/** The file to submit, its problems and the options; after submission, the outcome. */
function SubmitPage({ session }: { readonly session: SubmitSession }) {
  const view = session.view.value;
  if (!view) return <SendBar session={session} />;
  return view.outcome?.kind === 'created' ? (
    <Receipt view={view} outcome={view.outcome} session={session} />
  ) : (
    <>
      <div class="send-body">
        <div class="send-column">
          <Head view={view} heading={view.heading} />
          <SendFacts class="submit-facts" facts={view.facts} label={l10n.t('Batch details')} />
          <CheckSection session={session} view={view} />
          <Uploads session={session} view={view} />
          <Options session={session} view={view} />
        </div>
      </div>
      <SendBar session={session} />
    </>
  );
}

/** Offers to reuse earlier uploads of the same content. Renders nothing without any. */
function Uploads({ session, view: { uploads } }: { readonly session: SubmitSession; readonly view: SubmitView }) {
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
      <h2 id="uploads-heading">{l10n.t('File already uploaded')}</h2>
      {uploads.map(({ id, text, doubt }) => choice(id, l10n.t('Use uploaded file'), text, doubt))}
      {choice('', l10n.t('Upload again'), '')}
    </div>
  );
}

interface ReceiptProps {
  readonly view: SubmitView;
  readonly outcome: SubmitOutcome;
  readonly session: SubmitSession;
}

/** Shown once the batch exists: its details, its state, and further actions. */
function Receipt({ view, outcome, session }: ReceiptProps) {
  return (
    <div class="send-body">
      <div class="send-column">
        <Head view={view} heading={view.name} />
        <SentReceipt
          sign={outcome.isPartial ? 'warning' : 'good'}
          title={outcome.title}
          detail={outcome.detail}
          actions={outcome.actions}
          onAct={(id) => void session.act(id)}
          error={session.error.value}
        >
          <SendFacts class="submit-facts" facts={outcome.facts} label={l10n.t('Batch details')} />
        </SentReceipt>
      </div>
    </div>
  );
}

/** The session button, with the obstacle, the progress, or the error. */
function SendBar({ session }: { readonly session: SubmitSession }) {
  const view = session.view.value;
  const error = session.error.value;
  const progress = view?.progress;
  const outcome = view?.outcome;
  const act = (id: string) => void session.act(id);
  const stop = () => void session.ask('submit/stop', {});
  return (
    <SendFooter>
      {outcome && !progress && (
        <Note
          tone={outcome.kind === 'unknown' ? 'warning' : 'error'}
          title={outcome.title}
          detail={outcome.detail}
          actions={outcome.actions}
          onAct={act}
        />
      )}
      {error && <Note tone="error" {...error} onAct={act} />}
      {progress && (
        <SendProgress {...progress} cancel={l10n.t('Cancel')} onCancel={progress.canStop ? stop : undefined} />
      )}
      {view && !progress && outcome?.kind !== 'unknown' && <Ready session={session} />}
    </SendFooter>
  );
}

function Ready({ session }: { readonly session: SubmitSession }) {
  const obstacle = session.obstacle.value;
  const view = session.view.value;
  const model = session.form.value.model.trim() || view?.model;
  const uploads = session.view.value?.uploads ?? [];
  const isReused = uploadOf(session.form.value, uploads) !== undefined;
  const isUploaded = session.view.value?.check.state === 'none';
  const next =
    isReused || isUploaded
      ? l10n.t('Creates the batch from the uploaded file.')
      : view?.bounds.isInline
        ? l10n.t('Sends the requests and starts the batch.')
        : l10n.t('Uploads the file and creates the batch.');
  return (
    <SendButton
      label={l10n.t('Submit')}
      about={obstacle === undefined ? next : obstacleText(obstacle)}
      cost={view?.costs.find((cost) => cost.model === model)}
      disabled={obstacle !== undefined}
      onSend={() => void session.send()}
    >
      {session.view.value?.otherSteps.map(({ id, label }) => (
        <vscode-button key={id} appearance="secondary" onClick={() => void session.act(id)}>
          {label}
        </vscode-button>
      ))}
    </SendButton>
  );
}

function Head({ view, heading }: { readonly view: SubmitView; readonly heading: string }) {
  return (
    <header class="send-head">
      <h1 class="send-title" dir="auto" title={view.name}>
        {heading}
      </h1>
      <p class="send-place">
        <bdi>{view.place}</bdi>
      </p>
    </header>
  );
}

function obstacleText(obstacle: Obstacle): string {
  switch (obstacle) {
    case 'needsSignIn':
      return l10n.t('Sign in first.');
    case 'needsFile':
      return l10n.t('The file is missing.');
    case 'needsCheck':
      return l10n.t('Check the file first.');
    case 'needsSave':
      return l10n.t('Save the file first.');
    case 'needsMending':
      return l10n.t('Fix the errors first.');
    case 'needsErrors':
      return l10n.t('Fix the errors, or choose to submit with them.');
    case 'needsFields':
      return l10n.t('Fix the highlighted fields.');
  }
}

/** The number of kinds of problems shown; the report has all of them. */
const mostShown = 6;

interface SectionProps {
  readonly session: SubmitSession;
  readonly view: SubmitView;
}

/** The result of checking the file, and changes to the file since. */
function CheckSection({ session, view }: SectionProps) {
  return (
    <section class="send-section" aria-labelledby="check-heading">
      <h2 id="check-heading">{l10n.t('Check')}</h2>
      <FileNotes session={session} view={view} />
      <Found session={session} check={view.check} />
      <Errors session={session} view={view} />
    </section>
  );
}

function FileNotes({ session, view: { file, isUnsaved } }: SectionProps) {
  const checkAgain = {
    actions: [{ id: 'check', label: l10n.t('Check Again') }],
    onAct: () => void session.ask('submit/check', {}),
  };
  return (
    <>
      {file === 'gone' && (
        <Note
          tone="error"
          title={l10n.t('The file no longer exists')}
          detail={l10n.t('The file has been moved or deleted.')}
          {...checkAgain}
        />
      )}
      {file === 'changed' && (
        <Note
          tone="warning"
          title={l10n.t('The file has changed since the check')}
          detail={l10n.t('The results below are outdated.')}
          {...checkAgain}
        />
      )}
      {isUnsaved && (
        <Note
          tone="warning"
          title={l10n.t('The file has unsaved changes')}
          detail={l10n.t('Only saved changes are submitted.')}
          actions={[{ id: 'save', label: l10n.t('Save') }]}
          onAct={() => void session.ask('submit/save', {})}
        />
      )}
    </>
  );
}

function Found({ session, check }: { readonly session: SubmitSession; readonly check: SubmitCheck }) {
  if (check.state === 'none') return <p class="send-muted">{l10n.t("The uploaded file won't be rechecked.")}</p>;
  if (check.state === 'running') {
    return (
      <div class="submit-checking">
        <progress class="reading-bar" aria-label={l10n.t('Checking file…')} max={1} value={check.part} />
        <span class="send-muted">{check.text}</span>
        <button type="button" class="link" onClick={() => void session.ask('submit/stopCheck', {})}>
          {l10n.t('Stop')}
        </button>
      </div>
    );
  }
  const again = (
    <button type="button" class="link" onClick={() => void session.ask('submit/check', {})}>
      {l10n.t('Check Again')}
    </button>
  );
  if (check.state === 'stopped') {
    return (
      <p class="send-muted">
        {l10n.t('Check stopped. Complete the check to submit the file.')} {again}
      </p>
    );
  }
  if (check.state === 'failed') {
    const { title, detail, actions } = check.error;
    const all = [...actions, { id: 'check', label: l10n.t('Check Again') }];
    const onAct = (id: string) => void (id === 'check' ? session.ask('submit/check', {}) : session.act(id));
    return <Note tone="error" title={title} detail={detail} actions={all} onAct={onAct} />;
  }
  const [worst] = check.problems;
  return (
    <>
      <p class="submit-found">
        <span class="submit-found-text">
          <SeverityIcon kind={worst?.severity ?? 'good'} />
          {check.text}
        </span>
        {worst && (
          <button type="button" class="link" onClick={() => void session.ask('submit/report', {})}>
            {l10n.t('Show All Problems')}
          </button>
        )}
        {again}
      </p>
      {worst && <Problems problems={check.problems} session={session} />}
    </>
  );
}

function Problems({
  problems,
  session,
}: {
  readonly problems: readonly SubmitProblem[];
  readonly session: SubmitSession;
}) {
  const more = problems.length - mostShown;
  return (
    <ul class="submit-problems">
      {problems.slice(0, mostShown).map(({ severity, message, line, where }, index) => (
        <li key={index}>
          <SeverityIcon kind={severity} />
          <span class="spoken">{severityText(severity)}</span>
          <span class="submit-problem">
            <span dir="auto">{message}</span>{' '}
            <button type="button" class="link" onClick={() => void session.ask('submit/goTo', { line })}>
              {where}
            </button>
          </span>
        </li>
      ))}
      {more > 0 && (
        <li class="send-muted">{l10n.t('The report lists {0} more kinds of problems.', pageNumber(more))}</li>
      )}
    </ul>
  );
}

/** The effect of the errors on the batch: it would be rejected, or the user can send it anyway. */
function Errors({ session, view }: SectionProps) {
  const form = session.form.value;
  const errors = errorsIn(form, view);
  const refused = errors.filter(({ refusesFile }) => refusesFile);
  if (errors.length === 0) return null;
  if (refused.length > 0) {
    const isOfModel = refused.every((problem) => problem.isOfModel);
    return (
      <Note
        tone="error"
        title={l10n.t('The service will reject this file')}
        detail={
          isOfModel ? l10n.t('Choose one model below, or fix the file.') : l10n.t('Fix the errors and save the file.')
        }
        actions={refused.flatMap(({ step }) => step ?? [])}
        onAct={(id) => void session.act(id)}
      />
    );
  }
  return (
    <label class="check send-choice submit-take">
      <input
        type="checkbox"
        checked={form.takeErrors}
        onChange={({ currentTarget }) => session.change({ takeErrors: currentTarget.checked })}
      />
      <span>
        {l10n.t('Submit with these errors')}
        <span class="send-hint">{l10n.t('Requests with errors will fail.')}</span>
      </span>
    </label>
  );
}
