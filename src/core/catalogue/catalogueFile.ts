import { modelJobs, modelTypes, subTypes } from './model';
import type { CatalogueModel, ModelJob } from './model';
import type { ModelPicks } from './picks';
import { isObject } from '../api/isObject';
import { amountOf, knownPrices } from '../api/models/listedPrices';
import type { UnitPrices } from '../api/models/listedPrices';

/** The model list as last fetched. */
export interface CachedModels {
  /** Base URL of the service the list is from. */
  readonly source: string;
  /** Unix milliseconds. */
  readonly fetchedAt: number;
  readonly models: readonly CatalogueModel[];
  /** Set if the service has more models than could be read. */
  readonly isPartial?: true | undefined;
}

const version = 1;

/** Converts a list to its form on disk, which `readCachedModels` reads. */
export function toModelsFile(cached: CachedModels): CachedModels & { readonly version: number } {
  return { version, ...cached };
}

/** Returns `undefined` for a file of another version. Unreadable models are omitted. */
export function readCachedModels(file: unknown): CachedModels | undefined {
  if (!isObject(file) || file['version'] !== version) return undefined;
  const { source, fetchedAt, models } = file;
  if (typeof source !== 'string' || typeof fetchedAt !== 'number' || !Array.isArray(models)) return undefined;
  const isPartial = file['isPartial'] === true;
  return { source, fetchedAt, models: models.flatMap(readModel), ...(isPartial && { isPartial }) };
}

/** Converts choices to their form on disk, which `readPicks` reads. */
export function toPicksFile(picks: ModelPicks): ModelPicks & { readonly version: number } {
  return { version, ...picks };
}

/** `undefined` if it is not such a file or has another version; unreadable entries in a valid file count as not chosen. */
export function readPicks(file: unknown): ModelPicks | undefined {
  if (!isObject(file) || file['version'] !== version) return undefined;
  const defaults = isObject(file['defaults']) ? file['defaults'] : {};
  const look = isObject(file['look']) ? file['look'] : {};
  const at = look['at'];
  const unlisted = strings(file['unlisted']);
  return {
    pins: strings(file['pins']),
    ...(unlisted.length > 0 && { unlisted }),
    defaults: Object.fromEntries(
      modelJobs.flatMap((job): [ModelJob, string][] => {
        const id = defaults[job];
        return typeof id === 'string' ? [[job, id]] : [];
      }),
    ),
    ...(typeof at === 'number' ? { look: { at, ids: strings(look['ids']) } } : {}),
  };
}

function readPrices(raw: Readonly<Record<string, unknown>>): UnitPrices | undefined {
  const units = ['input', 'output', 'request', 'image', 'video', 'clip'] as const;
  return knownPrices(Object.fromEntries(units.map((unit) => [unit, amountOf(raw[unit])])));
}

function readModel(value: unknown): CatalogueModel[] {
  if (!isObject(value) || typeof value['id'] !== 'string') return [];
  const types = strings(value['types']);
  const named = strings(value['subTypes']);
  const jobs = strings(value['jobs']);
  const of = (type: 'string' | 'number' | 'boolean', key: keyof CatalogueModel) =>
    typeof value[key] === type ? { [key]: value[key] } : {};
  return [
    {
      id: value['id'],
      ...of('string', 'displayName'),
      ...of('string', 'ownedBy'),
      ...of('number', 'created'),
      ...of('number', 'contextLength'),
      ...of('number', 'maxOutputTokens'),
      ...of('boolean', 'tools'),
      ...of('boolean', 'images'),
      ...of('boolean', 'reasoning'),
      ...(isObject(value['prices']) && { prices: readPrices(value['prices']) }),
      ...(Array.isArray(value['jobs']) && { jobs: modelJobs.filter((job) => jobs.includes(job)) }),
      types: modelTypes.filter((type) => types.includes(type)),
      subTypes: subTypes.filter((subType) => named.includes(subType)),
    },
  ];
}

function strings(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}
