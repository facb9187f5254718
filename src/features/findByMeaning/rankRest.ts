import { rankCandidates } from '../../core/search/find/rankCandidates';
import type { RankOptions } from '../../core/search/find/rankCandidates';
import type { SearchAccount } from '../../core/search/find/searchAccount';
import type { WorkspaceFinding } from '../../services/search/search';

/** Ranks candidates that were not ranked. Keeps the rankings already paid for if the reranker is still the same. */
export async function rankRest(
  { question, candidates, ranking }: WorkspaceFinding,
  openAccount: () => Promise<SearchAccount>,
  options: Omit<RankOptions, 'already'>,
): Promise<WorkspaceFinding> {
  const account = await openAccount();
  const already = ranking?.model === account.reranker ? ranking?.list.slices : undefined;
  return rankCandidates(question, candidates, account, { ...options, ...(already && { already }) });
}
