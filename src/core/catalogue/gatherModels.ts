import {
  type CatalogueModel,
  type ListedModel,
  type ModelJob,
  type ModelType,
  type SubType,
  modelTypes,
  subTypes,
} from './model';
import { namedJobs } from './namedJobs';

/** The filter of one request to GET /models; all unset requests the whole list. */
export interface ModelFilter {
  readonly type?: ModelType;
  readonly subType?: SubType;
}

export interface GatheredModels {
  /** In the service's order, which is meaningful; models that only a filter names come last. */
  readonly models: readonly CatalogueModel[];
  /** Filters without a response; their previous results are retained. */
  readonly unanswered: readonly ModelFilter[];
}

interface Answer {
  readonly filter: ModelFilter;
  readonly models: readonly ListedModel[];
}

const everyFilter: readonly ModelFilter[] = [
  {},
  ...subTypes.map((subType) => ({ subType })),
  ...modelTypes.map((type) => ({ type })),
];

/**
 * Requests the whole list and each filter in parallel, and merges the responses. A failed filter loses only its own information.
 * Throws the error of the whole list if no request succeeded, or if the call was aborted.
 */
export async function gatherModels(
  list: (filter: ModelFilter) => Promise<readonly ListedModel[]>,
  {
    before = [],
    hasFilters,
  }: {
    /** The list as it was before. */
    readonly before?: readonly CatalogueModel[] | undefined;
    /** Whether the service has filters. The list of another is requested once. */
    readonly hasFilters: boolean;
  },
): Promise<GatheredModels> {
  const filters = hasFilters ? everyFilter : everyFilter.slice(0, 1);
  const settled = await Promise.allSettled(filters.map((filter) => list(filter)));
  const answers: Answer[] = [];
  const unanswered: ModelFilter[] = [];
  settled.forEach((result, index) => {
    const filter = filters[index]!;
    if (result.status === 'fulfilled') answers.push({ filter, models: result.value });
    else unanswered.push(filter);
  });
  const [whole] = settled;
  if (whole?.status === 'rejected' && (answers.length === 0 || isAbort(whole.reason))) throw whole.reason;
  return { models: mergeAnswers(answers, before, unanswered), unanswered };
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && (error.name === 'AbortError' || ('kind' in error && error.kind === 'aborted'));
}

function mergeAnswers(
  answers: readonly Answer[],
  before: readonly CatalogueModel[],
  unanswered: readonly ModelFilter[],
): readonly CatalogueModel[] {
  const merged = new Map<string, ListedModel>();
  for (const { models } of answers) {
    for (const model of models) {
      if (!merged.has(model.id)) merged.set(model.id, model);
    }
  }
  const trusted = withoutIgnoredFilters(answers);
  const known = new Map(before.map((model) => [model.id, model]));
  return [...merged.values()].map((model) => {
    const old = known.get(model.id);
    const named = <K extends keyof ModelFilter>(key: K): ReadonlySet<ModelFilter[K]> =>
      new Set([
        ...trusted.filter(({ ids }) => ids.has(model.id)).map(({ filter }) => filter[key]),
        ...unanswered.map((filter) => filter[key]).filter((value) => carries(old, key, value)),
      ]);
    const typesNamed = named('type');
    const subTypesNamed = named('subType');
    return {
      ...listedFacts(model),
      types: modelTypes.filter((type) => typesNamed.has(type)),
      subTypes: subTypes.filter((subType) => subTypesNamed.has(subType)),
    };
  });
}

function carries(old: CatalogueModel | undefined, key: keyof ModelFilter, value: string | undefined): boolean {
  const values: readonly string[] = (key === 'type' ? old?.types : old?.subTypes) ?? [];
  return value !== undefined && values.includes(value);
}

/**
 * Drops filters that the server ignores: other servers on the same path ignore the query and answer every filter with the whole
 * list. Two filters of one kind that both return the full list show this, and then carry no information.
 */
function withoutIgnoredFilters(answers: readonly Answer[]) {
  const withIds = answers.map(({ filter, models }) => ({ filter, ids: new Set(models.map(({ id }) => id)) }));
  const everything = withIds.find(({ filter }) => isWhole(filter))?.ids;
  const ignoredIn = (key: keyof ModelFilter) => {
    const full = withIds.filter(({ filter, ids }) => filter[key] && ids.size > 0 && ids.size === everything?.size);
    return full.length > 1;
  };
  const ignored = { type: ignoredIn('type'), subType: ignoredIn('subType') };
  return withIds.filter(
    ({ filter }) => !isWhole(filter) && !(filter.type && ignored.type) && !(filter.subType && ignored.subType),
  );
}

function isWhole(filter: ModelFilter): boolean {
  return filter.type === undefined && filter.subType === undefined;
}

type Words = Readonly<Record<string, readonly ModelJob[]>>;

/** The words by which lists call kinds of models. A kind that does none of the jobs is known too. */
const types: Words = {
  chat: ['chat'],
  llm: ['chat'],
  vlm: ['chat'],
  text: ['chat'],
  responses: ['chat'],
  conversational: ['chat'],
  'text-generation': ['chat'],
  chat_completion: ['chat'],
  'chat-completion': ['chat'],
  language: ['chat', 'completion'],
  code: ['completion'],
  completion: ['completion'],
  'text-completion': ['completion'],
  text_completion: ['completion'],
  embedding: ['embedding'],
  embeddings: ['embedding'],
  embed: ['embedding'],
  'text-embedding': ['embedding'],
  'feature-extraction': ['embedding'],
  rerank: ['rerank'],
  reranker: ['rerank'],
  image: ['image'],
  images: ['image'],
  image_generation: ['image'],
  image_edit: ['image'],
  'image-generation': ['image'],
  'text-to-image': ['image'],
  video: ['video'],
  video_generation: ['video'],
  'text-to-video': ['video'],
  transcribe: ['transcription'],
  transcription: ['transcription'],
  audio_transcription: ['transcription'],
  asr: ['transcription'],
  'speech-to-text': ['transcription'],
  'automatic-speech-recognition': ['transcription'],
  speech: ['voice'],
  tts: ['voice'],
  audio_speech: ['voice'],
  'text-to-speech': ['voice'],
  moderation: [],
  classify: [],
  classification: [],
};

