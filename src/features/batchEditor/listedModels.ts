import { listedModels } from '../../core/batch/fileRules';
import type { ListedModels } from '../../core/batch/fileRules';
import type { CatalogueModel } from '../../core/catalogue/model';

/** Returns a function that derives what a check needs from the model list, cached per list; `undefined` until the list is read. */
export function createListedModels(read: () => readonly CatalogueModel[]): () => ListedModels | undefined {
  let known: { readonly models: object; readonly listed: ListedModels | undefined } | undefined;
  return () => {
    const models = read();
    if (known?.models !== models) known = { models, listed: listedModels(models) };
    return known.listed;
  };
}
