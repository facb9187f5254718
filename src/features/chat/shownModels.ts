import { modelsForJob } from '../../core/catalogue/jobs';
import type { CatalogueState } from '../../platform/modelCatalogue';
import type { ChatSnapshot } from '../../protocol/chat';
import type { WireError } from '../../protocol/wire';

/** The models the chat offers, and how their list stands. */
export function shownModels(
  catalogue: CatalogueState,
  describe: (error: unknown) => WireError,
): Pick<ChatSnapshot, 'models' | 'modelsState' | 'modelsError'> {
  const models = modelsForJob('chat', catalogue.models, catalogue.pins).map(({ id }) => ({
    id,
    pinned: catalogue.pins.includes(id),
  }));
  if (catalogue.models.length > 0) return { models, modelsState: 'ready' };
  if (catalogue.loading) return { models, modelsState: 'loading' };
  if (catalogue.error !== undefined) return { models, modelsState: 'failed', modelsError: describe(catalogue.error) };
  return { models, modelsState: catalogue.fetchedAt === undefined ? 'unknown' : 'ready' };
}
