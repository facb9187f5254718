import { cutSlices, usualLimits } from '../../../core/ranking/slices';
import { estimateTokens } from '../../../core/tokens/estimate';
import type { SourceDocuments } from './documents';

/** More documents are not sent from one page. */
export const mostDocuments = 50_000;
/** From so many requests on a person is asked before anything is sent. */
export const askFromRequests = 10;
/** Where a model's own length is not known: what many rerankers read at most. */
export const usualContext = 8192;

/** What a ranking of some documents takes; estimated. */
export interface SendingPlan {
  readonly documents: number;
  readonly characters: number;
  /** The query counts once for each document, as services count. */
  readonly tokens: number;
  readonly requests: number;
}

export function planSending(documents: SourceDocuments, sent: readonly number[], query: string): SendingPlan {
  const texts = sent.map((index) => documents.list[index]!.text);
  const tokensOf = (index: number) => documents.tokensOf(sent[index]!);
  const queryTokens = estimateTokens(query);
  return {
    documents: sent.length,
    characters: texts.reduce((sum, text) => sum + text.length, 0),
    tokens: sent.reduce((sum, index) => sum + documents.tokensOf(index) + queryTokens, 0),
    requests: cutSlices({ documents: texts, query }, usualLimits, new Set(), tokensOf).length,
  };
}

/** The documents that are sent: all that no person left out. */
export function sentOf({ list }: SourceDocuments, excluded: ReadonlySet<number>): readonly number[] {
  return [...list.keys()].filter((index) => !excluded.has(index));
}

/** Whether a document with the query may be longer than the model reads. */
export function isLongFor(tokens: number, queryTokens: number, context: number | undefined): boolean {
  return tokens + queryTokens > (context ?? usualContext);
}
