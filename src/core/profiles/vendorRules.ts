import type { OwnBounds } from '../api/bounds';
import type { ProblemCode, Severity } from '../batch/problem';
import { isVendor, knownServiceOf } from './knownServices';

/** What is true of a service besides the shapes of its requests, which are the same everywhere. */
export interface ServiceRules {
  /** Whether GET /models has the filters `type` and `sub_type`. Elsewhere they are ignored. */
  readonly hasModelFilters: boolean;
  /** Whether GET /user/info may tell the balance. The known services have none; an unknown one is asked, and remembered if it has none. */
  readonly hasBalance: boolean;
  /** The bounds of parameters that it sets besides those of all services. */
  readonly bounds: OwnBounds;
  /** The most messages of a request that its reference allows; it has accepted more. Unset: as many as fit the context. */
  readonly messageLimit?: number;
  readonly batch: BatchRules;
  /** The model for the voice of a new sample, if the list names none. */
  readonly voiceModel?: string;
}

export interface BatchRules {
  /** The completion window in hours; unset if nothing is known of it. */
  readonly hours?: { readonly least: number; readonly most: number };
  /** The most requests and bytes of a file; unset if nothing is known of them. */
  readonly requests?: number;
  readonly bytes?: number;
  /** What the lines of a file may ask for, as the paths in their `url`. */
  readonly endpoints: readonly string[];
  /** All members that the body of a chat completion may have, where they are others than the public service's. */
  readonly members?: readonly string[];
  /** The roles of messages besides those that all services have. */
  readonly moreRoles?: readonly string[];
  /** The severities of problems of a batch file that differ from those at the public service. */
  readonly severities: { readonly [Code in ProblemCode]?: Severity | 'off' };
  /** The models that can replace that of all requests when a batch is created; none if the service has no such parameter. */
  readonly replacementModels: readonly string[];
  /** Whether a batch is documented to cost half as much. */
  readonly isHalfPrice: boolean;
  /** Whether requests in batches are documented not to count toward the rate limits of single ones. */
  readonly avoidsLimits: boolean;
  /** Whether batches are paid from what was paid in, not from gifts. */
  readonly isPaidFromCharge: boolean;
}

/** The bounds of a sampling parameter in the vendor's reference; its pages disagree, so most are advice. */
const probability = { advised: { min: 0.1 } };
/** The Chinese reference has 100. */
const candidates = { min: 0, advised: { max: 50 } };
const budget = { advised: { min: 128, max: 32_768 } };
const messageLimit = 10;
const chatEndpoint = '/v1/chat/completions';
/** All schemas of the vendor say so, but conversations with 20 to 44 messages have worked. */
const messages = { advised: { maxItems: messageLimit } };

/** https://docs.siliconflow.com/en/api-reference and https://docs.siliconflow.cn/cn/userguide/guides/batch */
export const vendorRules: ServiceRules = {
  hasModelFilters: true,
  hasBalance: true,
  messageLimit,
  // https://docs.siliconflow.com/en/api-reference/audio/upload-voice
  voiceModel: 'FunAudioLLM/CosyVoice2-0.5B',
  bounds: {
    chat: { top_p: probability, top_k: candidates, thinking_budget: budget },
    messages: { messages, top_p: probability, top_k: candidates },
    chatCompletions: { messages, top_p: probability, top_k: candidates, thinking_budget: budget },
    completions: { temperature: { max: 1 }, top_k: { min: 0 } },
    // Requests of a batch are checked more strictly than the same ones sent alone.
    batch: {
      top_p: probability,
      top_k: { min: -1, max: 100, advised: { min: 0, max: 50 } },
      thinking_budget: { min: 128, max: 32_768 },
    },
    rerank: { overlap_tokens: { max: 80 } },
    embeddings: { input: { advised: { maxItems: 32 } }, dimensions: { advised: { models: /qwen3-embedding/i } } },
    images: {
      // The five sizes of FLUX.2; other models have others.
      image_size: { advised: { oneOf: ['512x512', '768x1024', '1024x768', '576x1024', '1024x576'] } },
      output_format: { oneOf: ['png', 'jpeg'] },
      batch_size: { advised: { max: 4 } },
    },
    videos: { image_size: { oneOf: ['1280x720', '720x1280', '960x960'] } },
    batches: { endpoint: { oneOf: [chatEndpoint] } },
  },
  batch: {
    // The specification swaps them, and confirms the shortest only; the vendor's guide says both.
    hours: { least: 24, most: 336 },
    requests: 5000,
    bytes: 1024 ** 3,
    endpoints: [chatEndpoint],
    severities: {},
    // https://docs.siliconflow.com/en/api-reference/batch/create-batch
    replacementModels: ['deepseek-ai/DeepSeek-V3', 'deepseek-ai/DeepSeek-R1'],
    isHalfPrice: true,
    avoidsLimits: true,
    isPaidFromCharge: true,
  },
};

