import { ApiError } from '../errors';
import { errorInAnswer, toAnswerError } from '../parseError';
import { createSseReader } from '../sse';
import type { SseReader } from '../sse';
import { rejectionOf } from './readAnswer';
import type { Answer } from './sender';
import type { StreamEvent } from './transport';

export interface EventStreamOptions {
  readonly maxEventChars: number;
  readonly isLast: ((data: unknown) => boolean) | undefined;
}

/** After the last event the connection is worth this wait: ended by the service, it can carry the next call. */
const lingerMs = 100;
const maxStrayChars = 64 * 1024;

/** The events of a good answer's body, as many at a time as a chunk brought. Ends the record of its call, whatever happens. */
export async function* readEvents(
  open: () => Promise<Answer>,
  options: EventStreamOptions,
): AsyncGenerator<readonly StreamEvent[]> {
  const answer = await open();
  const { recorder } = answer;
  const body = answer.response.body[Symbol.asyncIterator]();
  const reading = new EventReading(answer, options);
  let isOver = false;
  try {
    while (!isOver && !reading.isComplete) {
      const { done, value } = await body.next();
      isOver = done === true;
      const events = isOver ? reading.end() : reading.push(value);
      if (events.length > 0) yield events;
      if (reading.failure) throw reading.failure;
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

/** Makes events of chunks; nothing more is made once it is complete or has failed. */
class EventReading {
  /** The last event by the stream's own word was made. */
  isComplete = false;
  /** To be thrown after the events made before it. */
  failure: ApiError | undefined;
  private readonly reader: SseReader;
  private events: StreamEvent[] = [];
  private isCut = false;
  private hasEvents = false;
  private stray = '';

  constructor(
    private readonly answer: Answer,
    private readonly options: EventStreamOptions,
  ) {
    this.reader = createSseReader(options.maxEventChars, {
      onData: (text) => this.readData(text),
      onStray: (line) => this.readStray(line),
    });
  }

  push(chunk: Uint8Array): readonly StreamEvent[] {
    this.answer.recorder.responseBytes(chunk.byteLength);
    return this.collect(() => this.reader.push(chunk));
  }

  end(): readonly StreamEvent[] {
    this.isCut = true;
    const events = this.collect(() => this.reader.end());
    if (!this.hasEvents && !this.failure) {
      this.answer.recorder.responseText(this.stray);
      this.failure = rejectionOf(this.stray, 'event stream');
    }
    return events;
  }

  private collect(read: () => void): readonly StreamEvent[] {
    this.events = [];
    try {
      read();
    } catch (error) {
      this.failure ??= error as ApiError;
    }
    return this.events;
  }

  private readData(text: string): void {
    if (this.isComplete || this.failure) return;
    this.answer.recorder.event(text);
    if (text === '[DONE]') {
      this.isComplete = true;
      return this.add({ type: 'done' });
    }
    const data = parse(text);
    if (data === undefined) {
      // What the end of the body cut off is no event.
      if (!this.isCut) this.add({ type: 'malformed', text });
      return;
    }
    if (!isPlainEvent(data) && this.isFailure(data)) return;
    this.isComplete = this.options.isLast?.(data) ?? false;
    this.add({ type: 'json', data });
  }

  private readStray(line: string): void {
    if (this.isComplete || this.failure) return;
    this.answer.recorder.event(line);
    if (this.isFailure(parse(line)) || this.hasEvents) return;
    if (this.stray.length < maxStrayChars) this.stray += `${line}\n`;
  }

  private isFailure(data: unknown): boolean {
    const facts = errorInAnswer(data);
    if (facts) this.failure = toAnswerError(facts);
    return facts !== undefined;
  }

  private add(event: StreamEvent): void {
    this.hasEvents = true;
    this.events.push(event);
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
