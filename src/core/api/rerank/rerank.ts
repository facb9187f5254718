import type * as z from 'zod/mini';
import { checkRequest, warningsOf } from '../bounds';
import { present, presentWords } from '../present';
import { watchIds } from '../transport/headers';
import type { Transport } from '../transport/transport';
import { rerankBounds } from './rerank.bounds';
import type { RankedDocument, Ranking, RerankRequest } from './rerank.schema';
import { rerankRequest, rerankResponse } from './rerank.schema';
import type { ParameterWarning } from '../parameters';
import { toNumber } from '../tolerant';

export interface Reranks {
  create(request: RerankRequest, signal?: AbortSignal): Promise<Ranking>;
  warnings(request: RerankRequest): readonly ParameterWarning[];
}

export function createRerank(transport: Transport, bounds = rerankBounds): Reranks {
  return {
    async create(request, signal) {
      checkRequest(request, rerankRequest, bounds);
      const { ids, watch } = watchIds();
      const call = { method: 'POST', path: '/rerank', work: 'rerank', model: request.model, signal, watch } as const;
      const wire = await transport.json({ ...call, body: request, response: rerankResponse });
      return { ...toRanking(wire, request), ...ids };
    },
    warnings: (request) => warningsOf(request, bounds),
  };
}

type Wire = z.infer<typeof rerankResponse>;
type ResultOnTheWire = Wire['list'][number];

function toRanking(wire: Wire, request: RerankRequest): Ranking {
  const results = wire.list.map((result) => toRanked(result, request)).sort(byScore);
  return { ...presentWords({ id: wire.id, model: wire.model }), results, tokens: tokensOf(wire) };
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
  return typeof value === 'number' ? value : toNumber(value);
}

function tokensOf({ tokens, meta, usage }: Wire): Ranking['tokens'] {
  const said =
    tokens ??
    meta?.tokens ??
    (usage ? { input_tokens: usage.prompt_tokens ?? usage.total_tokens } : meta?.billed_units);
  return present({
    input_tokens: said?.input_tokens,
    output_tokens: said && 'output_tokens' in said ? said.output_tokens : undefined,
  });
}
