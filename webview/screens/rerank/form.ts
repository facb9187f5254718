import * as l10n from '@vscode/l10n';
import type { RerankField, RerankForm, RerankView } from '../../../src/protocol/rerank';

export type Obstacle = 'loading' | 'notOffered' | 'needsDocuments' | 'needsQuery' | 'needsModel';

/** Returns what prevents the documents from being ranked. `page`: `undefined` until the host sends it. */
export function obstacleOf(form: RerankForm, page: RerankView | undefined): Obstacle | undefined {
  if (!page) return 'loading';
  const { count, excluded, modelsError } = page;
  if (modelsError?.kind === 'notOffered') return 'notOffered';
  if (count - excluded <= 0) return 'needsDocuments';
  if (form.query.trim() === '') return 'needsQuery';
  return form.model.trim() === '' ? 'needsModel' : undefined;
}

export function obstacleText(obstacle: Obstacle): string {
  // The notice says it.
  if (obstacle === 'notOffered') return '';
  if (obstacle === 'loading') return l10n.t('Loading…');
  if (obstacle === 'needsDocuments') return l10n.t('No documents to send.');
  return obstacle === 'needsQuery' ? l10n.t('Enter a query.') : l10n.t('Select a model.');
}

/** Whether the ranking is for another query, model or text than the page shows. */
export function isStale(form: RerankForm, { ranking }: RerankView): boolean {
  if (!ranking) return false;
  return ranking.isStale || ranking.query.trim() !== form.query.trim() || ranking.model !== form.model.trim();
}

/** Returns why the chosen model does not support parameters, by field. */
export function notTakenBy(form: RerankForm, { models }: RerankView): { readonly [Field in RerankField]?: string } {
  return models.find(({ id }) => id === form.model.trim())?.notTaken ?? {};
}

const fields: readonly RerankField[] = ['top_n', 'max_chunks_per_doc', 'overlap_tokens', 'instruction'];

/** Returns how many options are set and supported by the model. */
export function optionsSet(form: RerankForm, page: RerankView): number {
  const notTaken = notTakenBy(form, page);
  const set = fields.filter((name) => form[name].trim() !== '' && notTaken[name] === undefined);
  return set.length + (form.return_documents ? 1 : 0);
}

/** Parses a whole number from 1 to `most`; returns `undefined` for anything else. */
export function toCount(text: string, most: number): number | undefined {
  const count = /^\s*[0-9]{1,9}\s*$/.test(text) ? Number(text) : 0;
  return count >= 1 && count <= most ? count : undefined;
}
