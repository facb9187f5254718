import type { CatalogueModel, ModelType, SubType } from './model';

/** The jobs a model can be the default for. */
export const modelJobs = [
  'chat',
  'completion',
  'rerank',
  'image',
  'video',
  'voice',
  'embedding',
  'transcription',
] as const;
export type ModelJob = (typeof modelJobs)[number];

/** Model id by job; a job without one uses the first model that fits. */
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

/** Speech models have no sub-type of their own: the service classifies them by type only. */
const typeOnly: Readonly<Partial<Record<ModelJob, ModelType>>> = { voice: 'audio', video: 'video' };

/** Whether the service's filters assign the model to this job. A model that no filter names fits every job, because nothing is known. */
export function fitsJob(model: CatalogueModel, job: ModelJob): boolean {
  if (model.subTypes.length > 0) return model.subTypes.some((subType) => subTypesOf[job].includes(subType));
  if (model.types.length === 0) return true;
  const type = typeOnly[job];
  if (type) return model.types.includes(type);
  return (job === 'chat' || job === 'completion') && model.types.includes('text');
}

/** Returns the models for a job: those the service names for it; if it names none, those nothing is known about. Pins first. */
export function modelsForJob(
  job: ModelJob,
  models: readonly CatalogueModel[],
  pins: readonly string[] = [],
): readonly CatalogueModel[] {
  const fitting = models.filter((model) => fitsJob(model, job));
  const named = fitting.filter((model) => model.subTypes.length > 0 || model.types.length > 0);
  const offered = named.length > 0 ? named : fitting;
  return [
    ...pins.flatMap((id) => offered.filter((model) => model.id === id)),
    ...offered.filter((model) => !pins.includes(model.id)),
  ];
}

/** A list of models and what a person chose of it. */
export interface ChoosableModels {
  readonly models: readonly CatalogueModel[];
  /** In the order they were pinned. */
  readonly pins: readonly string[];
  readonly defaults: JobDefaults;
}

/** Returns the default if it is still offered, else the first pinned model, else the first of the list. */
export function chooseModel(job: ModelJob, { models, pins, defaults }: ChoosableModels): string | undefined {
  const preferred = defaults[job];
  if (preferred !== undefined && models.some((model) => model.id === preferred)) return preferred;
  return modelsForJob(job, models, pins)[0]?.id ?? (models.length === 0 ? preferred : undefined);
}

/** Returns the jobs to offer for a model. */
export function jobsOf(model: CatalogueModel): readonly ModelJob[] {
  return modelJobs.filter((job) => fitsJob(model, job));
}
