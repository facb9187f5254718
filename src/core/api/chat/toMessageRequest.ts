import '../../../schema/jitless';
import * as z from 'zod/mini';
import { chatCompletionRequest } from '../chatCompletions/chatCompletions.schema';
import type { ChatCompletionRequest } from '../chatCompletions/chatCompletions.schema';
import { defaultMaxTokens } from '../messages/messages.bounds';
import type { MessageParam, MessageRequest } from '../messages/messages.schema';
import { present } from '../present';
import { chatWayOf, messagesWith } from './chatWays';

type ChatMessage = ChatCompletionRequest['messages'][number];
type Block = Exclude<MessageParam['content'], string>[number];
type Members = Readonly<Record<string, unknown>>;

const written = z.extend(chatCompletionRequest, {
  max_completion_tokens: z.nullish(z.number()),
  parallel_tool_calls: z.nullish(z.boolean()),
  n: z.nullish(z.literal(1)),
  response_format: z.nullish(z.object({ type: z.literal('text') })),
  // Their effect isn't guaranteed.
  seed: z.nullish(z.number()),
  user: z.nullish(z.string()),
  stream: z.optional(z.boolean()),
});

/** The members that a message has, and those that ask for nothing it could not do. */
const sayable: ReadonlySet<string> = new Set(
  [
    'model messages max_tokens max_completion_tokens temperature top_p top_k stop tools tool_choice parallel_tool_calls',
    'enable_thinking thinking_budget n response_format seed user stream stream_options',
  ].flatMap((names) => names.split(' ')),
);

/** Returns the first member that asks for something a message cannot do. */
function unsayable(body: Members): string | undefined {
  return Object.entries(body).find(([name, value]) => !sayable.has(name) && value != null)?.[0];
}

/** Returns `undefined` if the body requests something that a message can't, or isn't a chat completion. */
export function toMessageRequest(body: Members): MessageRequest | undefined {
  const { data } = written.safeParse(body);
  if (!data || unsayable(body) !== undefined) return undefined;
  const { model, temperature, top_p, top_k, stop, tools, enable_thinking: isOn, thinking_budget: budget } = data;
  const system = data.messages.filter(({ role }) => role === 'system').map(textOf);
  const messages = merged(data.messages.flatMap(toParams));
  const choice = toChoice(data.tool_choice ?? undefined, data.parallel_tool_calls === false);
  const thinking = thinkingOf(isOn, budget);
  return {
    model,
    messages,
    ...(system.length > 0 && { system: system.join('\n\n') }),
    ...present({ max_tokens: data.max_completion_tokens ?? data.max_tokens, temperature, top_p, top_k }),
    ...(stop && { stop_sequences: typeof stop === 'string' ? [stop] : stop }),
    ...(tools && tools.length > 0 && { tools: tools.map(toTool), ...(choice && { tool_choice: choice }) }),
    ...(thinking && { thinking }),
  };
}

function thinkingOf(
  isOn: boolean | null | undefined,
  budget: number | null | undefined,
): NonNullable<MessageRequest['thinking']> | undefined {
  if (isOn === false) return { type: 'disabled' };
  if (budget != null) return { type: 'enabled', budget_tokens: budget };
  return isOn ? { type: 'enabled' } : undefined;
}

function textOf({ content }: ChatMessage): string {
  if (typeof content === 'string') return content;
  return content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n\n');
}

function toParams(message: ChatMessage): readonly MessageParam[] {
  const { role, content, tool_calls: calls = [], tool_call_id: id = '' } = message;
  if (role === 'system') return [];
  if (role === 'tool') {
    return [{ role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: textOf(message) }] }];
  }
  const said = typeof content === 'string' ? textBlocks(content) : content.flatMap(toBlock);
  const blocks: readonly Block[] = [...said, ...calls.map(toCall)];
  return blocks.length === 0 ? [] : [{ role, content: blocks }];
}

