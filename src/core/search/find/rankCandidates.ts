import { isApiError } from '../../api/errors';
import { countedRanking } from '../../ranking/countedRanking';
import { rankInSlices } from '../../ranking/rankInSlices';
import type { RankedSlice } from '../../ranking/rankInSlices';
import type { Candidates, Finding } from './finding';
import { readable } from './readChunks';
import type { SearchAccount } from './searchAccount';

/** Small requests return sooner, and several of them run in parallel. */
const limits = { documents: 25, tokens: 30_000 };

export interface RankOptions {
  readonly signal: AbortSignal;
  readonly onRanked: (done: number, of: number) => void;
  /** Slices of the same candidates, if they were partly ranked before. */
  readonly already?: readonly RankedSlice[];
}

/** Ranks candidates with the account's reranker. Reports failures in the finding; throws only when aborted. */
export async function rankCandidates<Where>(
  question: string,
  candidates: Candidates<Where>,
  { client, spending, reranker }: SearchAccount,
  { signal, onRanked, already = [] }: RankOptions,
): Promise<Finding<Where>> {
  if (candidates.items.length === 0) return { question, candidates };
  if (reranker === undefined) return { question, candidates, trouble: { kind: 'noReranker' } };
  const documents = candidates.items.map(({ path, text }) => readable(path, text));
  const create = countedRanking((request, ending) => client.rerank.create(request, ending), spending);
  try {
    const request = { model: reranker, query: question, documents };
    const list = await rankInSlices(create, request, { limits, already, onProgress: onRanked }, signal);
    signal.throwIfAborted();
    const trouble = list.failure && ({ kind: 'failed', error: list.failure.error } as const);
    return { question, candidates, ranking: { model: reranker, list }, ...(trouble && { trouble }) };
  } catch (error) {
    if (signal.aborted || isStopped(error)) throw error;
    return { question, candidates, trouble: { kind: 'failed', error } };
  }
}

function isStopped(error: unknown): boolean {
  return isApiError(error) ? error.kind === 'aborted' : error instanceof Error && error.name === 'AbortError';
}
