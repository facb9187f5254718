import { chatWayOf, vendorWay, type ChatWay } from '../api/chat/chatWays';
import { isObject } from '../api/isObject';
import type { BatchRules, BatchServiceId } from './services/batchRules';
import { knownServiceOf } from '../profiles/knownServices';

/** Returns how the lines of a batch file are written for the service at an address; while no account is signed in, for the public service. */
export function writtenWayOf(baseUrl: string | undefined): ChatWay {
  return baseUrl === undefined ? vendorWay : chatWayOf(knownServiceOf(baseUrl)?.id);
}

/** The known services that have batches, by the rules of their batches. */
const known: Readonly<Partial<Record<BatchServiceId, string>>> = {
  siliconFlow: 'siliconFlow',
  openAi: 'openai',
  azure: 'openai',
  anthropic: 'anthropic',
  openRouter: 'openrouter',
  vllm: 'vllm',
};

/** Returns how the lines of a batch file are written for a service whose batches have these rules. */
export function writtenWayFor({ id }: BatchRules): ChatWay {
  return chatWayOf(known[id]);
}

type JsonObject = Readonly<Record<string, unknown>>;

/**
 * Converts a body with the public service's properties for another service, in the same order. `leftOut`: the names of properties that the
 * service can't express.
 */
export function inWay(
  body: JsonObject,
  way: ChatWay,
): { readonly body: JsonObject; readonly leftOut: readonly string[] } {
  const { enable_thinking: isOn, thinking_budget: budget } = body;
  const thinking = thinkingIn(isOn, budget, way);
  const leftOut = new Set<string>();
  const entries = Object.entries(body).flatMap(([name, value]): readonly (readonly [string, unknown])[] => {
    if (name === 'max_tokens' && body[way.lengthName] === undefined) return [[way.lengthName, value]];
    if ((name === 'top_k' || name === 'min_p') && !way.takesTopK) leftOut.add(name);
    else if (name === 'messages' && !way.takesReasoning) return [[name, withoutReasoning(value, leftOut)]];
    else if (!thinking || (name !== 'enable_thinking' && name !== 'thinking_budget')) return [[name, value]];
    else if (Object.keys(thinking).length === 0) leftOut.add(name);
    return [];
  });
  return { body: { ...Object.fromEntries(entries), ...thinking }, leftOut: [...leftOut] };
}

/** Returns the service's properties for thinking, or `undefined` if the written ones can stay. */
function thinkingIn(isOn: unknown, budget: unknown, way: ChatWay): JsonObject | undefined {
  if (way.thinking === vendorWay.thinking || (isOn === undefined && budget === undefined)) return undefined;
  const type = isOn === false ? 'disabled' : 'enabled';
  return { ...way.thinking({ type, ...(typeof budget === 'number' && { budget_tokens: budget }) }) };
}

function withoutReasoning(messages: unknown, leftOut: Set<string>): unknown {
  if (!Array.isArray(messages)) return messages;
  return messages.map((message: unknown) => {
    if (!isObject(message) || !('reasoning_content' in message)) return message;
    const { reasoning_content: _, ...rest } = message;
    leftOut.add('reasoning_content');
    return rest;
  });
}
