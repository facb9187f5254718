import '../../../schema/jitless';
import * as z from 'zod/mini';
import type { WrittenBody } from '../chatCompletions/chatCompletions';
import { chatCompletionRequest } from '../chatCompletions/chatCompletions.schema';
import type { ChatCompletionRequest } from '../chatCompletions/chatCompletions.schema';
import { MessageAssembler } from '../messages/messageAssembler';
import type { MessageEvent } from '../messages/messageEvents';
import { addEvents, isMessageStop, toBody } from '../messages/messages';
import type { MessageParam, MessageRequest } from '../messages/messages.schema';
import { present } from '../present';
import type { StreamEvent, Transport } from '../transport/transport';
import { chatWayOf, messagesWith } from './chatWays';

type ChatMessage = ChatCompletionRequest['messages'][number];
type Block = Exclude<MessageParam['content'], string>[number];

/**
 * Returns a transport to Anthropic on which a chat completion that someone wrote, such as a line of a batch file, is streamed by
 * `/messages`, as far as it can be said there. Its events are chunks as `/chat/completions` sends them, which Anthropic has for
 * trials only.
 */
export function withMessagesInPlace(transport: Transport, service: string | undefined): Transport {
  return {
    ...transport,
    stream(call) {
      const request = toMessageRequest(call.body as WrittenBody);
      if (!request) return transport.stream(call);
      const body = { ...messagesWith(toBody(request), chatWayOf(service)), stream: true };
      const assembler = new MessageAssembler();
      const end = { isLast: isMessageStop, hasEnded: () => assembler.isFinished };
      return asChunks(transport.stream({ ...call, path: '/messages', body, ...end }), assembler);
    },
  };
}

const written = z.extend(chatCompletionRequest, {
  max_completion_tokens: z.nullish(z.number()),
  parallel_tool_calls: z.nullish(z.boolean()),
  n: z.nullish(z.literal(1)),
  response_format: z.nullish(z.object({ type: z.literal('text') })),
  // What they change is not promised to anybody.
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

/** `undefined` if the body asks for something that a message cannot, or is no chat completion. */
export function toMessageRequest(body: WrittenBody): MessageRequest | undefined {
  const { data } = written.safeParse(body);
  const isSayable = Object.entries(body).every(([name, value]) => sayable.has(name) || value == null);
  if (!data || !isSayable) return undefined;
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

/** User and assistant must alternate: results of several calls stand in one message, with what the person says after them. */
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

async function* asChunks(
  batches: AsyncIterable<readonly StreamEvent[]>,
  assembler: MessageAssembler,
): AsyncGenerator<readonly StreamEvent[]> {
  const writer = new ChunkWriter();
  for await (const batch of batches) {
    const events: MessageEvent[] = [];
    for (const event of batch) addEvents(event, assembler, events);
    const chunks = events.flatMap((event) => writer.write(event));
    yield chunks.map((data): StreamEvent => ({ type: 'json', data }));
  }
  yield [{ type: 'done' }];
}

const finishReasons: Readonly<Record<string, string>> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  max_tokens: 'length',
  tool_use: 'tool_calls',
  refusal: 'content_filter',
};

/** Writes the events of a message as chunks of a chat completion. */
class ChunkWriter {
  private head: object = { object: 'chat.completion.chunk' };
  /** The number of each call, by its block, and whether any of its input has come. */
  private readonly calls = new Map<number, { readonly index: number; hasInput: boolean }>();

  write(event: MessageEvent): readonly object[] {
    switch (event.type) {
      case 'start':
        this.head = { ...this.head, ...present({ id: event.id, model: event.model }) };
        return [this.chunk({ role: 'assistant', content: '' })];
      case 'text':
        return [this.chunk({ content: event.text })];
      case 'thinking':
        return [this.chunk({ reasoning_content: event.text })];
      case 'blockStart':
        return event.block.type === 'tool_use' ? [this.begin(event.index, event.block)] : [];
      case 'toolInput':
        return this.grow(event.index, event.text);
      case 'blockStop': {
        // Its input came with its start.
        const isUnsaid = event.block.type === 'tool_use' && this.calls.get(event.index)?.hasInput === false;
        return isUnsaid && event.block.type === 'tool_use'
          ? this.grow(event.index, JSON.stringify(event.block.input))
          : [];
      }
      case 'end': {
        const { stop_reason: reason, usage } = event.message;
        const { input_tokens: prompt_tokens, output_tokens: completion_tokens } = usage;
        const finish = reason === undefined ? {} : { finish_reason: finishReasons[reason] ?? reason };
        return [{ ...this.chunk({}, finish), usage: present({ prompt_tokens, completion_tokens }) }];
      }
      case 'replace':
      case 'unknown':
        return [];
    }
  }

  private begin(block: number, { id, name }: { readonly id: string; readonly name: string }): object {
    const index = this.calls.size;
    this.calls.set(block, { index, hasInput: false });
    return this.chunk({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] });
  }

  private grow(block: number, text: string): readonly object[] {
    const call = this.calls.get(block);
    if (!call) return [];
    call.hasInput = true;
    return [this.chunk({ tool_calls: [{ index: call.index, function: { arguments: text } }] })];
  }

  private chunk(delta: object, choice: object = {}): object {
    return { ...this.head, choices: [{ index: 0, delta, ...choice }] };
  }
}
