import type { Ranking, RerankRequest } from '../api/rerank/rerank.schema';
import { checkRanking } from './checkRanking';
import type { DocumentScore, RankingProblem } from './checkRanking';
import { cutSlices } from './slices';
import type { SliceLimits } from './slices';

/** A part of the documents that was ranked, and paid. */
export interface RankedSlice {
  /** Into the documents of the whole request. */
  readonly indexes: readonly number[];
  /** Of these, by their index in the whole request. */
  readonly scores: readonly DocumentScore[];
  /** Their indexes are of the whole request, too, where they are of a document. */
  readonly troubles: readonly RankingProblem[];
  readonly tokens: { readonly input: number; readonly output: number };
  readonly id?: string;
  /** The service's copies, where they were asked for. */
  readonly documents?: ReadonlyMap<number, string>;
}

export interface RankedList {
  /** Best first; no more than `top_n`. Of slices, put together by score: comparable only since one model gave all of them. */
  readonly scores: readonly DocumentScore[];
  /** The other documents, in their order: not sent yet, without a usable score, or beyond `top_n`. */
  readonly unscored: readonly number[];
  readonly troubles: readonly RankingProblem[];
  /** Answered requests. */
  readonly calls: number;
  readonly tokens: { readonly input: number; readonly output: number };
  readonly ids: readonly string[];
  /** The texts the service gave back, when asked. */
  readonly documents?: ReadonlyMap<number, string>;
  /** To be handed in again as `already`, so that only the rest is sent. */
  readonly slices: readonly RankedSlice[];
  /** Why it is not all; unset when it is. */
  readonly failure?: { readonly error: unknown };
}

export interface SliceOptions {
  readonly limits: SliceLimits;
  /** Of the same request, from a call before this. */
  readonly already?: readonly RankedSlice[];
  /** In documents; `slices` is all that came so far, to be kept. */
  readonly onProgress?: (done: number, total: number, slices: readonly RankedSlice[]) => void;
}

export type CreateRanking = (request: RerankRequest, signal?: AbortSignal) => Promise<Ranking>;

/** Requests under way together. The client's gate holds back what is above the service's rate. */
const atOnce = 4;

/**
 * Ranks any number of documents, in requests that keep to the limits; `top_n` counts for each and for the whole. When a request fails
 * or `signal` ends them, no further one starts, and the answers that came are given with the failure; without any it rejects.
 */
export async function rankInSlices(
  create: CreateRanking,
  request: RerankRequest,
  { limits, already = [], onProgress }: SliceOptions,
  signal?: AbortSignal,
): Promise<RankedList> {
  const slices = [...already];
  const total = request.documents.length;
  let done = already.reduce((sum, { indexes }) => sum + indexes.length, 0);
  const waiting = cutSlices(request, limits, new Set(already.flatMap(({ indexes }) => indexes)));
  let failure: { readonly error: unknown } | undefined;
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined && !failure; next = waiting.shift()) {
      try {
        signal?.throwIfAborted();
        slices.push(await rankSlice(create, request, next, signal));
        done += next.length;
        onProgress?.(done, total, [...slices]);
      } catch (error) {
        failure ??= { error };
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  if (failure && slices.length === 0) throw failure.error;
  return { ...mergeSlices(slices, request), ...(failure && { failure }) };
}

async function rankSlice(
  create: CreateRanking,
  request: RerankRequest,
  indexes: readonly number[],
  signal: AbortSignal | undefined,
): Promise<RankedSlice> {
  const answer = await create({ ...request, documents: indexes.map((index) => request.documents[index]!) }, signal);
  const { scores, troubles } = checkRanking(answer.results, indexes.length);
  const documents = answer.results.flatMap(({ index, text }) => {
    const whole = index === undefined ? undefined : indexes[index];
    return whole === undefined ? [] : [[whole, text] as const];
  });
  return {
    indexes,
    scores: scores.map(({ index, score }) => ({ index: indexes[index]!, score })),
    troubles: troubles.map((trouble) =>
      'index' in trouble ? { ...trouble, index: indexes[trouble.index] ?? trouble.index } : trouble,
    ),
    tokens: { input: answer.tokens.input_tokens ?? 0, output: answer.tokens.output_tokens ?? 0 },
    ...(answer.id !== undefined && { id: answer.id }),
    ...(request.return_documents === true && { documents: new Map(documents) }),
  };
}

/** What slices of one request come to together. */
export function mergeSlices(slices: readonly RankedSlice[], request: RerankRequest): Omit<RankedList, 'failure'> {
  const scores = slices
    .flatMap((slice) => slice.scores)
    .toSorted((one, other) => other.score - one.score || one.index - other.index)
    .slice(0, request.top_n ?? undefined);
  const scored = new Set(scores.map(({ index }) => index));
  const documents = slices.flatMap((slice) => [...(slice.documents ?? [])]);
  return {
    scores,
    unscored: [...request.documents.keys()].filter((index) => !scored.has(index)),
    troubles: slices.flatMap(({ troubles }) => troubles),
    calls: slices.length,
    tokens: {
      input: slices.reduce((sum, { tokens }) => sum + tokens.input, 0),
      output: slices.reduce((sum, { tokens }) => sum + tokens.output, 0),
    },
    ids: slices.flatMap(({ id }) => id ?? []),
    ...(request.return_documents === true && { documents: new Map(documents) }),
    slices,
  };
}