/** Services refuse empty ones. */
function textBlocks(text: string): readonly Block[] {
  return text === '' ? [] : [{ type: 'text', text }];
}

function toBlock(part: Exclude<ChatMessage['content'], string>[number]): readonly Block[] {
  if (part.type === 'text') return textBlocks(part.text);
  const { url } = part.image_url;
  const data = /^data:([^;,]+);base64,(.*)$/s.exec(url);
  if (!data) return [{ type: 'image', source: { type: 'url', url } }];
  return [{ type: 'image', source: { type: 'base64', media_type: data[1]!, data: data[2]! } }];
}

function toCall({ id, function: called }: NonNullable<ChatMessage['tool_calls']>[number]): Block {
  return { type: 'tool_use', id, name: called.name, input: inputOf(called.arguments) };
}

function inputOf(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

/** User and assistant must alternate, so results of several calls form one message with the user's text after them. */
function merged(messages: readonly MessageParam[]): readonly MessageParam[] {
  return messages.reduce<MessageParam[]>((all, message) => {
    const before = all.at(-1);
    if (before?.role !== message.role) return [...all, message];
    return [...all.slice(0, -1), { role: message.role, content: [...blocksOf(before), ...blocksOf(message)] }];
  }, []);
}

function blocksOf({ content }: MessageParam): readonly Block[] {
  return typeof content === 'string' ? textBlocks(content) : content;
}

function toTool({ function: { name, description, parameters } }: NonNullable<ChatCompletionRequest['tools']>[number]) {
  return {
    name,
    ...(description !== undefined && { description }),
    input_schema: parameters ?? { type: 'object', properties: {} },
  };
}

function toChoice(
  choice: NonNullable<ChatCompletionRequest['tool_choice']> | undefined,
  isSingle: boolean,
): MessageRequest['tool_choice'] {
  const single = isSingle ? { disable_parallel_tool_use: true } : {};
  if (typeof choice === 'object') return { type: 'tool', name: choice.function.name, ...single };
  if (choice === 'none') return { type: 'none' };
  if (choice === 'required') return { type: 'any', ...single };
  return choice === 'auto' || isSingle ? { type: 'auto', ...single } : undefined;
}

/**
 * Returns the same request for Anthropic's `/messages`, in the form of a Message Batch request. For a body that can't be converted, returns
 * the property that prevents it, if that is clear.
 */
export function toMessageParams(body: Members): { readonly params: object } | { readonly member: string | undefined } {
  const messages: readonly unknown[] = Array.isArray(body['messages']) ? body['messages'] : [];
  const lost = messages.findIndex((message) => isMembers(message) && (message['audio'] ?? message['function_call']));
  if (lost >= 0) return { member: `messages.${lost}` };
  const plain = Object.fromEntries(Object.entries(body).filter(([name, value]) => !isIdle(name, value)));
  const common = Array.isArray(body['messages']) ? { ...plain, messages: messages.map(inCommonWords) } : plain;
  const request = toMessageRequest(common);
  if (!request) return { member: unsayable(common) ?? misfit(common) };
  const whole = { ...request, max_tokens: request.max_tokens ?? defaultMaxTokens(request.model) };
  return { params: messagesWith(whole, chatWayOf('anthropic')) };
}

/** Whether a property only states the default. */
function isIdle(name: string, value: unknown): boolean {
  if (value === null || value === undefined) return true;
  return (name.endsWith('_penalty') && value === 0) || (['logprobs', 'store'].includes(name) && value === false);
}

/** OpenAI also calls the system `developer`, and sends null for what an assistant that calls tools did not say. */
function inCommonWords(message: unknown): unknown {
  if (!isMembers(message)) return message;
  const { role, content } = message;
  return { ...message, role: role === 'developer' ? 'system' : role, content: content ?? '' };
}

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function misfit(body: Members): string | undefined {
  const path = written.safeParse(body).error?.issues[0]?.path ?? [];
  return path.length === 0 ? undefined : path.map(String).join('.');
}
