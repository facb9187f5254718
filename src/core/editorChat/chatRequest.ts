import type { MessageParam, MessageRequest } from '../api/messages/messages.schema';
import type { Capabilities } from '../capabilities/capabilities';
import { compactMessages } from '../conversation/compaction';
import { tellTools, toBlocks } from '../conversation/compactedTranscript';
import type { ContentParam } from '../conversation/compactedTranscript';
import { mostTools, namedTools } from '../conversation/tools';
import type { ToolDefinition } from '../conversation/tools';
import { countPromptTokens } from '../tokens/countTokens';
import { readModelOptions } from './modelOptions';
import { answerRoom } from './room';
import { pairTools } from './toolPairs';

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
}

/** English regardless of the editor's language, because only models read it. */
const leftOutImage = '[A picture was here. This model takes none.]';

/**
 * Builds the service's request: system messages become the system prompt, calls stand next to their results, the oldest rounds are
 * compacted to at most `limit` messages (`undefined`: no limit), calls become text if no tools are sent, images are included only
 * if the model takes them, and `max_tokens` leaves room for the answer.
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
  const { max_tokens: wanted, ...others } = readModelOptions(options, capabilities);
  const max_tokens = answerRoom(countPromptTokens(base), wanted, capabilities);
  const hasImages = folded.some(({ content }) => toBlocks(content).some(isImage));
  return { request: { ...base, ...others, max_tokens }, ownName: names.toOwn, hasImages };
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
  const gone = [...new Set(called)].filter((name) => !offered.some((tool) => tool.name === name));
  const named = namedTools(
    [...offered, ...gone.map((name) => ({ name, input_schema: {} }))].map((tool) => ({ source: 'own', ...tool })),
    [],
  );
  const wire = new Map(named.map(({ offered: { name }, definition }) => [name, definition.name]));
  const own = new Map(named.map(({ offered: { name }, definition }) => [definition.name, name]));
  return {
    tools: named.filter(({ offered: { name } }) => !gone.includes(name)).map(({ definition }) => definition),
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
    // Only thinking that led to calls is sent back, and only if signed: the service takes it whole or not at all.
    if (block.type === 'thinking') return isRound && block.signature !== undefined ? [block] : [];
    if (block.type === 'tool_use') return [{ ...block, name: toWire(block.name) }];
    if (images) return [block];
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
