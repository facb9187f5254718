import type * as z from 'zod/mini';
import { checkRequest, warningsOf } from '../bounds';
import type { ClientOptions } from '../clientOptions';
import { isApiError } from '../errors';
import type { ApiError } from '../errors';
import { present, presentWords } from '../present';
import { watchIds } from '../transport/headers';
import type { Transport } from '../transport/transport';
import { rerankBounds } from './rerank.bounds';
import { indexOf, rerankRequest, rerankResponse, scoreOf } from './rerank.schema';
import type { RankedDocument, Ranking, RerankRequest } from './rerank.schema';
import type { ParameterWarning } from '../parameters';

export interface Reranks {
  create(request: RerankRequest, signal?: AbortSignal): Promise<Ranking>;
  warnings(request: RerankRequest): readonly ParameterWarning[];
}

export function createRerank(
  transport: Transport,
  { learned }: Pick<ClientOptions, 'learned'> = {},
  bounds = rerankBounds,
): Reranks {
  const send = async (request: RerankRequest, asTexts: boolean, signal: AbortSignal | undefined) => {
    const { ids, watch } = watchIds();
    const call = { method: 'POST', path: '/rerank', work: 'rerank', model: request.model, signal, watch } as const;
    const body = asTexts ? withTexts(request) : request;
    const wire = await transport.json({ ...call, body, response: rerankResponse });
    return { ...toRanking(wire, request), ...ids };
  };
  return {
    async create(request, signal) {
      checkRequest(request, rerankRequest, bounds);
      const { model } = request;
      const asTexts = learned?.of(model).ranksTexts === true;
      try {
        return await send(request, asTexts, signal);
      } catch (error) {
        if (!isApiError(error) || missingIn(error) !== (asTexts ? 'documents' : 'texts')) throw error;
      }
      const ranking = await send(request, !asTexts, signal);
      learned?.learn(model, { ranksTexts: !asTexts });
      return ranking;
    },
    warnings: (request) => warningsOf(request, bounds),
  };
}

/** Returns the name of the list that a rejected request lacks, in the words of TEI and of servers in Python. */
function missingIn({ message, details: { status } }: ApiError): string | undefined {
  if ((status !== 400 && status !== 422) || !/missing|required/i.test(message)) return undefined;
  return /\b(texts|documents)\b/.exec(message)?.[1];
}

/**
 * Returns the body for servers of text-embeddings-inference: https://huggingface.github.io/text-embeddings-inference. Unless told to
 * truncate, they reject all texts because one is too long for the model.
 */
function withTexts({ documents, return_documents: returned, ...rest }: RerankRequest): object {
  return { ...rest, texts: documents, truncate: true, ...(returned != null && { return_text: returned }) };
}

type Wire = z.infer<typeof rerankResponse>;
type ResultOnTheWire = Wire['list'][number];

function toRanking(wire: Wire, request: RerankRequest): Ranking {
  const results = wire.list.map((result) => toRanked(result, request)).sort(byScore);
  return { ...presentWords({ id: wire.id ?? wire.request_id, model: wire.model }), results, tokens: tokensOf(wire) };
}

function byScore(one: RankedDocument, other: RankedDocument): number {
  const [first, second] = [one, other].map(({ relevance_score }) => relevance_score ?? Number.NEGATIVE_INFINITY);
  return first === second ? 0 : second! - first!;
}

function toRanked(result: ResultOnTheWire, { documents }: RerankRequest): RankedDocument {
  const { document, text } = result;
  const index = indexOf(result);
  const own = typeof document === 'string' ? document : document?.text;
  const sent = index === undefined ? undefined : documents[index];
  return {
    ...present({ index, relevance_score: scoreOf(result) }),
    text: own ?? text ?? sent ?? '',
  };
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
