import { fitsJob } from '../../core/catalogue/jobs';
import type { CatalogueModel } from '../../core/catalogue/model';
import type { CatalogueState } from '../../services/models/modelCatalogue';

/**
 * Whether the editor may have the model. It draws ids and names in a hover of Markdown whose links may run any of its commands (1.139), so
 * one that could be more than letters there is left out.
 */
export function isPlain({ id }: Pick<CatalogueModel, 'id'>): boolean {
  return id.length <= 200 && /^[\p{L}\p{N}/.@+:()_,= -]+$/u.test(id) && !/www\.|:\/\//i.test(id);
}

/** The chat models that a person pinned or made the default, while they are offered. Others would flood the editor's picker. */
export function chosenModels({
  models,
  pins,
  defaults,
}: Pick<CatalogueState, 'models' | 'pins' | 'defaults'>): readonly CatalogueModel[] {
  const ids = new Set([...(defaults.chat === undefined ? [] : [defaults.chat]), ...pins]);
  return [...ids].flatMap((id) =>
    models.filter((model) => model.id === id && fitsJob(model, 'chat') && isPlain(model)),
  );
}
