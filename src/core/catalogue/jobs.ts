import { modelJobs } from './model';
import type { CatalogueModel, ModelJob, ModelType, SubType } from './model';
import { namedJobs } from './namedJobs';

/** Model id by job; a job without one uses the first model that is known to fit. */
export type JobDefaults = Readonly<Partial<Record<ModelJob, string>>>;

const subTypesOf: Readonly<Record<ModelJob, readonly SubType[]>> = {
  chat: ['chat'],
  completion: ['chat'],
  rerank: ['reranker'],
  image: ['text-to-image', 'image-to-image'],
  video: ['text-to-video'],
  voice: [],
  embedding: ['embedding'],
  transcription: ['speech-to-text'],
};

/** Speech models have no sub-type: the service classifies them by type only. */
const typesOf: Readonly<Record<ModelJob, readonly ModelType[]>> = {
  chat: ['text'],
  completion: ['text'],
  rerank: [],
  image: [],
  video: ['video'],
  voice: ['audio'],
  embedding: [],
  transcription: [],
};

/** The possible purposes of an unknown model. */
const perhaps: readonly ModelJob[] = ['chat', 'completion'];

/**
 * Returns what a model is known to do: by the service's filters, otherwise by its list, otherwise by the model's name. Returns `undefined`
 * without evidence. A chat model also completes: most servers offer both for every such model, and otherwise a chat completes.
 */
export function knownJobs({ id, types, subTypes, jobs }: CatalogueModel): readonly ModelJob[] | undefined {
  if (subTypes.length > 0) return modelJobs.filter((job) => subTypesOf[job].some((one) => subTypes.includes(one)));
  if (types.length > 0) return modelJobs.filter((job) => typesOf[job].some((one) => types.includes(one)));
  const stated = jobs ?? namedJobs(id);
  return stated?.includes('chat') ? [...new Set<ModelJob>([...stated, 'completion'])] : stated;
}

/** Whether a model does a job, as far as anything is known of it. */
export function fitsJob(model: CatalogueModel, job: ModelJob): boolean {
  return knownJobs(model)?.includes(job) ?? true;
}

/**
 * Returns the models for a purpose, pins first: those known for it. Unclassified models follow for a chat and a completion, unless the
 * service has filters, which then name every suitable model. For another purpose they are offered only if the service classifies no model.
 */
export function modelsForJob(
  job: ModelJob,
  models: readonly CatalogueModel[],
  pins: readonly string[] = [],
): readonly CatalogueModel[] {
  const known = modelsKnownFor(job, models);
  const unknown = models.filter((model) => !knownJobs(model));
  const isFiltered = models.some(({ types, subTypes }) => types.length + subTypes.length > 0);
  const isOffered = isFiltered ? known.length === 0 : perhaps.includes(job) || unknown.length === models.length;
  return pinsFirst(isOffered ? [...known, ...unknown] : known, pins);
}

function modelsKnownFor(job: ModelJob, models: readonly CatalogueModel[]): readonly CatalogueModel[] {
  const known = models.filter((model) => knownJobs(model)?.includes(job));
  if (job !== 'completion') return known;
  // A list with separate completion models has them because its chat models reject completions.
  const completing = known.filter(
    ({ id, jobs, subTypes }) => subTypes.length === 0 && (jobs ?? namedJobs(id))?.includes('completion'),
  );
  const first: ReadonlySet<CatalogueModel> = new Set(completing);
  return [...completing, ...known.filter((model) => !first.has(model))];
}

function pinsFirst(models: readonly CatalogueModel[], pins: readonly string[]): readonly CatalogueModel[] {
  if (pins.length === 0) return models;
  const byId = new Map(models.map((model) => [model.id, model]));
  const pinned = new Set(pins.flatMap((id) => byId.get(id) ?? []));
  return [...pinned, ...models.filter((model) => !pinned.has(model))];
}

/** A list of models and what a user chose of it. */
export interface ChoosableModels {
  readonly models: readonly CatalogueModel[];
  /** In the order they were pinned. */
  readonly pins: readonly string[];
  readonly defaults: JobDefaults;
}

/**
 * Returns the default if it is still offered, or else the first pinned model, or the first that is known for the purpose. An unclassified
 * model isn't selected unless a user pinned it, because the call may cost money.
 */
export function chooseModel(job: ModelJob, { models, pins, defaults }: ChoosableModels): string | undefined {
  const preferred = defaults[job];
  if (preferred !== undefined && models.some((model) => model.id === preferred)) return preferred;
  const [first] = modelsForJob(job, models, pins);
  if (first && (pins.includes(first.id) || knownJobs(first))) return first.id;
  return models.length === 0 ? preferred : undefined;
}

/** Returns the jobs to offer for a model. */
export function jobsOf(model: CatalogueModel): readonly ModelJob[] {
  return knownJobs(model) ?? perhaps;
}
