import type { ChatCompletionRequest } from '../../api/chatCompletions/chatCompletions.schema';
import { numbersAt } from '../../parameters/parameterTable';
import type { MessageParam, MessageRequest } from '../../api/messages/messages.schema';

type ChatMessage = ChatCompletionRequest['messages'][number];
type ContentPart = Exclude<ChatMessage['content'], string>[number];
type Block = Exclude<MessageParam['content'], string>[number];
type Image = Extract<Block, { readonly type: 'image' }>;

/** Returns one line of a batch file, without its line ending: the same request in the format of batches. */
export function toBatchLine(request: MessageRequest, customId: string): string {
  return JSON.stringify({
    custom_id: customId,
    method: 'POST',
    url: '/v1/chat/completions',
    body: toChatBody(request),
  });
}

/** Converts a conversation's request to a chat completion. Includes thinking only with the tool calls it led to. */
export function toChatBody(request: MessageRequest): ChatCompletionRequest {
  const { model, system, stop_sequences, tools, tool_choice, thinking } = request;
  const systemText = typeof system === 'string' ? system : (system ?? []).map(({ text }) => text).join('\n\n');
  const messages = request.messages.flatMap(toChatMessages);
  return {
    model,
    messages: systemText === '' ? messages : [{ role: 'system', content: systemText }, ...messages],
    ...given({ ...numbersOf(request), stop: stop_sequences }),
    ...(tools && tools.length > 0 ? { tools: tools.map(toTool) } : {}),
    ...(tool_choice && tools && tools.length > 0 ? { tool_choice: toToolChoice(tool_choice) } : {}),
    ...(thinking ? { enable_thinking: thinking.type === 'enabled' } : {}),
    ...(thinking?.budget_tokens === undefined ? {} : { thinking_budget: thinking.budget_tokens }),
  };
}

const batchNumbers: readonly string[] = numbersAt('batch');
const sharedNumbers = numbersAt('messages').filter((name) => batchNumbers.includes(name));

/** Returns the numbers that a chat completion accepts too, under the same names. */
function numbersOf(request: MessageRequest) {
  return Object.fromEntries(sharedNumbers.map((name) => [name, request[name]]));
}

type Present<T> = { readonly [K in keyof T]?: NonNullable<T[K]> };

function given<T extends object>(fields: T): Present<T> {
  const present = Object.entries(fields).filter(([, value]) => value !== undefined && value !== null);
  return Object.fromEntries(present) as Present<T>;
}

function toChatMessages({ role, content }: MessageParam): readonly ChatMessage[] {
  if (typeof content === 'string') return [{ role, content }];
  const results = content.flatMap((block) =>
    block.type === 'tool_result'
      ? [{ role: 'tool' as const, content: resultText(block), tool_call_id: block.tool_use_id }]
      : [],
  );
  const calls = content.flatMap((block) =>
    block.type === 'tool_use'
      ? [
          {
            id: block.id,
            type: 'function' as const,
            function: { name: block.name, arguments: JSON.stringify(block.input) },
          },
        ]
      : [],
  );
  const said = toContent(content);
  const thought = content.flatMap((block) => (block.type === 'thinking' ? [block.thinking] : [])).join('\n\n');
  const reasoning = thought === '' ? {} : { reasoning_content: thought };
  if (said === '' && calls.length === 0) return results;
  return [...results, { role, content: said, ...(calls.length > 0 ? { tool_calls: calls, ...reasoning } : {}) }];
}

/** Returns plain text if there are no images, because most models accept nothing else. */
function toContent(blocks: readonly Block[]): ChatMessage['content'] {
  const parts = blocks.flatMap((block): readonly ContentPart[] => {
    if (block.type === 'text') return [{ type: 'text', text: block.text }];
    return block.type === 'image' ? [{ type: 'image_url', image_url: { url: imageUrl(block) } }] : [];
  });
  if (parts.some(({ type }) => type === 'image_url')) return parts;
  return parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n\n');
}

function imageUrl({ source }: Image): string {
  return source.type === 'url' ? source.url : `data:${source.media_type};base64,${source.data}`;
}

function resultText({ content }: Extract<Block, { readonly type: 'tool_result' }>): string {
  if (content === undefined || typeof content === 'string') return content ?? '';
  return content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n\n');
}

function toTool({ name, description, input_schema }: NonNullable<MessageRequest['tools']>[number]) {
  return {
    type: 'function' as const,
    function: { name, ...(description === undefined ? {} : { description }), parameters: input_schema },
  };
}

function toToolChoice(choice: NonNullable<MessageRequest['tool_choice']>): ChatCompletionRequest['tool_choice'] {
  if (choice.type === 'tool') return { type: 'function', function: { name: choice.name } };
  return choice.type === 'any' ? 'required' : choice.type;
}
