import { isApiError } from '../api/errors';
import type { Ranking, RerankRequest } from '../api/rerank/rerank.schema';
import { presentWords } from '../api/present';
import { checkRanking } from './checkRanking';
import type { DocumentScore, RankingProblem } from './checkRanking';
import { cutSlices } from './slices';
import type { SliceLimits } from './slices';

/** A part of the documents that was ranked, and therefore paid for. */
export interface RankedSlice extends Pick<Ranking, 'requestId' | 'traceId'> {
  /** Indexes into the documents of the whole request. */
  readonly indexes: readonly number[];
  /** Scores of these documents, by index in the whole request. */
  readonly scores: readonly DocumentScore[];
  /** Document indexes refer to the whole request here too, if they are valid. */
  readonly problems: readonly RankingProblem[];
  readonly tokens: { readonly input: number; readonly output: number };
  readonly id?: string;
  /** The model that answered, if the service names another than the requested one. */
  readonly answeredBy?: string;
  /** The service's copies of the documents, if requested. */
  readonly documents?: ReadonlyMap<number, string>;
}

export interface RankedList {
  /** Best first; at most `top_n`. Merged from slices by score, which is comparable because one model scored all of them. */
  readonly scores: readonly DocumentScore[];
  /** The other documents, in their order: not sent yet, without a usable score, or beyond `top_n`. */
  readonly unscored: readonly number[];
  readonly problems: readonly RankingProblem[];
  /** Number of answered requests. */
  readonly calls: number;
  readonly tokens: { readonly input: number; readonly output: number };
  readonly ids: readonly string[];
  /** The texts that the service returned, if requested. */
  readonly documents?: ReadonlyMap<number, string>;
  /** Pass these as `already` to send only the rest. */
  readonly slices: readonly RankedSlice[];
  /** Why the ranking is incomplete; unset if it is complete. */
  readonly failure?: { readonly error: unknown };
  /** Why the order of the documents means nothing, although the service answered. */
  readonly unranked?: Unranked;
}

/** What models and servers return that cannot rank: one score for all documents, or no score that is a number for any. */
export type Unranked = 'sameScores' | 'noScores';

export type CreateRanking = (request: RerankRequest, signal?: AbortSignal) => Promise<Ranking>;

/** Requests in flight at one time. The client's gate holds back what exceeds the service's rate. */
const atOnce = 4;

/**
 * Ranks any number of documents in requests that respect the limits; `top_n` applies to each request and to the whole. If a request
 * fails or `signal` aborts, no further one starts, and the responses received are returned with the failure; rejects if there are
 * none.
 */
export async function rankInSlices(
  create: CreateRanking,
  request: RerankRequest,
  {
    limits,
    already = [],
    onProgress,
  }: {
    readonly limits: SliceLimits;
    /** Slices of the same request from a previous call. */
    readonly already?: readonly RankedSlice[];
    /** Counts documents; `slices` is everything received so far, to be stored. */
    readonly onProgress?: (done: number, total: number, slices: readonly RankedSlice[]) => void;
  },
  signal?: AbortSignal,
): Promise<RankedList> {
  const slices = [...already];
  const total = request.documents.length;
  let done = already.reduce((sum, { indexes }) => sum + indexes.length, 0);
  const waiting = cutSlices(request, limits, new Set(already.flatMap(({ indexes }) => indexes)));
  let most = Number.POSITIVE_INFINITY;
  let failure: { readonly error: unknown } | undefined;
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined && !failure; next = waiting.shift()) {
      if (next.length > most) {
        waiting.unshift(next.slice(0, most), next.slice(most));
        continue;
      }
      try {
        signal?.throwIfAborted();
        slices.push(await rankSlice(create, request, next, signal));
        done += next.length;
        onProgress?.(done, total, [...slices]);
      } catch (error) {
        const accepted = itemsAtOnce(error);
        if (accepted !== undefined && accepted < next.length) {
          most = Math.min(most, accepted);
          waiting.unshift(next);
        } else failure ??= { error };
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  if (failure && slices.length === 0) throw failure.error;
  return { ...mergeSlices(slices, request), ...(failure && { failure }) };
}

/** Returns the most documents that the service accepts at a time, if a request was rejected for having more. */
function itemsAtOnce(error: unknown): number | undefined {
  return isApiError(error) ? error.details.itemsAtOnce : undefined;
}

async function rankSlice(
  create: CreateRanking,
  request: RerankRequest,
  indexes: readonly number[],
  signal: AbortSignal | undefined,
): Promise<RankedSlice> {
  const answer = await create({ ...request, documents: indexes.map((index) => request.documents[index]!) }, signal);
  const { id, requestId, traceId, model } = answer;
  const { scores, problems } = checkRanking(answer.results, indexes.length);
  const documents = answer.results.flatMap(({ index, text }) => {
    const whole = index === undefined ? undefined : indexes[index];
    return whole === undefined ? [] : [[whole, text] as const];
  });
  return {
    indexes,
    scores: scores.map(({ index, score }) => ({ index: indexes[index]!, score })),
    problems: problems.map((problem) =>
      'index' in problem ? { ...problem, index: indexes[problem.index] ?? problem.index } : problem,
    ),
    tokens: { input: answer.tokens.input_tokens ?? 0, output: answer.tokens.output_tokens ?? 0 },
    ...presentWords({ id, requestId, traceId, answeredBy: model === request.model ? undefined : model }),
    ...(request.return_documents === true && { documents: new Map(documents) }),
  };
}

/** Merges the slices of one request. */
export function mergeSlices(slices: readonly RankedSlice[], request: RerankRequest): Omit<RankedList, 'failure'> {
  const all = slices
    .flatMap((slice) => slice.scores)
    .toSorted((one, other) => other.score - one.score || one.index - other.index);
  const scores = all.slice(0, request.top_n ?? undefined);
  const unranked = unrankedBy(all, slices, request.documents);
  const scored = new Set(scores.map(({ index }) => index));
  const documents = slices.flatMap((slice) => [...(slice.documents ?? [])]);
  return {
    scores,
    unscored: [...request.documents.keys()].filter((index) => !scored.has(index)),
    problems: slices.flatMap(({ problems }) => problems),
    calls: slices.length,
    tokens: {
      input: slices.reduce((sum, { tokens }) => sum + tokens.input, 0),
      output: slices.reduce((sum, { tokens }) => sum + tokens.output, 0),
    },
    ids: slices.flatMap(({ id }) => id ?? []),
    ...(request.return_documents === true && { documents: new Map(documents) }),
    slices,
    ...(unranked && { unranked }),
  };
}

/** `scores`: best first. Equal documents rightly have equal scores. */
function unrankedBy(
  scores: readonly DocumentScore[],
  slices: readonly RankedSlice[],
  documents: readonly string[],
): Unranked | undefined {
  if (scores.length === 0) return slices.some(({ indexes }) => indexes.length > 0) ? 'noScores' : undefined;
  if (scores[0]?.score !== scores.at(-1)?.score) return undefined;
  return new Set(scores.map(({ index }) => documents[index])).size > 1 ? 'sameScores' : undefined;
}

/** Returns the rank of each score, from 1. Equal scores share a rank. `scores`: best first. */
export function ranksOf(scores: readonly DocumentScore[]): readonly number[] {
  const ranks: number[] = [];
  for (const [at, { score }] of scores.entries())
    ranks.push(at > 0 && scores[at - 1]?.score === score ? ranks[at - 1]! : at + 1);
  return ranks;
}
