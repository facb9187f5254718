import type { ClientOptions } from '../clientOptions';
import type { ApiError } from '../errors';
import type { MessageRequest } from '../messages/messages.schema';

/** The two endpoints for chat. Services have one of them, or both. */
export const chatPaths = { messages: '/messages', chatCompletions: '/chat/completions' } as const;

export type Dialect = keyof typeof chatPaths;

type Thinking = NonNullable<MessageRequest['thinking']>;

/** In what services differ that have `/chat/completions`. */
export interface ChatWay {
  /** The endpoint to request first. The other one is used if the service doesn't have it. */
  readonly first: Dialect;
  readonly lengthName: 'max_tokens' | 'max_completion_tokens';
  readonly takesTopK: boolean;
  /** Whether the thinking that led to tool calls can be sent back. Services that never send any reject it. */
  readonly takesReasoning: boolean;
  /** Whether a stream's usage must be requested, which some services always send. */
  readonly asksUsage: boolean;
  /**
   * Whether the usage is also requested for user-written requests. The public service gets those unchanged, and reports its usage anyway.
   */
  readonly asksUsageOfWritten: boolean;
  /** Whether it supports a limit of one tool call at a time. */
  readonly takesParallel: boolean;
  /** How thinking is turned on and off. */
  thinking(this: void, thinking: Thinking): ThinkingMembers;
  /** How thinking is turned on in `/messages`: with a budget if one is set, always with one, or as much as the model likes. */
  readonly thinkingInMessages: 'enabled' | 'budgeted' | 'adaptive';
  /** The properties that make the service continue a last assistant message instead of answering it. */
  readonly continuing: ContinuingMembers;
  /** Whether it can answer in a stream. */
  readonly streams: boolean;
  /** Whether it rejects thinking, which it turns on by default, outside streams. */
  readonly thinksOnlyInStreams: boolean;
  /** Whether it continues a last message of the assistant. */
  readonly prefills: boolean;
  /** Sampling parameters that it rejects. */
  readonly leavesOut: readonly ('temperature' | 'top_p' | 'top_k')[];
  /** Whether it accepts a system prompt, messages of one role after another, and calls of tools with their results. */
  readonly takesSystem: boolean;
  readonly alternates: boolean;
  readonly takesToolParts: boolean;
  /** Whether it accepts IDs of calls of any length and with any letters, as other services make them. */
  readonly takesAnyId: boolean;
  /** Whether it accepts a setting of thinking. */
  readonly takesThinking: boolean;
  /** Whether it accepts every word of JSON Schema in the input of tools. */
  readonly takesAnySchema: boolean;
  /** Whether it accepts an empty text next to calls. */
  readonly takesEmptyText: boolean;
  /** Whether it requires reasoning with each call, also with those of another model. */
  readonly needsReasoning: boolean;
  /** Whether it requires Google's signature with each call, also with those of another model. */
  readonly needsSignatures: boolean;
}

/** The part of a way that is data. */
export type WayFacts = Omit<ChatWay, 'first' | 'thinking' | 'continuing'>;

export interface ThinkingMembers {
  readonly enable_thinking?: boolean;
  readonly thinking_budget?: number;
  readonly reasoning?: { readonly effort: 'none' } | { readonly enabled: true } | { readonly max_tokens: number };
  readonly reasoning_effort?: 'none';
  readonly chat_template_kwargs?: { readonly enable_thinking: boolean };
}

export interface ContinuingMembers {
  readonly continue_final_message?: true;
  readonly add_generation_prompt?: false;
}

/** The vendor's way, in which batch files are written. */
export const vendorWay: ChatWay = {
  first: 'messages',
  lengthName: 'max_tokens',
  takesTopK: true,
  takesReasoning: true,
  takesParallel: false,
  asksUsage: true,
  asksUsageOfWritten: false,
  // https://docs.siliconflow.com/en/api-reference/chat-completions/chat-completions
  thinking: ({ type, budget_tokens: budget }) => ({
    enable_thinking: type !== 'disabled',
    ...(budget !== undefined && { thinking_budget: budget }),
  }),
  thinkingInMessages: 'enabled',
  continuing: {},
  streams: true,
  thinksOnlyInStreams: false,
  prefills: true,
  leavesOut: [],
  takesSystem: true,
  alternates: false,
  takesToolParts: true,
  takesAnyId: true,
  takesThinking: true,
  takesAnySchema: true,
  takesEmptyText: true,
  needsReasoning: false,
  needsSignatures: false,
};

/** The way of services that are not known: what most of them take, and nothing that was not set. */
const others: ChatWay = { ...vendorWay, first: 'chatCompletions', takesParallel: true, asksUsageOfWritten: true };

