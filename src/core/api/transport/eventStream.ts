import type { ClientLimits } from '../clientOptions';
import { ApiError } from '../errors';
import { clean, factsOf } from '../errorBody';
import { isObject } from '../isObject';
import { jsonEnd, OpenJson } from '../leadingJson';
import { inKnownForm } from '../otherForms';
import { errorInAnswer, errorOfChoice, toAnswerError } from '../parseError';
import { parseJson } from '../parseJson';
import { relaxedObject } from '../toolInput';
import { createSseReader } from '../sse';
import { toText } from '../tolerant';
import type { SseReader } from '../sse';
import { rejectionOf, tooMuch, unreadable } from './readAnswer';
import type { Answer } from './sender';
import { KeyCarry } from './streamKeys';
import type { StreamEnd, StreamEvent } from './transport';

/** How long to wait after the last event for the service to end the body, because only then can the connection be reused. */
const lingerMs = 100;
const maxStrayChars = 64 * 1024;
/** After so many lines that look like JSON and are not, no other is tried: each costs an exception. */
const maxBrokenLines = 1000;
/** Maximum ratio of all bytes to the limit for text: a token arrives in some hundred characters. */
const mostAround = 32;

/**
 * Yields the events of a successful response, all those of one chunk at a time, up to its end. Always finishes the exchange
 * record of its call.
 */
export async function* readEvents(
  open: () => Promise<Answer>,
  limits: Required<ClientLimits>,
  { isLast, hasEnded }: StreamEnd,
): AsyncGenerator<readonly StreamEvent[]> {
  const answer = await open();
  const { recorder } = answer;
  const body = answer.response.body[Symbol.asyncIterator]();
  const reading = new EventReading(answer, limits, isLast);
  let isOver = false;
  try {
    while (!isOver && !reading.isComplete) {
      const { done, value } = await body.next();
      isOver = done === true;
      const events = isOver ? reading.end() : reading.push(value);
      if (events.length > 0) yield events;
      if (reading.failure) throw reading.failure;
    }
    if (!reading.isComplete) {
      if (!hasEnded?.()) throw truncated();
      yield [{ type: 'done' }];
    }
    if (!isOver) isOver = await endsSoon(body);
    recorder.finish();
  } catch (error) {
    const failure = answer.toError(error);
    recorder.finish(failure);
    const before = reading.leave();
    if (before.length > 0) yield before;
    throw failure;
  } finally {
    if (!isOver) answer.leave();
    recorder.finish(answer.toError(new DOMException('The stream was left.', 'AbortError')));
  }
}

/** Converts chunks into events until the stream is complete or has failed. */
class EventReading {
  /** Set once the stream has signalled its last event. */
  isComplete = false;
  /** To be thrown after the events before it are delivered. */
  failure: ApiError | undefined;
  private readonly reader: SseReader;
  private events: StreamEvent[] = [];
  /** The JSON of the events that can hold no key. */
  private texts: (string | undefined)[] = [];
  private isCut = false;
  private bytes = 0;
  private textBytes = 0;
  private hasEvents = false;
  private hasJson = false;
  /** The first event that is not JSON. */
  private unread: string | undefined;
  /** The content before the first event: a complete response, an error, a web page, or noise. */
  private before: string[] = [];
  private beforeChars = 0;
  private brokenLines = 0;
  /** An event whose JSON is incomplete, because some proxies cut one into several. */
  private begun: { text: string; readonly json: OpenJson } | undefined;
  private readonly keys: KeyCarry;

  constructor(
    private readonly answer: Answer,
    private readonly limits: Required<ClientLimits>,
    private readonly isLast: ((data: unknown) => boolean) | undefined,
  ) {
    this.keys = new KeyCarry(answer.redact);
    this.reader = createSseReader(limits.eventChars, {
      onData: (text, isError) => this.readData(text, isError),
      onStray: (line) => this.readStray(line),
    });
  }

  push(chunk: Uint8Array): readonly StreamEvent[] {
    this.answer.recorder.responseBytes(chunk.byteLength);
    this.bytes += chunk.byteLength;
    const events = this.collect(() => this.reader.push(chunk));
    const { textBytes: mostBytes } = this.limits;
    const isTooMuch = this.textBytes > mostBytes || this.bytes > mostBytes * mostAround;
    if (isTooMuch && !this.isComplete) this.failure ??= tooMuch(mostBytes);
    return this.keys.pass(events, this.isComplete || this.failure !== undefined, this.texts);
  }

