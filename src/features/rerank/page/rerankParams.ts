import '../../../core/api/jitless';
import * as z from 'zod/mini';
import type { ParamSchemas } from '../../../platform/webview/webviewEnvelope';
import type { RerankScreen } from '../../../protocol/rerank';

const nothing = z.strictObject({});
const index = z.int().check(z.nonnegative());
const range = z.strictObject({ from: index, count: z.int().check(z.nonnegative(), z.maximum(2000)) });
const splitBy = z.enum(['whole', 'lines', 'paragraphs', 'listItems', 'jsonArray', 'sections']);
const judgement = z.enum(['relevant', 'notRelevant', 'none']);
const text = (most: number) => z.string().check(z.maxLength(most));
const count = z.int().check(z.positive());
const model = text(500);

const form = z.strictObject({
  query: text(1_000_000),
  model,
  top_n: text(100),
  return_documents: z.boolean(),
  max_chunks_per_doc: text(100),
  overlap_tokens: text(100),
  instruction: text(1_000_000),
});

/** Schemas of the parameters that the page may send with each call. */
export const rerankParams: ParamSchemas<RerankScreen> = {
  'rerank/ready': nothing,
  'rerank/chooseSource': z.strictObject({
    kind: z.enum(['selection', 'file', 'tabs', 'files', 'search', 'problems', 'clipboard']),
  }),
  'rerank/split': z.strictObject({ by: splitBy }),
  'rerank/exclude': z.strictObject({ index, isExcluded: z.boolean() }),
  'rerank/excludeAll': z.strictObject({ isExcluded: z.boolean() }),
  'rerank/form': z.strictObject({ form }),
  'rerank/documents': range,
  'rerank/run': z.strictObject({ form, goOn: z.optional(z.boolean()) }),
  'rerank/follow': nothing,
  'rerank/rows': range,
  'rerank/compare': z.strictObject({
    form,
    models: z.array(model.check(z.minLength(1))).check(z.maxLength(20)),
    k: count.check(z.maximum(100_000)),
  }),
  'rerank/comparisonRows': range,
  'rerank/judge': z.strictObject({ index, judgement, of: z.optional(z.enum(['ranking', 'comparison'])) }),
  'rerank/whole': z.strictObject({ index }),
  'rerank/goTo': z.strictObject({ index }),
  'rerank/reorder': z.strictObject({ keep: z.optional(count) }),
  'rerank/copy': z.strictObject({ as: z.enum(['list', 'markdownTable', 'json']), top: z.optional(count) }),
  'rerank/showScores': z.strictObject({ isShown: z.boolean() }),
  'rerank/forgetQuery': z.strictObject({ query: text(1_000_000) }),
  'rerank/act': z.strictObject({ action: text(1000) }),
};
