import type { RerankField, RerankForm, RerankPage } from '../../../src/protocol/rerank';

export type Obstacle = 'needsDocuments' | 'needsQuery' | 'needsModel';

/** Why these documents cannot be ranked yet. */
export function obstacleOf(form: RerankForm, { count, excluded }: RerankPage): Obstacle | undefined {
  if (count - excluded <= 0) return 'needsDocuments';
  if (form.query.trim() === '') return 'needsQuery';
  return form.model.trim() === '' ? 'needsModel' : undefined;
}

/** Whether the ranking is of another query, model or text than what the page shows. */
export function isStale(form: RerankForm, { ranking }: RerankPage): boolean {
  if (!ranking) return false;
  return ranking.isStale || ranking.query.trim() !== form.query.trim() || ranking.model !== form.model.trim();
}

/** Why the model that is chosen takes parameters not, by field. */
export function notTakenBy(form: RerankForm, { models }: RerankPage): { readonly [Field in RerankField]?: string } {
  return models.find(({ id }) => id === form.model.trim())?.notTaken ?? {};
}

const fields: readonly RerankField[] = ['top_n', 'max_chunks_per_doc', 'overlap_tokens', 'instruction'];

/** How many options are set and taken by the model. */
export function optionsSet(form: RerankForm, page: RerankPage): number {
  const notTaken = notTakenBy(form, page);
  const set = fields.filter((name) => form[name].trim() !== '' && notTaken[name] === undefined);
  return set.length + (form.return_documents ? 1 : 0);
}

/** A whole number from 1 to `most`; `undefined` for anything else. */
export function toCount(text: string, most: number): number | undefined {
  const count = /^\s*[0-9]{1,9}\s*$/.test(text) ? Number(text) : 0;
  return count >= 1 && count <= most ? count : undefined;
}

/** What the host changed of the form since `base` is taken over, unless the person changed it too. */
export function merged(base: RerankForm, host: RerankForm, typed: RerankForm): RerankForm {
  const names = Object.keys(typed) as (keyof RerankForm)[];
  const taken = names.filter((name) => host[name] !== base[name] && typed[name] === base[name]);
  return taken.length === 0 ? typed : { ...typed, ...Object.fromEntries(taken.map((name) => [name, host[name]])) };
}