  end(): readonly StreamEvent[] {
    this.isCut = true;
    const events = this.collect(() => this.reader.end());
    if (this.hasEvents && !this.isComplete) this.failUnread();
    const isAll = this.hasEvents || this.failure !== undefined;
    return this.keys.pass(isAll ? events : this.collect(() => this.readWhole()), true, this.texts);
  }

  /** Returns the events that came before the body failed. */
  leave(): readonly StreamEvent[] {
    return this.keys.pass([], true);
  }

  /** Reads a body without events: a service that does not stream sends its answer whole. */
  private readWhole(): void {
    const text = this.before.join('\n');
    this.answer.recorder.responseText(text);
    const data = parse(this.answer.redact.plain(text));
    const lines = data === undefined ? severalIn(text) : listed(data);
    if (lines.length > 1 && isPiece(parse(lines[0]!))) return lines.forEach((line) => this.readData(line));
    const whole = lines.length === 1 ? parse(lines[0]!) : data;
    if (!isWholeAnswer(whole) || errorInAnswer(whole)) throw rejectionOf(text, 'event stream');
    this.add({ type: 'json', data: whole });
    this.add({ type: 'done' });
    this.isComplete = true;
  }

  private collect(read: () => void): readonly StreamEvent[] {
    this.events = [];
    this.texts = [];
    try {
      read();
    } catch (error) {
      this.failure ??= error as ApiError;
    }
    return this.events;
  }

