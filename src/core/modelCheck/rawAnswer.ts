import type { Exchange } from '../api/exchange';
import { isObject } from '../api/isObject';
import { parseJson } from '../api/parseJson';

type Fields = Readonly<Record<string, unknown>>;

/** A server's response to a chat, before the client corrects anything. */
export interface RawAnswer {
  readonly text: string;
  readonly reasoning: string;
  /** The names of structured tool calls. */
  readonly calls: readonly string[];
  /** The reason that ends the answer, with the name of its property. */
  readonly finish: { readonly name: 'finish_reason' | 'stop_reason'; readonly value: string } | undefined;
  /** The mark that ends the stream. */
  readonly endMark: '[DONE]' | 'message_stop' | undefined;
  /** Events of a stream, and those of them with a part of the answer; 0 if the answer came as a whole. */
  readonly events: number;
  readonly textEvents: number;
  /** From the start of the call to the first and last part of the answer. */
  readonly firstMs: number | undefined;
  readonly lastMs: number | undefined;
  /** The most alternatives that a token has; absent without log probabilities. */
  readonly alternatives: number | undefined;
  readonly inputTokens: number | undefined;
  readonly outputTokens: number | undefined;
}

/** Reads the response of an exchange with either of the endpoints for chat. */
export function rawAnswerOf(exchange: Exchange | undefined): RawAnswer {
  const reading = new Reading();
  const { events = [], response } = exchange ?? {};
  for (const { ms, text } of events) reading.push(text, ms);
  if (events.length === 0 && response?.body !== undefined) reading.push(response.body, exchange?.durationMs ?? 0);
  return reading.answer(exchange?.eventCount ?? events.length);
}

class Reading {
  private text = '';
  private reasoning = '';
  private readonly calls = new Set<string>();
  private finish: RawAnswer['finish'];
  private endMark: RawAnswer['endMark'];
  private textEvents = 0;
  private firstMs: number | undefined;
  private lastMs: number | undefined;
  private alternatives: number | undefined;
  private usage: Fields = {};

  push(text: string, ms: number): void {
    if (text.trim() === '[DONE]') {
      this.endMark = '[DONE]';
      return;
    }
    const value = parseJson(text);
    if (!isObject(value)) return;
    const before = this.text.length + this.reasoning.length + this.calls.size;
    this.readChunk(value);
    this.readMessages(value);
    if (this.text.length + this.reasoning.length + this.calls.size === before) return;
    this.textEvents += 1;
    this.firstMs ??= ms;
    this.lastMs = ms;
  }

  answer(events: number): RawAnswer {
    const { text, reasoning, calls, finish, endMark, textEvents, firstMs, lastMs, alternatives, usage } = this;
    const count = (...names: readonly string[]) =>
      names.map((name) => usage[name]).find((value): value is number => typeof value === 'number');
    return {
      text,
      reasoning,
      calls: [...calls],
      finish,
      endMark,
      events,
      textEvents,
      firstMs,
      lastMs,
      alternatives,
      inputTokens: count('prompt_tokens', 'input_tokens'),
      outputTokens: count('completion_tokens', 'output_tokens'),
    };
  }

  /** `/chat/completions`, whole or a chunk. */
  private readChunk(value: Fields): void {
    this.readUsage(value['usage']);
    const [choice] = listOf(value['choices']);
    if (!choice) return;
    const said = [choice['delta'], choice['message']].find(isObject) ?? {};
    this.text += contentText(said['content']);
    this.reasoning += wordsOf(said['reasoning_content']) || wordsOf(said['reasoning']);
    for (const { function: called } of listOf(said['tool_calls'])) this.addCall(called);
    const { finish_reason: reason, logprobs } = choice;
    if (typeof reason === 'string') this.finish = { name: 'finish_reason', value: reason };
    for (const token of isObject(logprobs) ? listOf(logprobs['content']) : [])
      this.alternatives = Math.max(this.alternatives ?? 0, listOf(token['top_logprobs']).length);
  }

  /** `/messages`, whole or an event. */
  private readMessages(value: Fields): void {
    const { type, delta, message } = value;
    if (type === 'message_stop') this.endMark = 'message_stop';
    if (isObject(message)) this.readUsage(message['usage']);
    const blocks = type === 'message' ? listOf(value['content']) : [value['content_block']].filter(isObject);
    for (const block of blocks) this.readPart(block);
    if (isObject(delta)) this.readPart(delta);
    const reason = type === 'message' ? value['stop_reason'] : isObject(delta) ? delta['stop_reason'] : undefined;
    if (typeof reason === 'string') this.finish = { name: 'stop_reason', value: reason };
  }

  private readPart(part: Fields): void {
    this.text += wordsOf(part['text']);
    this.reasoning += wordsOf(part['thinking']);
    if (part['type'] === 'tool_use') this.addCall(part);
  }

  private addCall(called: unknown): void {
    const name = isObject(called) ? called['name'] : undefined;
    if (typeof name === 'string' && name !== '') this.calls.add(name);
  }

  private readUsage(usage: unknown): void {
    if (isObject(usage)) this.usage = { ...this.usage, ...usage };
  }
}

function listOf(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

function wordsOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function contentText(content: unknown): string {
  if (typeof content === 'string') return content;
  return listOf(content)
    .map((part) => wordsOf(part['text']))
    .join('');
}
