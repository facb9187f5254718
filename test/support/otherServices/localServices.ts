import { chatReply, nowSeconds, randomId, type ChatStyle } from './chatForm';
import { completionReply, embeddingsReply, listedLogprobs, usageOf, type CompletionStyle } from './completionForm';
import {
  isRecord,
  jsonOf,
  recordsOf,
  Refusal,
  startLoopbackService,
  type Asked,
  type OtherService,
  type Reply,
  type Route,
  type ServiceAt,
} from './loopbackService';
import { anthropicId, messagesReply, type MessagesStyle } from './messagesForm';
import { relevanceOf, tokensOf } from './scriptedModel';

type Body = Readonly<Record<string, unknown>>;

/** How servers of local models with OpenAI's and, in newer versions, Anthropic's API differ. */
interface LocalServer {
  /** The purpose of its only model. A server of several has models for chat and for embeddings. */
  readonly task?: 'chat' | 'rerank' | 'vectors';
  readonly models: readonly string[];
  readonly listed: (id: string) => Body;
  readonly chat: ChatStyle;
  readonly completions: CompletionStyle;
  readonly messages: MessagesStyle;
  readonly error: (status: number, message: string, param?: string) => Reply;
  readonly unknownModel: (id: string) => Reply;
  readonly missing: (asked: Asked, isKnownPath: boolean) => Reply;
  /** Throws for unsupported requests. */
  readonly checkChat?: (body: Body) => void;
  readonly checkCompletion?: (body: Body) => void;
}

const callId = (): string => `call_${randomId(6)}`;

const messages: MessagesStyle = {
  messageId: () => anthropicId('msg'),
  callId: () => anthropicId('toolu'),
  thinks: ({ thinking }) => isRecord(thinking) && thinking['type'] === 'enabled',
  signature: '',
  pings: false,
  usage: {},
};

const openAiLike = (status: number, message: string, rest: Body): Reply => ({
  status,
  json: { error: { message, ...rest } },
});

/**
 * Ollama: https://github.com/ollama/ollama (2026-08), openai/openai.go, middleware, server/routes.go; docs/api. It ignores unknown
 * parameters. It has no rerank, images, or batches, and its router rejects such paths in plain text.
 */
export function startOllamaService(at: ServiceAt = {}): Promise<OtherService> {
  const typeOf = (status: number) =>
    status === 400 ? 'invalid_request_error' : status === 404 ? 'not_found_error' : 'api_error';
  const error = (status: number, message: string) =>
    openAiLike(status, message, { type: typeOf(status), param: null, code: null });
  return startLocal(
    {
      models: ['qwen3:8b', 'nomic-embed-text:latest'],
      listed: (id) => ({ id, object: 'model', created: nowSeconds(), owned_by: 'library' }),
      chat: {
        frame: { system_fingerprint: 'fp_ollama' },
        first: { role: 'assistant', content: '' },
        reasoning: (text) => ({ content: '', reasoning: text }),
        callIsWhole: true,
        usage: usageOf,
        callId,
      },
      completions: {
        frame: { system_fingerprint: 'fp_ollama' },
        logprobs: () => undefined,
        defaultTokens: 64,
        usageApart: true,
      },
      messages,
      error,
      unknownModel: (id) => error(404, `model '${id}' not found`),
      missing: (_, isKnownPath) => ({
        status: isKnownPath ? 405 : 404,
        raw: `${isKnownPath ? 405 : 404} ${isKnownPath ? 'method not allowed' : 'page not found'}`,
      }),
      checkChat({ messages: asked }) {
        if (recordsOf(asked).length === 0) throw new Refusal(error(400, "[] is too short - 'messages'"));
      },
    },
    at,
  );
}

/**
 * LM Studio 0.4: its documentation (OpenAI and Anthropic compatibility) and its bug tracker. It responds to unknown requests with status
 * 200 and a sentence (lmstudio-bug-tracker#618, unchanged in 2026-09).
 */
export function startLmStudioService(): Promise<OtherService> {
  const error = (status: number, message: string, param?: string) =>
    openAiLike(status, message, {
      type: 'invalid_request_error',
      param: param ?? null,
      code: status === 404 ? 'model_not_found' : null,
    });
  return startLocal({
    models: ['qwen/qwen3-8b', 'text-embedding-nomic-embed-text-v1.5'],
    listed: (id) => ({ id, object: 'model', owned_by: 'organization_owner' }),
    chat: {
      frame: { system_fingerprint: 'qwen/qwen3-8b', stats: {} },
      first: { role: 'assistant' },
      reasoning: (text) => ({ reasoning_content: text }),
      choice: { logprobs: null },
      usage: usageOf,
      callId: () => String(Math.floor(Math.random() * 1e9)),
    },
    completions: { frame: { stats: {} }, logprobs: () => undefined, defaultTokens: 64 },
    messages,
    error,
    unknownModel: (id) => error(404, `Model "${id}" not found. Please specify a valid model id.`, 'model'),
    missing: ({ method, path }) => ({ json: { error: `Unexpected endpoint or method. (${method} ${path})` } }),
  });
}

