import * as l10n from '@vscode/l10n';
import { Note } from '../../components/note';
import { Reading } from '../../components/reading';
import { ErrorNotice } from '../../components/errorNotice';
import { Details } from './details';
import { Faults } from './faults';
import { Groups } from './groups';
import { Phases } from './phases';
import type { Results } from './resultsContext';
import { ResultsTable } from './resultsTable';
import { Toolbar } from './toolbar';

export function ResultsPage({ results }: { readonly results: Results }) {
  const { session } = results;
  const head = session.head.value;
  const summary = session.summary.value;
  const waiting = summary || session.loading.progress.value || session.trouble.value ? undefined : head?.waiting;
  return (
    <>
      <Head results={results} />
      {head && head.phases.length > 0 && <Phases phases={head.phases} />}
      <Notes results={results} />
      <Faults results={results} />
      {waiting ? (
        <p class="table-nothing">{waiting}</p>
      ) : (
        <>
          <Toolbar results={results} />
          <Groups results={results} />
          <div
            class="table-page-body results-body"
            id="results-body"
            role="tabpanel"
            aria-labelledby={`tab-${session.table.choice.value.tab}`}
          >
            <ResultsTable results={results} />
            {session.table.selected.value !== null && session.table.details.value && <Details results={results} />}
          </div>
        </>
      )}
    </>
  );
}

function Head({ results: { session } }: { readonly results: Results }) {
  const head = session.head.value;
  const summary = session.summary.value;
  const retry = summary?.retry[session.table.choice.value.tab];
  return (
    <header class="results-head">
      <div class="results-title">
        <h1 class="table-page-name" title={head?.name}>
          <bdi>{head?.name}</bdi>
        </h1>
        <span class="table-page-facts" title={head?.factsHint}>
          {[head?.facts, summary?.facts].filter(Boolean).join(' · ')}
        </span>
      </div>
      {summary && (
        <div class="results-actions">
          <vscode-button appearance="secondary" onClick={() => session.export()}>
            {l10n.t('Export…')}
          </vscode-button>
          {retry && <vscode-button onClick={() => session.retry(retry.which)}>{retry.label}</vscode-button>}
        </div>
      )}
    </header>
  );
}

/** Notes on the run and its files, with possible actions. */
function Notes({ results: { session } }: { readonly results: Results }) {
  const trouble = session.trouble.value;
  const loading = session.loading.progress.value;
  const notices = [...(session.head.value?.notices ?? []), ...(session.summary.value?.notices ?? [])];
  return (
    <>
      <ErrorNotice
        trouble={trouble}
        actions={trouble?.actions ?? []}
        onAct={(id) => session.act(id)}
        readAgain={l10n.t('Read again')}
        onReadAgain={() => void session.load(true)}
      />
      {notices.length > 0 && (
        <div class="table-page-notes results-notes" tabIndex={0}>
          {notices.map((notice, index) => (
            <Note key={index} {...notice} onAct={(id) => session.act(id)} />
          ))}
        </div>
      )}
      {loading && (
        <Reading
          {...loading}
          label={l10n.t('Reading the results')}
          cancel={l10n.t('Cancel')}
          onCancel={() => session.stopLoading()}
        />
      )}
    </>
  );
}
