import { defaultSeverities, type ProblemCode } from '../problem';
import type { BatchRules } from './batchRules';

const chat = '/v1/chat/completions';

/** The severities of problems that SiliconFlow rejects and others might accept. */
const severities = {
  'file.too-many-requests': 'off',
  'file.too-large': 'off',
  'body.unknown-member': 'hint',
  'parameter.out-of-bounds': 'warning',
  'parameter.unusual': 'off',
  'member.wrong-value': 'warning',
  'message.unknown-role': 'warning',
  'messages.last-not-user': 'off',
} as const;

/** Problems for every service: the file is unreadable, its results would be ambiguous, or a key leaks. */
const everywhere: ReadonlySet<ProblemCode> = new Set<ProblemCode>([
  'file.empty',
  'file.array',
  'file.spread',
  'file.bom',
  'file.not-text',
  'file.compressed',
  'file.lone-cr',
  'line.not-utf8',
  'line.too-long',
  'line.not-json',
  'line.not-object',
  'line.secret',
  'custom-id.missing',
  'custom-id.not-string',
  'custom-id.empty',
  'custom-id.duplicate',
]);

/** SiliconFlow's errors as warnings. */
const asWarnings = Object.fromEntries(
  Object.entries(defaultSeverities).flatMap(([code, severity]) =>
    severity === 'error' && !everywhere.has(code as ProblemCode) ? [[code, 'warning' as const]] : [],
  ),
);

/** The basis of all rules except SiliconFlow's. */
const ordinary = {
  form: 'file',
  line: 'request',
  severities,
  replacementModels: [],
  isHalfPrice: true,
  avoidsLimits: true,
  isPaidFromCharge: false,
} as const satisfies Partial<BatchRules>;

/** The limits that a service documents are errors. */
const limits = { 'file.too-many-requests': 'error', 'file.too-large': 'error' } as const;
const day = { least: 24, most: 24 };

/** https://docs.siliconflow.cn/cn/userguide/guides/batch and https://docs.siliconflow.com/en/api-reference/batch/create-batch */
export const siliconFlow: BatchRules = {
  id: 'siliconFlow',
  name: 'SiliconFlow',
  form: 'file',
  line: 'request',
  // The specification swaps them, and confirms the shortest only; the vendor's guide says both.
  hours: { least: 24, most: 336 },
  requests: 5000,
  bytes: 1024 ** 3,
  fileEnding: '.jsonl',
  endpoints: [chat],
  severities: {},
  replacementModels: ['deepseek-ai/DeepSeek-V3', 'deepseek-ai/DeepSeek-R1'],
  isHalfPrice: true,
  avoidsLimits: true,
  isPaidFromCharge: true,
  // Requests of a batch are checked more strictly than the same ones sent alone.
  bounds: {
    top_p: { advised: { min: 0.1 } },
    top_k: { min: -1, max: 100, advised: { min: 0, max: 50 } },
    thinking_budget: { min: 128, max: 32_768 },
  },
};

/** https://platform.openai.com/docs/guides/images-vision and https://platform.claude.com/docs/en/build-with-claude/vision */
const imageTypes = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];

/** https://platform.openai.com/docs/api-reference/chat/create */
const openAiMembers = [
  'model messages max_completion_tokens max_tokens temperature top_p frequency_penalty presence_penalty n seed stop logit_bias',
  'logprobs top_logprobs response_format tools tool_choice parallel_tool_calls functions function_call reasoning_effort verbosity',
  'modalities audio prediction web_search_options moderation stream stream_options store metadata service_tier user',
  'safety_identifier prompt_cache_key prompt_cache_retention',
].flatMap((names) => names.split(' '));

const withoutReasoning = '^(ft:)?(gpt-3|gpt-4|chatgpt-4)';

