import type { UnitPrices } from '../api/models/listedPrices';
import type { Recipe } from '../assets/recipe';
import { outputLimitOf } from '../batch/job/estimateFileTokens';
import { endedAt } from '../batch/state/batchState';
import { imagesOf } from '../imageRuns/sweep';
import type { BatchJob } from '../jobs/batch/batchJob';
import { fetchedUsage, uncountedUsage, type ModelUsage } from '../jobs/batch/batchUsage';
import type { Job } from '../jobs/job';
import type { MediaJob, MediaJobRequest } from '../jobs/media/mediaJob';
import { countInputTokens } from '../tokens/countTokens';
import type { DaySpending } from '../usage/daySpending';
import type { UsageOrigin } from '../usage/usage';
import { expectedAmount, priceRange, tokenCost } from './prices';

/** What is paid for by the piece. */
export type Piece = 'image' | 'video' | 'clip' | 'transcription';

/**
 * The job that did the work, whose record may be removed before its charge is looked at. `from`: how many of its results were counted
 * before.
 */
type PaidJob = Pick<Job, 'id' | 'client'> & { readonly from: number };

/** Work that was paid for, of which only known prices tell the cost. `at`: when, in Unix milliseconds. */
export type PaidWork = (
  | { readonly kind: Piece; readonly model: string; readonly count: number; readonly at: number }
  | {
      readonly kind: 'batch';
      readonly usage: readonly ModelUsage[];
      /** As it was asked for. */
      readonly model: string | undefined;
      readonly at: number;
    }
) & { readonly job?: PaidJob };

/** What is known of the prices of an account, without what is learned from its balance. */
export interface KnownPrices {
  ofTokens(this: void, model: string): UnitPrices | undefined;
  ofPiece(this: void, model: string, piece: Piece): number | undefined;
  /** What a batch costs as a share of the same requests. */
  readonly batchDiscount: number;
}

/** Returns what is paid for of the results of an image or video job that are not counted yet. */
export function paidMedia(job: MediaJob): PaidWork {
  const { task, results = [], counted = 0, answeredAt, createdAt } = job;
  const count = results.length - counted;
  return {
    kind: task.kind,
    model: task.request.model,
    count,
    at: answeredAt ?? createdAt,
    job: { ...job, from: counted },
  };
}

/** Returns what is paid for of the results of a batch that are not counted yet. */
export function paidBatch(job: BatchJob): PaidWork {
  const { batch, changedAt, createdAt } = job;
  // The service's clock may be wrong, and a charge on another day would not count toward the cap of today.
  const at = Math.min(Math.max((batch && endedAt(batch)) ?? Infinity, createdAt), changedAt ?? createdAt);
  const from = (job.counted ?? []).reduce((sum, { requests }) => sum + requests, 0);
  return { kind: 'batch', usage: uncountedUsage(job), model: modelOf(job), at, job: { ...job, from } };
}

/** Notes what paid work cost by the known prices, each model once. Resolves to whether that is on disk; never rejects. */
export async function noteCosts(work: PaidWork, prices: KnownPrices, spending: DaySpending): Promise<boolean> {
  const sums = new Map<string, number>();
  for (const { model, amount } of knownCosts(work, prices)) sums.set(model, (sums.get(model) ?? 0) + amount);
  const noting = [...sums].map(([model, amount]) => spending.addPiece(model, amount, work.at, notedOf(work)));
  return (await Promise.all(noting)).every(Boolean);
}

/** Returns what a ledger notes of paid work beside its amount: what it was for, and the ID of its job. */
function notedOf({ kind, job }: PaidWork): UsageOrigin {
  if (!job) return kind === 'clip' || kind === 'transcription' ? { source: 'media' } : {};
  const { id, client, from } = job;
  return { source: client ?? (kind === 'batch' ? 'batchLines' : 'media'), job: id, from };
}

/** Returns what work cost by the known prices, or as the service said, by model. What is unknown is left out. */
export function knownCosts(
  work: PaidWork,
  { ofTokens, ofPiece, batchDiscount }: KnownPrices,
): readonly { readonly model: string; readonly amount: number }[] {
  if (work.kind !== 'batch') {
    const price = ofPiece(work.model, work.kind);
    return price === undefined ? [] : [{ model: work.model, amount: price * work.count }];
  }
  return work.usage.flatMap(({ model, cost, ...counts }) => {
    // A response may name a version of the model that has no price of its own.
    const price = ofTokens(model) ?? ofTokens(work.model ?? '');
    const full = price && tokenCost(price, counts);
    const amount = cost ?? (full === undefined ? undefined : full * batchDiscount);
    return amount === undefined ? [] : [{ model: work.model ?? model, amount }];
  });
}

interface ExpectedPiece {
  readonly model: string;
  readonly piece: Piece;
  readonly count: number;
}

/** Returns what is paid for of a job, counted or not. */
export function paidInAll(job: BatchJob | MediaJob): PaidWork {
  if ('task' in job) return paidMedia({ ...job, counted: 0 });
  return { ...paidBatch(job), usage: fetchedUsage(job) } as PaidWork;
}

/** Returns what all of the work cost by the known prices, or as the service said; `undefined` if that is unknown for a part of it. */
export function knownCharge(work: PaidWork, prices: KnownPrices): number | undefined {
  const costs = knownCosts(work, prices);
  const parts = work.kind === 'batch' ? work.usage.length : Math.min(1, work.count);
  if (parts === 0 || costs.length < parts) return undefined;
  return costs.reduce((sum, { amount }) => sum + amount, 0);
}

