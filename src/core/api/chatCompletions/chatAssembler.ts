import type * as z from 'zod/mini';
import { isObject } from '../isObject';
import { present } from '../present';
import type { ChatChoice, ChatCompletion, ChatCompletionEvent, ChatToolCall, ChatUsage } from './chatCompletionEvents';
import { chatCompletionChunk } from './chatCompletions.schema';
import type { chatCompletionUsage } from './chatCompletions.schema';

type Chunk = z.infer<typeof chatCompletionChunk>;
type ChoiceOnTheWire = NonNullable<Chunk['choices']>[number];
type SaidOnTheWire = NonNullable<ChoiceOnTheWire['delta']>;
type SaidPart = Exclude<NonNullable<SaidOnTheWire['content']>, string>[number];
type CallPart = NonNullable<SaidOnTheWire['tool_calls']>[number];

interface GrowingCall {
  id: string;
  name: string;
  readonly pieces: string[];
}

interface GrowingChoice {
  readonly content: string[];
  readonly reasoning: string[];
  readonly calls: Map<number, GrowingCall>;
  /** Which call an index of the wire stands for, where it is not its own: some servers number all calls 0. */
  readonly moved: Map<number, number>;
  finish: string | undefined;
}

/** Converts a stream's chunks into events. */
export class ChatAssembler {
  private readonly choices = new Map<number, GrowingChoice>();
  private head: Pick<ChatCompletion, 'id' | 'model' | 'created' | 'system_fingerprint'> | undefined;
  private usage: ChatUsage = {};

  push(data: unknown): readonly ChatCompletionEvent[] {
    const chunk = this.head && isPlainChunk(data) ? data : chatCompletionChunk.safeParse(data).data;
    if (!(chunk?.choices ?? chunk?.usage)) return [{ type: 'unknown', raw: data }];
    const events: ChatCompletionEvent[] = [];
    if (!this.head) {
      const { id, model, created, system_fingerprint } = chunk;
      this.head = present({ id, model, created, system_fingerprint });
      events.push({ type: 'start', ...present({ id, model }) });
    }
    for (const [position, choice] of (chunk.choices ?? []).entries()) events.push(...this.grow(choice, position));
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

  private grow(choice: ChoiceOnTheWire, position: number): readonly ChatCompletionEvent[] {
    const { delta, message, finish_reason } = choice;
    const index = choice.index ?? position;
    const known = this.choices.get(index);
    const growing = known ?? newChoice();
    this.choices.set(index, growing);
    const events: ChatCompletionEvent[] = [];
    // Servers that send the message so far beside each delta repeat in it what is here already.
    const { reasoning, content, calls } = delta || known ? read(delta) : readMessage(message);
    if (reasoning !== '') {
      growing.reasoning.push(reasoning);
      events.push({ type: 'reasoning', index, text: reasoning });
    }
    if (content !== '') {
      growing.content.push(content);
      events.push({ type: 'text', index, text: content });
    }
    for (const part of calls) events.push(...growCall(growing, index, part));
    if (finish_reason && finish_reason !== growing.finish) {
      growing.finish = finish_reason;
      events.push({ type: 'finish', index, reason: finish_reason });
    }
    return events;
  }
}

/** Whether a chunk only has a piece of text or reasoning of one choice, as nearly all do: such a one is taken as it is. */
function isPlainChunk(data: unknown): data is Chunk {
  if (!isObject(data) || data['usage'] != null || !Array.isArray(data['choices'])) return false;
  const [choice, ...others]: readonly unknown[] = data['choices'];
  if (!isObject(choice) || others.length > 0) return false;
  const { index, delta, message, finish_reason } = choice;
  if (typeof index !== 'number' || message != null || finish_reason != null || !isObject(delta)) return false;
  const { content, refusal, reasoning_content, reasoning, reasoning_details, tool_calls } = delta;
  const isText = (value: unknown): boolean => typeof value === 'string' || value == null;
  const areTexts = isText(content) && isText(refusal) && isText(reasoning_content) && isText(reasoning);
  return areTexts && reasoning_details == null && tool_calls == null;
}

interface Said {
  readonly reasoning: string;
  readonly content: string;
  readonly calls: readonly CallPart[];
}

/** Reads a delta in any of its forms. What is said under two names is said once. */
function read(wire: SaidOnTheWire | undefined): Said {
  const { content, refusal, reasoning_content, reasoning, reasoning_details, tool_calls } = wire ?? {};
  const parts = Array.isArray(content) ? content : [];
  const details = () => (reasoning_details ?? []).map(({ text, summary }) => text ?? summary ?? '').join('');
  return {
    reasoning: reasoning_content || reasoning || partsText(parts, true) || details(),
    content: (typeof content === 'string' ? content : partsText(parts, false)) || (refusal ?? ''),
    calls: tool_calls ?? [],
  };
}

/** Returns the text of a list of content: either what is thought or what is said. */
function partsText(parts: readonly SaidPart[], isThought: boolean): string {
  return parts
    .filter(({ type }) => (type === 'thinking' || type === 'reasoning') === isThought)
    .map(({ text, thinking }) =>
      typeof thinking === 'object' ? thinking.map((one) => one.text ?? '').join('') : (thinking ?? text ?? ''),
    )
    .join('');
}

/** Reads a whole message, whose calls are in order but mostly without indexes. */
export function readMessage(wire: SaidOnTheWire | undefined): Said {
  const said = read(wire);
  return { ...said, calls: said.calls.map((call, position) => ({ ...call, index: call.index ?? position })) };
}

/** Returns the call a piece belongs to: that of its index, else the last one; a new one if it has an id and a name of its own. */
function callOf({ calls, moved }: GrowingChoice, { index, id, function: called }: CallPart): number {
  const last = Math.max(-1, ...calls.keys());
  const at = index === undefined ? Math.max(0, last) : (moved.get(index) ?? index);
  const known = calls.get(at);
  const isSame = !known || !id || id === known.id;
  if (isSame || (index !== undefined && (known.id === '' || !called?.name))) return at;
  if (index !== undefined) moved.set(index, last + 1);
  return last + 1;
}

/** The first id stays; an empty name never replaces an earlier one. */
function growCall(growing: GrowingChoice, index: number, part: CallPart): readonly ChatCompletionEvent[] {
  const call = callOf(growing, part);
  const known = growing.calls.get(call);
  const target = known ?? { id: '', name: '', pieces: [] };
  growing.calls.set(call, target);
  target.id ||= part.id ?? '';
  target.name = part.function?.name || target.name;
  const text = argumentsText(part);
  const events: ChatCompletionEvent[] = known
    ? []
    : [{ type: 'toolCall', index, call, id: target.id, name: target.name }];
  if (text !== '') {
    target.pieces.push(text);
    events.push({ type: 'toolArguments', index, call, text });
  }
  return events;
}

/** Returns a call's arguments, or a piece of them, as JSON text. */
export function argumentsText({ function: called }: CallPart): string {
  const value = called?.arguments ?? '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function newChoice(): GrowingChoice {
  return { content: [], reasoning: [], calls: new Map(), moved: new Map(), finish: undefined };
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

export function toChatUsage(usage: z.infer<typeof chatCompletionUsage> | undefined): ChatUsage {
  return present({
    prompt_tokens: usage?.prompt_tokens,
    completion_tokens: usage?.completion_tokens,
    total_tokens: usage?.total_tokens,
    cached_tokens: usage?.prompt_tokens_details?.cached_tokens ?? usage?.prompt_cache_hit_tokens,
    reasoning_tokens: usage?.completion_tokens_details?.reasoning_tokens,
  });
}
