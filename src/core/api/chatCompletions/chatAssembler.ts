import type * as z from 'zod/mini';
import { uniqueCitations } from '../messages/messageEvents';
import { growCall, toCall } from './callPieces';
import type { CallPart, GrowingCalls } from './callPieces';
import { citationsOf, notedIn } from './chatCitations';
import type { Citation } from '../messages/messageEvents';
import { present } from '../present';
import { RepeatedText } from '../repeatedText';
import type { ChatChoice, ChatCompletionEvent, ChatUsage, ChatCompletionHead } from './chatCompletionEvents';
import { chatCompletionChunk, isPlainChunk } from './chatCompletions.schema';
import { toChatUsage, usageIn, withoutZeros } from './chatUsage';

type Chunk = z.infer<typeof chatCompletionChunk>;
type ChoiceOnTheWire = NonNullable<Chunk['choices']>[number];
type SaidOnTheWire = NonNullable<ChoiceOnTheWire['delta']>;
type SaidPart = Exclude<NonNullable<SaidOnTheWire['content']>, string>[number];

interface GrowingChoice extends GrowingCalls {
  readonly content: string[];
  readonly reasoning: string[];
  readonly newContent: RepeatedText;
  readonly newReasoning: RepeatedText;
  /** Whether the text has the thinking in tags, so that MiniMax sends it twice. */
  thinksInText: boolean;
  /** Whether a delta has arrived, in which case a message contains only known content. */
  hasDelta: boolean;
  finish: string | undefined;
  reasoningName: ChatChoice['reasoning_name'];
  readonly details: Readonly<Record<string, unknown>>[];
  readonly thinkingBlocks: Readonly<Record<string, unknown>>[];
  extra: Readonly<Record<string, unknown>> | undefined;
  readonly images: string[];
}

/** Converts a stream's chunks into events. */
export class ChatAssembler {
  private readonly choices = new Map<number, GrowingChoice>();
  private head: ChatCompletionHead | undefined;
  private usage: ChatUsage = {};
  private citations: readonly Citation[] = [];

  /** `toolNames`: the tools of the request, whose names may come in pieces. `isSingle`: one answer was requested, so indexes may count tokens. */
  constructor(
    private readonly toolNames: readonly string[] = [],
    private readonly isSingle = false,
  ) {}

  /** Whether every choice that began has told why it ended. */
  get isFinished(): boolean {
    return this.choices.size > 0 && [...this.choices.values()].every(({ finish }) => finish !== undefined);
  }

  push(data: unknown): readonly ChatCompletionEvent[] {
    const plain = this.head && isPlainChunk(data) ? data : undefined;
    const chunk = plain ?? chatCompletionChunk.safeParse(data).data;
    // Open WebUI sends its sources alone.
    if (chunk?.sources && !chunk.choices) this.cite(chunk);
    if (!(chunk?.choices ?? chunk?.usage)) return [{ type: 'unknown', raw: data }];
    const events: ChatCompletionEvent[] = [];
    if (!this.head) {
      const { id, model, created, system_fingerprint } = chunk;
      this.head = present({ id, model, created, system_fingerprint });
      events.push({ type: 'start', ...present({ id, model }) });
    }
    const { finish_reason } = chunk;
    for (const [position, choice] of (chunk.choices ?? []).entries())
      this.grow(
        finish_reason ? { ...choice, finish_reason: choice.finish_reason ?? finish_reason } : choice,
        position,
        events,
      );
    if (!plain) this.cite(chunk);
    const usage = plain ? undefined : usageIn(chunk);
    if (usage) {
      // Usage comes on every chunk, on the last, or after it: the newest wins, but for the zeros of chunks that count nothing.
      this.usage = { ...this.usage, ...withoutZeros(toChatUsage(usage), this.usage) };
      events.push({ type: 'usage', usage: this.usage });
    }
    return events;
  }

  /** Returns the text that was held back, of a stream that ends or breaks off. */
  flush(): ChatCompletionEvent[] {
    const events: ChatCompletionEvent[] = [];
    for (const [index, growing] of this.choices) {
      growReasoning(growing, { index, text: '', isLast: true }, events);
      growContent(growing, { index, text: '', isLast: true }, events);
    }
    return events;
  }

  /** Returns what all of the first choice's text adds to the text so far. */
  rest(whole: string): string {
    return this.choices.get(0)?.newContent.rest(whole) ?? whole;
  }

