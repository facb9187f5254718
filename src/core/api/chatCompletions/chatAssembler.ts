import type * as z from 'zod/mini';
import { present } from '../present';
import type { ChatChoice, ChatCompletion, ChatCompletionEvent, ChatToolCall, ChatUsage } from './chatCompletionEvents';
import { chatCompletionChunk } from './chatCompletions.schema';
import type { chatCompletionUsage } from './chatCompletions.schema';

type Chunk = z.infer<typeof chatCompletionChunk>;
type ChoiceOnTheWire = NonNullable<Chunk['choices']>[number];
type Said = NonNullable<ChoiceOnTheWire['delta']>;
type CallPart = NonNullable<Said['tool_calls']>[number];

interface GrowingCall {
  id: string;
  name: string;
  readonly pieces: string[];
}

interface GrowingChoice {
  readonly content: string[];
  readonly reasoning: string[];
  readonly calls: Map<number, GrowingCall>;
  finish: string | undefined;
}

/** Converts a stream's chunks into events. */
export class ChatAssembler {
  private readonly choices = new Map<number, GrowingChoice>();
  private head: Pick<ChatCompletion, 'id' | 'model' | 'created' | 'system_fingerprint'> | undefined;
  private usage: ChatUsage = {};

  push(data: unknown): readonly ChatCompletionEvent[] {
    const parsed = chatCompletionChunk.safeParse(data);
    if (!parsed.success || !(parsed.data.choices ?? parsed.data.usage)) return [{ type: 'unknown', raw: data }];
    const chunk = parsed.data;
    const events: ChatCompletionEvent[] = [];
    if (!this.head) {
      const { id, model, created, system_fingerprint } = chunk;
      this.head = present({ id, model, created, system_fingerprint });
      events.push({ type: 'start', ...present({ id, model }) });
    }
    for (const choice of chunk.choices ?? []) events.push(...this.grow(choice));
    if (chunk.usage) {
      // Usage comes on every chunk, on the last, or after it: the newest wins.
      this.usage = toChatUsage(chunk.usage);
      events.push({ type: 'usage', usage: this.usage });
    }
    return events;
  }

  end(): readonly ChatCompletionEvent[] {
    const choices = [...this.choices].sort(([left], [right]) => left - right).map(toChoice);
    return [{ type: 'end', completion: { ...this.head, choices, usage: this.usage } }];
  }

  private grow({ index: at, delta, finish_reason }: ChoiceOnTheWire): readonly ChatCompletionEvent[] {
    const index = at ?? 0;
    const growing = this.choices.get(index) ?? newChoice();
    this.choices.set(index, growing);
    const events: ChatCompletionEvent[] = [];
    if (delta?.reasoning_content) {
      growing.reasoning.push(delta.reasoning_content);
      events.push({ type: 'reasoning', index, text: delta.reasoning_content });
    }
    if (delta?.content) {
      growing.content.push(delta.content);
      events.push({ type: 'text', index, text: delta.content });
    }
    for (const part of delta?.tool_calls ?? []) events.push(...growCall(growing, index, part));
    if (finish_reason && finish_reason !== growing.finish) {
      growing.finish = finish_reason;
      events.push({ type: 'finish', index, reason: finish_reason });
    }
    return events;
  }
}

/** A piece without an index belongs to the last call; an empty id or name never replaces an earlier one. */
function growCall(growing: GrowingChoice, index: number, part: CallPart): readonly ChatCompletionEvent[] {
  const call = part.index ?? Math.max(0, growing.calls.size - (part.id ? 0 : 1));
  const known = growing.calls.get(call);
  const target = known ?? { id: '', name: '', pieces: [] };
  growing.calls.set(call, target);
  target.id = part.id || target.id;
  target.name = part.function?.name || target.name;
  const text = part.function?.arguments ?? '';
  const events: ChatCompletionEvent[] = known
    ? []
    : [{ type: 'toolCall', index, call, id: target.id, name: target.name }];
  if (text !== '') {
    target.pieces.push(text);
    events.push({ type: 'toolArguments', index, call, text });
  }
  return events;
}

function newChoice(): GrowingChoice {
  return { content: [], reasoning: [], calls: new Map(), finish: undefined };
}

function toChoice([index, { content, reasoning, calls, finish }]: [number, GrowingChoice]): ChatChoice {
  return {
    index,
    content: content.join(''),
    ...(reasoning.length > 0 ? { reasoning_content: reasoning.join('') } : {}),
    tool_calls: [...calls].sort(([left], [right]) => left - right).map(([, call]) => toCall(call)),
    ...present({ finish_reason: finish }),
  };
}

function toCall({ id, name, pieces }: GrowingCall): ChatToolCall {
  return { id, name, arguments: pieces.join('') };
}

export function toChatUsage(usage: z.infer<typeof chatCompletionUsage> | null | undefined): ChatUsage {
  return present({
    prompt_tokens: usage?.prompt_tokens,
    completion_tokens: usage?.completion_tokens,
    total_tokens: usage?.total_tokens,
    cached_tokens: usage?.prompt_tokens_details?.cached_tokens ?? usage?.prompt_cache_hit_tokens,
    reasoning_tokens: usage?.completion_tokens_details?.reasoning_tokens,
  });
}
