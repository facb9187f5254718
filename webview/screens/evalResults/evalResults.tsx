import { render } from 'preact';
import * as l10n from '@vscode/l10n';
import type { EvalPart, EvalResultsScreen, EvalView } from '../../../src/protocol/evalResults';
import { modelOfStep } from '../../../src/protocol/modelStep';
import { createAnnouncer } from '../../components/announcer';
import { ErrorNotice } from '../../components/errorNotice';
import { Note } from '../../components/note';
import { PageFoot } from '../../components/pageFoot';
import type { Host } from '../../host';
import { EvalSession } from './session';
import { Review } from './review';
import { EvalRows } from './table';
import { Verdict } from './verdict';
import '../../components/tablePage.css';
import './evalResults.css';
import './review.css';
import './table.css';

export function mountEvalResults(root: HTMLElement, host: Host<EvalResultsScreen>): void {
  const page = document.createElement('main');
  page.className = 'table-page eval-page';
  root.append(page);
  const announcer = createAnnouncer(root);
  const session = new EvalSession(host, (text) => announcer.say(text));
  render(<EvalPage session={session} />, page);
  void session.load();
}

function EvalPage({ session }: { readonly session: EvalSession }) {
  const view = session.view.value;
  const part = view?.stage === 'none' ? 'verdict' : session.part.value;
  const error = session.error.value ?? session.lookError.value;
  // There is no request here that another model could answer.
  const actions = error?.actions.filter(({ id }) => id !== 'chooseModel' && modelOfStep(id) === undefined) ?? [];
  return (
    <>
      {view && <Head view={view} session={session} />}
      <ErrorNotice
        error={error}
        actions={actions}
        onAct={(id) => session.actOnError(id)}
        onReadAgain={() => void session.reload()}
      />
      {view?.notices.map((notice, index) => (
        <Note key={index} {...notice} onAct={(id) => session.act(id)} />
      ))}
      {view && view.stage !== 'none' && <Parts session={session} />}
      {view && part === 'verdict' && <Verdict view={view} session={session} />}
      {view && part === 'table' && <EvalRows session={session} />}
      {view && part === 'review' && <Review session={session} />}
      {view && <PageFoot text={view.foot} keys={keysOf(part)} />}
    </>
  );
}

function keysOf(part: EvalPart): readonly (readonly [string, string])[] {
  if (part === 'verdict') return [];
  if (part === 'review')
    return [
      ['N', l10n.t('Note')],
      ['U', l10n.t('Undo')],
      ['J K', l10n.t('Next, previous')],
      ['?', l10n.t('All keys')],
    ];
  return [
    ['J K', l10n.t('Next, previous')],
    ['D', l10n.t('Differences')],
    ['G', l10n.t('Group')],
    ['Esc', l10n.t('Close row')],
  ];
}

/** Switches between the parts of the page. */
function Parts({ session }: { readonly session: EvalSession }) {
  const labels: Readonly<Record<EvalPart, string>> = {
    verdict: l10n.t('Verdict'),
    table: l10n.t('Table'),
    review: l10n.t('Blind Review'),
  };
  return (
    <nav class="eval-parts" aria-label={l10n.t('Results')}>
      {(['verdict', 'table', 'review'] as const).map((part) => (
        <button
          type="button"
          class="tab"
          key={part}
          aria-current={session.part.value === part ? 'page' : undefined}
          onClick={() => session.open(part)}
        >
          {labels[part]}
        </button>
      ))}
    </nav>
  );
}

function Head({ view, session }: { readonly view: EvalView; readonly session: EvalSession }) {
  const { title, facts, progress } = view;
  // The next step shows which variant is better, so a blind review doesn't show it.
  const isBlind = session.part.value === 'review';
  const secondary = isBlind ? [] : view.secondary;
  const primary = isBlind ? undefined : view.primary;
  const text = facts.join(' · ');
  return (
    <header class="eval-head">
      <h1 class="eval-title" title={title}>
        <bdi>{title}</bdi>
      </h1>
      <span class="eval-facts" title={text}>
        {text}
      </span>
      {progress && (
        <span class="eval-progress" role="status">
          {view.stage === 'running' && <vscode-progress-ring class="eval-ring" aria-label={l10n.t('Running')} />}
          {progress}
        </span>
      )}
      {secondary.map(({ id, label }) => (
        <vscode-button key={id} appearance="secondary" class="eval-secondary" onClick={() => session.act(id)}>
          {label}
        </vscode-button>
      ))}
      {primary && (
        <vscode-button class="eval-primary" onClick={() => session.act(primary.id)}>
          {primary.label}
        </vscode-button>
      )}
    </header>
  );
}
