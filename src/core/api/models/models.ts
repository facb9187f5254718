import { checkRequest } from '../bounds';
import { isObject } from '../isObject';
import type { LearnedStore } from '../learned';
import { present, presentWords } from '../present';
import type { Transport } from '../transport/transport';
import { listedPrices, statedCurrency, type PriceCurrency } from './listedPrices';
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

export function createModels(
  transport: Transport,
  {
    learned,
    currency,
  }: {
    readonly learned?: LearnedStore | undefined;
    /** Of the account. */
    readonly currency?: PriceCurrency | undefined;
  } = {},
): Models {
  return {
    async list(request, signal, onCutOff) {
      checkRequest(request, modelListRequest, {});
      const found = new Map<string, ModelInfo>();
      const stated = new Map<string, PriceCurrency | undefined>();
      let page: Page | undefined = {};
      for (let count = 0; page && count < mostPages; count++) {
        const query = { type: request.type, sub_type: request.sub_type, ...page };
        const call = { method: 'GET', path: '/models', query, work: 'read', signal } as const;
        const wire = await transport.json({ ...call, response: modelListResponse });
        const before = found.size;
        for (const entry of entriesOf(wire)) {
          const model = readListEntry(entry);
          if (model && !found.has(model.id)) {
            found.set(model.id, model);
            stated.set(model.id, statedCurrency(entry));
          }
          if (found.size >= mostModels) break;
        }
        if (found.size >= mostModels) {
          onCutOff?.();
          return inOneCurrency(found, stated, currency);
        }
        page = nextPage(wire);
        // A server that ignores the query sends the same page for ever.
        if (found.size === before) break;
      }
      if (page) onCutOff?.();
      const models = inOneCurrency(found, stated, currency);
      const program = programOf(models);
      if (program !== undefined) learned?.identify(program);
      return models;
    },
  };
}

/**
 * Returns the models, without the prices that state another currency than the account has. Amounts are shown and added in that of the
 * account; if it is unknown, it is taken to be the one that most prices state.
 */
