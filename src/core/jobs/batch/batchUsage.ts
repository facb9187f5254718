import { reportedCost } from '../../api/reportedCost';
import type { ResultLine } from '../../batch/results/resultLine';
import { objectOf } from '../../batch/scan/jsonValue';
import type { JobPatch } from '../job';
import type { BatchJob } from './batchJob';

/** The usage of one model's answers, according to their results. */
export interface ModelUsage {
  readonly model: string;
  readonly requests: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Their cost as reported by the service. */
  readonly cost?: number;
}

/** More models than that in one file are names that mean nothing. */
const mostModels = 50;

/** Sums the usage of the results of a file, by model. */
export class BatchUsage {
  private readonly sums = new Map<string, ModelUsage>();

  add({ model = '', usage: { input, output }, body }: ResultLine): void {
    const cost = reportedCost(objectOf(body?.['usage']));
    if (input === undefined && output === undefined && cost === undefined) return;
    const key = this.sums.has(model) || this.sums.size < mostModels ? model : '';
    const one = {
      model: key,
      requests: 1,
      inputTokens: countOf(input),
      outputTokens: countOf(output),
      ...(cost !== undefined && { cost }),
    };
    const sum = this.sums.get(key);
    this.sums.set(key, sum ? added(sum, one) : one);
  }

  get models(): readonly ModelUsage[] {
    return [...this.sums.values()];
  }
}

/** Adds the usage of several files, by model. */
export function sumOfUsage(all: readonly ModelUsage[]): readonly ModelUsage[] {
  const sums = new Map<string, ModelUsage>();
  for (const one of all) {
    const sum = sums.get(one.model);
    sums.set(one.model, sum ? added(sum, one) : one);
  }
  return [...sums.values()];
}

/** Returns the uncounted usage of downloaded results. Results that are downloaded again aren't counted twice. */
export function uncountedUsage({ fetched = {}, counted = [] }: BatchJob): readonly ModelUsage[] {
  return usedIn(fetched).flatMap((used) => {
    const before = counted.find(({ model }) => model === used.model);
    if (!before) return used.requests > 0 ? [used] : [];
    const { requests, inputTokens, outputTokens, cost } = used;
    if (requests <= before.requests) return [];
    const more = {
      model: used.model,
      requests: requests - before.requests,
      inputTokens: Math.max(0, inputTokens - before.inputTokens),
      outputTokens: Math.max(0, outputTokens - before.outputTokens),
    };
    return [{ ...more, ...(cost !== undefined && { cost: Math.max(0, cost - (before.cost ?? 0)) }) }];
  });
}

/** Returns the change after which all downloaded results are counted, or `undefined` if they already are. */
export function countedPatch(job: BatchJob): JobPatch<BatchJob> | undefined {
  return uncountedUsage(job).length === 0 ? undefined : { counted: usedIn(job.fetched) };
}

/** Returns the usage of all downloaded results, by model. */
export function fetchedUsage({ fetched }: BatchJob): readonly ModelUsage[] {
  return usedIn(fetched);
}

function usedIn({ output, errors }: NonNullable<BatchJob['fetched']> = {}): readonly ModelUsage[] {
  return sumOfUsage([...(output?.usage ?? []), ...(errors?.usage ?? [])]);
}

function added(sum: ModelUsage, one: ModelUsage): ModelUsage {
  const cost = sum.cost === undefined && one.cost === undefined ? undefined : (sum.cost ?? 0) + (one.cost ?? 0);
  return {
    model: sum.model,
    requests: sum.requests + one.requests,
    inputTokens: sum.inputTokens + one.inputTokens,
    outputTokens: sum.outputTokens + one.outputTokens,
    ...(cost !== undefined && { cost }),
  };
}

/** Counts come from the service, so anything but whole numbers is ignored. */
function countOf(count: number | undefined): number {
  return Number.isSafeInteger(count) && Number(count) > 0 ? Number(count) : 0;
}
