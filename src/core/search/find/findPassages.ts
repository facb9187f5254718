import type { ProgressMonitor } from '../../async/progressMonitor';
import { embeddingCandidates } from './embeddingCandidates';
import type { NewVectors } from './embeddingCandidates';
import { mostCandidates } from './finding';
import type { Candidates, FindOptions, Finding, FoundBy } from './finding';
import { readable, readChunks } from './readChunks';
import type { FileText, SearchedFiles, FileChunk } from './readChunks';
import type { SearchAccount } from './searchAccount';
import { isApiError } from '../../api/errors';
import { cutSlices, rankInSlices } from '../../ranking/rankInSlices';
import { countInputTokens } from '../../tokens/countTokens';
import { chunkCharacters } from '../chunks';
import { createTextRanking } from '../textRanking';

/** Up to this many parts of files (about 100,000 tokens, twice what one ranking takes), vectors are created without asking. */
const mostUnasked = 200;

export function isLarge({ parts }: NewVectors): boolean {
  return parts > mostUnasked;
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
  return rankCandidates({ question, candidates }, account, {
    signal,
    onProgress: (done, of) => onProgress({ kind: 'ranking', done, of }),
  });
}

async function findCandidates<File extends FileText, Where>(
  { question, by }: { readonly question: string; readonly by: FoundBy },
  searched: SearchedFiles<File, Where>,
  account: SearchAccount,
  options: FindOptions<Where>,
): Promise<Candidates<Where>> {
  if (by === 'embeddings' && account.embedder !== undefined) {
    const found = await embeddingCandidates(question, searched, account, options);
    if (found) return found;
  }
  return textCandidates(question, searched, options);
}

/** Small requests return sooner, and several of them run in parallel. */
const limits = { documents: 25, tokens: 30_000 };

/** The most tokens of parts of files: as long as they are, and with as many tokens as Chinese takes. */
const mostTokens = (parts: number) => Math.ceil(parts * chunkCharacters * 0.6);

/** The most that ranking candidates sends: as many as are ranked. */
export const largestRanking = {
  requests: Math.ceil(mostCandidates / limits.documents),
  inputTokens: mostTokens(mostCandidates),
};

/** The most that finding candidates by embeddings sends without asking, with the question. */
export const largestUnasked = { requests: 1, inputTokens: mostTokens(mostUnasked + 1) };

/** Returns what ranking candidates sends: the number of requests, and their estimated tokens. */
export function rankingSize<Where>({ question, candidates }: Finding<Where>): {
  requests: number;
  inputTokens: number;
} {
  const documents = candidates.items.map(({ path, text }) => readable(path, text));
  const inputTokens = countInputTokens({ query: question, documents });
  return { requests: cutSlices({ query: question, documents }, limits).length, inputTokens };
}

/**
 * Ranks candidates with the account's reranker. Keeps the rankings that the same reranker was already paid for. Reports failures in
 * the finding; throws only when aborted.
 */
export async function rankCandidates<Where>(
  { question, candidates, ranking }: Finding<Where>,
  { client, reranker }: SearchAccount,
  { signal, onProgress }: ProgressMonitor<[done: number, of: number]>,
): Promise<Finding<Where>> {
  if (candidates.items.length === 0) return { question, candidates };
  if (reranker === undefined) return { question, candidates, problem: { kind: 'noReranker' } };
  const already = ranking?.model === reranker ? (ranking?.list.slices ?? []) : [];
  const documents = candidates.items.map(({ path, text }) => readable(path, text));
  try {
    const request = { model: reranker, query: question, documents };
    const list = await rankInSlices(client.rerank.create, request, { limits, already, onProgress }, signal);
    signal.throwIfAborted();
    const { failure, unranked } = list;
    const problem = failure
      ? ({ kind: 'failed', error: failure.error } as const)
      : unranked && ({ kind: 'unranked', unranked, model: reranker } as const);
    return { question, candidates, ranking: { model: reranker, list }, ...(problem && { problem }) };
  } catch (error) {
    if (signal.aborted || isStopped(error)) throw error;
    return { question, candidates, problem: { kind: 'failed', error } };
  }
}

function isStopped(error: unknown): boolean {
  return isApiError(error) ? error.kind === 'aborted' : error instanceof Error && error.name === 'AbortError';
}

/** Returns the parts of files that share words with a question. Nothing leaves the machine. */
async function textCandidates<File extends FileText, Where>(
  question: string,
  { open, whereOf }: SearchedFiles<File, Where>,
  options: FindOptions<Where>,
): Promise<Candidates<Where>> {
  const ranking = createTextRanking<FileChunk<File>>(question);
  const take = (found: FileChunk<File>) => {
    ranking.add(found, found.chunk.text, found.file.path);
    return true;
  };
  const { files, leftOut } = await readChunks(open, take, options);
  const items = ranking.best(mostCandidates).map(({ item: { file, chunk }, score }) => ({
    ...whereOf(file, chunk),
    path: file.path,
    text: chunk.text,
    score,
  }));
  return { items, by: 'text', files, leftOut, tokens: 0 };
}