  private readData(received: string, isError = false): void {
    // Some proxies wrap the events of another stream.
    const own = received.startsWith('data:') ? received.slice(5).trimStart() : received;
    const mayHoldKey = this.answer.redact.mayHold(own);
    const text = mayHoldKey ? this.answer.redact.plain(own) : own;
    if (this.isComplete || this.failure) return;
    let data = parse(text);
    if (data === undefined && this.begun && !isEndMark(text)) return this.goOn(text, isError);
    if (Array.isArray(data) && isPiece(data[0])) return listed(data).forEach((one) => this.readData(one, isError));
    if (data === undefined && /^[{[]./s.test(text) && !isEndMark(text)) {
      const several = severalIn(text);
      if (several.length > 1) return several.forEach((one) => this.readData(one, isError));
      // Some servers leave line ends in texts as they are.
      if (text.includes('\n')) data = parse(text.replaceAll('\n', String.raw`\n`));
    }
    if (!this.hasEvents) this.readBefore();
    this.answer.recorder.event(text);
    if (isEndMark(text)) {
      if (this.failUnread()) return;
      this.isComplete = true;
      return this.add({ type: 'done' });
    }
    if (text === '') return;
    if (isError || (data === undefined && spokenError.test(text))) return this.fail(data, text);
    if (data === undefined) {
      // Data truncated by the end of the body is not an event.
      if (!this.isCut) this.add({ type: 'malformed', text });
      if (text.startsWith('{')) this.begin(text);
      this.unread ??= text;
      this.textBytes += Buffer.byteLength(text);
      return;
    }
    if (!isPlainEvent(data) && this.isFailure(data)) return;
    this.isComplete = this.isLast?.(data) ?? false;
    this.textBytes += answerBytes(data) ?? Buffer.byteLength(text);
    this.add({ type: 'json', data }, mayHoldKey ? undefined : text);
  }

  private begin(text: string): void {
    const json = new OpenJson();
    json.push(text);
    this.begun = json.isOpen ? { text, json } : undefined;
  }

  /** Reads an event together with the one that it continues. */
  private goOn(text: string, isError: boolean): void {
    const { begun } = this;
    if (!begun) return;
    begun.json.push(text);
    begun.text += text;
    if (begun.json.isOpen && begun.text.length <= this.limits.eventChars) return;
    this.begun = undefined;
    this.readData(parse(begun.text) === undefined ? text : begun.text, isError);
  }

  private readStray(line: string): void {
    if (this.isComplete || this.failure) return;
    // A blank line within a text, which some servers do not escape.
    if (this.begun?.json.isText) return this.goOn(`${String.raw`\n\n`}${line}`, false);
    const indented = /^\s+data:(.*)$/s.exec(line)?.[1];
    if (indented !== undefined) return this.readData(indented.trim());
    const value = this.brokenLines < maxBrokenLines ? this.strayValue(line) : undefined;
    // Some servers send the events as bare lines.
    if (isPiece(value)) return this.readData(bareLine(line));
    const isError = this.isFailure(value);
    // A possible complete response is logged as text, at its end.
    if (isError || this.hasEvents || !this.isJson(line)) this.answer.recorder.event(line);
    if (!isError && !this.hasEvents) this.keep(line);
  }

  /** Reads what came before the first event: nothing, as a rule, or an answer to which only the end mark is missing. */
  private readBefore(): void {
    const lines = this.before;
    this.before = [];
    if (!lines[0]?.trimStart().startsWith('{')) return;
    for (const line of lines) this.answer.recorder.event(line);
    const data = parse(this.answer.redact.plain(lines.join('\n')));
    if (isWholeAnswer(data)) this.add({ type: 'json', data });
  }

  private isJson(line: string): boolean {
    return /^\s*[{[]/.test(this.before[0] ?? line);
  }

  private keep(line: string): void {
    if (this.beforeChars >= (this.isJson(line) ? this.limits.textBytes : maxStrayChars)) {
      if (this.isJson(line)) this.failure = tooMuch(this.limits.textBytes);
      return;
    }
    this.before.push(line);
    this.beforeChars += line.length;
  }

  /** Returns the value of a line that is JSON, or of an SSE field `error`, in which llama.cpp sends an error. */
  private strayValue(line: string): unknown {
    const isField = line.startsWith('error:');
    const text = bareLine(isField ? line.slice('error:'.length) : line);
    if (!text.startsWith('{') || !text.endsWith('}')) return undefined;
    const value = parse(text);
    if (value === undefined) this.brokenLines += 1;
    return isField && value !== undefined && !errorInAnswer(value) ? { error: value } : value;
  }

  private isFailure(data: unknown): boolean {
    const facts = errorInAnswer(data) ?? (isDetailAlone(data) ? factsOf(data) : undefined);
    if (facts) this.failure = toAnswerError(facts);
    return facts !== undefined;
  }

  /** Ends with what an event says that is an error by its name or its words. */
  private fail(data: unknown, text: string): void {
    const facts = (isObject(data) && (errorInAnswer(data) ?? factsOf(data))) || {
      message: clean(text).slice(0, longestMessage),
    };
    this.failure = toAnswerError(facts);
  }

  /** Fails if no event was JSON, which would be shown as an empty answer. */
  private failUnread(): boolean {
    if (this.hasJson || this.unread === undefined || this.failure) return false;
    this.failure = unreadable(`The events of the stream are not JSON: ${clean(this.unread).slice(0, 200)}`);
    return true;
  }

  private add(event: StreamEvent, text?: string): void {
    this.hasEvents = true;
    this.hasJson ||= event.type === 'json';
    this.events.push(event);
    this.texts.push(text);
  }
}

/** How a text in place of JSON says that it is an error. */
const spokenError = /^[[("\s]{0,3}(?:\w+ )?error\b[\])":\s-]/i;
const longestMessage = 2000;

/** Whether a value is a part of a streamed answer. */
function isPiece(value: unknown): boolean {
  const known = inKnownForm(value);
  if (!known || !isObject(value)) return false;
  const { choices, type } = known;
  const first: unknown = Array.isArray(choices) ? choices[0] : undefined;
  return (
    (isObject(first) && isObject(first['delta'])) ||
    (typeof type === 'string' && /^(message|content_block)_/.test(type)) ||
    toText(value['type'])?.startsWith('response.') === true
  );
}

/** Returns the entries of a list, each as JSON. */
function listed(data: unknown): readonly string[] {
  return Array.isArray(data) ? data.map((one: unknown) => JSON.stringify(one)) : [];
}

/** Returns a line without the signs of a list that it may be an entry of. */
function bareLine(line: string): string {
  const text = line.trim();
  const entry = /^(?:[[,]\s*)?(\{[^]*\})\s*[,\]]?$/.exec(text)?.[1];
  return entry ?? text;
}

/** Returns the JSON values, and the end mark, that stand in one text, each on its own lines or after `data:`. Empty for any other text. */
function severalIn(text: string): readonly string[] {
  const found: string[] = [];
  for (let at = 0; ;) {
    between.lastIndex = at;
    const start = at + (between.exec(text)?.[0].length ?? 0);
    if (start === text.length) return found;
    const end = text.startsWith(endMark, start) ? start + endMark.length : valueEnd(text, start);
    if (end === undefined) return [];
    found.push(text.slice(start, end));
    at = end;
  }
}

const between = /\s*(?:data:\s*)?/y;
const endMark = '[DONE]';

/** One that is not complete ends with the text. */
function valueEnd(text: string, start: number): number | undefined {
  return text[start] === '{' ? (jsonEnd(text, start) ?? text.length) : undefined;
}

/** `[DONE]`, also with white space around it, in quotes, in small letters, or without brackets. */
function isEndMark(text: string): boolean {
  return text.length < 32 && /^\s*(?:"?\[(?:DONE|done)\]"?|DONE)\s*$/.test(text);
}

const brace = 123;

/** Whether a body is the whole answer of an endpoint that can stream. */
function isWholeAnswer(data: unknown): boolean {
  if (!isObject(data)) return false;
  const { choices, content, type } = data;
  return (
    Array.isArray(choices) ||
    type === 'message' ||
    (Array.isArray(content) && content.length > 0) ||
    inKnownForm(data) !== undefined
  );
}

/** Returns the size of the text in an event that carries part of a response; `undefined` for any other event. */
function answerBytes(data: unknown): number | undefined {
  if (typeof data !== 'object' || data === null) return undefined;
  if ('delta' in data) return textBytes(data.delta);
  if ('content_block' in data) return textBytes(data.content_block);
  return 'choices' in data ? textBytes(data.choices) : undefined;
}

/** Members whose strings are not part of the text. */
const notText: ReadonlySet<string> = new Set([
  'type',
  'role',
  'id',
  'finish_reason',
  'stop_reason',
  'logprobs',
  // Pictures are as large as they are.
  'images',
  'image_url',
  'source',
]);

function textBytes(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (typeof value !== 'object' || value === null) return 0;
  let bytes = 0;
  if (Array.isArray(value)) for (const one of value) bytes += textBytes(one);
  else {
    // Two and a half times as fast as `Object.entries`. Parsed JSON inherits no relevant property.
    for (const name in value)
      if (!notText.has(name)) bytes += textBytes((value as Readonly<Record<string, unknown>>)[name]);
  }
  return bytes;
}

/** The caller has received everything before the end. */
function truncated(): ApiError {
  return new ApiError({ kind: 'truncated', message: 'The stream is incomplete.', sent: true });
}

/** A quick test that recognizes nearly all events of a stream as free of errors. */
function isPlainEvent(data: unknown): boolean {
  if (!isObject(data)) return !Array.isArray(data);
  const { error, message, choices, detail, type } = data;
  if (choices === undefined && type === undefined) return false;
  if (typeof detail === 'string') return false;
  if (error != null || typeof message === 'string' || errorOfChoice(choices) != null) return false;
  if (data['success'] === false || isObject(data['response'])) return false;
  return data['base_resp'] == null && data['x_groq'] == null && data['error_code'] == null;
}

/** Whether an event is an error of a server in Python, which has nothing else in it. */
function isDetailAlone(data: unknown): data is Readonly<Record<string, unknown>> {
  return isObject(data) && typeof data['detail'] === 'string' && Object.keys(data).length === 1;
}

/** Returns `undefined` for anything but JSON, usually without an exception. */
function parse(text: string): unknown {
  if (text.charCodeAt(0) !== brace && !/^\s*[[{"\dtfn-]/.test(text)) return undefined;
  // Python writes infinite numbers, its own words, and control characters in text.
  return parseJson(text) ?? relaxedObject(text.trim());
}

/** Reads on for a moment; resolves with whether the body ended, with or without an error. */
async function endsSoon(body: AsyncIterator<Uint8Array>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const timeIsUp = new Promise<false>((resolve) => (timer = setTimeout(() => resolve(false), lingerMs)));
  const drained = (async () => {
    for (;;) if ((await body.next()).done) return true;
  })().catch(() => true);
  const ended = await Promise.race([drained, timeIsUp]);
  clearTimeout(timer);
  return ended;
}