  end(): readonly ChatCompletionEvent[] {
    const events = this.flush();
    const cited = this.citations.length === 0 ? {} : { citations: this.citations };
    const choices = [...this.choices]
      .sort(([left], [right]) => left - right)
      .map((choice) => ({ ...toChoice(choice, this.toolNames), ...cited }));
    events.push({ type: 'end', completion: { ...this.head, choices, usage: this.usage } });
    return events;
  }

  /** The newest list is the whole one; annotations come one by one. */
  private cite(chunk: Chunk): void {
    // A later list may lack the titles of an earlier one.
    const listed = citationsOf(chunk).map((one) => this.citations.find(({ url }) => url === one.url) ?? one);
    if (listed.length > 0) this.citations = listed;
    const noted = (chunk.choices ?? []).flatMap(notedIn);
    if (noted.length > 0) this.citations = uniqueCitations([...this.citations, ...noted]);
  }

  private grow(choice: ChoiceOnTheWire, position: number, events: ChatCompletionEvent[]): void {
    const { delta, message } = choice;
    const index = (this.isSingle ? undefined : choice.index) ?? position;
    const growing = this.choices.get(index) ?? newChoice();
    this.choices.set(index, growing);
    const said = delta ?? message;
    if (delta) growing.hasDelta = true;
    const { reasoning: named, content: saidText, calls, images } = delta ? read(delta) : restOf(message, growing);
    const reasoningText = named || (growing.reasoningName === undefined ? thinkingInBlocks(said) : '');
    if (reasoningText !== '' && growing.content.length === 0 && beginsThought(saidText)) growing.thinksInText = true;
    const reasoning = growing.thinksInText ? '' : reasoningText;
    const reason = finishOf(choice);
    const content = saidText || (said ? '' : (choice.text ?? ''));
    if (said && (reasoning !== '' || content === '')) noteReasoning(growing, said);
    const isLast = reason !== undefined || calls.length > 0 || images.length > 0;
    growReasoning(growing, { index, text: reasoning, isLast: isLast || content !== '' }, events);
    growContent(growing, { index, text: content, isLast }, events);
    for (const url of images) {
      growing.images.push(url);
      events.push({ type: 'image', index, url });
    }
    for (const part of calls) growCall(growing, { index, part, toolNames: this.toolNames }, events);
    // Some servers add a plain end after the reason.
    if (reason !== undefined && (growing.finish === undefined || (reason !== 'stop' && reason !== growing.finish))) {
      growing.finish = reason;
      events.push({ type: 'finish', index, reason });
    }
  }
}

/** Whether a text begins with thinking in tags. */
export function beginsThought(text: string): boolean {
  return text.trimStart().startsWith('<think>');
}

interface PieceOfText {
  /** The index of the choice. */
  readonly index: number;
  readonly text: string;
  /** Whether something else follows. */
  readonly isLast: boolean;
}

function growReasoning(growing: GrowingChoice, piece: PieceOfText, events: ChatCompletionEvent[]): void {
  const text = growing.newReasoning.added(piece.text, piece.isLast);
  if (text === '') return;
  growing.reasoning.push(text);
  events.push({ type: 'reasoning', index: piece.index, text });
}

function growContent(growing: GrowingChoice, piece: PieceOfText, events: ChatCompletionEvent[]): void {
  const text = growing.newContent.added(piece.text, piece.isLast);
  if (text === '') return;
  growing.content.push(text);
  events.push({ type: 'text', index: piece.index, text });
}

/** Returns why a choice ended; `undefined` if it has not. Some servers say `""` or `"null"` until then. */
export function finishOf(choice: ChoiceOnTheWire): string | undefined {
  const { finish_reason, finishReason, native_finish_reason: native, delta } = choice;
  if (native === 'error' || native === 'network_error') return native;
  const reason = finish_reason || finishReason || delta?.finish_reason || native;
  return reason && reason !== 'null' ? reason : undefined;
}

interface Said {
  readonly reasoning: string;
  readonly content: string;
  readonly calls: readonly CallPart[];
  readonly images: readonly string[];
}

const noImages: readonly string[] = [];
const noParts: readonly SaidPart[] = [];

