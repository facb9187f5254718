import { randomUUID } from 'node:crypto';
import type { ApiError } from '../errors';
import type { Exchange, ExchangeAttempt, ExchangeEvent, ExchangeSide } from '../exchange';
import { type Redact, createRedact, redacted } from '../redact';
import { idsIn } from './headers';
import { redactEvents } from './streamKeys';
import type { ApiCall, HttpHead } from './transport';

export interface RecordedBody {
  readonly text?: string | undefined;
  readonly bytes: number;
}

/** Records what one call sent and received. Retains no more text than the limit, and passes on nothing that contains the key. */
export class ExchangeRecorder {
  readonly id = randomUUID();
  private readonly at: number;
  private readonly attempts: ExchangeAttempt[] = [];
  /** As received: a key may begin in one and end in another. */
  private readonly events: ExchangeEvent[] = [];
  private eventCount = 0;
  private eventChars = 0;
  private sent: ExchangeSide = { headers: {}, bytes: 0 };
  private answer: HttpHead | undefined;
  private answerText: string | undefined;
  private answerBytes = 0;
  private firstByteMs: number | undefined;
  private redact: Redact = createRedact([]);
  private isOver = false;

  constructor(
    private readonly options: {
      readonly call: ApiCall;
      readonly url: URL;
      readonly clock: () => number;
      readonly maxChars: number;
      readonly onExchange: ((exchange: Exchange) => void) | undefined;
      /** Called when the call ends, whether or not anything was sent. */
      readonly onOver?: (() => void) | undefined;
    },
  ) {
    this.at = options.clock();
  }

  request(headers: Readonly<Record<string, string>>, { text, bytes }: RecordedBody, redact: Redact): void {
    this.redact = redact;
    const body = text === undefined ? undefined : this.cut(text);
    this.sent = { headers: redactHeaders(headers, redact), body, bytes };
  }

  /** Whether anything was sent, or at least attempted. */
  get hasSent(): boolean {
    return this.attempts.length > 0;
  }

  /** Records an attempt that has failed or whose response has begun. */
  attempt({ startedAt, ...attempt }: Omit<ExchangeAttempt, 'ms'> & { readonly startedAt: number }): void {
    this.attempts.push({ ms: startedAt - this.at, ...attempt });
  }

  /** Records a response's head and discards what was read of an earlier one, which belonged to an attempt that was retried. */
  response({ status, headers }: HttpHead): void {
    this.answer = { status, headers: redactHeaders(headers, this.redact) };
    this.answerText = undefined;
    this.answerBytes = 0;
  }

  responseBytes(count: number): void {
    this.firstByteMs ??= this.elapsed();
    this.answerBytes += count;
  }

  responseText(text: string): void {
    this.answerText = this.cut(text);
  }

  event(text: string): void {
    this.eventCount += 1;
    if (this.eventChars > this.options.maxChars) return;
    this.eventChars += text.length;
    if (this.eventChars <= this.options.maxChars) this.events.push({ ms: this.elapsed(), text });
  }

  /** Ends the record and passes it on; only the first call has an effect. There is no record if nothing was sent. */
  finish(error?: ApiError): void {
    if (this.isOver) return;
    this.isOver = true;
    this.options.onOver?.();
    if (this.attempts.length > 0) this.options.onExchange?.(this.toExchange(error));
  }

  private toExchange(error: ApiError | undefined): Exchange {
    const { call, url } = this.options;
    const hasEvents = this.eventCount > 0;
    return {
      id: this.id,
      at: this.at,
      method: call.method,
      origin: url.origin,
      path: this.redact(url.pathname + url.search),
      model: call.model === undefined ? undefined : this.redact(call.model),
      stack: this.attempts.at(-1)?.stack ?? '',
      attempts: this.attempts,
      request: this.sent,
      response: this.answer && { ...this.answer, body: this.answerText, bytes: this.answerBytes },
      events: hasEvents ? redactEvents(this.events, this.redact) : undefined,
      eventCount: hasEvents ? this.eventCount : undefined,
      durationMs: this.elapsed(),
      firstByteMs: this.firstByteMs,
      traceId: this.answer && idsIn(this.answer.headers).traceId,
      errorKind: error?.kind,
      errorMessage: error?.message,
    };
  }

  private cut(text: string): string {
    return this.redact(text, this.options.maxChars);
  }

  private elapsed(): number {
    return this.options.clock() - this.at;
  }
}

const secretHeaders = new Set(['authorization', 'x-api-key', 'proxy-authorization', 'cookie', 'set-cookie']);

function redactHeaders(headers: Readonly<Record<string, string>>, redact: Redact): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      secretHeaders.has(name.toLowerCase()) ? redacted : redact(value),
    ]),
  );
}
