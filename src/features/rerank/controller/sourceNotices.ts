import type { RerankNotice } from '../../../protocol/rerank';
import type { RerankMessages } from '../page/rerankMessages';
import type { RerankSource } from '../sources/rerankSource';
import type { SourceDocuments } from './documents';
import { askFromRequests, isLongFor, mostDocuments } from './sending';
import type { SendingPlan } from './sending';

export interface SourceFacts {
  readonly source: RerankSource;
  readonly documents: SourceDocuments;
  readonly sent: readonly number[];
  readonly plan: SendingPlan | undefined;
  /** Estimated, of the query. */
  readonly queryTokens: number;
  /** In tokens, if known for the model; a model that cuts documents into chunks reads any length. */
  readonly context: number | undefined;
  readonly cutsIntoChunks: boolean;
}

/** Returns what is noteworthy about documents before they are sent, most serious first. */
export function sourceNotices(facts: SourceFacts, words: RerankMessages): readonly RerankNotice[] {
  const { source, documents, sent, plan } = facts;
  const remarks = source.remarks.map((remark) => words.remark(remark));
  if (documents.list.length === 0) return [words.noDocuments(documents.splits[0]?.trouble), ...remarks];
  if (sent.length > mostDocuments) return [words.tooManyDocuments(sent.length), ...remarks];
  const long = longOf(facts);
  return [
    ...(documents.list.length === 1 ? [words.oneDocument()] : []),
    ...(long > 0 ? [words.longDocuments(long, facts.context)] : []),
    ...(plan && plan.requests >= askFromRequests ? [words.manyRequests(plan)] : []),
    ...remarks,
  ];
}

function longOf({ documents, sent, queryTokens, context, cutsIntoChunks }: SourceFacts): number {
  if (cutsIntoChunks) return 0;
  return sent.filter((index) => isLongFor(documents.tokensOf(index), queryTokens, context)).length;
}