/** https://platform.openai.com/docs/guides/batch and https://platform.openai.com/docs/api-reference/batch/create */
export const openAi: BatchRules = {
  ...ordinary,
  id: 'openAi',
  name: 'OpenAI',
  hours: day,
  requests: 50_000,
  bytes: 200_000_000,
  fileEnding: '.jsonl',
  endpoints: [
    chat,
    ...['responses', 'completions', 'embeddings', 'moderations', 'images/generations', 'images/edits', 'videos'].map(
      (path) => `/v1/${path}`,
    ),
  ],
  members: openAiMembers,
  moreRoles: ['developer', 'function'],
  partTypes: ['text', 'image_url', 'input_audio', 'file', 'refusal'],
  imageTypes,
  needsJsonWord: true,
  // https://platform.openai.com/docs/guides/reasoning
  completionTokensOnly: '^(o\\d|gpt-[5-9](?!.*-chat))',
  // Later models take them if they don't reason.
  fixedSampling: '^(o[134]|gpt-5)(-mini|-nano)?(-20\\d\\d-\\d\\d-\\d\\d)?$',
  notForModels: {
    chat: {
      stop: String.raw`^(o3|o4-mini|gpt-5(-mini|-nano)?)(-20\d\d-\d\d-\d\d)?$`,
      reasoning_effort: withoutReasoning,
    },
    responses: { reasoning: withoutReasoning },
    embeddings: { dimensions: '^text-embedding-ada' },
  },
  checksTools: true,
  severities: {
    ...severities,
    ...limits,
    'method.missing': 'error',
    'url.missing': 'error',
    'body.unknown-member': 'warning',
    'parameter.out-of-bounds': 'error',
    'member.wrong-value': 'error',
    'message.tool-without-call': 'error',
    'message.call-unanswered': 'error',
  },
};

/**
 * https://learn.microsoft.com/azure/ai-foundry/openai/how-to/batch. The older API takes paths without a version, and which ones is
 * not listed completely. `model` names a deployment, which no list of models has.
 */
const { fixedSampling: _, notForModels: _names, ...openAiByDeployment } = openAi;
const azure: BatchRules = {
  ...openAiByDeployment,
  id: 'azure',
  name: 'Azure OpenAI',
  members: [...openAiMembers, 'data_sources'],
  requests: 100_000,
  endpoints: [
    '/chat/completions',
    chat,
    ...['responses', 'embeddings', 'completions'].flatMap((path) => [`/v1/${path}`, `/${path}`]),
  ],
  severities: { ...openAi.severities, 'url.unknown': 'warning', 'model.unknown': 'off', 'model.not-chat': 'off' },
};

/** https://platform.claude.com/docs/en/build-with-claude/batch-processing */
const anthropic: BatchRules = {
  ...ordinary,
  id: 'anthropic',
  name: 'Anthropic',
  form: 'anthropic',
  line: 'params',
  hours: day,
  requests: 100_000,
  bytes: 256_000_000,
  // The service has the first one only: chat completions are converted when a batch is submitted.
  endpoints: ['/v1/messages', chat],
  idPattern: '^[a-zA-Z0-9_-]{1,64}$',
  imageTypes,
  moreRoles: ['developer'],
  // https://platform.claude.com/docs/en/about-claude/models/migration-guide
  fixedSampling: String.raw`^claude-(opus-4-[7-9]|[a-z]+-[5-9])(?!\d)`,
  oneSampling: String.raw`^claude-(opus-4-[1-6]|(sonnet|haiku)-4-[5-6])(?!\d)`,
  severities: {
    ...severities,
    ...limits,
    'model.mixed': 'off',
    'body.unknown-member': 'warning',
    'message.unknown-role': 'error',
    'parameter.out-of-bounds': 'error',
  },
};

/** https://openrouter.ai/docs/batch-quickstart and https://openrouter.ai/docs/guides/features/batch-api */
const openRouter: BatchRules = {
  ...ordinary,
  id: 'openRouter',
  name: 'OpenRouter',
  form: 'openrouter',
  hours: day,
  requests: 5000,
  bytes: 200_000_000,
  endpoints: [chat, '/v1/responses', '/v1/messages', '/v1/embeddings'],
  moreRoles: ['developer'],
  mediaByUrlOnly: true,
  severities: {
    ...severities,
    ...limits,
    'method.missing': 'off',
    'url.missing': 'off',
    // A request without one gets that of the batch.
    'model.missing': 'hint',
  },
};

/** https://docs.bigmodel.cn/cn/guide/tools/batch */
const zhiPu: BatchRules = {
  ...ordinary,
  id: 'zhiPu',
  name: 'ZhiPu',
  hours: day,
  requests: 50_000,
  bytes: 100_000_000,
  fileEnding: '.jsonl',
  endpoints: ['/v4/chat/completions', '/v4/embeddings', '/v4/images/generations', '/v4/videos/generations'],
  // https://docs.bigmodel.cn/api-reference/模型-api/对话补全
  bounds: { temperature: { min: 0, max: 1 } },
  severities: { ...severities, ...limits },
};

/** https://help.aliyun.com/zh/model-studio/batch-interfaces-compatible-with-openai */
const dashScope: BatchRules = {
  ...ordinary,
  id: 'dashScope',
  name: 'DashScope',
  hours: { least: 24, most: 336 },
  requests: 50_000,
  bytes: 500_000_000,
  lineBytes: 6_000_000,
  fileEnding: '.jsonl',
  // The last one tests a file free of charge, with the model `batch-test-model`.
  endpoints: [chat, '/v1/embeddings', '/v1/chat/ds-test'],
  // https://help.aliyun.com/zh/model-studio/json-mode
  needsJsonWord: true,
  severities: { ...severities, ...limits },
};

