import { checkRequest } from '../bounds';
import { isObject } from '../isObject';
import type { LearnedStore } from '../learned';
import type { Transport } from '../transport/transport';
import { readListEntry } from './listEntry';
import { modelListRequest, modelListResponse } from './models.schema';
import type { ModelInfo, ModelListRequest } from './models.schema';

export interface Models {
  /**
   * Resolves with the models in the service's own order, which is meaningful. `onCutOff` is called before if the service has more than
   * could be read.
   */
  list(request: ModelListRequest, signal?: AbortSignal, onCutOff?: () => void): Promise<readonly ModelInfo[]>;
}

/** Anthropic sends 20 models at a time, Cohere too. More pages than these are not read. */
const mostPages = 50;
/** The largest list that is known has some thousand. */
const mostModels = 20_000;

/** The programs that servers run, by what their lists state as the owner of each model. */
const programs: Readonly<Record<string, string>> = {
  llamacpp: 'llamaCpp',
  vllm: 'vllm',
  library: 'ollama',
  organization_owner: 'lmStudio',
};

/** Returns the ID of the known service whose program lists these models; `undefined` if the list doesn't tell. */
export function programOf(models: readonly ModelInfo[]): string | undefined {
  const [owner, ...others] = new Set(models.map(({ ownedBy }) => ownedBy));
  return owner === undefined || others.length > 0 ? undefined : programs[owner];
}

export function createModels(transport: Transport, learned?: LearnedStore): Models {
  return {
    async list(request, signal, onCutOff) {
      checkRequest(request, modelListRequest, {});
      const found = new Map<string, ModelInfo>();
      let page: Page | undefined = {};
      for (let count = 0; page && count < mostPages; count++) {
        const query = { type: request.type, sub_type: request.sub_type, ...page };
        const call = { method: 'GET', path: '/models', query, work: 'read', signal } as const;
        const wire = await transport.json({ ...call, response: modelListResponse });
        const before = found.size;
        for (const entry of entriesOf(wire)) {
          const model = readListEntry(entry);
          if (model && !found.has(model.id)) found.set(model.id, model);
          if (found.size >= mostModels) break;
        }
        if (found.size >= mostModels) {
          onCutOff?.();
          return [...found.values()];
        }
        page = nextPage(wire);
        // A server that ignores the query sends the same page for ever.
        if (found.size === before) break;
      }
      if (page) onCutOff?.();
      const models = [...found.values()];
      const program = programOf(models);
      if (program !== undefined) learned?.identify(program);
      return models;
    },
  };
}

type Wire = typeof modelListResponse._zod.output;
type Page = Readonly<Record<string, string>>;

/** llama.cpp lists its models twice, with different facts. */
function entriesOf({ list, models = [] }: Wire): readonly unknown[] {
  if (list.length === 0) return models;
  const others = new Map<unknown, Readonly<Record<string, unknown>>>();
  for (const other of models.filter(isObject)) {
    for (const name of [other['name'], other['model']]) if (!others.has(name)) others.set(name, other);
  }
  return list.map((entry) => {
    const id = isObject(entry) ? entry['id'] : undefined;
    const other = id === undefined ? undefined : others.get(id);
    return other && isObject(entry) ? { ...other, ...entry } : entry;
  });
}

function nextPage({ has_more: hasMore, last_id: lastId, next_page_token: token }: Wire): Page | undefined {
  if (hasMore === true && lastId) return { after_id: lastId };
  return token ? { page_token: token } : undefined;
}
