import { chatLogprobs, chatReply, nowSeconds, randomId, textOf, type ChatStyle, type ChatUsage } from './chatForm';
import { completionReply, embeddingsReply, usageOf, type CompletionStyle } from './completionForm';
import {
  jsonOf,
  recordsOf,
  Refusal,
  startLoopbackService,
  type Asked,
  type OtherService,
  type Reply,
} from './loopbackService';
import { relevanceOf, tokensOf } from './scriptedModel';

type Body = Readonly<Record<string, unknown>>;

export interface LocalModel {
  readonly id: string;
  /** The mode of its server: `--embeddings` and `--reranking` are options that exclude the rest. */
  readonly startedFor: 'text' | 'embeddings' | 'reranking';
  readonly contextTokens?: number;
}

const severalModels: readonly LocalModel[] = [
  { id: 'bge-reranker-v2-m3', startedFor: 'reranking' },
  { id: 'nomic-embed-text-v1.5', startedFor: 'embeddings' },
  { id: 'qwen3-8b', startedFor: 'text', contextTokens: 8192 },
];

/**
 * Starts a server like llama.cpp on this machine, without a key. Written from llama.cpp's sources, build b6800 of 2025-10 (tools/server:
 * server.cpp, utils.hpp; before it had `/messages`). With several models, it acts like llama-swap in front of it, as people run a chat
 * model and a reranker together. With one, it is the server alone. Unknown parameters are ignored, as there.
 */
export function startLlamaCppService(models: readonly LocalModel[] = severalModels): Promise<OtherService> {
  const isAlone = models.length === 1;
  const modelOf = (body: Body): LocalModel => {
    if (isAlone) return models[0]!;
    const { model } = body;
    if (typeof model !== 'string' || model === '') throw new Refusal(swapError(400, "missing or invalid 'model' key"));
    const found = models.find(({ id }) => id === model);
    if (!found) throw new Refusal(swapError(400, `could not find real modelID for ${model}`));
    return found;
  };
  const route = (handle: (body: Body, model: LocalModel) => Reply) => (asked: Asked) => {
    const body = jsonOf(asked);
    if (!body)
      throw new Refusal(
        llamaError(500, 'server_error', '[json.exception.parse_error.101] parse error at line 1, column 1'),
      );
    return handle(body, modelOf(body));
  };
  return startLoopbackService({
    root: '/v1',
    routes: {
      'GET /models': () => ({ json: isAlone ? listAlone(models[0]!) : listOfSwap(models) }),
      'POST /chat/completions': route(chat),
      'POST /completions': route(complete),
      'POST /embeddings': route(embed),
      'POST /rerank': route(rerank),
      'POST /reranking': route(rerank),
    },
    missing: () => llamaError(404, 'not_found_error', 'File Not Found'),
    headers: () => ({ server: 'llama.cpp' }),
    failed: (error) => llamaError(500, 'server_error', String(error)),
  });
}

function llamaError(code: number, type: string, message: string, more: Body = {}): Reply {
  return {
    status: code,
    headers: { 'content-type': 'application/json; charset=utf-8' },
    json: { error: { code, message, type, ...more } },
  };
}

function swapError(status: number, message: string): Reply {
  return { status, json: { error: message } };
}

const invalid = (message: string): never => {
  throw new Refusal(llamaError(400, 'invalid_request_error', message));
};
const notStarted = (message: string): never => {
  throw new Refusal(llamaError(501, 'not_supported_error', message));
};

function listAlone({ id, contextTokens = 4096 }: LocalModel) {
  const meta = {
    vocab_type: 2,
    n_vocab: 151936,
    n_ctx_train: contextTokens,
    n_embd: 4096,
    n_params: 8190735360,
    size: 5027783488,
  };
  const details = {
    parent_model: '',
    format: 'gguf',
    family: '',
    families: [''],
    parameter_size: '',
    quantization_level: '',
  };
  const empty = { modified_at: '', size: '', digest: '', type: 'model', description: '', tags: [''], parameters: '' };
  return {
    models: [{ name: id, model: id, ...empty, capabilities: ['completion'], details }],
    object: 'list',
    data: [{ id, object: 'model', created: nowSeconds(), owned_by: 'llamacpp', meta }],
  };
}

function listOfSwap(models: readonly LocalModel[]) {
  const created = nowSeconds();
  return { object: 'list', data: models.map(({ id }) => ({ id, object: 'model', created, owned_by: 'llama-swap' })) };
}

const timingsOf = ({ prompt, completion }: ChatUsage) => ({
  timings: {
    cache_n: 0,
    prompt_n: prompt,
    prompt_ms: 41.5,
    prompt_per_token_ms: 41.5 / Math.max(1, prompt),
    prompt_per_second: 240.9,
    predicted_n: completion,
    predicted_ms: 812.25,
    predicted_per_token_ms: 812.25 / Math.max(1, completion),
    predicted_per_second: 31.4,
  },
});

