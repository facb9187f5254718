import type { ChatCompletionRequest } from '../chatCompletions/chatCompletions.schema';
import { numbersAt } from '../../parameters/parameterTable';
import { isObject } from '../isObject';
import type { CallState } from '../messages/messageEvents';
import type { MessageParam, MessageRequest } from '../messages/messages.schema';
import { present } from '../present';
import { vendorWay } from './chatWays';
import type { ChatWay, ContinuingMembers, ThinkingMembers } from './chatWays';

type ChatMessage = ChatCompletionRequest['messages'][number];
type ContentPart = Exclude<ChatMessage['content'], string>[number];
type Block = Exclude<MessageParam['content'], string>[number];
type ToolResult = Extract<Block, { readonly type: 'tool_result' }>;
type Image = Extract<Block, { readonly type: 'image' }>;

/** A chat completion with the members that only some services know. */
export type ChatBody = ChatCompletionRequest &
  ThinkingMembers &
  ContinuingMembers & {
    readonly max_completion_tokens?: number;
    readonly parallel_tool_calls?: false;
  };

/** Returns one line of a batch file, without its line ending: the same request in the format of batches, written in the service's way. */
export function toBatchLine(request: MessageRequest, customId: string, way: ChatWay = vendorWay): string {
  return JSON.stringify({
    custom_id: customId,
    method: 'POST',
    url: '/v1/chat/completions',
    body: toChatBody(request, way),
  });
}

/** Converts a request for `/messages` to one for `/chat/completions`. Includes thinking only with the tool calls it led to. */
export function toChatBody(request: MessageRequest, way: ChatWay = vendorWay): ChatBody {
  const reasoningName = reasoningNameIn(request) ?? (way.needsReasoning ? 'reasoning_content' : undefined);
  const { model, system, stop_sequences, tools, tool_choice, thinking } = request;
  const systemText = typeof system === 'string' ? system : (system ?? []).map(({ text }) => text).join('\n\n');
  const messages = request.messages.flatMap((message) => toChatMessages(message, way, reasoningName));
  const continues = request.messages.at(-1)?.role === 'assistant';
  return {
    model,
    messages: systemText === '' ? messages : [{ role: 'system', content: systemText }, ...messages],
    ...present({ ...numbersOf(request, way), stop: stop_sequences }),
    ...(tools && tools.length > 0 ? { tools: tools.map((tool) => toTool(tool, way)) } : {}),
    ...(tool_choice && tools && tools.length > 0 ? toToolChoice(tool_choice, way) : {}),
    ...(thinking ? way.thinking(thinking) : {}),
    ...(continues ? way.continuing : {}),
  };
}

type ReasoningName = NonNullable<CallState['reasoning']>;

/** Returns the name under which the model sends its reasoning, if it does: then the service wants it with each call, even if it is empty. */
function reasoningNameIn({ messages }: MessageRequest): ReasoningName | undefined {
  for (const { content } of messages) {
    const blocks = typeof content === 'string' ? [] : content;
    for (const block of blocks) if (block.type === 'tool_use' && block.state?.reasoning) return block.state.reasoning;
    if (blocks.some(({ type }) => type === 'thinking')) return 'reasoning_content';
  }
  return undefined;
}

const batchNumbers: readonly string[] = numbersAt('batch');
const sharedNumbers = numbersAt('messages').filter((name) => batchNumbers.includes(name));

/** Returns the numbers that a chat completion accepts too. */
function numbersOf(request: MessageRequest, { lengthName, takesTopK }: ChatWay) {
  const numbers = sharedNumbers.filter((name) => name !== 'top_k' || takesTopK);
  return Object.fromEntries(numbers.map((name) => [name === 'max_tokens' ? lengthName : name, request[name]]));
}

