import type * as z from 'zod/mini';
import { checkRequest, warningsOf } from '../bounds';
import { present } from '../present';
import type { Transport } from '../transport/transport';
import { rerankBounds } from './rerank.bounds';
import type { RankedDocument, Ranking, RerankRequest } from './rerank.schema';
import { rerankRequest, rerankResponse } from './rerank.schema';
import type { ParameterWarning } from '../parameters';

export interface Reranks {
  create(request: RerankRequest, signal?: AbortSignal): Promise<Ranking>;
  warnings(request: RerankRequest): readonly ParameterWarning[];
}

export function createRerank(transport: Transport): Reranks {
  return {
    async create(request, signal) {
      checkRequest(request, rerankRequest, rerankBounds);
      const call = { method: 'POST', path: '/rerank', work: 'rerank', model: request.model, signal } as const;
      return toRanking(await transport.json({ ...call, body: request, response: rerankResponse }), request);
    },
    warnings: (request) => warningsOf(request, rerankBounds),
  };
}

type Wire = z.infer<typeof rerankResponse>;
type ResultOnTheWire = Extract<Wire, readonly unknown[]>[number];

function toRanking(wire: Wire, request: RerankRequest): Ranking {
  const list = Array.isArray(wire) ? wire : (wire.results ?? wire.data ?? []);
  const results = list
    .map((result) => toRanked(result, request))
    .sort((left, right) => right.relevance_score - left.relevance_score);
  return { ...(Array.isArray(wire) ? {} : present({ id: wire.id })), results, tokens: tokensOf(wire) };
}

function toRanked(result: ResultOnTheWire, { documents }: RerankRequest): RankedDocument {
  const { index, document, text } = result;
  const score = result.relevance_score ?? result.score ?? 0;
  const own = typeof document === 'string' ? document : document?.text;
  return { index, relevance_score: score, text: own ?? text ?? documents[index] ?? '' };
}

function tokensOf(wire: Wire): Ranking['tokens'] {
  if (Array.isArray(wire)) return {};
  const { tokens, meta, usage } = wire;
  const said =
    tokens ??
    meta?.tokens ??
    (usage ? { input_tokens: usage.prompt_tokens ?? usage.total_tokens } : meta?.billed_units);
  return present({
    input_tokens: said?.input_tokens,
    output_tokens: said && 'output_tokens' in said ? said.output_tokens : undefined,
  });
}
