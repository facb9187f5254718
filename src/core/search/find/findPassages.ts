import { embeddingCandidates } from './embeddingCandidates';
import type { NewVectors } from './embeddingCandidates';
import type { Candidates, Finding, FoundBy } from './finding';
import { readable, readChunks } from './readChunks';
import type { FileText, SearchedFiles, FileChunk, ReadOptions } from './readChunks';
import type { SearchAccount } from './searchAccount';
import { isApiError } from '../../api/errors';
import { rankInSlices } from '../../ranking/rankInSlices';
import type { RankedSlice } from '../../ranking/rankInSlices';
import { createTextRanking } from '../textRanking';

/** The number of candidates to rank: about 50,000 tokens, and the answer is rarely below. */
export const mostCandidates = 100;

/** Up to this many parts of files (about 100,000 tokens, twice what one ranking takes), vectors are created without asking. */
const mostUnasked = 200;

export function isLarge({ parts }: NewVectors): boolean {
  return parts > mostUnasked;
}

export type FindProgress<Where> =
  | { readonly kind: 'reading'; readonly files: number; readonly of: number }
  | { readonly kind: 'embedding'; readonly parts: number; readonly of: number }
  | { readonly kind: 'candidates'; readonly candidates: Candidates<Where> }
  | { readonly kind: 'ranking'; readonly done: number; readonly of: number };

export interface FindOptions<Where> {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: FindProgress<Where>) => void;
  /** Whether missing vectors should be created; if not, the search is by words. */
  readonly confirm: (wanted: NewVectors) => Promise<boolean>;
  /** Folder of the vectors of all models. */
  readonly folder: string;
}

/** Finds candidates, then ranks them. Throws if candidates cannot be found, and when aborted. */
export async function findPassages<File extends FileText, Where>(
  { question, by }: { readonly question: string; readonly by: FoundBy },
  files: SearchedFiles<File, Where>,
  account: SearchAccount,
  options: FindOptions<Where>,
): Promise<Finding<Where>> {
  const { signal, onProgress } = options;
  const candidates = await findCandidates({ question, by }, files, account, options);
  signal.throwIfAborted();
  onProgress({ kind: 'candidates', candidates });
  return rankCandidates(question, candidates, account, {
    signal,
    onRanked: (done, of) => onProgress({ kind: 'ranking', done, of }),
  });
}

async function findCandidates<File extends FileText, Where>(
  { question, by }: { readonly question: string; readonly by: FoundBy },
  searched: SearchedFiles<File, Where>,
  account: SearchAccount,
  { signal, onProgress, confirm, folder }: FindOptions<Where>,
): Promise<Candidates<Where>> {
  const onRead = (files: number, of: number) => onProgress({ kind: 'reading', files, of });
  const reading = { signal, onRead };
  const { embedder: model } = account;
  if (by === 'embeddings' && model !== undefined) {
    const onEmbedded = (parts: number, of: number) => onProgress({ kind: 'embedding', parts, of });
    const options = { ...reading, account, model, folder, confirm, onEmbedded };
    const found = await embeddingCandidates(question, searched, mostCandidates, options);
    if (found) return found;
  }
  return textCandidates(question, searched, mostCandidates, reading);
}

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
  { client, reranker }: SearchAccount,
  { signal, onRanked, already = [] }: RankOptions,
): Promise<Finding<Where>> {
  if (candidates.items.length === 0) return { question, candidates };
  if (reranker === undefined) return { question, candidates, trouble: { kind: 'noReranker' } };
  const documents = candidates.items.map(({ path, text }) => readable(path, text));
  try {
    const request = { model: reranker, query: question, documents };
    const list = await rankInSlices(client.rerank.create, request, { limits, already, onProgress: onRanked }, signal);
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

/** Returns the parts of files that share words with a question. Nothing leaves the machine. */
async function textCandidates<File extends FileText, Where>(
  question: string,
  { open, whereOf }: SearchedFiles<File, Where>,
  most: number,
  options: ReadOptions,
): Promise<Candidates<Where>> {
  const ranking = createTextRanking<FileChunk<File>>(question);
  const take = (found: FileChunk<File>) => {
    ranking.add(found, found.chunk.text, found.file.path);
    return true;
  };
  const { files, leftOut } = await readChunks(open, take, options);
  const items = ranking.best(most).map(({ item: { file, chunk }, score }) => ({
    ...whereOf(file, chunk),
    path: file.path,
    text: chunk.text,
    score,
  }));
  return { items, by: 'text', files, leftOut, tokens: 0 };
}
