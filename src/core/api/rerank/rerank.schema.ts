// https://docs.siliconflow.com/en/api-reference/rerank/create-rerank
import '../../../schema/jitless';
import * as z from 'zod/mini';
import type { Immutable } from '../../../schema/immutable';
import { listIn } from '../envelope';
import { entriesOf, lenient, lenientNumber, lenientText, toNumber } from '../tolerant';
import type { AnswerIds } from '../transport/transport';

export const rerankRequest = z.strictObject({
  model: z.string(),
  query: z.string(),
  /** Strings only; the reference also shows objects, but the service rejects them. */
  documents: z.array(z.string()),
  top_n: z.nullish(z.number()),
  return_documents: z.nullish(z.boolean()),
  max_chunks_per_doc: z.nullish(z.number()),
  overlap_tokens: z.nullish(z.number()),
  /** Defines what "relevant" means; Qwen3-Reranker models only. */
  instruction: z.nullish(z.string()),
});

/** Absent fields are not sent; `null` is sent as null. */
export type RerankRequest = Immutable<z.infer<typeof rerankRequest>>;

const tokens = lenient(z.looseObject({ input_tokens: lenientNumber, output_tokens: lenientNumber }));

/**
 * One malformed entry must not lose the others, which are paid for, so index and score are not validated. Older forms of Cohere's API
 * have `document_index`, sentence-transformers `corpus_id`, Bedrock `relevanceScore`, NVIDIA's servers `logit`.
 */
const result = z.looseObject({
  index: z.optional(z.unknown()),
  document_index: z.optional(z.unknown()),
  corpus_id: z.optional(z.unknown()),
  relevance_score: z.optional(z.unknown()),
  score: z.optional(z.unknown()),
  relevanceScore: z.optional(z.unknown()),
  logit: z.optional(z.unknown()),
  document: lenient(z.union([z.string(), z.looseObject({ text: lenientText })])),
  text: lenientText,
});

type EntryOnTheWire = z.infer<typeof result>;

/** Returns the index of the document that an entry is about; `undefined` if the entry has none. */
export function indexOf({ index, document_index: inDocuments, corpus_id: inCorpus }: EntryOnTheWire) {
  return numberOf(index) ?? numberOf(inDocuments) ?? numberOf(inCorpus);
}

/** Returns the score of an entry, which may be infinite; `undefined` if it has none. */
export function scoreOf({ relevance_score: score, score: short, relevanceScore: joined, logit }: EntryOnTheWire) {
  return numberOf(score) ?? numberOf(short) ?? numberOf(joined) ?? numberOf(logit);
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : toNumber(value);
}

/** Empty, or with at least one entry that refers to a document. */
const results = entriesOf(result).check(
  z.refine((list) => list.length === 0 || list.some((entry) => indexOf(entry) !== undefined)),
);

/** The response shapes of this service and of others on the same path: a list under `results`, `rankings` or `data`, or a bare list. */
export const rerankResponse = listIn(
  ['results', 'rankings'],
  z.looseObject({
    id: lenientText,
    model: lenientText,
    request_id: lenientText,
    list: results,
    tokens,
    meta: lenient(z.looseObject({ tokens, billed_units: tokens })),
    usage: lenient(z.looseObject({ prompt_tokens: lenientNumber, total_tokens: lenientNumber })),
  }),
);

export interface Ranking extends AnswerIds {
  readonly id?: string;
  /** The model that answered, if the service names it. */
  readonly model?: string;
  /** Best first, entries without a score last. Not validated: an entry may lack fields or repeat another's index. */
  readonly results: readonly RankedDocument[];
  readonly tokens: {
    readonly input_tokens?: number;
    readonly output_tokens?: number;
    /** What the request cost in the currency of the account, if the service says so. */
    readonly cost?: number;
  };
}

export interface RankedDocument {
  /** Index into the documents of the request, if valid; absent if the response has no number. Text that is a number counts as one. */
  readonly index?: number;
  /** Absent if the response has no number; may be infinite. */
  readonly relevance_score?: number;
  /** The text in the response, else the request's own document. */
  readonly text: string;
}
