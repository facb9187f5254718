import type * as z from 'zod/mini';
import { checkRequest, warningsOf, withOwn } from '../bounds';
import type { ClientOptions } from '../clientOptions';
import { ApiError, isApiError } from '../errors';
import type { LearnedModel } from '../learned';
import { present, presentWords } from '../present';
import { watchIds } from '../transport/headers';
import type { Transport, ApiPlace } from '../transport/transport';
import { rerankBounds } from './rerank.bounds';
import { indexOf, rerankRequest, rerankResponse, scoreOf, textOf } from './rerank.schema';
import type { RankedDocument, Ranking, RerankRequest } from './rerank.schema';
import type { ParameterWarning } from '../parameters';
import { reportedCost } from '../reportedCost';

export interface Reranks {
  create(request: RerankRequest, signal?: AbortSignal): Promise<Ranking>;
  warnings(request: RerankRequest): readonly ParameterWarning[];
}

/** The list of documents, two other paths, and two names of the number of results. */
const mostAdaptations = 5;

export function createRerank(
  transport: Transport,
  { learned, hasPrices, baseUrl, bounds: own }: ClientOptions,
): Reranks {
  const bounds = withOwn(rerankBounds, own?.rerank);
  // Those of a service on the internet are documented.
  const mayBeUnversioned = hasPrices === false && /\/v\d+\w*\/*$/.test(baseUrl);
  const send = async (request: RerankRequest, way: LearnedModel, signal: AbortSignal | undefined) => {
    const { ids, watch } = watchIds();
    const call = { method: 'POST', path: '/rerank', work: 'rerank', model: request.model, signal, watch } as const;
    const place =
      ownPlaceAt(baseUrl, request.model)?.place ??
      (way.ranksAtRanking === true
        ? ({ path: '/ranking', route: rankingRoute } as const)
        : way.ranksUnversioned === true
          ? ({ isUnversioned: true, route: unversionedRoute } as const)
          : {});
    const body = bodyFor(request, way);
    const wire = await transport.json({ ...call, ...place, body, response: rerankResponse });
    return { ...toRanking(wire, request), ...ids };
  };
  return {
    async create(requested, signal) {
      let request = requested;
      checkRequest(request, rerankRequest, bounds);
      const { model } = request;
      const own = ownPlaceAt(baseUrl, model);
      const { ranksAs, ranksTexts, ranksUnversioned, ranksAtRanking, ranksTopK, ranksAll } = learned?.of(model) ?? {};
      let way: LearnedModel = {
        ...present({ ranksTexts, ranksUnversioned, ranksAtRanking, ranksTopK, ranksAll }),
        ...((own ?? ranksAs) && { ranksAs: own?.ranksAs ?? ranksAs }),
      };
      let missing: ApiError | undefined;
      for (let adaptations = 0; ; adaptations++) {
        try {
          const ranking = await send(request, way, signal);
          if (adaptations > 0) learned?.learn(model, way);
          return ranking;
        } catch (error) {
          if (!isApiError(error)) throw error;
          if (requiresTopN(error) && request.top_n == null) {
            request = { ...request, top_n: request.documents.length };
            continue;
          }
          const adapted = adaptations < mostAdaptations ? adaptedTo(error, way, mayBeUnversioned) : undefined;
          if (!adapted) throw isMissing(error) ? elsewhere(missing ?? error, baseUrl) : error;
          if (isMissing(error)) missing ??= error;
          way = adapted;
        }
      }
    },
    warnings: (request) => warningsOf(request, bounds),
  };
}

/** Distinguished from the usual path, because a server can lack one of them. */
const unversionedRoute = '/rerank without version';
const rankingRoute = '/ranking';

function isMissing({ kind }: ApiError): boolean {
  return kind === 'notOffered' || kind === 'notFound';
}

/**
 * Returns the way that a rejection shows; `undefined` if it is about something else. TEI and Infinity have no version in the path, and
 * NVIDIA's servers call it `ranking`.
 */
function adaptedTo(error: ApiError, way: LearnedModel, mayBeUnversioned: boolean): LearnedModel | undefined {
  if (error.kind === 'notOffered' && mayBeUnversioned && way.ranksUnversioned !== true)
    return { ...way, ranksUnversioned: true };
  if (error.kind === 'notOffered' && mayBeUnversioned && way.ranksAtRanking !== true)
    return { ...way, ranksAtRanking: true, ranksAs: 'passages' };
  if (way.ranksAll !== true && refusesNumber(error, way.ranksTopK === true ? 'top_k' : 'top_n'))
    return { ...way, ...(way.ranksTopK === true ? { ranksAll: true } : { ranksTopK: true }) };
  const missing = missingIn(error);
  if (missing === 'input' || missing === 'passages')
    return way.ranksAs === missing ? undefined : { ...way, ranksAs: missing };
  if (wantsObjects(error)) return way.ranksAs === undefined ? { ...way, ranksAs: 'objects' } : undefined;
  const list = way.ranksTexts === true ? 'documents' : 'texts';
  return missing === list ? { ...way, ranksTexts: list === 'texts' } : undefined;
}

/** Returns the error for a missing path. NVIDIA ranks at another host, to which this host's key must not be sent automatically. */
function elsewhere(error: ApiError, baseUrl: string): ApiError {
  if (URL.parse(baseUrl)?.hostname !== 'integrate.api.nvidia.com') return error;
  const { message, details } = error;
  return new ApiError({ ...details, kind: 'notOffered', message, hint: 'ranksElsewhere', cause: error });
}

/** The path of DashScope's own API: https://help.aliyun.com/zh/model-studio/text-rerank-api */
const dashScopePath = '/api/v1/services/rerank/text-rerank/text-rerank';

interface OwnPlace {
  readonly place: ApiPlace;
  readonly ranksAs: NonNullable<LearnedModel['ranksAs']>;
}

/** Returns the path and the form of a service that ranks elsewhere than at `/rerank`; `undefined` for any other. */
function ownPlaceAt(baseUrl: string, model: string): OwnPlace | undefined {
  const host = URL.parse(baseUrl)?.hostname ?? '';
  // Its own API has another path than the one that is compatible with OpenAI's.
  if (/^(?:dashscope(?:-[a-z]+)?|[\w.-]+\.(?:dashscope|maas))\.aliyuncs\.com$/.test(host))
    return { place: { path: dashScopePath, isFromHost: true }, ranksAs: 'input' };
  // https://www.mixedbread.com/api-reference/endpoints/reranking
  if (/^api\.mixedbread\.(?:com|ai)$/.test(host)) return { place: { path: '/reranking' }, ranksAs: 'inputs' };
  // https://docs.api.nvidia.com/nim/reference/nvidia-llama-3_2-nv-rerankqa-1b-v2-infer
  if (host === 'ai.api.nvidia.com') {
    const of = model.includes(':') ? 'nvidia' : model.replaceAll('.', '_').split('/').map(encodeURIComponent).join('/');
    return { place: { path: `/retrieval/${of}/reranking` }, ranksAs: 'passages' };
  }
  return undefined;
}

const refusalOfName = /not supported|unsupported|unknown|unexpected|unrecognized|not permitted|extra/i;

/** In the words of Voyage: "Argument 'top_n' is not supported by our API", and of strict servers in Python. */
function refusesNumber({ message, details: { status } }: ApiError, name: 'top_n' | 'top_k'): boolean {
  const at = message.indexOf(name);
  return isRejection(status) && at >= 0 && refusalOfName.test(message.slice(Math.max(0, at - 80), at + 90));
}

/** Some services, such as Scaleway, do not rank all documents unless told to. */
function requiresTopN({ message, details: { status } }: ApiError): boolean {
  return (
    isRejection(status) &&
    /\btop_n\b.{0,80}(?:required|missing|must not be null)|(?:required|missing).{0,80}\btop_n\b/i.test(message)
  );
}

function wantsObjects({ message, details: { status } }: ApiError): boolean {
  return (
    isRejection(status) && /\bdocuments?\b.{0,80}\b(?:objects?|dict(?:ionar(?:y|ies))?|maps?|struct)\b/i.test(message)
  );
}

const isRejection = (status: number | undefined): boolean => status === 400 || status === 422;

function bodyFor(requested: RerankRequest, { ranksTexts, ranksAs, ranksTopK, ranksAll }: LearnedModel): object {
  const { top_n: _, ...others } = requested;
  const request: RerankRequest = ranksAll === true ? others : requested;
  const { model, query, documents, top_n: most, return_documents: returned, instruction } = request;
  const objects = documents.map((text) => ({ text }));
  switch (ranksAs) {
    case 'input':
      return {
        model,
        input: { query, documents },
        parameters: {
          ...(most != null && { top_n: most }),
          ...(returned != null && { return_documents: returned }),
          ...(instruction != null && { instruct: instruction }),
        },
      };
    case 'inputs':
      return {
        model,
        query,
        input: documents,
        ...(most != null && { top_k: most }),
        ...(returned != null && { return_input: returned }),
      };
    case 'passages':
      return { model, query: { text: query }, passages: objects };
    case 'objects':
      return { ...request, documents: objects };
    case undefined:
      break;
  }
  if (ranksTexts === true) return withTexts(request);
  return ranksTopK === true && most != null ? { ...others, top_k: most } : request;
}

/** Returns the name of the property that a rejected request lacks, in the words of TEI and of servers in Python. */
function missingIn({ message, details: { status } }: ApiError): string | undefined {
  if (!isRejection(status) || !/missing|required/i.test(message)) return undefined;
  return /\b(texts|documents|passages|input)\b/.exec(message)?.[1];
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

function toRanking(wire: Wire, { documents }: RerankRequest): Ranking {
  const indexes = placesOf(wire.list, documents);
  const results = wire.list.map((entry, at) => toRanked(entry, indexes[at], documents)).sort(byScore);
  return { ...presentWords({ id: wire.id ?? wire.request_id, model: wire.model }), results, tokens: tokensOf(wire) };
}

/** Returns the index of the document of each entry: by its text if its index is missing, or is another document's. */
function placesOf(list: Wire['list'], documents: readonly string[]): readonly (number | undefined)[] {
  const stated = list.map(indexOf);
  // Some servers count from one. A single index that is too high tells nothing.
  const isFromOne = stated.length === documents.length && documents.every((_, place) => stated.includes(place + 1));
  const used = new Set<number>();
  return list.map((entry, at) => {
    const index = stated[at] === undefined ? undefined : stated[at] - (isFromOne ? 1 : 0);
    const text = textOf(entry);
    if (text === undefined || (index !== undefined && documents[index] === text)) return index;
    const found = documents.findIndex((one, place) => one === text && !used.has(place));
    if (found < 0) return index;
    used.add(found);
    return found;
  });
}

function byScore(one: RankedDocument, other: RankedDocument): number {
  const [first, second] = [one, other].map(({ relevance_score }) => relevance_score ?? Number.NEGATIVE_INFINITY);
  return first === second ? 0 : second! - first!;
}

function toRanked(entry: ResultOnTheWire, index: number | undefined, documents: readonly string[]): RankedDocument {
  const sent = index === undefined ? undefined : documents[index];
  return { ...present({ index, relevance_score: scoreOf(entry) }), text: textOf(entry) ?? sent ?? '' };
}

function tokensOf(wire: Wire): Ranking['tokens'] {
  const { tokens, meta, usage } = wire;
  // Some have the count next to the list.
  const counted = usage ?? wire;
  const input = counted.prompt_tokens ?? counted.input_tokens ?? wire.input_token_count ?? counted.total_tokens;
  const said = tokens ?? meta?.tokens ?? (usage ? undefined : meta?.billed_units);
  return present({
    input_tokens: said ? said.input_tokens : input,
    output_tokens: said?.output_tokens,
    cost: reportedCost(usage),
  });
}
