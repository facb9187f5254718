import type { RankingRow, RankingSummary } from '../../../src/protocol/rerank';
import { fill } from '../../components/fill';
import { columnOf, DocumentTable } from './documentTable';
import { isolated } from './bidiIsolated';
import { JudgeButtons, judgeByKey } from './judgeButtons';
import { NoteList } from './notes';
import { Nothing } from './nothing';
import type { Rerank } from './rerankContext';

/** The documents by score, what the scores refer to, and whether they are outdated. */
export function RankingPanel({ rerank }: { readonly rerank: Rerank }) {
  const { session, strings } = rerank;
  const ranking = session.page.value?.ranking;
  if (!ranking)
    return session.page.value ? <Nothing title={strings.noRanking} detail={strings.noRankingDetail} /> : null;
  const stale = { tone: 'warning', title: strings.staleTitle, detail: strings.staleDetail } as const;
  const notices = [...(session.isStale.value ? [stale] : []), ...ranking.notices];
  return (
    <>
      <NoteList notices={notices} onAct={(id) => session.act(id)} />
      <About ranking={ranking} rerank={rerank} />
      <RankingTable count={ranking.count} rerank={rerank} />
    </>
  );
}

function About({
  ranking,
  rerank: { session, strings },
}: {
  readonly ranking: RankingSummary;
  readonly rerank: Rerank;
}) {
  const about = fill(strings.rankedFor, isolated(ranking.query), isolated(ranking.model));
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

function RankingTable({ count, rerank }: { readonly count: number; readonly rerank: Rerank }) {
  const { session, strings, number } = rerank;
  const columns = [
    columnOf('rank', strings.columnRank),
    columnOf('score', strings.columnScore),
    columnOf('document', strings.columnDocument),
    columnOf('place', strings.columnPlace),
    columnOf('was', strings.columnWas),
    columnOf('judged', strings.columnJudgement),
  ];
  return (
    <DocumentTable
      name="ranking"
      label={strings.rankingTable}
      columns={columns}
      count={count}
      list={session.ranking}
      cells={({ row }) => [
        { name: 'rank', content: row && number(row.rank) },
        { name: 'score', content: row && <Score row={row} /> },
        { name: 'document', text: row?.text },
        { name: 'place', text: row?.place },
        { name: 'was', content: row && number(row.was) },
        { name: 'judged', content: row && <JudgeButtons row={row} rerank={rerank} tabIndex={-1} /> },
      ]}
      onOpen={(index) => session.goTo(index)}
      onKey={(key, row) => judgeByKey(key, row, rerank)}
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