function toChatMessages(
  { role, content }: MessageParam,
  way: ChatWay,
  reasoningName: ReasoningName | undefined,
): readonly ChatMessage[] {
  if (typeof content === 'string') return [{ role, content }];
  const { takesReasoning, takesEmptyText } = way;
  const results = content.flatMap((block) =>
    block.type === 'tool_result'
      ? [{ role: 'tool' as const, content: resultText(block), tool_call_id: block.tool_use_id }]
      : [],
  );
  const calls = content.flatMap((block) => (block.type === 'tool_use' ? [toCall(block, way)] : []));
  const said = toContent(content);
  const thought = content.flatMap((block) => (block.type === 'thinking' ? [block.thinking] : [])).join('\n\n');
  const reasoning = reasoningName === undefined || !takesReasoning ? {} : { [reasoningName]: thought };
  const state = content.flatMap((block) =>
    block.type === 'tool_use' && takesReasoning ? [block.state?.message ?? {}] : [],
  );
  if (said.length === 0 && calls.length === 0) return results;
  if (calls.length === 0) return [...results, { role, content: said }];
  const called = { tool_calls: calls, ...Object.assign({}, ...state), ...reasoning };
  const isLeftOut = said.length === 0 && !takesEmptyText;
  return [...results, { role, ...(!isLeftOut && { content: said }), ...called } as ChatMessage];
}

/** A call gets back what came with it. */
function toCall({ id, name, input, state }: Extract<Block, { readonly type: 'tool_use' }>, way: ChatWay) {
  const { function: inside, ...extra } = (way.takesReasoning ? state?.call : undefined) ?? {};
  const called = { ...(isObject(inside) && inside), name, arguments: JSON.stringify(input) };
  const signed = way.needsSignatures && extra['extra_content'] === undefined ? { extra_content: unsigned } : {};
  return { ...extra, ...signed, id, type: 'function' as const, function: called };
}

/** For calls of other models, which Google can't have signed. https://ai.google.dev/gemini-api/docs/thought-signatures */
const unsigned = { google: { thought_signature: 'skip_thought_signature_validator' } };

/** Returns plain text if there are no images, because most models accept nothing else. */
function toContent(blocks: readonly Block[]): ChatMessage['content'] {
  const parts = blocks.flatMap((block): readonly ContentPart[] => {
    if (block.type === 'tool_result') return resultImages(block);
    if (block.type === 'text') return [{ type: 'text', text: block.text }];
    return block.type === 'image' ? [toImagePart(block)] : [];
  });
  if (parts.some(({ type }) => type === 'image_url')) return parts;
  return parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n\n');
}

function toImagePart({ source }: Image): ContentPart {
  const url = source.type === 'url' ? source.url : `data:${source.media_type};base64,${source.data}`;
  return { type: 'image_url', image_url: { url } };
}

/** A result of a tool is text there, and has no mark of an error: English, because only models read it. */
function resultText({ content, is_error }: ToolResult): string {
  const parts = typeof content === 'string' ? [content] : (content ?? []).map((part) => textOf(part));
  const text = parts.filter((part) => part !== '').join('\n\n');
  return is_error && !/^\W*error\b/i.test(text) ? `Error: ${text}`.trimEnd() : text;
}

function textOf(part: Exclude<NonNullable<ToolResult['content']>, string>[number]): string {
  return part.type === 'text' ? part.text : '[The image follows.]';
}

/** Images of results are moved to the user message after them. */
function resultImages({ content }: ToolResult): readonly ContentPart[] {
  if (content === undefined || typeof content === 'string') return [];
  return content.flatMap((part) => (part.type === 'image' ? [toImagePart(part)] : []));
}

type Tool = NonNullable<MessageRequest['tools']>[number];

/** Services that do not accept every schema do not accept one without properties either, such as Google. */
function toTool({ name, description, input_schema: parameters }: Tool, { takesAnySchema }: ChatWay) {
  const { properties } = parameters;
  const isLeftOut = !takesAnySchema && isObject(properties) && Object.keys(properties).length === 0;
  return {
    type: 'function' as const,
    function: { name, ...(description === undefined ? {} : { description }), ...(!isLeftOut && { parameters }) },
  };
}

function toToolChoice(
  choice: NonNullable<MessageRequest['tool_choice']>,
  { takesParallel }: ChatWay,
): Partial<ChatBody> {
  const isSingle = takesParallel && choice.type !== 'none' && choice.disable_parallel_tool_use === true;
  return { tool_choice: choiceOf(choice), ...(isSingle && { parallel_tool_calls: false }) };
}

function choiceOf(choice: NonNullable<MessageRequest['tool_choice']>): ChatCompletionRequest['tool_choice'] {
  if (choice.type === 'tool') return { type: 'function', function: { name: choice.name } };
  return choice.type === 'any' ? 'required' : choice.type;
}
