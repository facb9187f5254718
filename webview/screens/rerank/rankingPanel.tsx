import * as l10n from '@vscode/l10n';
import type { RankingRow, RankingSummary } from '../../../src/protocol/rerank';
import { columnOf, DocumentTable, isolated, JudgeButtons, judgeByKey, Nothing } from './documentTable';
import { NoteList } from './notes';
import type { RerankSession } from './session';
import { pageNumber } from '../../components/pageLanguage';

/** The documents by score, what the scores refer to, and whether they are outdated. */
export function RankingPanel({ session }: { readonly session: RerankSession }) {
  const ranking = session.page.value?.ranking;
  if (!ranking)
    return session.page.value ? (
      <Nothing title={l10n.t('No ranking yet.')} detail={l10n.t('Enter a query and select Rerank.')} />
    ) : null;
  const stale = {
    tone: 'warning',
    title: l10n.t('This ranking is out of date'),
    detail: l10n.t('Rerank to update the ranking.'),
  } as const;
  const notices = [...(session.isStale.value ? [stale] : []), ...ranking.notices];
  return (
    <>
      <NoteList notices={notices} onAct={(id) => session.act(id)} />
      <About ranking={ranking} session={session} />
      <RankingTable count={ranking.count} session={session} />
    </>
  );
}

function About({ ranking, session }: { readonly ranking: RankingSummary; readonly session: RerankSession }) {
  const about = l10n.t('Ranked for "{0}" with {1}', isolated(ranking.query), isolated(ranking.model));
  return (
    <div class="rerank-about" data-stale={session.isStale.value}>
      <span class="rerank-about-query" title={about}>
        {about}
      </span>
      <dl class="rerank-about-facts">
        {ranking.facts.map(({ name, value }) => (
          <div key={name}>
            <dt>{name}</dt> <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <span class="rerank-muted">{session.done.value}</span>
    </div>
  );
}

function RankingTable({ count, session }: { readonly count: number; readonly session: RerankSession }) {
  const columns = [
    columnOf('rank', l10n.t('Rank')),
    columnOf('score', l10n.t('Score')),
    columnOf('document', l10n.t('Document')),
    columnOf('place', l10n.t('Location')),
    columnOf('was', l10n.t('No.')),
    columnOf('judged', l10n.t('Rating')),
  ];
  return (
    <DocumentTable
      name="ranking"
      label={l10n.t('Documents by score')}
      columns={columns}
      count={count}
      list={session.ranking}
      cells={({ row }) => [
        { name: 'rank', content: row && pageNumber(row.rank) },
        { name: 'score', content: row && <Score row={row} /> },
        { name: 'document', text: row?.text },
        { name: 'place', text: row?.place },
        { name: 'was', content: row && pageNumber(row.was) },
        { name: 'judged', content: row && <JudgeButtons row={row} session={session} tabIndex={-1} /> },
      ]}
      onOpen={(index) => void session.ask('rerank/goTo', { index })}
      onKey={(key, row) => row !== null && judgeByKey(key, row, session)}
    />
  );
}

function Score({ row: { part, score } }: { readonly row: RankingRow }) {
  return (
    <span class="score">
      <span class="score-track" aria-hidden="true">
        <span class="score-bar" style={{ width: `${Math.min(1, Math.max(0, part)) * 100}%` }} />
      </span>
      <span class="score-number">{score}</span>
    </span>
  );
}
