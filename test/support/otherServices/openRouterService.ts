import { chatReply, randomId, type ChatStyle } from './chatForm';
import { completionReply, embeddingsReply, usageOf } from './completionForm';
import {
  isRecord,
  jsonOf,
  Refusal,
  startLoopbackService,
  type OtherService,
  type Reply,
  type Route,
  type ServiceAt,
} from './loopbackService';
import { speechReply } from './mediaForm';
import { openRouterBatches, type BatchPace } from './inlineBatches';
import { anthropicId, messagesReply, type MessagesStyle } from './messagesForm';
import { relevanceOf, tokensOf } from './scriptedModel';

type Body = Readonly<Record<string, unknown>>;

const models = [
  {
    id: 'qwen/qwen3-8b',
    canonical_slug: 'qwen/qwen3-8b-04-28',
    hugging_face_id: 'Qwen/Qwen3-8B',
    name: 'Qwen: Qwen3 8B',
    created: 1745876632,
    description: 'A dense model.',
    context_length: 40_960,
    architecture: {
      modality: 'text->text',
      input_modalities: ['text'],
      output_modalities: ['text'],
      tokenizer: 'Qwen3',
      instruct_type: 'qwen3',
    },
    pricing: { prompt: '0.00000005', completion: '0.0000004', request: '0', image: '0' },
    top_provider: { context_length: 40_960, max_completion_tokens: 8192, is_moderated: false },
    per_request_limits: null,
    supported_parameters: ['max_tokens', 'reasoning', 'temperature', 'tool_choice', 'tools', 'top_k', 'top_p'],
  },
];

/** Not in the list of models, which contains only text models. */
const unlisted = { rerank: 'cohere/rerank-v3.5', vectors: 'baai/bge-m3', speech: 'openai/gpt-4o-mini-tts' };

/**
 * Starts a service like OpenRouter: https://openrouter.ai/docs (2026-10): comments in streams, the provider and the cost in responses, the
 * list of models without a key, ignored unknown parameters, and a web page for an unknown path. Its image endpoint and format are its own.
 */
export function startOpenRouterService({
  key = 'sk-or-v1-otherservices0123456789',
  batchMs,
  ...at
}: ServiceAt & BatchPace = {}): Promise<OtherService> {
  const route =
    (ids: readonly string[], handle: (body: Body) => Reply): Route =>
    (asked) => {
      admit(asked.headers.authorization, key);
      const body = jsonOf(asked);
      if (!body) return refusal(400, 'Invalid JSON body');
      const { model } = body;
      if (!ids.includes(String(model)))
        return refusal(400, `${String(model)} is not a valid model ID`, { user_id: 'user_2otherservices' });
      return handle(body);
    };
  const texts = models.map(({ id }) => id);
  const batchRoutes = openRouterBatches(
    (endpoint, body) => {
      if (!texts.includes(String(body['model']))) return refusal(400, 'Not a valid model ID');
      return endpoint === '/v1/messages' ? messagesReply(body, messagesStyle) : chatReply(body, chatStyle);
    },
    refusal,
    batchMs === undefined ? {} : { batchMs },
  );
  return startLoopbackService(
    {
      root: '/api/v1',
      routes: {
        'GET /models': () => ({ json: { data: models } }),
        'POST /chat/completions': route(texts, (body) => chatReply(body, chatStyle)),
        'POST /completions': route(texts, (body) =>
          completionReply(body, {
            frame: { provider: 'Other' },
            logprobs: () => undefined,
            defaultTokens: 64,
            usageApart: true,
          }),
        ),
        'POST /messages': route(texts, (body) => messagesReply(body, messagesStyle)),
        'POST /rerank': route([unlisted.rerank], rerank),
        'POST /embeddings': route([unlisted.vectors], embeddingsReply),
        'POST /audio/speech': route([unlisted.speech], speech),
        ...Object.fromEntries(
          Object.entries(batchRoutes).map(([name, handle]): [string, Route] => [
            name,
            (asked) => {
              admit(asked.headers.authorization, key);
              return handle(asked);
            },
          ]),
        ),
      },
      missing: () => ({
        status: 404,
        headers: { 'content-type': 'text/html; charset=utf-8' },
        raw: '<!DOCTYPE html><html lang="en"><head><title>Not Found | OpenRouter</title></head><body><h1>404</h1></body></html>',
      }),
      failed: () => refusal(500, 'Internal Server Error'),
    },
    { ...at, key },
  );
}

function refusal(code: number, message: string, more: Body = {}): Reply {
  return { status: code, json: { error: { message, code }, ...more } };
}

function admit(authorization: string | undefined, key: string): void {
  const [, provided] = /^Bearer (.+)$/.exec(authorization ?? '') ?? [];
  if (provided === undefined) throw new Refusal(refusal(401, 'No auth credentials found'));
  if (provided !== key) throw new Refusal(refusal(401, 'User not found.'));
}

const messagesStyle: MessagesStyle = {
  messageId: () => `gen-${randomId()}`,
  callId: () => anthropicId('toolu'),
  thinks: ({ thinking }) => isRecord(thinking) && thinking['type'] === 'enabled',
  signature: '',
  pings: true,
  usage: { cache_creation_input_tokens: 0, cache_read_input_tokens: 0 },
};

const chatStyle: ChatStyle = {
  frame: { provider: 'Other' },
  first: { role: 'assistant', content: '' },
  reasoning: (text) => ({
    role: 'assistant',
    content: '',
    reasoning: text,
    reasoning_details: [{ type: 'reasoning.text', text, format: 'unknown', index: 0 }],
  }),
  choice: { native_finish_reason: null, logprobs: null },
  message: { refusal: null },
  usage: (counts) => ({ ...usageOf(counts), cost: 0.00042, is_byok: false }),
  alwaysUsage: true,
  callId: () => `call_${randomId()}`,
  opening: ': OPENROUTER PROCESSING\n\n: OPENROUTER PROCESSING\n\n',
};

function rerank({ model, query, documents, top_n: topN }: Body): Reply {
  const texts = Array.isArray(documents) ? documents.map(String) : [];
  if (typeof query !== 'string' || texts.length === 0)
    return refusal(400, 'Invalid input: expected a query and documents');
  const scored = texts.map((text, index) => ({ document: { text }, index, relevance_score: relevanceOf(query, text) }));
  const results = scored
    .toSorted((a, b) => b.relevance_score - a.relevance_score)
    .slice(0, typeof topN === 'number' ? topN : texts.length);
  const tokens = texts.reduce((sum, text) => sum + tokensOf(text).length, 0);
  const usage = { search_units: 1, total_tokens: tokens, cost: 0.001 };
  return { json: { id: `gen-rerank-${randomId()}`, model, results, provider: 'Other', usage } };
}

function speech(body: Body): Reply {
  const { voice, response_format: format = 'pcm' } = body;
  if (typeof voice !== 'string') return refusal(400, 'Invalid input: expected string, received undefined at voice');
  if (format !== 'mp3' && format !== 'pcm') return refusal(400, 'Invalid option: expected one of "mp3"|"pcm"');
  return speechReply({ ...body, response_format: format });
}
