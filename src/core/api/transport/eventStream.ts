import { ApiError } from '../errors';
import { errorInAnswer, toAnswerError } from '../parseError';
import { createSseReader } from '../sse';
import type { SseItem } from '../sse';
import { rejectAnswer } from './readAnswer';
import type { Answer } from './sender';
import type { StreamEvent } from './transport';

export interface EventStreamOptions {
  readonly maxEventChars: number;
  readonly isLast: ((data: unknown) => boolean) | undefined;
}

/** After the last event the connection is worth this wait: ended by the service, it can carry the next call. */
const lingerMs = 100;
const maxStrayChars = 64 * 1024;

/** The events of a good answer's body. Ends the record of its call, whatever happens. */
export async function* readEvents(answer: Answer, options: EventStreamOptions): AsyncGenerator<StreamEvent> {
  const { recorder } = answer;
  const body = answer.response.body[Symbol.asyncIterator]();
  const reading = new EventReading(answer, options);
  let isOver = false;
  try {
    for (;;) {
      const { done, value } = await body.next();
      isOver = done === true;
      for (const event of isOver ? reading.end() : reading.push(value)) {
        yield event;
        if (reading.isComplete) break;
      }
      if (isOver || reading.isComplete) break;
    }
    if (!reading.isComplete) throw truncated();
    if (!isOver) isOver = await endsSoon(body);
    recorder.finish();
  } catch (error) {
    const failure = answer.toError(error);
    recorder.finish(failure);
    throw failure;
  } finally {
    if (!isOver) answer.leave();
    recorder.finish(answer.toError(new DOMException('The stream was left.', 'AbortError')));
  }
}

/** Makes events of chunks; `isComplete` once the last one by the stream's own word was made. */
class EventReading {
  isComplete = false;
  private readonly reader;
  private hasEvents = false;
  private stray = '';

  constructor(
    private readonly answer: Answer,
    private readonly options: EventStreamOptions,
  ) {
    this.reader = createSseReader(options.maxEventChars);
  }

  *push(chunk: Uint8Array): Iterable<StreamEvent> {
    this.answer.recorder.responseBytes(chunk.byteLength);
    for (const item of this.reader.push(chunk)) {
      const event = this.toEvent(item, false);
      if (event) yield event;
    }
  }

  *end(): Iterable<StreamEvent> {
    for (const item of this.reader.end()) {
      const event = this.toEvent(item, true);
      if (event) yield event;
    }
    if (!this.hasEvents) {
      this.answer.recorder.responseText(this.stray);
      rejectAnswer(this.stray, 'event stream');
    }
  }

  /** What the end of the body cut off is no event. */
  private toEvent({ type, text }: SseItem, isCut: boolean): StreamEvent | undefined {
    this.answer.recorder.event(text);
    if (type === 'stray') return this.readStray(text);
    if (text === '[DONE]') {
      this.hasEvents = true;
      this.isComplete = true;
      return { type: 'done' };
    }
    const data = parse(text);
    if (data === undefined) return isCut ? undefined : this.event({ type: 'malformed', text });
    if (!isPlainEvent(data)) {
      const facts = errorInAnswer(data);
      if (facts) throw toAnswerError(facts);
    }
    this.isComplete = this.options.isLast?.(data) ?? false;
    return this.event({ type: 'json', data });
  }

  private event(event: StreamEvent): StreamEvent {
    this.hasEvents = true;
    return event;
  }

  private readStray(text: string): undefined {
    const facts = errorInAnswer(parse(text));
    if (facts) throw toAnswerError(facts);
    if (!this.hasEvents && this.stray.length < maxStrayChars) this.stray += `${text}\n`;
  }
}

/** The caller has all that came. */
function truncated(): ApiError {
  return new ApiError({ kind: 'truncated', message: 'The stream ended before its end mark.', sent: true });
}

/** The events that make up nearly all of a stream are told from errors by one look. */
function isPlainEvent(data: unknown): boolean {
  return typeof data === 'object' && data !== null && 'type' in data && data.type !== 'error' && !('error' in data);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Reads on for a moment; whether the body came to its end. */
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
