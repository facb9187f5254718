import { fitsJob } from '../../core/catalogue/jobs';
import type { CatalogueModel } from '../../core/catalogue/model';
import type { CatalogueState } from '../../platform/modelCatalogue';

/** The chat models that a person pinned or made the default, while they are offered. Others would flood the editor's picker. */
export function chosenModels({
  models,
  pins,
  defaults,
}: Pick<CatalogueState, 'models' | 'pins' | 'defaults'>): readonly CatalogueModel[] {
  const ids = new Set([...(defaults.chat === undefined ? [] : [defaults.chat]), ...pins]);
  return [...ids].flatMap((id) => models.filter((model) => model.id === id && fitsJob(model, 'chat')));
}
