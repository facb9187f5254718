import * as l10n from '@vscode/l10n';
import type { PairTab, CompareSide } from '../../../src/protocol/batchCompare';
import { MatchCount } from '../../components/matchCount';
import { Note } from '../../components/note';
import { Reading } from '../../components/reading';
import { SearchField } from '../../components/searchField';
import { Tabs } from '../../components/tabs';
import { ErrorNotice } from '../../components/errorNotice';
import type { CompareSession } from './session';
import { CompareTable, PairDot } from './compareTable';
import { pageNumber } from '../../components/pageLanguage';
import { DetailsPane } from '../../components/detailsPane';
import { PairList, Texts } from '../../components/detailsParts';
import { IconButton } from '../../components/iconButton';

export function ComparePage({ session }: { readonly session: CompareSession }) {
  const { table } = session;
  const loading = session.loading.progress.value;
  const notices = session.summary.value?.notices ?? [];
  return (
    <>
      <Head session={session} />
      <ErrorNotice trouble={session.error.value} onReadAgain={() => void session.load(true)} />
      {notices.length > 0 && (
        <div class="table-page-notes results-notes" tabIndex={0}>
          {notices.map((notice, index) => (
            <Note key={index} {...notice} onAct={() => undefined} />
          ))}
        </div>
      )}
      {loading && (
        <Reading
          {...loading}
          label={l10n.t('Loading both runs…')}
          cancel={l10n.t('Cancel')}
          onCancel={() => void session.ask('compare/stop', {})}
        />
      )}
      <Toolbar session={session} />
      <div
        class="table-page-body results-body"
        id="results-body"
        role="tabpanel"
        aria-labelledby={`tab-${table.choice.value.tab}`}
      >
        <CompareTable session={session} />
        {table.selected.value !== null && table.details.value && <PairDetails session={session} />}
      </div>
    </>
  );
}

function Head({ session }: { readonly session: CompareSession }) {
  const runs = session.runs.value;
  const summary = session.summary.value;
  return (
    <header class="results-head">
      <div class="results-title">
        <h1 class="table-page-name">{l10n.t('Comparison')}</h1>
        <span class="table-page-facts">{summary?.agreement}</span>
      </div>
      {summary && (
        <div class="results-actions">
          <vscode-button appearance="secondary" onClick={() => session.export()}>
            {l10n.t('Export…')}
          </vscode-button>
        </div>
      )}
      {runs && (
        <dl class="compared">
          {[
            { letter: 'A', name: l10n.t('Run A'), run: runs.a },
            { letter: 'B', name: l10n.t('Run B'), run: runs.b },
          ].map(({ letter, name, run }) => (
            <div class="compared-run" key={letter}>
              <dt class="compared-letter">
                <span aria-hidden="true">{letter}</span>
                <span class="spoken">{name}</span>
              </dt>
              <dd class="compared-name">
                <bdi title={run.name}>{run.name}</bdi> <span class="table-page-facts">{run.facts}</span>
              </dd>
            </div>
          ))}
        </dl>
      )}
    </header>
  );
}

function Toolbar({ session }: { readonly session: CompareSession }) {
  const { table } = session;
  const { tab, query, isLoose } = table.choice.value;
  const labels: Readonly<Record<PairTab, string>> = {
    all: l10n.t('All'),
    same: l10n.t('Same'),
    different: l10n.t('Different'),
    onlyA: l10n.t('A only'),
    onlyB: l10n.t('B only'),
    neither: l10n.t('Neither'),
  };
  const counts = session.summary.value?.counts ?? [{ tab: 'all' as const, text: '' }];
  return (
    <div class="results-bar">
      <Tabs
        label={l10n.t('Pair filter')}
        tabs={counts.map((one) => ({ id: one.tab, label: labels[one.tab], count: one.text }))}
        chosen={tab}
        panelId="results-body"
        onChoose={(next) => table.change({ tab: next })}
      />
      <span class="results-find">
        <MatchCount table={table} stop={l10n.t('Stop Search')} />
        <label class="check">
          <input
            type="checkbox"
            checked={isLoose}
            onChange={({ currentTarget }) => table.change({ isLoose: currentTarget.checked })}
          />
          {l10n.t('Ignore case and spaces')}
        </label>
        <SearchField
          label={l10n.t('Search IDs and responses')}
          query={query}
          onSearch={(text) => table.change({ query: text })}
        />
      </span>
    </div>
  );
}

/** Both answers side by side, with the differences between them marked. */
function PairDetails({ session }: { readonly session: CompareSession }) {
  const details = session.table.details.value;
  if (!details) return null;
  const { row, line, customId, state, messages, a, b } = details;
  const head = (
    <>
      <h2 class="details-title details-id-title" title={customId}>
        <bdi>{customId}</bdi>
      </h2>
      {line !== undefined && (
        <IconButton
          icon="go-to-file"
          label={l10n.t('Go to Input Line {0}', pageNumber(line + 1))}
          onClick={() => void session.ask('compare/goTo', { row })}
        />
      )}
    </>
  );
  return (
    <DetailsPane
      class="compare-details"
      label={l10n.t('Selected pair')}
      row={row}
      head={head}
      close={l10n.t('Close')}
      onClose={() => session.table.close()}
    >
      <p class="details-names">
        <PairDot state={state} />
      </p>
      <div class="compare-sides">
        <Side title={l10n.t('Run A')} side={a} />
        <Side title={l10n.t('Run B')} side={b} />
      </div>
      <section aria-label={l10n.t('Request')}>
        <Texts texts={messages} />
      </section>
    </DetailsPane>
  );
}

interface SideProps {
  readonly title: string;
  readonly side: CompareSide;
}

function Side({ title, side: { pieces, cut, tone, facts } }: SideProps) {
  return (
    <section class="compare-side">
      <h3 class="details-role">{title}</h3>
      <p class={`details-text tone-${tone}`} dir="auto">
        {pieces.map(({ text, differs }, index) =>
          differs ? (
            <mark class="compare-differs" key={index} title={l10n.t('In this response only')}>
              {text}
            </mark>
          ) : (
            text
          ),
        )}
      </p>
      {cut && <p class="details-note">{cut}</p>}
      <PairList pairs={facts} />
    </section>
  );
}
