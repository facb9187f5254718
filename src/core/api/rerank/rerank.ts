import type * as z from 'zod/mini';
import { checkRequest, warningsOf } from '../bounds';
import type { ClientOptions } from '../clientOptions';
import { isApiError } from '../errors';
import type { ApiError } from '../errors';
import type { LearnedModel } from '../learned';
import { present, presentWords } from '../present';
import { watchIds } from '../transport/headers';
import type { Transport } from '../transport/transport';
import { rerankBounds } from './rerank.bounds';
import { indexOf, rerankRequest, rerankResponse, scoreOf } from './rerank.schema';
import type { RankedDocument, Ranking, RerankRequest } from './rerank.schema';
import type { ParameterWarning } from '../parameters';
import { reportedCost } from '../reportedCost';

export interface Reranks {
  create(request: RerankRequest, signal?: AbortSignal): Promise<Ranking>;
  warnings(request: RerankRequest): readonly ParameterWarning[];
}

/** In what servers differ that rank. */
type RerankWay = Pick<LearnedModel, 'ranksTexts' | 'ranksUnversioned'>;

/** The list of documents and the path. */
const mostAdaptations = 2;

export function createRerank(
  transport: Transport,
  { learned, hasPrices, baseUrl }: Pick<ClientOptions, 'learned' | 'hasPrices' | 'baseUrl'>,
  bounds = rerankBounds,
): Reranks {
  // Those of a service on the internet are documented.
  const mayBeUnversioned = hasPrices === false && /\/v\d+\w*\/*$/.test(baseUrl);
  const send = async (request: RerankRequest, way: RerankWay, signal: AbortSignal | undefined) => {
    const { ids, watch } = watchIds();
    const call = { method: 'POST', path: '/rerank', work: 'rerank', model: request.model, signal, watch } as const;
    const place = way.ranksUnversioned === true ? ({ isUnversioned: true, route: unversionedRoute } as const) : {};
    const body = way.ranksTexts === true ? withTexts(request) : request;
    const wire = await transport.json({ ...call, ...place, body, response: rerankResponse });
    return { ...toRanking(wire, request), ...ids };
  };
  return {
    async create(request, signal) {
      checkRequest(request, rerankRequest, bounds);
      const { model } = request;
      const { ranksTexts, ranksUnversioned } = learned?.of(model) ?? {};
      let way: RerankWay = present({ ranksTexts, ranksUnversioned });
      let missing: unknown;
      for (let adaptations = 0; ; adaptations++) {
        try {
          const ranking = await send(request, way, signal);
          if (adaptations > 0) learned?.learn(model, way);
          return ranking;
        } catch (error) {
          if (!isApiError(error)) throw error;
          const adapted = adaptations < mostAdaptations ? adaptedTo(error, way, mayBeUnversioned) : undefined;
          if (!adapted) throw isMissing(error) ? (missing ?? error) : error;
          if (isMissing(error)) missing = error;
          way = adapted;
        }
      }
    },
    warnings: (request) => warningsOf(request, bounds),
  };
}

/** Told apart from the usual path, because a server can lack one of them. */
const unversionedRoute = '/rerank without version';

function isMissing({ kind }: ApiError): boolean {
  return kind === 'notOffered' || kind === 'notFound';
}

/** Returns the way that a rejection shows; `undefined` if it is about something else. TEI and Infinity have no version in the path. */
function adaptedTo(error: ApiError, way: RerankWay, mayBeUnversioned: boolean): RerankWay | undefined {
  if (error.kind === 'notOffered' && mayBeUnversioned && way.ranksUnversioned !== true)
    return { ...way, ranksUnversioned: true };
  const list = way.ranksTexts === true ? 'documents' : 'texts';
  return missingIn(error) === list ? { ...way, ranksTexts: list === 'texts' } : undefined;
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
    cost: reportedCost(usage),
  });
}