const build = 'b6800-fa882fd2b';

const chatStyle: ChatStyle = {
  frame: { system_fingerprint: build },
  first: { role: 'assistant', content: null },
  reasoning: (text) => ({ reasoning_content: text }),
  usage: usageOf,
  last: timingsOf,
  callId: () => randomId(16),
};

const completionStyle: CompletionStyle = {
  frame: { system_fingerprint: build },
  logprobs: () => undefined,
  last: timingsOf,
  defaultTokens: 64,
};

function checkContext(text: string, { contextTokens = 4096 }: LocalModel): void {
  const count = tokensOf(text).length;
  if (count < contextTokens) return;
  throw new Refusal(
    llamaError(400, 'exceed_context_size_error', 'the request exceeds the available context size, try increasing it', {
      n_prompt_tokens: count,
      n_ctx: contextTokens,
    }),
  );
}

function chat(body: Body, model: LocalModel): Reply {
  mustBeForText(model);
  if (body['messages'] === undefined) invalid("'messages' is required");
  if (!Array.isArray(body['messages'])) invalid("Expected 'messages' to be an array");
  const messages = recordsOf(body['messages']);
  for (const message of messages) {
    const { role, content } = message;
    if (role !== 'assistant' && !('content' in message)) invalid("All non-assistant messages must contain 'content'");
    if (role === 'assistant' && !('content' in message) && !('tool_calls' in message)) {
      invalid("Assistant message must contain either 'content' or 'tool_calls'!");
    }
    for (const { type } of recordsOf(content)) {
      if (type === 'image_url') {
        throw new Refusal(
          llamaError(
            500,
            'server_error',
            'image input is not supported - hint: if this is unexpected, you may need to provide the mmproj',
          ),
        );
      }
      if (type !== 'text') invalid('unsupported content[].type');
    }
  }
  const hasTools = recordsOf(body['tools']).length > 0;
  if (body['logprobs'] === true && hasTools && body['stream'] === true)
    invalid('logprobs is not supported with tools + stream');
  if (body['logprobs'] !== true && typeof body['top_logprobs'] === 'number') {
    invalid('top_logprobs requires logprobs to be set to true');
  }
  if (typeof body['n'] === 'number' && body['n'] > 1) invalid('Only one completion choice is allowed');
  checkContext(messages.map(({ content }) => textOf(content)).join(' '), model);
  return chatReply({ ...body, model: model.id }, chatStyle);
}

/** OpenAI parameters that this server doesn't support. */
const unsupported = ['best_of', 'suffix'];

function complete(body: Body, model: LocalModel): Reply {
  mustBeForText(model);
  if (body['prompt'] === undefined) invalid('"prompt" is required');
  if (typeof body['n'] === 'number' && body['n'] > 1) invalid('Only one completion choice is allowed');
  if (body['echo'] === true) invalid('Only no echo is supported');
  const odd = unsupported.find((name) => name in body);
  if (odd !== undefined) invalid(`Unsupported param: ${odd}`);
  checkContext(String(body['prompt']), model);
  const logprobs = (tokens: readonly string[], from: number) =>
    typeof body['logprobs'] === 'number' && body['logprobs'] > 0 ? { content: chatLogprobs(tokens, from) } : undefined;
  return completionReply({ ...body, model: model.id }, { ...completionStyle, logprobs });
}

function mustBeForText({ startedFor }: LocalModel): void {
  if (startedFor !== 'text') notStarted('This server does not support completions. Start it without `--embeddings`');
}

function embed(body: Body, { id, startedFor }: LocalModel): Reply {
  if (startedFor === 'text') notStarted('This server does not support embeddings. Start it with `--embeddings`');
  const { input = body['content'] } = body;
  if (input === undefined) invalid('"input" or "content" must be provided');
  return embeddingsReply({ ...body, input, model: id });
}

function rerank(body: Body, { id, startedFor }: LocalModel): Reply {
  if (startedFor !== 'reranking') notStarted('This server does not support reranking. Start it with `--reranking`');
  const { query, documents = body['texts'], top_n: topN } = body;
  if (query === undefined) invalid('"query" must be provided');
  if (typeof query !== 'string') return invalid('"query" must be a string');
  if (!Array.isArray(documents) || documents.length === 0 || documents.some((one) => typeof one !== 'string')) {
    return invalid('"documents" must be a non-empty string array');
  }
  const texts = documents as readonly string[];
  // The model's logits, which can be negative.
  const scored = texts.map((text, index) => ({ index, relevance_score: relevanceOf(query, text) * 12 - 6 }));
  const results = scored
    .toSorted((a, b) => b.relevance_score - a.relevance_score)
    .slice(0, typeof topN === 'number' ? topN : texts.length);
  const tokens = texts.reduce((sum, text) => sum + tokensOf(query).length + tokensOf(text).length, 0);
  return { json: { model: id, object: 'list', usage: { prompt_tokens: tokens, total_tokens: tokens }, results } };
}
