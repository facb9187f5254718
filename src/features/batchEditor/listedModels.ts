import { listedModels } from '../../core/batch/fileRules';
import type { ListedModels } from '../../core/batch/fileRules';
import type { CatalogueModel } from '../../core/catalogue/model';

/** What a list of models tells a check; `undefined` while it was never read. The same answer for the same list. */
export function createListedModels(read: () => readonly CatalogueModel[]): () => ListedModels | undefined {
  let known: { readonly models: object; readonly listed: ListedModels | undefined } | undefined;
  return () => {
    const models = read();
    if (known?.models !== models) known = { models, listed: listedModels(models) };
    return known.listed;
  };
}
