import '../../../core/api/jitless';
import * as z from 'zod/mini';
import type { RankingProblem } from '../../../core/ranking/checkRanking';
import type { RerankSource } from '../sources/rerankSource';
import type { BySplit, PageChoices, PageResults } from '../controller/rerankRecord';

const splitBy = z.enum(['whole', 'lines', 'paragraphs', 'listItems', 'jsonArray', 'sections']);
const bySplit = <T extends z.ZodMiniType>(of: T) => z.partialRecord(splitBy, of);
const index = z.int().check(z.nonnegative());

const place = z.object({
  uri: z.string(),
  line: index,
  character: index,
  isAbout: z.optional(z.boolean()),
});

const source = z.object({
  kind: z.enum(['selection', 'file', 'tabs', 'files', 'search', 'problems', 'clipboard']),
  title: z.string(),
  texts: z.array(
    z.object({ text: z.string(), name: z.string(), languageId: z.optional(z.string()), at: z.optional(place) }),
  ),
  remarks: z.array(z.string()),
});

const form = z.object({
  query: z.string(),
  model: z.string(),
  top_n: z.string(),
  return_documents: z.boolean(),
  max_chunks_per_doc: z.string(),
  overlap_tokens: z.string(),
  instruction: z.string(),
});

const choices = z.object({ title: z.string(), by: splitBy, excluded: bySplit(z.array(index)), form });

const wireError = z.object({
  kind: z.string(),
  title: z.string(),
  detail: z.string(),
  actions: z.array(z.object({ id: z.string(), label: z.string() })),
});

const order = z.object({
  query: z.string(),
  model: z.string(),
  top_n: z.optional(z.number()),
  return_documents: z.optional(z.boolean()),
  max_chunks_per_doc: z.optional(z.number()),
  overlap_tokens: z.optional(z.number()),
  instruction: z.optional(z.string()),
});

const slice = z.object({
  indexes: z.array(index),
  scores: z.array(z.object({ index, score: z.number() })),
  troubles: z.array(
    z.custom<RankingProblem>((value) => typeof value === 'object' && value !== null && 'kind' in value),
  ),
  tokens: z.object({ input: z.number(), output: z.number() }),
  id: z.optional(z.string()),
});

const ranking = z.object({
  order,
  sent: z.array(index),
  slices: z.array(slice),
  at: z.number(),
  durationMs: z.number(),
  failure: z.optional(wireError),
});

const comparison = z.object({
  query: z.string(),
  k: z.number(),
  columns: z.array(z.object({ model: z.string(), ranking: z.optional(ranking), trouble: z.optional(wireError) })),
});

const results = z.object({ rankings: bySplit(ranking), comparisons: bySplit(comparison) });

export interface SavedChoices extends PageChoices {
  /** Title of the source. */
  readonly title: string;
}

/** Validates a source read from disk; `undefined` if it is invalid. */
export function parseSource(raw: unknown): RerankSource | undefined {
  return source.safeParse(raw).data;
}

export function parseChoices(raw: unknown): SavedChoices | undefined {
  return choices.safeParse(raw).data as (SavedChoices & { readonly excluded: BySplit<readonly number[]> }) | undefined;
}

export function parseResults(raw: unknown): PageResults | undefined {
  return results.safeParse(raw).data as PageResults | undefined;
}