/** Reads a delta in any of its forms. Text under two names is read once. */
function read(wire: SaidOnTheWire | undefined): Said {
  const { content, refusal, tool_calls, function_call: called, images, audio, multi_mod_content: more } = wire ?? {};
  const parts =
    more || Array.isArray(content) ? [content, more].flatMap((list) => (Array.isArray(list) ? list : [])) : noParts;
  const text = (typeof content === 'string' ? content : partsText(parts, false)) || refusal || audio?.transcript || '';
  const calls = tool_calls ?? (called ? [{ index: 0, function: called }] : parts.flatMap(callInPart));
  return {
    reasoning: wire ? reasoningIn(wire, parts) : '',
    content: text,
    calls: calls.map(({ name, arguments: input, ...call }) =>
      call.function || name === undefined ? call : { ...call, function: { name, arguments: input } },
    ),
    images:
      images || parts.length > 0 ? [...(images ?? []).flatMap(imageAddress), ...parts.flatMap(partAddress)] : noImages,
  };
}

function reasoningIn(wire: SaidOnTheWire, parts: readonly SaidPart[]): string {
  const { reasoning_content, reasoning, reasoning_text, thinking, thought, reasoning_steps, reasoning_details } = wire;
  const summary =
    typeof reasoning === 'object' ? reasoning.summary?.map((one) => one.text ?? '').join('\n\n') : undefined;
  const named = typeof reasoning === 'object' ? (reasoning.text ?? reasoning.content ?? summary) : reasoning;
  const details = () => (reasoning_details ?? []).map(({ text, summary }) => text ?? summary ?? '').join('');
  const text =
    reasoning_content ||
    named ||
    reasoning_text ||
    thinking ||
    thought ||
    reasoning_steps ||
    partsText(parts, true) ||
    details();
  return withoutMarks(text);
}

/** Returns LiteLLM's thinking, which counts only without thinking under another name. */
export function thinkingInBlocks(wire: SaidOnTheWire | undefined): string {
  return wire?.thinking_blocks?.map(({ thinking }) => thinking ?? '').join('') ?? '';
}

/** Removes the tags that some servers leave around thinking. */
function withoutMarks(text: string): string {
  return text.includes('<') ? text.replace(/^\s*<(?:think|thought)>\n?|\n?<\/(?:think|thought)>\s*$/g, '') : text;
}

/** Notes what a service wants back with the calls of a message. */
function noteReasoning(
  growing: GrowingChoice,
  { reasoning_content, reasoning, reasoning_details, thinking_blocks, extra_content }: SaidOnTheWire,
): void {
  if (extra_content) growing.extra = { ...growing.extra, ...extra_content };
  if (reasoning_content != null) growing.reasoningName = 'reasoning_content';
  else if (reasoning != null) growing.reasoningName ??= 'reasoning';
  for (const detail of reasoning_details ?? []) addDetail(growing.details, detail);
  for (const block of thinking_blocks ?? []) addDetail(growing.thinkingBlocks, block);
}

/** Members of a detail that come in pieces. */
const grownMembers = ['text', 'summary', 'data', 'thinking', 'signature'] as const;

/** Joins two pieces of a text, the second of which may be all of it so far. */
function joined(before: string, piece: string): string {
  return before.length >= leastDetail && piece.startsWith(before) ? piece : before + piece;
}

/** A shorter piece may begin the next one by chance. */
const leastDetail = 4;

/** Joins a piece to the detail it belongs to: the last one, if it is of the same type and place. */
function addDetail(details: Readonly<Record<string, unknown>>[], piece: Readonly<Record<string, unknown>>): void {
  const defined = Object.fromEntries(Object.entries(piece).filter(([, value]) => value !== undefined));
  const last = details.at(-1);
  const isSame = last && ['type', 'index'].every((name) => last[name] === piece[name]);
  const isOther = piece['id'] != null && last?.['id'] != null && piece['id'] !== last['id'];
  if (!isSame || isOther || (piece['data'] !== undefined && piece['index'] === undefined)) {
    details.push(defined);
    return;
  }
  const grown = grownMembers.flatMap((name) =>
    typeof last[name] === 'string' && typeof piece[name] === 'string'
      ? [[name, joined(last[name], piece[name])] as const]
      : [],
  );
  const stated = Object.entries(defined).filter(([, value]) => value !== null);
  details[details.length - 1] = { ...last, ...Object.fromEntries(stated), ...Object.fromEntries(grown) };
}

