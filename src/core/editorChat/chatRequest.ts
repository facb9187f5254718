import type { MessageParam, MessageRequest } from '../api/messages/messages.schema';
import type { Capabilities } from '../capabilities/capabilities';
import { compactMessages } from '../conversation/compaction';
import { tellTools, toBlocks } from '../conversation/compactedTranscript';
import type { ContentParam } from '../conversation/compactedTranscript';
import { mostTools, namedTools } from '../conversation/tools';
import type { ToolDefinition } from '../conversation/tools';
import { countInputTokens } from '../tokens/countTokens';
import type { SentParts } from '../capabilities/learnedLimits';
import { estimateErrorPercent } from '../tokens/estimate';
import { numbersAt } from '../parameters/parameterTable';
import type { NumberAt } from '../parameters/parameterTable';

/** A request of the editor to a model, in the service's message format but of any length and message order. */
export interface EditorQuestion {
  readonly model: string;
  readonly messages: readonly MessageParam[];
  readonly tools: readonly ToolDefinition[];
  /** Whether a tool has to be called. */
  readonly toolRequired: boolean;
  /** As the caller provided them. */
  readonly options: Readonly<Record<string, unknown>>;
}

/** The request to send. */
export interface EditorRequest {
  readonly request: MessageRequest & { readonly max_tokens: number };
  /** Returns a tool's own name for its name on the wire. */
  readonly ownName: (wireName: string) => string;
  /** Whether the request contains images. */
  readonly hasImages: boolean;
  /** Estimated tokens of the prompt with its tools. */
  readonly promptTokens: number;
  /** How many tools are not sent because there are more than a request may have. */
  readonly omittedTools: number;
}

/** English regardless of the editor's language, because only models read it. */
const leftOutImage = '[A picture was here. This model takes none.]';

/**
 * Builds the service's request: system messages become the system prompt, calls are next to their results, the oldest rounds are compacted
 * to at most `limit` messages (`undefined`: no limit), calls become text if no tools are sent, images are included only if the model
 * supports them, and `max_tokens` leaves space for the response.
 */
export function toEditorRequest(
  { model, messages, tools, toolRequired, options }: EditorQuestion,
  capabilities: Capabilities,
  limit: number | undefined,
): EditorRequest {
  const names = wireNames(tools, messages);
  const readable = messages.flatMap((message) => readableMessage(message, capabilities, names.toWire));
  const system = readable.filter(({ role }) => role === 'system').flatMap(({ content }) => textsOf(content));
  const talk = readable.filter(({ role }) => role !== 'system');
  const paired = pairTools(compactMessages(talk, undefined).messages);
  const sentTools = capabilities.tools ? names.tools : [];
  const takeable = sentTools.length > 0 ? paired : paired.map(tellTools);
  const folded = compactMessages(takeable, limit).messages.map(plainest);
  const base = {
    model,
    messages: folded,
    ...(system.length > 0 && { system: system.join('\n\n') }),
    ...(sentTools.length > 0 && { tools: sentTools }),
    ...(sentTools.length > 0 && toolRequired && { tool_choice: choiceOf(sentTools) }),
  };
  const { max_tokens: requested, ...others } = readModelOptions(options, capabilities);
  const promptTokens = countInputTokens(base);
  const max_tokens = answerRoom(promptTokens, requested, capabilities);
  const hasImages = folded.some(({ content }) => toBlocks(content).some(isImage));
  const omittedTools = sentTools.length > 0 ? Math.max(0, tools.length - mostTools) : 0;
  return { request: { ...base, ...others, max_tokens }, ownName: names.toOwn, hasImages, promptTokens, omittedTools };
}

/** `any` appears in the vendor's samples, not in its schema, so a single tool is named. */
function choiceOf(tools: readonly ToolDefinition[]): NonNullable<MessageRequest['tool_choice']> {
  return tools.length === 1 ? { type: 'tool', name: tools[0]!.name } : { type: 'any' };
}

interface WireNames {
  readonly tools: readonly ToolDefinition[];
  readonly toWire: (ownName: string) => string;
  readonly toOwn: (wireName: string) => string;
}

