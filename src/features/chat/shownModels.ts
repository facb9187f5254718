import { modelsForJob } from '../../core/catalogue/jobs';
import type { CatalogueState } from '../../services/models/modelCatalogue';
import type { ChatModel, ChatSnapshot } from '../../protocol/chat';
import type { ChatEngineOptions } from './chatEngineOptions';

/** Returns the models the chat offers, and the state of their list. */
export function shownModels(
  catalogue: CatalogueState,
  { describe, capabilities }: Pick<ChatEngineOptions, 'describe' | 'capabilities'>,
): Pick<ChatSnapshot, 'models' | 'modelsState' | 'modelsError'> {
  const models = modelsForJob('chat', catalogue.models, catalogue.pins).map((model): ChatModel => {
    const { contextTokens, tools } = capabilities(model);
    return {
      id: model.id,
      pinned: catalogue.pins.includes(model.id),
      ...(contextTokens !== undefined && { contextTokens }),
      ...(tools === true && { tools }),
    };
  });
  if (catalogue.models.length > 0) return { models, modelsState: 'ready' };
  if (catalogue.loading) return { models, modelsState: 'loading' };
  if (catalogue.error !== undefined) return { models, modelsState: 'failed', modelsError: describe(catalogue.error) };
  return { models, modelsState: catalogue.fetchedAt === undefined ? 'unknown' : 'ready' };
}
