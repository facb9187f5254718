import { listedFacts } from './listedFacts';
import { modelTypes, subTypes } from './model';
import type { CatalogueModel, ListedModel, ModelType, SubType } from './model';

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

interface GatherOptions {
  /** The list as it was before. */
  readonly before?: readonly CatalogueModel[] | undefined;
  /** Whether the service has filters. The list of another is requested once. */
  readonly hasFilters: boolean;
}

/**
 * Requests the whole list and each filter in parallel, and merges the responses. A failed filter loses only its own information.
 * Throws the error of the whole list if no request succeeded, or if the call was aborted.
 */
export async function gatherModels(
  list: (filter: ModelFilter) => Promise<readonly ListedModel[]>,
  { before = [], hasFilters }: GatherOptions,
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