/** Anthropic has calls among the parts of the content. */
function callInPart({ type, id, name, input }: SaidPart): readonly CallPart[] {
  return type === 'tool_use' && name !== undefined ? [{ id, function: { name, arguments: input } }] : [];
}

type ImageOnTheWire = NonNullable<SaidOnTheWire['images']>[number];

function imageAddress(image: ImageOnTheWire): readonly string[] {
  if (typeof image === 'string') return [image];
  const { image_url: address, url, b64_json: data } = image;
  if (data !== undefined) return [`data:image/png;base64,${data}`];
  const named = (typeof address === 'string' ? address : address?.url) ?? url;
  return named ? [named] : [];
}

function partAddress({ type, image_url: address, source }: SaidPart): readonly string[] {
  if (type !== 'image_url' && type !== 'image' && type !== 'output_image') return [];
  if (source?.data !== undefined) return [`data:${source.media_type ?? 'image/png'};base64,${source.data}`];
  const named = (typeof address === 'string' ? address : address?.url) ?? source?.url;
  return named ? [named] : [];
}

/** Returns the text of a content list: either reasoning or the answer. */
function partsText(parts: readonly SaidPart[], isThought: boolean): string {
  return parts
    .filter(({ type }) => /^(?:thinking|reasoning)/.test(type ?? '') === isThought)
    .map(({ text, thinking, refusal, summary }) => {
      const list = typeof thinking === 'object' ? thinking : summary;
      return list && text === undefined
        ? list.map((one) => one.text ?? '').join('')
        : typeof thinking === 'string'
          ? thinking
          : (text ?? refusal ?? '');
    })
    .join('');
}

/**
 * Reads a message in place of a delta: all of it, or what no delta brought, because servers repeat in it what is here already.
 */
function restOf(wire: SaidOnTheWire | undefined, growing: GrowingChoice): Said {
  const said = readMessage(wire);
  if (!growing.hasDelta) return said;
  return {
    reasoning: growing.reasoning.length > 0 ? '' : said.reasoning,
    content: growing.content.length > 0 ? '' : said.content,
    calls: growing.calls.size > 0 ? [] : said.calls,
    images: growing.images.length > 0 ? noImages : said.images,
  };
}

/** Reads a complete message, whose calls are in order but usually without indexes. */
export function readMessage(wire: SaidOnTheWire | undefined): Said {
  const said = read(wire);
  return { ...said, calls: said.calls.map((call, position) => ({ ...call, index: call.index ?? position })) };
}

function newChoice(): GrowingChoice {
  const content: string[] = [];
  const reasoning: string[] = [];
  return {
    content,
    reasoning,
    newContent: new RepeatedText(() => content.join('')),
    newReasoning: new RepeatedText(() => reasoning.join('')),
    thinksInText: false,
    hasDelta: false,
    calls: new Map(),
    lastCall: -1,
    moved: new Map(),
    finish: undefined,
    reasoningName: undefined,
    details: [],
    thinkingBlocks: [],
    extra: undefined,
    images: [],
  };
}

function toChoice([index, growing]: [number, GrowingChoice], toolNames: readonly string[]): ChatChoice {
  const { content, reasoning, calls, finish, images, details, thinkingBlocks, extra, reasoningName } = growing;
  return {
    index,
    content: content.join(''),
    ...(reasoning.length > 0 ? { reasoning_content: reasoning.join('') } : {}),
    tool_calls: [...calls].sort(([left], [right]) => left - right).map(([, call]) => toCall(call, toolNames)),
    ...(calls.size > 0 && reasoningNameOf(reasoningName, reasoning.length > 0)),
    ...(calls.size > 0 && details.length > 0 && { reasoning_details: details }),
    ...(calls.size > 0 && thinkingBlocks.length > 0 && { thinking_blocks: thinkingBlocks }),
    ...(calls.size > 0 && extra && { extra_content: extra }),
    ...(images.length > 0 && { images }),
    ...present({ finish_reason: finish }),
  };
}

/** Returns the name of the reasoning property, if it isn't the usual one or has no text. */
export function reasoningNameOf(name: ChatChoice['reasoning_name'], hasText: boolean): Partial<ChatChoice> {
  return name === undefined || (hasText && name === 'reasoning_content') ? {} : { reasoning_name: name };
}