/**
 * vLLM 0.15: vllm/entrypoints (openai, anthropic, pooling; a server of one model, which chats, started with a tool parser, or ranks, or
 * returns embeddings). Its router has only the paths of its model's task. It ignores unknown parameters except `suffix`.
 */
export function startVllmService(task: NonNullable<LocalServer['task']> = 'chat'): Promise<OtherService> {
  const types: Readonly<Record<number, string>> = { 400: 'BadRequestError', 404: 'NotFoundError' };
  const error = (status: number, message: string, param?: string) =>
    openAiLike(status, message, { type: types[status] ?? 'InternalServerError', param: param ?? null, code: status });
  const usage = (counts: Parameters<typeof usageOf>[0]) => ({ ...usageOf(counts), prompt_tokens_details: null });
  return startLocal({
    task,
    models: [{ chat: 'Qwen/Qwen3-8B', rerank: 'BAAI/bge-reranker-v2-m3', vectors: 'BAAI/bge-m3' }[task]],
    listed: (id) => ({
      id,
      object: 'model',
      created: nowSeconds(),
      owned_by: 'vllm',
      root: id,
      parent: null,
      max_model_len: 32_768,
      permission: [
        { id: `modelperm-${randomId(16)}`, object: 'model_permission', allow_sampling: true, is_blocking: false },
      ],
    }),
    chat: {
      frame: {},
      first: { role: 'assistant', content: '' },
      reasoning: (text) => ({ reasoning: text }),
      choice: { logprobs: null, stop_reason: null, token_ids: null },
      message: { refusal: null, annotations: null, audio: null, function_call: null },
      usage,
      callId: () => `chatcmpl-tool-${randomId(16)}`,
    },
    completions: { frame: {}, logprobs: listedLogprobs, defaultTokens: 16, usageApart: true },
    messages,
    error,
    unknownModel: (id) => error(404, `The model \`${id}\` does not exist.`, 'model'),
    missing: (_, isKnownPath) => ({
      status: isKnownPath ? 405 : 404,
      json: { detail: isKnownPath ? 'Method Not Allowed' : 'Not Found' },
    }),
    checkCompletion({ suffix }) {
      if (suffix !== undefined && suffix !== null) throw new Refusal(error(400, 'suffix is not currently supported'));
    },
  });
}

function startLocal(server: LocalServer, at: ServiceAt = {}): Promise<OtherService> {
  const { models, listed, error, missing, task = 'chat' } = server;
  const route =
    (handle: (body: Body) => Reply): Route =>
    (asked) => {
      const body = jsonOf(asked);
      if (!body) return error(400, 'invalid character in the body: it is no JSON');
      if (!models.includes(String(body['model']))) return server.unknownModel(String(body['model']));
      return handle(body);
    };
  const hasVectors = task === 'vectors' || models.some((id) => id.includes('embed'));
  return startLoopbackService(
    {
      root: '/v1',
      routes: {
        'GET /models': () => ({ json: { object: 'list', data: models.map(listed) } }),
        ...(task === 'chat' && {
          'POST /chat/completions': route((body) => {
            server.checkChat?.(body);
            return chatReply(body, server.chat);
          }),
          'POST /completions': route((body) => {
            server.checkCompletion?.(body);
            const logprobs = typeof body['logprobs'] === 'number' ? server.completions.logprobs : () => undefined;
            return completionReply(body, { ...server.completions, logprobs });
          }),
          'POST /messages': route((body) => messagesReply(body, server.messages)),
        }),
        ...(task === 'rerank' && { 'POST /rerank': route(rerank) }),
        ...(hasVectors && { 'POST /embeddings': route(embeddingsReply) }),
      },
      missing,
      failed: (reason) => error(500, String(reason)),
    },
    at,
  );
}

function rerank({ model, query, documents, top_n: topN }: Body): Reply {
  const texts = Array.isArray(documents) ? documents.map(String) : [];
  const results = texts
    .map((text, index) => ({
      index,
      document: { text, multi_modal: null },
      relevance_score: relevanceOf(String(query), text),
    }))
    .toSorted((a, b) => b.relevance_score - a.relevance_score)
    .slice(0, typeof topN === 'number' && topN > 0 ? topN : texts.length);
  const tokens = texts.reduce((sum, text) => sum + tokensOf(text).length, 0);
  return {
    json: { id: `rerank-${randomId(16)}`, model, usage: { prompt_tokens: tokens, total_tokens: tokens }, results },
  };
}
