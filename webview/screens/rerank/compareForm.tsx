import * as l10n from '@vscode/l10n';
import { useSignal } from '@preact/signals';
import type { RerankPage } from '../../../src/protocol/rerank';
import { BestCount } from './bestCount';
import { toCount, obstacleText } from './form';
import type { RerankSession } from './session';
import { pageNumber } from '../../components/pageLanguage';

/** How many models are selected before the user selects any. */
const chosenAtFirst = 3;
const mostCounted = 1000;

/** Chooses the models to compare, and how many of the best documents the metrics consider. */
export function CompareForm({ page, session }: { readonly page: RerankPage; readonly session: RerankSession }) {
  const before = page.comparison;
  const all = modelsOf(page, session.typed.form.value.model.trim());
  const picked = useSignal<readonly string[] | undefined>(before?.columns.map(({ model }) => model));
  const k = useSignal(String(before?.k ?? 10));
  const chosen = (picked.value ?? all.slice(0, chosenAtFirst)).filter((model) => all.includes(model));
  const count = toCount(k.value, mostCounted);
  const obstacle = session.obstacle.value ?? (chosen.length < 2 ? 'compareNeedsModels' : undefined);
  const canRun =
    obstacle === undefined || obstacle === 'needsModel'
      ? chosen.length >= 2 && count !== undefined && !session.runner.running.value
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
          </label>
        ))}
        {all.length === 0 && (
          <p class="rerank-muted">
            {l10n.t('No models are known. Type one above; it can be compared once it was used.')}
          </p>
        )}
      </fieldset>
      <div class="compare-run">
        <BestCount label={l10n.t('Best counted (k)')} placeholder="" text={k} count={count} most={mostCounted} />
        <vscode-button
          appearance="secondary"
          aria-describedby="compare-about"
          disabled={!canRun}
          onClick={() => canRun && void session.compare(chosen, count ?? 1)}
        >
          {l10n.t('Compare {0} models', pageNumber(chosen.length))}
        </vscode-button>
        <span class="rerank-muted" id="compare-about">
          {obstacle === 'compareNeedsModels'
            ? l10n.t('Choose two models or more.')
            : obstacle && obstacle !== 'needsModel' && obstacleText(obstacle)}
        </span>
      </div>
    </form>
  );
}

/** Returns the listed models, those compared before, and the typed one. */
function modelsOf({ models, comparison }: RerankPage, typed: string): readonly string[] {
  const compared = comparison?.columns.map(({ model }) => model) ?? [];
  return [...new Set([...models.map(({ id }) => id), ...compared, ...(typed === '' ? [] : [typed])])];
}
