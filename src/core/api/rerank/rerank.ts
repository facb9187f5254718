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
  const results = list.map((result) => toRanked(result, request)).sort(byScore);
  return { ...(Array.isArray(wire) ? {} : present({ id: wire.id })), results, tokens: tokensOf(wire) };
}

function byScore(one: RankedDocument, other: RankedDocument): number {
  const [first, second] = [one, other].map(({ relevance_score }) => relevance_score ?? Number.NEGATIVE_INFINITY);
  return first === second ? 0 : second! - first!;
}

function toRanked(result: ResultOnTheWire, { documents }: RerankRequest): RankedDocument {
  const { document, text } = result;
  const index = numberOf(result.index);
  const own = typeof document === 'string' ? document : document?.text;
  const sent = index === undefined ? undefined : documents[index];
  return {
    ...present({ index, relevance_score: numberOf(result.relevance_score) ?? numberOf(result.score) }),
    text: own ?? text ?? sent ?? '',
  };
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
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
