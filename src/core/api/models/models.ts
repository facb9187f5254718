import { checkRequest } from '../bounds';
import { present, presentWords } from '../present';
import type { Transport } from '../transport/transport';
import { modelListRequest, modelListResponse } from './models.schema';
import type { ModelInfo, ModelListRequest } from './models.schema';

export interface Models {
  /** Resolves with the models in the service's own order, which is meaningful. */
  list(request: ModelListRequest, signal?: AbortSignal): Promise<readonly ModelInfo[]>;
}

export function createModels(transport: Transport): Models {
  return {
    async list(request, signal) {
      checkRequest(request, modelListRequest, {});
      const query = { type: request.type, sub_type: request.sub_type };
      const call = { method: 'GET', path: '/models', query, work: 'read', signal } as const;
      const wire = await transport.json({ ...call, response: modelListResponse });
      const models = Array.isArray(wire) ? wire : (wire.data ?? wire.models ?? []);
      return models.flatMap((model) => {
        const id = model.id ?? model.name;
        if (!id) return [];
        const contextLength = model.context_length ?? model.context_window ?? model.max_model_len;
        return {
          id,
          ...presentWords({ ownedBy: model.owned_by }),
          ...present({ created: model.created || undefined, contextLength, maxOutputTokens: model.max_output_tokens }),
        };
      });
    },
  };
}