/** Maps tool names to valid wire names, including tools that were called earlier but are no longer offered. */
function wireNames(tools: readonly ToolDefinition[], messages: readonly MessageParam[]): WireNames {
  const offered = tools.slice(0, mostTools);
  const called = messages.flatMap(({ content }) =>
    toBlocks(content).flatMap((block) => (block.type === 'tool_use' ? [block.name] : [])),
  );
  const missing = [...new Set(called)].filter((name) => !offered.some((tool) => tool.name === name));
  const named = namedTools(
    [...offered, ...missing.map((name) => ({ name, input_schema: {} }))].map((tool) => ({ source: 'own', ...tool })),
    [],
  );
  const wire = new Map(named.map(({ offered: { name }, definition }) => [name, definition.name]));
  const own = new Map(named.map(({ offered: { name }, definition }) => [definition.name, name]));
  return {
    tools: named.filter(({ offered: { name } }) => !missing.includes(name)).map(({ definition }) => definition),
    toWire: (name) => wire.get(name) ?? name,
    toOwn: (name) => own.get(name) ?? name,
  };
}

/** Empty if no part of the message can be sent. */
function readableMessage(
  { role, content }: MessageParam,
  { images }: Capabilities,
  toWire: (name: string) => string,
): readonly MessageParam[] {
  const blocks = toBlocks(content);
  const isRound = blocks.some(({ type }) => type === 'tool_use');
  const readable = blocks.flatMap((block): readonly ContentParam[] => {
    if (block.type === 'text') return block.text.trim() === '' ? [] : [block];
    // Only thinking that led to calls is sent back.
    if (block.type === 'thinking') return isRound ? [block] : [];
    if (block.type === 'tool_use') return [{ ...block, name: toWire(block.name) }];
    if (images || block.type === 'unknown') return [block];
    if (block.type === 'image') return [{ type: 'text', text: leftOutImage }];
    const parts = typeof block.content === 'string' ? block.content : block.content?.map(withoutImage);
    return [{ ...block, ...(parts === undefined ? {} : { content: parts }) }];
  });
  return readable.length === 0 ? [] : [{ role, content: readable }];
}

type ResultPart = Extract<ContentParam, { readonly type: 'text' | 'image' }>;

function withoutImage(part: ResultPart): ResultPart {
  return part.type === 'image' ? { type: 'text', text: leftOutImage } : part;
}

function textsOf(content: MessageParam['content']): readonly string[] {
  return toBlocks(content).flatMap((block) => (block.type === 'text' ? [block.text] : []));
}

/** Text-only content is sent as a string, which every service accepts. */
function plainest(message: MessageParam): MessageParam {
  const blocks = toBlocks(message.content);
  const texts = textsOf(blocks);
  return texts.length === blocks.length ? { role: message.role, content: texts.join('\n\n') } : message;
}

function isImage(block: ContentParam): boolean {
  if (block.type === 'image') return true;
  return (
    block.type === 'tool_result' &&
    typeof block.content !== 'string' &&
    (block.content ?? []).some(({ type }) => type === 'image')
  );
}

/** Returns the parts of a request that a refusal may be about. */
export function sentParts({ request, hasImages }: EditorRequest): SentParts {
  const blocks = request.messages.flatMap(({ content }) => toBlocks(content));
  const isFromTool = blocks.some(
    (block) => block.type === 'tool_result' && toBlocks(block.content ?? '').some(({ type }) => type === 'image'),
  );
  return {
    tools: request.tools !== undefined && request.tools !== null,
    images: hasImages && !isFromTool,
    maxTokens: request.max_tokens,
  };
}

/** The least room for an answer; less would be useless. */
const fewestAnswerTokens = 1024;

/** Token counts of prompts are estimates; the real count may be larger by this factor. */
const promptMargin = 1 + estimateErrorPercent / 100;

/** Returns the largest prompt, in estimated tokens, that leaves room for an answer of maximum length. */
export function mostPromptTokens({ contextTokens, outputTokens }: Capabilities): number {
  return Math.floor((contextTokens - outputTokens) / promptMargin);
}