/** https://docs.together.ai/docs/inference/batch/overview */
const together: BatchRules = {
  ...ordinary,
  id: 'together',
  name: 'Together AI',
  hours: day,
  requests: 50_000,
  bytes: 100_000_000,
  enqueuedTokens: 30_000_000_000,
  fileEnding: '.jsonl',
  endpoints: [chat, '/v1/completions', '/v1/audio/transcriptions', '/v1/audio/translations'],
  severities: { ...severities, ...limits, 'method.missing': 'off', 'url.missing': 'off', 'custom-id.long': 'error' },
};

/** https://console.groq.com/docs/batch */
const groq: BatchRules = {
  ...ordinary,
  id: 'groq',
  name: 'Groq',
  hours: { least: 24, most: 168 },
  requests: 50_000,
  bytes: 200_000_000,
  fileEnding: '.jsonl',
  endpoints: [chat, '/v1/audio/transcriptions', '/v1/audio/translations'],
  moreRoles: ['developer'],
  // https://console.groq.com/docs/openai
  rejects: ['logprobs', 'top_logprobs', 'logit_bias', 'messages[].name'],
  bounds: { n: { min: 1, max: 1 } },
  severities: {
    ...severities,
    ...limits,
    'method.missing': 'error',
    'url.missing': 'error',
    'parameter.out-of-bounds': 'error',
  },
};

/** The rules of services whose lines have only an ID and a body: the model, too, can be set when the batch is created. */
const bodiesOnly = {
  ...severities,
  'method.missing': 'off',
  'url.missing': 'off',
  'url.unknown': 'hint',
  'model.missing': 'off',
} as const;

/** https://docs.mistral.ai/studio-api/batch-processing */
const mistral: BatchRules = {
  ...ordinary,
  id: 'mistral',
  name: 'Mistral',
  form: 'none',
  line: 'body',
  requests: 1_000_000,
  endpoints: [
    chat,
    ...['embeddings', 'fim/completions', 'moderations', 'chat/moderations', 'ocr', 'classifications'].map(
      (path) => `/v1/${path}`,
    ),
  ],
  // https://docs.mistral.ai/api/#tag/chat
  bounds: { temperature: { min: 0, max: 1.5 } },
  severities: { ...bodiesOnly, 'file.too-many-requests': 'error' },
};

/** https://docs.fireworks.ai/guides/batch-inference */
const fireworks: BatchRules = {
  ...ordinary,
  id: 'fireworks',
  name: 'Fireworks AI',
  form: 'none',
  line: 'body',
  bytes: 500_000_000,
  fileEnding: '.jsonl',
  endpoints: [chat],
  severities: { ...bodiesOnly, 'file.too-large': 'error' },
};

/** https://docs.vllm.ai/en/latest/examples/offline_inference/openai_batch: files that a program on the same machine runs. */
const vllm: BatchRules = {
  ...ordinary,
  id: 'vllm',
  name: 'vLLM',
  form: 'none',
  endpoints: [
    chat,
    ...['embeddings', 'score', 'rerank', 'audio/transcriptions', 'audio/translations'].map((path) => `/v1/${path}`),
    '/v2/rerank',
    '/score',
    '/rerank',
  ],
  moreRoles: ['developer'],
  rejects: ['stream'],
  // One run can answer chats and make embeddings, and a server can be allowed to read files of its machine.
  severities: {
    ...severities,
    'method.missing': 'error',
    'url.missing': 'error',
    // One run has one model.
    'model.missing': 'off',
    'model.mixed': 'warning',
    'url.mixed': 'off',
    'media.local': 'hint',
  },
  isHalfPrice: false,
  avoidsLimits: false,
};

/** An unknown service: each difference is at most a warning, and a file's endpoint is accepted as it is. */
export const unknownService: BatchRules = {
  ...ordinary,
  id: 'unknown',
  name: '',
  fileEnding: '.jsonl',
  endpoints: openAi.endpoints,
  severities: { ...asWarnings, ...severities },
  isHalfPrice: false,
  avoidsLimits: false,
};

/** All services of which something is known. */
export const batchServices: readonly BatchRules[] = [
  siliconFlow,
  openAi,
  azure,
  anthropic,
  openRouter,
  zhiPu,
  dashScope,
  together,
  groq,
  mistral,
  fireworks,
  vllm,
];