function inOneCurrency(
  found: ReadonlyMap<string, ModelInfo>,
  stated: ReadonlyMap<string, PriceCurrency | undefined>,
  own: PriceCurrency | undefined,
): readonly ModelInfo[] {
  const all = [...found.values()];
  const countOf = (one: PriceCurrency) =>
    all.filter(({ id, prices }) => prices !== undefined && stated.get(id) === one).length;
  const currency = own ?? (countOf('CNY') > countOf('USD') ? 'CNY' : 'USD');
  return all.map((model) => {
    const { prices, ...others } = model;
    return prices === undefined || (stated.get(model.id) ?? currency) === currency ? model : others;
  });
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

type Fields = Readonly<Record<string, unknown>>;

/** Far above any list of words about one model, and far below what would fill the memory. */
const mostWords = 200;
/** Above it, a figure is no number of tokens. */
const mostTokens = 1e9;

/**
 * Reads one entry of a list of models as some thirty servers send it; `undefined` if it names no model. What has an unexpected type is
 * left out.
 */
function readListEntry(entry: unknown): ModelInfo | undefined {
  if (typeof entry === 'string' && entry !== '') return { id: entry };
  if (!isObject(entry)) return undefined;
  const id = idOf(entry);
  if (id === undefined) return undefined;
  const displayName = [entry['display_name'], entry['name']]
    .map(text)
    .find((name) => name !== undefined && name !== id);
  return {
    id,
    ...presentWords({
      displayName,
      ownedBy: text(entry['owned_by']) ?? text(entry['publisher']) ?? text(entry['organization']),
    }),
    ...present({ created: createdAt(entry), ...limitsOf(entry), prices: listedPrices(entry) }),
    ...aboutOf(entry),
  };
}

/** A gateway lists its own name beside the one it forwards. Numbers occur as ids, but next to a name they are keys of a database. */
function idOf(entry: Fields): string | undefined {
  const { id, name, owner } = entry;
  if (typeof id === 'number') return text(entry['model_name']) ?? text(entry['model']) ?? String(id);
  const [own, title] = [text(id), text(name)];
  // Cloudflare's ID is the key of a database, and GitHub's the URL of a registry.
  const isKey = own !== undefined && /^[\da-f]{8}-[\da-f-]{27}$/i.test(own) && title?.includes('/');
  if (title !== undefined && (isKey || own?.includes('://'))) return title;
  // Replicate has the two parts of an ID.
  if (own === undefined && title !== undefined && text(owner) !== undefined) return `${text(owner)}/${title}`;
  const names = [
    'model_id',
    'modelId',
    'model_name',
    'key',
    ...(title?.includes(' ') ? ['model', 'name'] : ['name', 'model']),
  ];
  return [own, ...[...names, 'slug'].map((one) => text(entry[one]))].find((one) => one !== undefined);
}

function createdAt(entry: Fields): number | undefined {
  const { created, created_at: at } = entry;
  const seconds = typeof created === 'string' ? Number(created) : created;
  if (typeof seconds === 'number' && Number.isFinite(seconds)) return seconds || undefined;
  const parsed = typeof at === 'string' ? Date.parse(at) / 1000 : at;
  return typeof parsed === 'number' && parsed > 0 ? Math.floor(parsed) : undefined;
}

/** How the server runs the model counts before what the model could take. */
function limitsOf(entry: Fields) {
  const at = (...path: readonly string[]) =>
    tokens(path.reduce<unknown>((value, name) => (isObject(value) ? value[name] : undefined), entry));
  const instances = entry['loaded_instances'];
  const [instance] = Array.isArray(instances) ? (instances as readonly unknown[]) : [];
  const config = isObject(instance) && isObject(instance['config']) ? instance['config'] : {};
  const listed =
    at('max_model_len') ??
    at('context_length') ??
    at('context_window') ??
    at('max_context_length') ??
    at('model_info', 'max_input_tokens') ??
    at('max_input_tokens') ??
    at('limits', 'max_input_tokens') ??
    at('capabilities', 'limits', 'max_context_window_tokens') ??
    at('metadata', 'context_length') ??
    at('model_spec', 'availableContextTokens') ??
    at('inputTokenLimit');
  const provided = at('top_provider', 'context_length');
  const contextLength =
    at('loaded_context_length') ??
    tokens(config['context_length']) ??
    at('meta', 'n_ctx') ??
    smaller(listed, provided) ??
    at('meta', 'n_ctx_train');
  const maxOutputTokens =
    at('max_output_tokens') ??
    at('max_completion_tokens') ??
    at('top_provider', 'max_completion_tokens') ??
    at('model_info', 'max_output_tokens') ??
    at('limits', 'max_output_tokens') ??
    at('capabilities', 'limits', 'max_output_tokens') ??
    at('outputTokenLimit') ??
    at('max_tokens');
  return present({ contextLength, maxOutputTokens });
}

function smaller(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? (one ?? other) : Math.min(one, other);
}

function tokens(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isInteger(number) && number > 0 && number < mostTokens
    ? number
    : undefined;
}

/** Returns the words that tell what a model is for. */
function aboutOf(entry: Fields) {
  const inner = (name: string): Fields => (isObject(entry[name]) ? entry[name] : {});
  const [architecture, modalities, info] = [inner('architecture'), inner('modalities'), inner('model_info')];
  const types = words(
    entry['type'],
    entry['model_type'],
    entry['mode'],
    entry['task'],
    info['mode'],
    inner('capabilities')['type'],
  );
  const endpoints = words(
    entry['endpoints'],
    entry['supported_endpoints'],
    entry['supported_endpoint_types'],
    entry['supportedGenerationMethods'],
  );
  const [into, out] = String(text(architecture['modality']) ?? '').split('->');
  const pick = (all: readonly string[], modality: string | undefined) =>
    all.length > 0 || !modality ? all : modality.toLowerCase().split('+');
  const inputs = pick(
    words(
      architecture['input_modalities'],
      entry['input_modalities'],
      entry['supported_input_modalities'],
      modalities['input'],
    ),
    into,
  );
  const outputs = pick(
    words(
      architecture['output_modalities'],
      entry['output_modalities'],
      entry['supported_output_modalities'],
      modalities['output'],
    ),
    out,
  );
  const capabilities = capabilitiesOf(entry);
  return {
    ...(types.length > 0 && { types }),
    ...(Object.keys(capabilities).length > 0 && { capabilities }),
    ...(endpoints.length > 0 && { endpoints }),
    ...(inputs.length > 0 && { inputs }),
    ...(outputs.length > 0 && { outputs }),
  };
}

/** A list names what there is; an object also what there is not. */
function capabilitiesOf(entry: Fields): Readonly<Record<string, boolean>> {
  const { capabilities } = entry;
  const found = new Map<string, boolean>();
  const metadata = isObject(entry['metadata']) ? entry['metadata'] : {};
  const spec = isObject(entry['model_spec']) ? entry['model_spec'] : {};
  for (const word of words(entry['tags'], metadata['tags'], entry['model_ability'])) found.set(word, true);
  for (const name of ['supported_parameters', 'supported_features', 'features']) {
    const offered = words(entry[name]);
    for (const word of offered) found.set(word, true);
    // Such a list is complete, so what it lacks is denied.
    const isDenied = offered.length > 0 && !offered.some((word) => /tool|function/.test(word));
    if (isDenied && !found.has('tools')) found.set('tools', false);
  }
  const stated = [entry, isObject(entry['model_info']) ? entry['model_info'] : {}];
  for (const fields of stated) readFlags(fields, found, (name) => name.startsWith('supports_'));
  if (Array.isArray(capabilities)) for (const word of words(capabilities)) found.set(word, true);
  if (isObject(capabilities)) {
    readFlags(capabilities, found);
    if (isObject(capabilities['supports'])) readFlags(capabilities['supports'], found);
  }
  if (isObject(spec['capabilities'])) readFlags(spec['capabilities'], found);
  return Object.fromEntries([...found].slice(0, mostWords));
}

/** Reads members that are true or false, or an object that says so as `supported`. */
function readFlags(fields: Fields, found: Map<string, boolean>, isMeant = (_name: string) => true): void {
  for (const [name, value] of Object.entries(fields)) {
    const flag = isObject(value) ? value['supported'] : value;
    if (typeof flag === 'boolean' && isMeant(name)) found.set(name.toLowerCase(), flag);
  }
}

function words(...values: readonly unknown[]): readonly string[] {
  const all = values.flatMap((value) =>
    Array.isArray(value) ? (value as readonly unknown[]).slice(0, mostWords) : value,
  );
  const found = all.filter((value) => typeof value === 'string' && value !== '') as readonly string[];
  return [...new Set(found.map((word) => word.toLowerCase()))];
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}
