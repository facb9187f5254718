import { render } from 'preact';
import * as l10n from '@vscode/l10n';
import type { EvalResultsScreen, EvalView } from '../../../src/protocol/evalResults';
import { createAnnouncer } from '../../components/announcer';
import { ErrorNotice } from '../../components/errorNotice';
import { Note } from '../../components/note';
import { PageFoot } from '../../components/pageFoot';
import type { Host } from '../../host';
import { EvalSession } from './session';
import { Verdict } from './verdict';
import './evalResults.css';

export function mountEvalResults(root: HTMLElement, host: Host<EvalResultsScreen>): void {
  const page = document.createElement('main');
  page.className = 'eval-page';
  root.append(page);
  const announcer = createAnnouncer(root);
  const session = new EvalSession(host, (text) => announcer.say(text));
  render(<EvalPage session={session} />, page);
  void session.load();
}

function EvalPage({ session }: { readonly session: EvalSession }) {
  const view = session.view.value;
  return (
    <>
      {view && <Head view={view} session={session} />}
      <ErrorNotice
        trouble={session.error.value}
        actions={session.error.value?.actions ?? []}
        onAct={(id) => session.act(id)}
        onReadAgain={() => void session.load()}
      />
      {view?.notices.map((notice, index) => (
        <Note key={index} {...notice} onAct={(id) => session.act(id)} />
      ))}
      {view && <Verdict view={view} session={session} />}
      {view && <PageFoot text={view.foot} keys={[]} />}
    </>
  );
}

function Head({ view, session }: { readonly view: EvalView; readonly session: EvalSession }) {
  const { title, facts, progress, secondary, primary } = view;
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
          {progress.text}
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
