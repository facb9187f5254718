import * as l10n from '@vscode/l10n';
import { pageNumber } from '../../components/pageLanguage';
import type { SubmitCheck, SubmitProblem, SubmitView } from '../../../src/protocol/batchSubmit';
import { Note } from '../../components/note';
import { SeverityIcon, severityText } from '../../components/severityIcon';
import { errorsIn } from './form';
import type { SubmitSession } from './session';

/** The number of kinds of problems shown; the report has all of them. */
const mostShown = 6;

interface SectionProps {
  readonly session: SubmitSession;
  readonly view: SubmitView;
}

/** The result of checking the file, and changes to the file since. */
export function CheckSection({ session, view }: SectionProps) {
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
        {l10n.t('Check stopped. Complete it to submit the file.')} {again}
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

/** What the errors mean for the batch: it would be rejected, or the user may choose to send it anyway. */
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