/** Servers that hand members on to the model's chat template. */
const templated: ChatWay = {
  ...others,
  thinking: ({ type }) => ({ chat_template_kwargs: { enable_thinking: type !== 'disabled' } }),
};

/** By the ids of known services. */
const ways: Readonly<Record<string, ChatWay>> = {
  siliconFlow: vendorWay,
  siliconFlowChina: vendorWay,
  demo: vendorWay,
  // https://platform.claude.com/docs/en/build-with-claude/extended-thinking
  anthropic: { ...others, first: 'messages', thinkingInMessages: 'budgeted' },
  openai: {
    ...others,
    // Its reasoning models refuse max_tokens. https://platform.openai.com/docs/api-reference/chat/create
    lengthName: 'max_completion_tokens',
    takesTopK: false,
    takesReasoning: false,
    thinking: () => ({}),
  },
  openrouter: {
    ...others,
    // https://openrouter.ai/docs/use-cases/reasoning-tokens
    thinking({ type, budget_tokens: budget }) {
      if (type === 'disabled') return { reasoning: { effort: 'none' } };
      return { reasoning: budget === undefined ? { enabled: true } : { max_tokens: budget } };
    },
  },
  ollama: {
    ...others,
    // Its models think unless told not to. https://docs.ollama.com/api/openai-compatibility
    thinking: ({ type }) => (type === 'disabled' ? { reasoning_effort: 'none' } : {}),
  },
  lmStudio: { ...others, thinking: () => ({}) },
  llamaCpp: templated,
  // https://docs.vllm.ai/en/latest/serving/openai_compatible_server.html
  vllm: { ...templated, continuing: { continue_final_message: true, add_generation_prompt: false } },
};

/**
 * Returns the ID of the service identified by its responses, or else by the URL. A service that takes the key like Anthropic is Anthropic,
 * or a proxy of it.
 */
export function serviceOf({ learned, service, keyHeader }: ClientOptions): string | undefined {
  return learned?.service ?? service ?? (keyHeader === 'x-api-key' ? 'anthropic' : undefined);
}

/** `service` is the id of a known service, `undefined` for any other. */
export function chatWayOf(service: string | undefined): ChatWay {
  return (service === undefined ? undefined : ways[service]) ?? others;
}

/**
 * Returns the thinking settings without effect: those that the model doesn't support, as far as it is known whether it thinks (`asked`: if
 * thinking is requested), and those that don't reach it through the service.
 */
export function untakenThinking(
  thinking: 'never' | 'asked' | 'always' | undefined,
  service: string | undefined,
): readonly ('enable_thinking' | 'thinking_budget')[] {
  const sent = (value: Thinking) => JSON.stringify(chatWayOf(service).thinking(value));
  const takesOnOff = (thinking ?? 'asked') === 'asked' && sent({ type: 'disabled' }) !== '{}';
  const takesBudget = thinking !== 'never' && sent({ type: 'enabled', budget_tokens: 1 }) !== sent({ type: 'enabled' });
  return [
    ...(takesOnOff ? [] : (['enable_thinking'] as const)),
    ...(takesBudget ? [] : (['thinking_budget'] as const)),
  ];
}

/** Anthropic takes no smaller one. */
const smallestBudget = 1024;

/**
 * Returns the body for a request for `/messages` with thinking turned on in the service's way: `adaptive` is Anthropic's alone, for its newer
 * models. A budget is a part of `max_tokens` there.
 */
export function messagesWith(request: MessageRequest & { readonly max_tokens: number }, way: ChatWay): object {
  const { thinking, max_tokens: most } = request;
  if (!thinking || thinking.type !== 'enabled' || way.thinkingInMessages === 'enabled') return request;
  if (way.thinkingInMessages === 'adaptive') return { ...request, thinking: { type: 'adaptive' } };
  const budget = thinking.budget_tokens ?? Math.max(smallestBudget, Math.floor(most / 2));
  return {
    ...request,
    thinking: { ...thinking, budget_tokens: budget },
    max_tokens: most > budget ? most : most + budget,
  };
}

/** Whether a refusal is about the request for usage. */
export function refusesUsage(message: string): boolean {
  return /stream_options|include_usage/.test(message);
}

/** Whether a rejection is about the stream, because the service or the account supports complete responses only. */
export function refusesStream({ message, details }: ApiError): boolean {
  const isStream = details.parameter === 'stream' || /\bstream(?:ing)?\b|server-sent|(?<!非)流式/i.test(message);
  const isRefused =
    /verif|not (?:supported|allowed|available|enabled)|unsupported|(?:does not|doesn't|do not|don't|cannot|can't) (?:(?:support|use) )?(?:tools? (?:use )?(?:in|with) )?stream|disabled|\bstream\W{0,3}(?:must be |should be )?(?:set to )?\W{0,2}false|不支持/i;
  return isStream && isRefused.test(message);
}
