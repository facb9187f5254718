import type { SubmitCheck, SubmitProblem, SubmitView } from '../../../src/protocol/batchSubmit';
import { fill } from '../../components/fill';
import { Note } from '../../components/note';
import { SeverityIcon } from '../../components/severityIcon';
import { errorsIn } from './form';
import type { Submit } from './submitContext';

/** The number of kinds of problems shown; the report has all of them. */
const mostShown = 6;

interface SectionProps {
  readonly submit: Submit;
  readonly view: SubmitView;
}

/** The result of checking the file, and changes to the file since. */
export function CheckSection({ submit, view }: SectionProps) {
  return (
    <section class="send-section" aria-labelledby="check-heading">
      <h2 id="check-heading">{submit.strings.checkHeading}</h2>
      <FileNotes submit={submit} view={view} />
      <Found submit={submit} check={view.check} />
      <Errors submit={submit} view={view} />
    </section>
  );
}

function FileNotes({ submit: { session, strings }, view: { file, isUnsaved } }: SectionProps) {
  const checkAgain = { actions: [{ id: 'check', label: strings.checkAgain }], onAct: () => void session.ask('check') };
  return (
    <>
      {file === 'gone' && <Note tone="error" title={strings.goneTitle} detail={strings.goneDetail} {...checkAgain} />}
      {file === 'changed' && (
        <Note tone="warning" title={strings.changedTitle} detail={strings.changedDetail} {...checkAgain} />
      )}
      {isUnsaved && (
        <Note
          tone="warning"
          title={strings.unsavedTitle}
          detail={strings.unsavedDetail}
          actions={[{ id: 'save', label: strings.save }]}
          onAct={() => void session.ask('save')}
        />
      )}
    </>
  );
}

function Found({ submit, check }: { readonly submit: Submit; readonly check: SubmitCheck }) {
  const { session, strings } = submit;
  if (check.state === 'none') return <p class="send-muted">{strings.notChecked}</p>;
  if (check.state === 'running') {
    return (
      <div class="submit-checking">
        <progress class="reading-bar" aria-label={strings.checking} max={1} value={check.part} />
        <span class="send-muted">{check.text}</span>
        <button type="button" class="link" onClick={() => void session.ask('stopCheck')}>
          {strings.stopCheck}
        </button>
      </div>
    );
  }
  const again = (
    <button type="button" class="link" onClick={() => void session.ask('check')}>
      {strings.checkAgain}
    </button>
  );
  if (check.state === 'stopped') {
    return (
      <p class="send-muted">
        {strings.stopped} {again}
      </p>
    );
  }
  if (check.state === 'failed') {
    const { title, detail, actions } = check.error;
    const all = [...actions, { id: 'check', label: strings.checkAgain }];
    const onAct = (id: string) => void (id === 'check' ? session.ask('check') : session.act(id));
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
          <button type="button" class="link" onClick={() => void session.ask('report')}>
            {strings.allProblems}
          </button>
        )}
        {again}
      </p>
      {worst && <Problems problems={check.problems} submit={submit} />}
    </>
  );
}

function Problems({ problems, submit }: { readonly problems: readonly SubmitProblem[]; readonly submit: Submit }) {
  const { session, strings } = submit;
  const more = problems.length - mostShown;
  return (
    <ul class="submit-problems">
      {problems.slice(0, mostShown).map(({ severity, message, line, where }, index) => (
        <li key={index}>
          <SeverityIcon kind={severity} />
          <span class="spoken">{strings[severity]}</span>
          <span class="submit-problem">
            <span dir="auto">{message}</span>{' '}
            <button type="button" class="link" onClick={() => void session.goTo(line)}>
              {where}
            </button>
          </span>
        </li>
      ))}
      {more > 0 && <li class="send-muted">{fill(strings.moreKinds, more)}</li>}
    </ul>
  );
}

/** What the errors mean for the batch: it would be rejected, or the user may choose to send it anyway. */
function Errors({ submit: { session, strings }, view }: SectionProps) {
  const form = session.form.value;
  const errors = errorsIn(form, view);
  const refused = errors.filter(({ refusesFile }) => refusesFile);
  if (errors.length === 0) return null;
  if (refused.length > 0) {
    const isOfModel = refused.every((problem) => problem.isOfModel);
    return (
      <Note
        tone="error"
        title={strings.refusedTitle}
        detail={isOfModel ? strings.refusedModelDetail : strings.refusedDetail}
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
        {strings.takeErrors}
        <span class="send-hint">{strings.takeErrorsHint}</span>
      </span>
    </label>
  );
}
