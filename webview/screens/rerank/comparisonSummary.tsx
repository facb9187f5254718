import * as l10n from '@vscode/l10n';
import { modelOfStep } from '../../../src/protocol/modelStep';
import type { RerankComparison } from '../../../src/protocol/rerank';
import { Note } from '../../components/note';
import { isolated } from './bidiIsolated';
import type { RerankSession } from './session';
import { pageNumber } from '../../components/pageLanguage';

interface SummaryProps {
  readonly comparison: RerankComparison;
  readonly session: RerankSession;
}

/** How well each model did, according to the user's judgements. */
export function ComparisonSummary({ comparison, session }: SummaryProps) {
  const { query, k, judged, columns } = comparison;
  const again = () => {
    void session.compare(
      columns.map(({ model }) => model),
      k,
    );
  };
  const about = l10n.t('Compared for “{0}”', isolated(query));
  return (
    <div class="comparison-summary" tabIndex={0} role="group" aria-label={l10n.t('Compare')}>
      <p class="rerank-about-query" title={about}>
        {about}
      </p>
      <table class="comparison-models">
        <ColumnNames k={k} />
        <tbody>
          {columns.map(({ model, ndcg, mrr, facts, trouble }) => (
            <tr key={model}>
              <th scope="row">
                <bdi>{model}</bdi> <span class="rerank-muted">{facts}</span>
                {trouble && (
                  <Note
                    {...trouble}
                    tone="error"
                    actions={trouble.actions.filter(({ id }) => !isModelChoice(id))}
                    onAct={(id) => session.act(id, again)}
                  />
                )}
              </th>
              <td class="comparison-number">{ndcg ?? '–'}</td>
              <td class="comparison-number">{mrr ?? '–'}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p class="rerank-muted">
        {l10n.t('Judged documents: {0}.', pageNumber(judged))}{' '}
        {judged === 0 &&
          l10n.t(
            'Mark documents as relevant or not in the list below: select one and press R or N. Then nDCG and MRR are computed.',
          )}{' '}
        {l10n.t('Scores are comparable only within one model; ranks can be compared across models.')}
      </p>
    </div>
  );
}

/** Models are chosen above, several at once. */
function isModelChoice(action: string): boolean {
  return action === 'chooseModel' || modelOfStep(action) !== undefined;
}

function ColumnNames({ k }: { readonly k: number }) {
  return (
    <thead>
      <tr>
        <th scope="col">{l10n.t('Model')}</th>
        <th
          scope="col"
          class="comparison-number"
          title={l10n.t('How near the order is to the best one, from 0 to 1: relevant documents first.')}
        >
          {l10n.t('nDCG@{0}', pageNumber(k))}
        </th>
        <th
          scope="col"
          class="comparison-number"
          title={l10n.t('One divided by the rank of the first relevant document.')}
        >
          {l10n.t('MRR')}
        </th>
      </tr>
    </thead>
  );
}
