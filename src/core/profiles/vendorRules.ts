import type { OwnBounds } from '../api/bounds';
import type { BatchRules } from '../batch/services/batchRules';
import { siliconFlow } from '../batch/services/batchServices';
import { batchServiceOf } from '../batch/services/batchServiceOf';
import { isVendor, knownServiceOf } from './knownServices';

/** The properties of a service besides the formats of its requests, which are the same everywhere. */
export interface ServiceRules {
  /** Whether GET /models has the filters `type` and `sub_type`. Elsewhere they are ignored. */
  readonly hasModelFilters: boolean;
  /**
   * Whether GET /user/info might return the balance. The known services have none. An unknown one is asked, and remembered if it has none.
   */
  readonly hasBalance: boolean;
  /** The bounds of parameters that it sets besides those of all services. */
  readonly bounds: OwnBounds;
  /** The most messages of a request that its reference allows; it has accepted more. Unset: as many as fit the context. */
  readonly messageLimit?: number;
  readonly batch: BatchRules;
  /** The model for the voice of a new sample, if the list names none. */
  readonly voiceModel?: string;
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
    completions: { temperature: { max: 1 }, top_k: { min: 0 } },
    batch: siliconFlow.bounds ?? {},
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
  batch: siliconFlow,
};

/** Returns the rules of the service at an address; those of the public service while no account is signed in. */
export function rulesOf(baseUrl: string | undefined): ServiceRules {
  if (baseUrl === undefined || isVendor(baseUrl)) return vendorRules;
  const isUnknown = knownServiceOf(baseUrl) === undefined;
  return { hasModelFilters: false, hasBalance: isUnknown, bounds: {}, batch: batchServiceOf(baseUrl) };
}

/** Returns the part of the price of a request that the service at an address charges for it in a batch. */
export function batchDiscountAt(baseUrl: string | undefined): number {
  return rulesOf(baseUrl).batch.isHalfPrice ? 0.5 : 1;
}
