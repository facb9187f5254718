import type { ComparisonRow, RerankComparison } from '../../../src/protocol/rerank';
import { CompareForm } from './compareForm';
import { ComparisonSummary } from './comparisonSummary';
import { columnOf, DocumentTable } from './documentTable';
import { JudgeButtons, judgeByKey } from './judgeButtons';
import { Nothing } from './nothing';
import type { Rerank } from './rerankContext';

/** The same documents and query, ranked by several models. */
export function ComparisonPanel({ rerank }: { readonly rerank: Rerank }) {
  const { session, strings } = rerank;
  const page = session.page.value;
  if (!page) return null;
  return (
    <>
      <CompareForm page={page} rerank={rerank} />
      {page.comparison ? (
        <>
          <ComparisonSummary comparison={page.comparison} rerank={rerank} />
          <ComparisonTable comparison={page.comparison} rerank={rerank} />
        </>
      ) : (
        <Nothing title={strings.noComparison} detail={strings.noComparisonDetail} />
      )}
    </>
  );
}

interface TableProps {
  readonly comparison: RerankComparison;
  readonly rerank: Rerank;
}

function ComparisonTable({ comparison: { columns: models, count }, rerank }: TableProps) {
  const { session, strings } = rerank;
  const columns = [
    columnOf('judged', strings.columnJudgement),
    ...models.map(({ model }, at) => ({ ...columnOf('model', model), name: `model-${at} rerank-cell-model` })),
    columnOf('document', strings.columnDocument),
  ];
  return (
    <div class="comparison-frame" style={{ '--models': String(models.length) }}>
      <DocumentTable
        name="comparison"
        label={strings.comparisonTable}
        columns={columns}
        count={count}
        list={session.comparison}
        cells={({ row }) => [
          { name: 'judged', content: row && <JudgeButtons row={row} rerank={rerank} tabIndex={-1} /> },
          ...models.map((_, at) => ({
            name: 'model',
            content: row && <Place place={row.ranks[at]} rerank={rerank} />,
          })),
          { name: 'document', text: row?.text },
        ]}
        onOpen={(index) => session.goTo(index)}
        onKey={(key, row) => judgeByKey(key, row, rerank)}
      />
    </div>
  );
}

interface PlaceProps {
  readonly place: ComparisonRow['ranks'][number] | undefined;
  readonly rerank: Rerank;
}

function Place({ place, rerank: { strings, number } }: PlaceProps) {
  if (!place)
    return (
      <span class="rerank-muted" title={strings.notRanked}>
        <span aria-hidden="true">–</span>
        <span class="spoken">{strings.notRanked}</span>
      </span>
    );
  return (
    <>
      <span class="comparison-rank">{number(place.rank)}</span>
      <span class="comparison-score">{place.score}</span>
    </>
  );
}
