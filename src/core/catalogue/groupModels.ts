import { knownJobs } from './jobs';
import { foldText, searchWords } from '../../protocol/formats';
import { modelTypes, nameOf, subTypes } from './model';
import type { CatalogueModel, ModelJob, ModelType, SubType } from './model';

/** `type:…`: models with that type and no sub-type. `other`: models of which nothing is known. */
export type GroupKey = SubType | `type:${ModelType}` | 'other';

export interface VendorGroup {
  /** `undefined` for models whose id and list entry name no vendor. */
  readonly vendor: string | undefined;
  readonly models: readonly CatalogueModel[];
}

export interface ModelGroup {
  readonly key: GroupKey;
  /** Number of models, not vendors. */
  readonly count: number;
  readonly vendors: readonly VendorGroup[];
}

const groupOrder: readonly GroupKey[] = [...subTypes, ...modelTypes.map((type) => `type:${type}` as const), 'other'];

const groupOf: Readonly<Record<ModelJob, GroupKey>> = {
  chat: 'chat',
  completion: 'type:text',
  rerank: 'reranker',
  image: 'text-to-image',
  video: 'text-to-video',
  voice: 'type:audio',
  embedding: 'embedding',
  transcription: 'speech-to-text',
};

/** Returns a model's groups: its sub-types, otherwise its types, otherwise those of its jobs, otherwise `other`. */
export function groupKeysOf(model: CatalogueModel): readonly GroupKey[] {
  if (model.subTypes.length > 0) return model.subTypes;
  if (model.types.length > 0) return model.types.map((type) => `type:${type}` as const);
  const jobs = knownJobs(model) ?? [];
  // Whatever chats also completes.
  const groups = jobs.filter((job) => job !== 'completion' || !jobs.includes('chat')).map((job) => groupOf[job]);
  return groups.length > 0 ? groups : ['other'];
}

/** Groups in a fixed order, vendors and models in the service's order. Empty groups are omitted. */
export function groupModels(models: readonly CatalogueModel[]): readonly ModelGroup[] {
  const byGroup = new Map<GroupKey, Map<string | undefined, CatalogueModel[]>>();
  for (const model of models) {
    const { vendor } = nameOf(model.id, model.ownedBy);
    for (const key of groupKeysOf(model)) {
      const vendors = byGroup.get(key) ?? new Map<string | undefined, CatalogueModel[]>();
      const members = vendors.get(vendor);
      if (members) members.push(model);
      else vendors.set(vendor, [model]);
      byGroup.set(key, vendors);
    }
  }
  return groupOrder.flatMap((key) => {
    const vendors = byGroup.get(key);
    if (!vendors) return [];
    const groups = [...vendors].map(([vendor, members]) => ({ vendor, models: members }));
    return [{ key, count: groups.reduce((sum, group) => sum + group.models.length, 0), vendors: groups }];
  });
}

/** Returns the models whose id, name, owner or group contains every word of `query`, ignoring case. An empty query returns all. */
export function searchModels(models: readonly CatalogueModel[], query: string): readonly CatalogueModel[] {
  const words = searchWords(query);
  if (words.length === 0) return models;
  return models.filter((model) => {
    const { id, displayName = '', ownedBy = '', types } = model;
    const haystack = foldText([id, displayName, ownedBy, ...groupKeysOf(model), ...types].join('\n'));
    return words.every((word) => haystack.includes(word));
  });
}
