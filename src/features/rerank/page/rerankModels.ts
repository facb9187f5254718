import type * as vscode from 'vscode';
import { chooseModel, modelsForJob } from '../../../core/catalogue/jobs';
import type { ModelCatalogue } from '../../../services/models/modelCatalogue';
import type { RerankControllerOptions } from '../controller/controllerOptions';

const lastKey = 'rerank.model';

/** Returns the reranking models, and the one last used in this workspace. */
export function createRerankModels(
  { models }: { readonly models: ModelCatalogue },
  history: vscode.Memento,
): Pick<RerankControllerOptions, 'models' | 'useModel'> {
  return {
    models() {
      const { state } = models;
      const list = modelsForJob('rerank', state.models, state.pins);
      const last = history.get<unknown>(lastKey);
      const isOffered = typeof last === 'string' && (list.length === 0 || list.some(({ id }) => id === last));
      return {
        list,
        preferred: (isOffered ? last : chooseModel('rerank', state)) ?? '',
        isLoading: state.session === 'starting' || (state.loading && state.models.length === 0),
        ...(state.error !== undefined && { error: state.error }),
      };
    },
    async useModel(model) {
      await history.update(lastKey, model);
    },
  };
}