/** A list of capabilities says `completion` of whatever writes text: that may be a chat, and is said of rerankers too. */
const capabilities: Words = {
  chat: ['chat'],
  completion_chat: ['chat'],
  chat_completion: ['chat'],
  supports_chat: ['chat'],
  completion_fim: ['completion'],
  insert: ['completion'],
  embed: ['embedding'],
  embedding: ['embedding'],
  embeddings: ['embedding'],
  rerank: ['rerank'],
  image_generation: ['image'],
  text2image: ['image'],
  image2image: ['image'],
  text2video: ['video'],
  image2video: ['video'],
  audio_transcription: ['transcription'],
  audio2text: ['transcription'],
  audio_speech: ['voice'],
  text2audio: ['voice'],
  moderation: [],
};

const endpoints: readonly (readonly [RegExp, readonly ModelJob[]])[] = [
  [
    /^chat$|chat\/completions$|^chat[._-]completions?$|^(openai|anthropic|gemini)$|\/messages$|^generatecontent$/,
    ['chat'],
  ],
  [/(^|[^t])\/completions$|^completions?$/, ['completion']],
  [/^embed|embeddings$|embedcontent$/, ['embedding']],
  [/rerank$/, ['rerank']],
  [/^images?\b|images\/generations$/, ['image']],
  [/video/, ['video']],
  [/transcriptions?$/, ['transcription']],
  [/speech$/, ['voice']],
];

const outputs: Words = {
  text: ['chat'],
  image: ['image'],
  video: ['video'],
  audio: ['voice'],
  speech: ['voice'],
  embeddings: ['embedding'],
  embedding: ['embedding'],
  rerank: ['rerank'],
};

/** Turns an entry of a list into what is known of the model; `types` and `subTypes` are left to the filters. */
function listedFacts(model: ListedModel): Omit<CatalogueModel, 'types' | 'subTypes'> {
  const { id, displayName, ownedBy, created, contextLength, maxOutputTokens } = model;
  const facts = {
    displayName,
    ownedBy,
    created,
    contextLength,
    maxOutputTokens,
    jobs: jobsListed(model),
    tools: stated(
      model,
      /^(supports_?)?(tools?|tool[_-]?(use|calls?|calling)|function_?calling|trained_for_tool_use)$/,
    ),
    images: takesImages(model),
    reasoning: stated(
      model,
      /^(supports_?)?(reasoning|thinking|include_reasoning|reasoning_effort|extended_thinking)$/,
    ),
  };
  return { id, ...Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined)) };
}

/** The most specific statement counts; lists contradict themselves otherwise. */
function jobsListed(model: ListedModel): readonly ModelJob[] | undefined {
  const able = Object.entries(model.capabilities ?? {}).flatMap(([word, is]) => (is ? [word] : []));
  const called = (model.endpoints ?? []).flatMap((endpoint) => {
    const row = endpoints.find(([pattern]) => pattern.test(endpoint));
    return row ? [row[1]] : [];
  });
  return (
    jobsAmong(model.types, types) ??
    (called.length > 0 ? distinct(called) : undefined) ??
    jobsAmong(able, capabilities) ??
    jobsByOutput(model) ??
    vagueJobs(model, able)
  );
}

/** Returns `undefined` if no word is known. */
function jobsAmong(words: readonly string[] = [], known: Words): readonly ModelJob[] | undefined {
  const found = words.filter((word) => Object.hasOwn(known, word)).map((word) => known[word]!);
  return found.length === 0 ? undefined : distinct(found);
}

function distinct(jobs: readonly (readonly ModelJob[])[]): readonly ModelJob[] {
  return [...new Set(jobs.flat())];
}

/** A model that writes text besides pictures or speech does so in a chat. One that only hears and writes transcribes. */
function jobsByOutput({ inputs = [], outputs: made = [] }: ListedModel): readonly ModelJob[] | undefined {
  if (!made.includes('text')) return jobsAmong(made, outputs);
  const onlyHears = inputs.length > 0 && inputs.every((input) => input === 'audio');
  return onlyHears ? ['transcription'] : ['chat'];
}

/** What is said of models of several kinds counts only where the name says nothing. */
function vagueJobs({ id, types: kinds }: ListedModel, able: readonly string[]): readonly ModelJob[] | undefined {
  if (namedJobs(id)) return undefined;
  if (able.includes('completion')) return ['chat', 'completion'];
  return kinds?.includes('audio') ? ['voice'] : undefined;
}

/** True if any word that matches is stated, false if all are denied. */
function stated({ capabilities: all = {} }: ListedModel, pattern: RegExp): boolean | undefined {
  const found = Object.entries(all).filter(([word]) => pattern.test(word));
  return found.length === 0 ? undefined : found.some(([, is]) => is);
}

function takesImages(model: ListedModel): boolean | undefined {
  const said = stated(model, /^(supports_?)?(vision|multimodal|image[_-]input)$/);
  if (said !== undefined) return said;
  if (model.inputs) return model.inputs.includes('image');
  return model.types?.includes('vlm') || undefined;
}
