import { isApiError } from '../api/errors';
import type { Ranking, RerankRequest } from '../api/rerank/rerank.schema';
import { presentWords } from '../api/present';
import { estimateTokens } from '../tokens/estimate';

export interface DocumentScore {
  /** Index into the documents that were sent. */
  readonly index: number;
  /** Finite; with some models it may be below 0 or above 1. */
  readonly score: number;
}

/** A problem with one entry of a response. `at`: its position, from 0. */
export type RankingProblem = { readonly at: number } & (
  | { readonly kind: 'indexMissing' }
  /** The index is not a whole number, or no document has it. */
  | { readonly kind: 'indexUnknown'; readonly index: number }
  /** The same response scored the document before: with the same score, or with a different one, which leaves it without a score. */
  | { readonly kind: 'indexRepeated'; readonly index: number; readonly isSameScore: boolean }
  | { readonly kind: 'scoreMissing'; readonly index: number }
  /** The score is not a number, or is infinite. */
  | { readonly kind: 'scoreNotNumber'; readonly index: number }
);

/** A part of the documents that was ranked, and therefore paid for. */
export interface RankedSlice {
  /** Indexes into the documents of the whole request. */
  readonly indexes: readonly number[];
  /** Scores of these documents, by index in the whole request. */
  readonly scores: readonly DocumentScore[];
  /** Document indexes refer to the whole request here too, if they are valid. */
  readonly problems: readonly RankingProblem[];
  readonly tokens: { readonly input: number; readonly output: number };
  readonly id?: string;
  readonly requestId?: string;
  readonly traceId?: string;
  /** The model that answered, if the service names another than the requested one. */
  readonly answeredBy?: string;
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

/** The limits of one request. */
export interface SliceLimits {
  readonly documents: number;
  /** Estimated over all its documents, counting the query once for each, as the service does. */
  readonly tokens: number;
}

/**
 * For use when nobody waits for the first scores. The service documents no limit. Others on the same path accept a thousand documents, and
 * the lowest published rate limit for reranking is 500,000 tokens per minute.
 */
export const usualLimits: SliceLimits = { documents: 500, tokens: 100_000 };

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

/**
 * Returns the document indexes of each request, in order and without those in `done`. A document that exceeds the limit is sent alone,
 * because the service decides what a model accepts. Pass `tokensOf` if the estimates are already known.
 */
export function cutSlices(
  { documents, query }: { readonly documents: readonly string[]; readonly query: string },
  limits: SliceLimits,
  done: ReadonlySet<number> = new Set(),
  tokensOf: (index: number) => number = (index) => estimateTokens(documents[index]!),
): number[][] {
  const slices: number[][] = [];
  const queryTokens = estimateTokens(query);
  let tokens = 0;
  for (const index of documents.keys()) {
    if (done.has(index)) continue;
    const own = tokensOf(index) + queryTokens;
    const open = slices.at(-1);
    if (open && open.length < limits.documents && tokens + own <= limits.tokens) {
      open.push(index);
      tokens += own;
    } else {
      slices.push([index]);
      tokens = own;
    }
  }
  return slices;
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
  return {
    indexes,
    scores: scores.map(({ index, score }) => ({ index: indexes[index]!, score })),
    problems: problems.map((problem) =>
      'index' in problem ? { ...problem, index: indexes[problem.index] ?? problem.index } : problem,
    ),
    tokens: { input: answer.tokens.input_tokens ?? 0, output: answer.tokens.output_tokens ?? 0 },
    ...presentWords({ id, requestId, traceId, answeredBy: model === request.model ? undefined : model }),
  };
}

/** Returns the usable scores of a response for `count` documents, without guessing. */
export function checkRanking(
  results: readonly { readonly index?: number | undefined; readonly relevance_score?: number | undefined }[],
  count: number,
): { readonly scores: readonly DocumentScore[]; readonly problems: readonly RankingProblem[] } {
  const scores = new Map<number, number>();
  const contradicted = new Set<number>();
  const problems: RankingProblem[] = [];
  for (const [at, { index, relevance_score: score }] of results.entries()) {
    const problem = problemOf(index, score, count);
    const known = index === undefined ? undefined : scores.get(index);
    if (problem) {
      problems.push({ at, ...problem });
    } else if (known === undefined) {
      scores.set(index!, score!);
    } else {
      problems.push({ at, kind: 'indexRepeated', index: index!, isSameScore: known === score });
      if (known !== score) contradicted.add(index!);
    }
  }
  const usable = [...scores].filter(([index]) => !contradicted.has(index));
  return { scores: usable.map(([index, score]) => ({ index, score })), problems };
}

type Without<T> = T extends unknown ? Omit<T, 'at'> : never;

function problemOf(
  index: number | undefined,
  score: number | undefined,
  count: number,
): Without<RankingProblem> | undefined {
  if (index === undefined) return { kind: 'indexMissing' };
  if (!Number.isInteger(index) || index < 0 || index >= count) return { kind: 'indexUnknown', index };
  if (score === undefined) return { kind: 'scoreMissing', index };
  return Number.isFinite(score) ? undefined : { kind: 'scoreNotNumber', index };
}

/** Merges the slices of one request. `documents`: their texts, or anything else that is equal only for equal documents. */
export function mergeSlices(
  slices: readonly RankedSlice[],
  { documents, top_n: top }: { readonly documents: readonly unknown[]; readonly top_n?: number | null | undefined },
): RankedList {
  const all = slices
    .flatMap((slice) => slice.scores)
    .toSorted((one, other) => other.score - one.score || one.index - other.index);
  const scores = all.slice(0, top ?? undefined);
  const unranked = unrankedBy(all, slices, documents);
  const scored = new Set(scores.map(({ index }) => index));
  return {
    scores,
    unscored: [...documents.keys()].filter((index) => !scored.has(index)),
    problems: slices.flatMap(({ problems }) => problems),
    calls: slices.length,
    tokens: {
      input: slices.reduce((sum, { tokens }) => sum + tokens.input, 0),
      output: slices.reduce((sum, { tokens }) => sum + tokens.output, 0),
    },
    ids: slices.flatMap(({ id }) => id ?? []),
    slices,
    ...(unranked && { unranked }),
  };
}

/** `scores`: best first. Equal documents rightly have equal scores. */
function unrankedBy(
  scores: readonly DocumentScore[],
  slices: readonly RankedSlice[],
  documents: readonly unknown[],
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
