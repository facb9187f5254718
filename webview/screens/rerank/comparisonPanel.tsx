import * as l10n from '@vscode/l10n';
import type { ComparisonRow, RerankComparison, RerankView } from '../../../src/protocol/rerank';
import type { CostText } from '../../../src/protocol/wire';
import { columnOf, DocumentTable, JudgeButtons, judgeByKey, Nothing, isolated } from './documentTable';
import { toCount, obstacleText, type RerankSession } from './session';
import { pageNumber } from '../../components/pageLanguage';
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { BestCount } from './bestCount';
import { modelOfStep } from '../../../src/protocol/modelStep';
import { Note } from '../../components/note';

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
        <Nothing title={l10n.t('No comparison yet.')} detail={l10n.t('Rate documents to compare quality.')} />
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
    columnOf('judged', l10n.t('Rating')),
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
        onOpen={(index) => void session.ask('rerank/goTo', { index })}
        onKey={(key, row) => row !== null && judgeByKey(key, row, session)}
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

/** How many models are selected before the user selects any. */
const chosenAtFirst = 3;
const mostCounted = 1000;

function ModelPrice({ page, model }: { readonly page: RerankView; readonly model: string }) {
  const price = page.models.find(({ id }) => id === model)?.price;
  return price ? (
    <span class="rerank-muted" title={price.hint}>
      {price.text}
    </span>
  ) : null;
}

function compareObstacle(obstacle: 'compareNeedsModels' | Parameters<typeof obstacleText>[0]): string {
  return obstacle === 'compareNeedsModels' ? l10n.t('Select at least two models.') : obstacleText(obstacle);
}

/** The price of ranking with all chosen models. `subject` changes with whatever else it depends on. */
function TotalPrice({ models, subject, session }: TotalPriceProps) {
  const price = useSignal<CostText | undefined>(undefined);
  useEffect(() => {
    let isCurrent = true;
    void session.priceOf(models).then((total) => isCurrent && (price.value = total));
    return () => {
      isCurrent = false;
    };
  }, [JSON.stringify([models, subject])]);
  return price.value ? <span title={price.value.hint}>{price.value.text}</span> : null;
}

interface TotalPriceProps {
  readonly models: readonly string[];
  readonly subject: unknown;
  readonly session: RerankSession;
}

/** Chooses the models to compare, and how many of the best documents the metrics consider. */
function CompareForm({ page, session }: { readonly page: RerankView; readonly session: RerankSession }) {
  const before = page.comparison;
  const all = modelsOf(page, session.typed.form.value.model.trim());
  const picked = useSignal<readonly string[] | undefined>(before?.columns.map(({ model }) => model));
  const k = useSignal(String(before?.k ?? 10));
  const chosen = (picked.value ?? all.slice(0, chosenAtFirst)).filter((model) => all.includes(model));
  const count = toCount(k.value, mostCounted);
  const obstacle = session.obstacle.value ?? (chosen.length < 2 ? 'compareNeedsModels' : undefined);
  const canRun =
    obstacle === undefined || obstacle === 'needsModel'
      ? chosen.length >= 2 && count !== undefined && !session.running.value
      : false;
  const toggle = (model: string) =>
    (picked.value = chosen.includes(model) ? chosen.filter((one) => one !== model) : [...chosen, model]);
  return (
    <form
      class="compare-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (canRun) void session.compare(chosen, count ?? 1);
      }}
    >
      <fieldset class="compare-models">
        <legend class="parameter-label">{l10n.t('Models to compare')}</legend>
        {all.map((model) => (
          <label class="check compare-model" key={model}>
            <input type="checkbox" checked={chosen.includes(model)} onChange={() => toggle(model)} />
            <bdi>{model}</bdi>
            <ModelPrice page={page} model={model} />
          </label>
        ))}
        {all.length === 0 && <p class="rerank-muted">{l10n.t('No reranker models found. Enter a model ID above.')}</p>}
      </fieldset>
      <div class="compare-run">
        <BestCount
          label={l10n.t('Top results to evaluate (k)')}
          placeholder=""
          text={k}
          count={count}
          most={mostCounted}
        />
        <vscode-button
          appearance="secondary"
          aria-describedby="compare-about"
          disabled={!canRun}
          onClick={() => canRun && void session.compare(chosen, count ?? 1)}
        >
          {l10n.t('Compare {0} Models', pageNumber(chosen.length))}
        </vscode-button>
        <span class="rerank-muted" id="compare-about">
          {obstacle && obstacle !== 'needsModel' && compareObstacle(obstacle)}
          {canRun && <TotalPrice models={chosen} subject={[page.facts, page.models]} session={session} />}
        </span>
      </div>
    </form>
  );
}

/** Returns the listed models, those compared before, and the typed one. */
function modelsOf({ models, comparison }: RerankView, typed: string): readonly string[] {
  const compared = comparison?.columns.map(({ model }) => model) ?? [];
  return [...new Set([...models.map(({ id }) => id), ...compared, ...(typed === '' ? [] : [typed])])];
}

interface SummaryProps {
  readonly comparison: RerankComparison;
  readonly session: RerankSession;
}

/** How well each model did, according to the user's judgments. */
function ComparisonSummary({ comparison, session }: SummaryProps) {
  const { query, k, judged, columns } = comparison;
  const again = () => {
    void session.compare(
      columns.map(({ model }) => model),
      k,
    );
  };
  const about = l10n.t('Comparison for "{0}"', isolated(query));
  return (
    <div class="comparison-summary" tabIndex={0} role="group" aria-label={l10n.t('Comparison')}>
      <p class="rerank-about-query" title={about}>
        {about}
      </p>
      <table class="comparison-models">
        <ColumnNames k={k} />
        <tbody>
          {columns.map(({ model, ndcg, mrr, facts, error }) => (
            <tr key={model}>
              <th scope="row">
                <bdi>{model}</bdi> <span class="rerank-muted">{facts}</span>
                {error && (
                  <Note
                    {...error}
                    tone="error"
                    actions={error.actions.filter(({ id }) => !isModelChoice(id))}
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
        {l10n.t('Rated documents: {0}.', pageNumber(judged))}{' '}
        {judged === 0 && l10n.t('For nDCG and MRR, select documents below and press R (relevant) or N (not relevant).')}{' '}
        {l10n.t("Scores from different models aren't comparable. Compare ranks instead.")}
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
        <th scope="col" class="comparison-number" title={l10n.t('Ranking quality from 0 to 1.')}>
          {l10n.t('nDCG@{0}', pageNumber(k))}
        </th>
        <th
          scope="col"
          class="comparison-number"
          title={l10n.t('1 divided by the rank of the first relevant document.')}
        >
          {l10n.t('MRR')}
        </th>
      </tr>
    </thead>
  );
}
