import { cutSlices, usualLimits } from '../../../core/ranking/slices';
import { estimateTokens } from '../../../core/tokens/estimate';
import type { SourceDocuments } from './documents';

/** Most documents that a page sends. */
export const mostDocuments = 50_000;
/** From this number of requests on, ask for confirmation first. */
export const askFromRequests = 10;
/** Assumed context length if the model's own is unknown: what many rerankers read at most. */
export const usualContext = 8192;

/** Estimated size of a ranking. */
export interface SendingPlan {
  readonly documents: number;
  readonly characters: number;
  /** Counts the query once per document, as services do. */
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

/** Returns the indexes of the documents to send: all that the user did not exclude. */
export function sentOf({ list }: SourceDocuments, excluded: ReadonlySet<number>): readonly number[] {
  return [...list.keys()].filter((index) => !excluded.has(index));
}

/** Whether a document and the query may exceed the model's context. */
export function isLongFor(tokens: number, queryTokens: number, context: number | undefined): boolean {
  return tokens + queryTokens > (context ?? usualContext);
}