/** Returns the most answer tokens that fit next to a prompt of `promptTokens` estimated tokens. */
function answerRoom(
  promptTokens: number,
  requested: number | undefined,
  { contextTokens, outputTokens }: Capabilities,
): number {
  const room = contextTokens - Math.ceil(promptTokens * promptMargin);
  const most = Math.min(requested ?? outputTokens, outputTokens);
  return Math.max(Math.min(most, room), Math.min(most, fewestAnswerTokens));
}

/** The options of a caller that are sent, under their wire names. */
type SentOptions = {
  -readonly [Name in NumberAt<'messages'> | 'stop_sequences' | 'thinking']?: NonNullable<MessageRequest[Name]>;
};

/**
 * Returns only options that the service supports with the right type. Editors pass their own options (`_telemetryTurn`), and the service
 * rejects a request with unknown ones. `stop` is accepted as another name for `stop_sequences`.
 */
export function readModelOptions(options: Readonly<Record<string, unknown>>, { thinking }: Capabilities): SentOptions {
  const sent: SentOptions = {};
  for (const name of numbersAt('messages')) {
    const value = options[name];
    if (typeof value === 'number' && Number.isFinite(value)) sent[name] = value;
  }
  if (sent.max_tokens !== undefined && !(Number.isSafeInteger(sent.max_tokens) && sent.max_tokens > 0))
    delete sent.max_tokens;
  const stops = [options['stop_sequences'] ?? options['stop'] ?? []].flat();
  const texts = stops.filter((stop) => typeof stop === 'string' && stop !== '') as string[];
  if (texts.length > 0) sent.stop_sequences = texts;
  const requestedThinking = thinking === 'asked' ? readThinking(options['thinking']) : undefined;
  if (requestedThinking) sent.thinking = requestedThinking;
  return sent;
}

function readThinking(value: unknown): SentOptions['thinking'] | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { type, budget_tokens: budget } = value as Readonly<Record<string, unknown>>;
  if (type !== 'enabled' && type !== 'disabled') return undefined;
  return { type, ...(Number.isSafeInteger(budget) && { budget_tokens: Number(budget) }) };
}

type ToolUse = Extract<ContentParam, { readonly type: 'tool_use' }>;
type ToolResult = Extract<ContentParam, { readonly type: 'tool_result' }>;

/** English regardless of the editor's language, because only models read it. */
const noResult = 'This call was not run: there is no result.';

/**
 * Puts every call right before its one result, as the service requires, if an editor cut its history or a user stopped a turn: a
 * call without a result gets one that says so, a result without its call becomes text. Results come first in their message. User
 * and assistant must alternate in `messages`.
 */
function pairTools(messages: readonly MessageParam[]): readonly MessageParam[] {
  const paired: MessageParam[] = [];
  messages.forEach((message, index) => {
    const before = messages[index - 1];
    if (message.role === 'user') paired.push(answered(message, before ? callsIn(before) : []));
    else {
      paired.push(message);
      const calls = callsIn(message);
      // A turn that ends with its calls, or was stopped there.
      if (calls.length > 0 && messages[index + 1]?.role !== 'user')
        paired.push(answered({ role: 'user', content: [] }, calls));
    }
  });
  return paired;
}

function answered(message: MessageParam, calls: readonly ToolUse[]): MessageParam {
  const blocks = toBlocks(message.content);
  const toolResults = blocks.filter((block) => block.type === 'tool_result');
  if (calls.length === 0 && toolResults.length === 0) return message;
  const results = calls.map(
    ({ id }): ToolResult =>
      toolResults.find(({ tool_use_id }) => tool_use_id === id) ?? {
        type: 'tool_result',
        tool_use_id: id,
        content: noResult,
        is_error: true,
      },
  );
  const rest = blocks.flatMap((block) =>
    block.type === 'tool_result' ? (results.includes(block) ? [] : resultContent(block)) : [block],
  );
  return { role: message.role, content: [...results, ...rest] };
}

function resultContent({ content = '' }: ToolResult): readonly ContentParam[] {
  return [{ type: 'text', text: '[Result of an earlier tool call]' }, ...toBlocks(content)];
}

function callsIn({ content }: MessageParam): readonly ToolUse[] {
  return toBlocks(content).filter((block) => block.type === 'tool_use');
}
