import * as l10n from '@vscode/l10n';
import type { ComparisonRow, RerankComparison } from '../../../src/protocol/rerank';
import { CompareForm } from './compareForm';
import { ComparisonSummary } from './comparisonSummary';
import { columnOf, DocumentTable } from './documentTable';
import { JudgeButtons, judgeByKey } from './judgeButtons';
import { Nothing } from './nothing';
import type { RerankSession } from './session';
import { pageNumber } from '../../components/pageLanguage';

/** The same documents and query, ranked by several models. */
export function ComparisonPanel({ session }: { readonly session: RerankSession }) {
  const page = session.page.value;
  if (!page) return null;
  return (
    <>
      <CompareForm page={page} session={session} />
      {page.comparison ? (
        <>
          <ComparisonSummary comparison={page.comparison} session={session} />
          <ComparisonTable comparison={page.comparison} session={session} />
        </>
      ) : (
        <Nothing
          title={l10n.t('Nothing is compared yet.')}
          detail={l10n.t(
            'Each model ranks the same documents for the query above. Mark documents relevant or not, and see which model puts the relevant ones first.',
          )}
        />
      )}
    </>
  );
}

interface TableProps {
  readonly comparison: RerankComparison;
  readonly session: RerankSession;
}

function ComparisonTable({ comparison: { columns: models, count }, session }: TableProps) {
  const columns = [
    columnOf('judged', l10n.t('Judged')),
    ...models.map(({ model }, at) => ({ ...columnOf('model', model), name: `model-${at} rerank-cell-model` })),
    columnOf('document', l10n.t('Document')),
  ];
  return (
    <div class="comparison-frame" style={{ '--models': String(models.length) }}>
      <DocumentTable
        name="comparison"
        label={l10n.t('Documents by model')}
        columns={columns}
        count={count}
        list={session.comparison}
        cells={({ row }) => [
          { name: 'judged', content: row && <JudgeButtons row={row} session={session} tabIndex={-1} /> },
          ...models.map((_, at) => ({
            name: 'model',
            content: row && <Place place={row.ranks[at]} />,
          })),
          { name: 'document', text: row?.text },
        ]}
        onOpen={(index) => session.goTo(index)}
        onKey={(key, row) => judgeByKey(key, row, session)}
      />
    </div>
  );
}

interface PlaceProps {
  readonly place: ComparisonRow['ranks'][number] | undefined;
}

function Place({ place }: PlaceProps) {
  if (!place)
    return (
      <span class="rerank-muted" title={l10n.t('Not ranked')}>
        <span aria-hidden="true">–</span>
        <span class="spoken">{l10n.t('Not ranked')}</span>
      </span>
    );
  return (
    <>
      <span class="comparison-rank">{pageNumber(place.rank)}</span>
      <span class="comparison-score">{place.score}</span>
    </>
  );
}
