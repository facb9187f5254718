import type { Client } from '../api/client';
import { present } from '../api/present';
import type { CallEvents, LocalCall, SentRequest } from '../batch/local/localRun';
import { countInputTokens } from '../tokens/countTokens';
import type { CallUse } from './meteredClient';

/**
 * Sends the requests of a run with the metered client that `client` returns for each of them. Requests for embeddings or a ranking are
 * answered like chats, with measures of the first text as content: vectors would need 40 kB for each request.
 */
export function createLocalCall(client: (use: CallUse) => Promise<Client>): LocalCall {
  return async (request, events) => {
    const { model, body } = request;
    const { signal, onWait, onAnswer, onUsage } = events;
    const parts = await client({ source: 'batchLines', onUsage });
    if (isMeasureBody(body)) return measured(request, events, parts);
    return parts.chatCompletions.chunks(
      { ...body, model },
      { signal, watch: { onWait, onAnswer: ({ requestId, traceId }) => onAnswer(requestId ?? traceId ?? '') } },
    );
  };
}

/** Whether a body asks for embeddings or a ranking. */
export function isMeasureBody(body: object): boolean {
  return !('messages' in body) && ('input' in body || 'documents' in body);
}

async function* measured(
  { model, body }: SentRequest,
  { signal }: CallEvents,
  { embeddings, rerank }: Client,
): AsyncGenerator {
  const { input, query, documents } = body as Partial<Record<string, string & readonly string[]>>;
  let content: object;
  let usage: { readonly prompt_tokens?: number; readonly cost?: number };
  if (input) {
    const { vectors, usage: used } = await embeddings.create({ model, input }, signal);
    const [first = [], ...others] = vectors;
    content = similarities(first, others.length === input.length - 1 ? others : []);
    usage = used;
  } else {
    const { results, tokens } = await rerank.create({ model, query: query ?? '', documents: documents ?? [] }, signal);
    content = { relevance: results.find(({ index }) => index === 0)?.relevance_score };
    usage = present({ prompt_tokens: tokens.input_tokens, cost: tokens.cost });
  }
  const { prompt_tokens = countInputTokens(body), cost } = usage;
  yield {
    model,
    choices: [{ index: 0, message: { content: JSON.stringify(content) }, finish_reason: 'stop' }],
    usage: { prompt_tokens, completion_tokens: 0, ...(cost !== undefined && { cost }) },
  };
}

/** Returns the similarities of a vector to others, or none if one is missing or has another size. */
function similarities(
  first: readonly number[],
  others: readonly (readonly number[])[],
): Readonly<Record<'cosine' | 'dot' | 'euclidean', readonly number[]>> {
  const isWhole = first.length > 0 && others.every(({ length }) => length === first.length);
  const sum = (part: (index: number) => number) => first.reduce((all, _, index) => all + part(index), 0);
  const dots = isWhole ? others.map((other) => sum((at) => first[at]! * other[at]!)) : [];
  const size = Math.sqrt(sum((at) => first[at]! ** 2));
  const sizes = others.map((other) => Math.sqrt(other.reduce((all, one) => all + one * one, 0)));
  return {
    cosine: dots.map((dot, index) => dot / (size * sizes[index]!)),
    dot: dots,
    euclidean: dots.map((_, index) => Math.sqrt(sum((at) => (first[at]! - others[index]![at]!) ** 2))),
  };
}