/** What was noted of a job when it was charged, by model. */
export type NotedCharges = ReadonlyMap<string, number>;

/** Returns what all of the work was charged as it was noted; `undefined` if the charge of a model wasn't, because its price was unknown. */
export function notedCharge(work: PaidWork, noted: NotedCharges | undefined): number | undefined {
  const models = work.kind === 'batch' ? work.usage.map(({ model }) => work.model ?? model) : [work.model];
  if (!noted || models.some((model) => !noted.has(model))) return undefined;
  return [...noted.values()].reduce((sum, amount) => sum + amount, 0);
}

interface ExpectedTokens {
  readonly model: string;
  readonly requests: number;
  readonly inputTokens: number;
  readonly outputLimit: number | undefined;
  /** Set if the requests are sent as a batch, which costs less at some services. */
  readonly isBatch?: boolean;
}

/** What a job or request is still going to be charged for. */
export type ExpectedCharge = ExpectedPiece | ExpectedTokens;

/** Returns what a request that is sent now will be charged for. */
export function expectedRequest(request: { readonly model: string }): ExpectedTokens {
  const { model } = request;
  return { model, requests: 1, inputTokens: countInputTokens(request), outputLimit: outputLimitOf({ ...request }) };
}

/** Returns about what will be charged by the known prices; 0 if that is unknown. */
export function expectedCost(charge: ExpectedCharge, { ofTokens, ofPiece, batchDiscount }: KnownPrices): number {
  if ('piece' in charge) return (ofPiece(charge.model, charge.piece) ?? 0) * charge.count;
  const price = ofTokens(charge.model);
  const range = price && priceRange({ ...price, source: 'entered' }, charge, charge.isBatch ? batchDiscount : 1);
  return range ? expectedAmount(range) : 0;
}

/**
 * Returns what a job that is not over will still be charged for; `undefined` for one that is over or was created elsewhere, and for one
 * whose outcome never became known.
 */
export function expectedCharge(job: Job | BatchJob | MediaJob): ExpectedCharge | undefined {
  if ('task' in job) return ofMedia(job);
  return 'options' in job ? ofBatch(job) : undefined;
}

/** Returns what other jobs are expected to cost together, and what is about to be started (`next`), each as `costOf` tells. */
export function expectedCosts(
  jobs: readonly Job[],
  next: Job | ExpectedCharge | undefined,
  costOf: (charge: ExpectedCharge) => number,
): { reserved: number; readonly expected: number } {
  const amountOf = (charge: ExpectedCharge | undefined) => (charge ? costOf(charge) : 0);
  const nextId = next && 'id' in next ? next.id : undefined;
  return {
    reserved: jobs.reduce((sum, job) => (job.id === nextId ? sum : sum + amountOf(expectedCharge(job))), 0),
    expected: amountOf(next && 'id' in next ? expectedCharge(next) : next),
  };
}

/**
 * Returns the jobs that count once a request that was allowed is sent. Those being prepared may still be refused, and must not stop it:
 * they are checked themselves when they are sent.
 */
export function jobsBeingSent(jobs: readonly Job[]): readonly Job[] {
  return jobs.filter(({ stage }) => stage !== 'preparing');
}

function ofMedia({ stage, task, results = [] }: MediaJob): ExpectedCharge | undefined {
  if (results.length > 0 || !['preparing', 'submitting', 'running'].includes(stage)) return undefined;
  return expectedMedia(task);
}

/** Returns what an image or video request will be charged for. */
export function expectedMedia({ kind, request }: MediaJobRequest): ExpectedPiece {
  const count = kind === 'image' ? imagesOf(request) : 1;
  return { model: request.model, piece: kind, count };
}

/** Returns what the request of a generated file will be charged for. */
export function expectedAsset({ kind, request }: Recipe): ExpectedPiece {
  if (kind === 'speech') return { model: request.model, piece: 'clip', count: 1 };
  return expectedMedia({ kind, request } as MediaJobRequest);
}

function ofBatch(job: BatchJob): ExpectedCharge | undefined {
  const { stage, input, lastError, counted = [], isStopped, part = 0, parts } = job;
  const model = modelOf(job);
  if (stage === 'ended' || stage === 'refused' || input?.inputTokens === undefined || model === undefined)
    return undefined;
  // Nothing more follows.
  if (lastError?.isFinal && (stage === 'fetching' || stage === 'unknown')) return undefined;
  const done = counted.reduce((sum, { requests }) => sum + requests, 0);
  const submitted = parts?.slice(0, part + 1).reduce((sum, { requests }) => sum + requests, 0);
  const all = isStopped ? (submitted ?? input.requests) : input.requests;
  const requests = Math.max(0, all - done);
  if (requests === 0) return undefined;
  const share = requests / Math.max(1, input.requests);
  const { inputTokens, outputLimit } = input;
  return {
    isBatch: true,
    model,
    requests,
    inputTokens: Math.ceil(inputTokens * share),
    outputLimit: outputLimit === undefined ? undefined : Math.ceil(outputLimit * share),
  };
}

function modelOf({ options, input }: BatchJob): string | undefined {
  return options.replace?.model ?? input?.model;
}