/** What the public service rejects and others may accept. */
const severities = {
  'file.too-many-requests': 'off',
  'file.too-large': 'off',
  'body.unknown-member': 'hint',
  'parameter.out-of-bounds': 'warning',
  'parameter.unusual': 'off',
  'member.wrong-value': 'warning',
  'message.unknown-role': 'warning',
  'messages.last-not-user': 'warning',
} as const;

/** https://platform.openai.com/docs/api-reference/batch/create, whose form services with batches have. */
const openAiEndpoints = [
  chatEndpoint,
  ...['responses', 'completions', 'embeddings', 'moderations', 'images/generations', 'images/edits', 'videos'].map(
    (path) => `/v1/${path}`,
  ),
];

/** https://platform.openai.com/docs/api-reference/chat/create */
const openAiMembers = [
  'model messages max_completion_tokens max_tokens temperature top_p frequency_penalty presence_penalty n seed stop logit_bias',
  'logprobs top_logprobs response_format tools tool_choice parallel_tool_calls functions function_call reasoning_effort verbosity',
  'modalities audio prediction web_search_options moderation stream stream_options store metadata service_tier user',
  'safety_identifier prompt_cache_key prompt_cache_retention',
].flatMap((names) => names.split(' '));

const unknownRules: ServiceRules = {
  hasModelFilters: false,
  hasBalance: true,
  bounds: {},
  batch: {
    endpoints: openAiEndpoints,
    severities: { ...severities, 'model.mixed': 'warning' },
    replacementModels: [],
    isHalfPrice: false,
    avoidsLimits: false,
    isPaidFromCharge: false,
  },
};

/** They have no batches, and what is run in place of one is chat. */
const knownRules: ServiceRules = {
  ...unknownRules,
  hasBalance: false,
  batch: { ...unknownRules.batch, endpoints: [chatEndpoint] },
};

/** https://platform.openai.com/docs/guides/batch */
const openAiRules: ServiceRules = {
  ...knownRules,
  batch: {
    ...unknownRules.batch,
    hours: { least: 24, most: 24 },
    requests: 50_000,
    bytes: 200_000_000,
    members: openAiMembers,
    moreRoles: ['developer'],
    severities: {
      ...severities,
      'file.too-many-requests': 'error',
      'file.too-large': 'error',
      'method.missing': 'error',
      'url.missing': 'error',
      'body.unknown-member': 'warning',
    },
    isHalfPrice: true,
    avoidsLimits: true,
  },
};

/** Returns the rules of the service at an address; those of the public service while nobody is signed in. */
export function rulesOf(baseUrl: string | undefined): ServiceRules {
  if (baseUrl === undefined || isVendor(baseUrl)) return vendorRules;
  const known = knownServiceOf(baseUrl);
  if (!known) return unknownRules;
  return known.id === 'openai' ? openAiRules : knownRules;
}
