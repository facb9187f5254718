import { embeddingCandidates } from './embeddingCandidates';
import type { NewVectors } from './embeddingCandidates';
import type { Candidates, Finding, FoundBy } from './finding';
import { rankCandidates } from './rankCandidates';
import type { FileText, SearchedFiles } from './readChunks';
import type { SearchAccount } from './searchAccount';
import { textCandidates } from './textCandidates';

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
