import '../../components/parameters.css';
import '../../components/sendPage.css';
import '../../components/sendFields.css';
import './batchSubmit.css';
import './fields.css';
import { render } from 'preact';
import type { BatchSubmitScreen, SubmitView, SubmitOutcome } from '../../../src/protocol/batchSubmit';
import { createAnnouncer } from '../../components/announcer';
import type { Host } from '../../host';
import { SubmitSession } from './session';
import type { Submit } from './submitContext';
import { SendFacts } from '../../components/sendFacts';
import { CheckSection } from './checkSection';
import { Options } from './options';
import { uploadOf } from './form';
import { SentReceipt } from '../../components/sentReceipt';
import { Note } from '../../components/note';
import { SendButton, SendFooter, SendProgress } from '../../components/sendFooter';

export function mountBatchSubmit(root: HTMLElement, host: Host<BatchSubmitScreen>): void {
  const page = document.createElement('main');
  page.className = 'send-page submit';
  root.append(page);
  const announcer = createAnnouncer(root);
  const session = new SubmitSession(host, (text) => announcer.say(text));
  const submit: Submit = { session, strings: host.strings };
  host.on('submit/changed', (view) => session.show(view));
  render(<SubmitPage submit={submit} />, page);
  void session.start();
}

/** The file to submit, its problems and the options; after submission, the outcome. */
function SubmitPage({ submit }: { readonly submit: Submit }) {
  const view = submit.session.view.value;
  if (!view) return <SendBar submit={submit} />;
  return view.outcome?.kind === 'created' ? (
    <Receipt view={view} outcome={view.outcome} submit={submit} />
  ) : (
    <>
      <div class="send-body">
        <div class="send-column">
          <Head view={view} heading={view.heading} />
          <SendFacts class="submit-facts" facts={view.facts} label={submit.strings.about} />
          <CheckSection submit={submit} view={view} />
          <Uploads submit={submit} view={view} />
          <Options submit={submit} view={view} />
        </div>
      </div>
      <SendBar submit={submit} />
    </>
  );
}

/** Offers to reuse earlier uploads of the same content; nothing if there are none. */
function Uploads({ submit, view: { uploads } }: { readonly submit: Submit; readonly view: SubmitView }) {
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

interface ReceiptProps {
  readonly view: SubmitView;
  readonly outcome: SubmitOutcome;
  readonly submit: Submit;
}

/** Shown once the batch exists: its details, its state, and further actions. */
function Receipt({ view, outcome, submit: { session, strings } }: ReceiptProps) {
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
          trouble={session.trouble.value}
        >
          <SendFacts class="submit-facts" facts={outcome.facts} label={strings.about} />
        </SentReceipt>
      </div>
    </div>
  );
}

/** The submit button, with the obstacle, the progress, or the error. */
function SendBar({ submit }: { readonly submit: Submit }) {
  const { session, strings } = submit;
  const view = session.view.value;
  const trouble = session.trouble.value;
  const progress = view?.progress;
  const outcome = view?.outcome;
  const act = (id: string) => void session.act(id);
  const stop = () => void session.ask('stop');
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
      {trouble && <Note tone="error" {...trouble} onAct={act} />}
      {progress && (
        <SendProgress {...progress} cancel={strings.cancel} onCancel={progress.canStop ? stop : undefined} />
      )}
      {view && !progress && outcome?.kind !== 'unknown' && <Ready submit={submit} />}
    </SendFooter>
  );
}

function Ready({ submit: { session, strings } }: { readonly submit: Submit }) {
  const obstacle = session.obstacle.value;
  const view = session.view.value;
  const model = session.form.value.model.trim() || view?.model;
  const uploads = session.view.value?.uploads ?? [];
  const isReused = uploadOf(session.form.value, uploads) !== undefined;
  const isUploaded = session.view.value?.check.state === 'none';
  const next = isReused || isUploaded ? strings.willReuse : strings.willUpload;
  return (
    <SendButton
      label={strings.submit}
      about={obstacle === undefined ? next : strings[obstacle]}
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
