import { modelOfStep } from '../../../src/protocol/modelStep';
import type { RerankComparison } from '../../../src/protocol/rerank';
import { fill } from '../../components/fill';
import { Note } from '../../components/note';
import { isolated } from './bidiIsolated';
import type { Rerank } from './rerankContext';

interface SummaryProps {
  readonly comparison: RerankComparison;
  readonly rerank: Rerank;
}

/** How well each model did, according to the user's judgements. */
export function ComparisonSummary({ comparison, rerank: { session, strings, number } }: SummaryProps) {
  const { query, k, judged, columns } = comparison;
  const again = () => {
    void session.compare(
      columns.map(({ model }) => model),
      k,
    );
  };
  const about = fill(strings.comparedFor, isolated(query));
  return (
    <div class="comparison-summary" tabIndex={0} role="group" aria-label={strings.tabComparison}>
      <p class="rerank-about-query" title={about}>
        {about}
      </p>
      <table class="comparison-models">
        <thead>
          <tr>
            <th scope="col">{strings.columnModel}</th>
            <th scope="col" class="comparison-number" title={strings.ndcgHint}>
              {fill(strings.columnNdcg, number(k))}
            </th>
            <th scope="col" class="comparison-number" title={strings.mrrHint}>
              {strings.columnMrr}
            </th>
          </tr>
        </thead>
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
        {fill(strings.judgedCount, number(judged))} {judged === 0 && strings.judgeHint} {strings.scoresApart}
      </p>
    </div>
  );
}

/** Models are chosen above, several at once. */
function isModelChoice(action: string): boolean {
  return action === 'chooseModel' || modelOfStep(action) !== undefined;
}
