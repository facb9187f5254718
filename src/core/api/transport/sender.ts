import { setTimeout as delay } from 'node:timers/promises';
import type { ClientLimits, ClientOptions } from '../clientOptions';
import { ApiError, batchEndpoints, missingEndpoint } from '../errors';
import { chatPaths, serviceOf } from '../chat/chatWays';
import type { ApiErrorInit } from '../errors';
import { type Redact, createRedact } from '../redact';
import { ExchangeRecorder } from './exchangeRecorder';
import { toCallError, type KnownResponse } from './failure';
import { createGate } from './gate';
import { idsIn, keyHeaders } from './headers';
import type { GatePass, GateWait } from './gate';
import { readWhole } from './readAnswer';
import { decideRetry } from './retry';
import type { ApiCall, HttpResponse, StreamedBody, Timers, Work } from './transport';
import { isLackOfModel, kindOfMissing, toApiError } from '../parseError';
import { isLoopbackHost } from './addressPolicy';

export interface Outgoing {
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | StreamedBody | undefined;
}

/** A successful response whose body is yet to be read. */
export interface Answer {
  readonly response: HttpResponse;
  readonly recorder: ExchangeRecorder;
  /** Removes the key of the call from what the service sent: it is stored, and may be exported. */
  readonly redact: Redact;
  /** Returns the error to throw for a failure while reading. */
  readonly toError: (error: unknown) => ApiError;
  /** Closes the connection of a response left open, even during a read. */
  readonly leave: () => void;
}

export interface Sender {
  /**
   * Sends with the key, with as many retries as the rules allow, and reads a successful response with `read`. If `read` leaves the
   * body for later (`keepsOpen`), it must also finish the record.
   */
  run<T>(call: ApiCall, outgoing: Outgoing, read: (answer: Answer) => Promise<T>, mode?: SendMode): Promise<T>;
}

export interface SendMode {
  readonly keepsOpen?: boolean;
  /** Whether a redirect is accepted as the response. */
  readonly acceptsRedirect?: boolean;
}

const maxErrorBytes = 1024 * 1024;

export function createSender(options: ClientOptions, limits: Required<ClientLimits>): Sender {
  const shared = withDefaults(options, limits);
  return {
    run: (call, outgoing, read, mode = {}) => new Sending(shared, call, outgoing, mode).run(read),
  };
}

/** What all calls share. */
function withDefaults(options: ClientOptions, { exchangeChars }: Required<ClientLimits>) {
  const { clock = Date.now, random = Math.random, sleep = sleepFor } = options;
  // Whether anything was answered with what was asked for: then the base URL is right.
  const address = { isProven: false };
  return { ...options, exchangeChars, clock, random, sleep, address, gate: createGate(clock, sleep) };
}

async function sleepFor(ms: number, signal?: AbortSignal): Promise<void> {
  await delay(ms, undefined, signal ? { signal } : {});
}

/** One call, from its first attempt to its response. */
class Sending {
  private readonly url: URL;
  private readonly endpoint: string;
  private readonly recorder: ExchangeRecorder;
  private readonly leaving = new AbortController();
  private attempts = 0;
  private isMissing = false;
  private isKeyless = false;
  /** Why the call may not be paid for. */
  private held: { readonly error: unknown } | undefined;
  private redact: Redact = createRedact([]);
  private context: KnownResponse = {};

  constructor(
    private readonly options: ReturnType<typeof withDefaults>,
    private readonly call: ApiCall,
    private readonly outgoing: Outgoing,
    private readonly mode: SendMode,
  ) {
    const { clock, exchangeChars, onExchange, onPaidCall } = options;
    this.url = toUrl(options.baseUrl, call);
    this.endpoint = `${call.method} ${call.route ?? call.path}`;
    const onOver = mayCost(call) && !isJob(call) ? onPaidCall?.() : undefined;
    this.recorder = new ExchangeRecorder({ call, url: this.url, clock, maxChars: exchangeChars, onExchange, onOver });
    call.watch?.onStart?.(this.recorder.id);
  }

  async run<T>(read: (answer: Answer) => Promise<T>): Promise<T> {
    try {
      this.checkOffered();
      for (;;) {
        const outcome = await this.attempt(read);
        if ('value' in outcome) return outcome.value;
      }
    } catch (error) {
      if (this.held) {
        this.recorder.finish();
        throw this.held.error;
      }
      const failure = this.toError(error);
      this.recorder.finish(failure);
      throw failure;
    }
  }

  /** Throws final errors; if another attempt is due, has already waited for it. */
  private async attempt<T>(
    read: (answer: Answer) => Promise<T>,
  ): Promise<{ readonly value: T } | { readonly again: true }> {
    const { clock, gate, stack } = this.options;
    const pass = await gate.enter({
      key: this.call.model ?? this.endpoint,
      signal: this.call.signal,
      onWait: (until, limit) => this.tellWait({ reason: 'rateLimit', until, limit }),
    });
    await this.hold(pass);
    const startedAt = clock();
    this.context = {};
    this.attempts += 1;
    try {
      const response = await this.send();
      pass.passed();
      const value = await read(this.toAnswer(response));
      this.options.offers.setOffered(this.endpoint);
      if (!this.mode.keepsOpen) this.options.address.isProven = true;
      this.recorder.attempt({ startedAt, stack: response.via ?? stack.name, status: response.status });
      if (!this.mode.keepsOpen) this.recorder.finish();
      return { value };
    } catch (error) {
      await this.settle(this.toError(error), { pass, startedAt });
      return { again: true };
    }
  }

  /** Throws if the call may not be paid for now: it may have waited for minutes. */
  private async hold(pass: GatePass): Promise<void> {
    if (!mayCost(this.call)) return;
    try {
      await this.options.holdPaid?.();
    } catch (error) {
      this.held = { error };
      pass.left();
      throw error;
    }
  }

  private toAnswer(response: HttpResponse): Answer {
    return {
      response,
      recorder: this.recorder,
      redact: this.redact,
      toError: (error) => this.toError(error),
      leave: () => this.leaving.abort(),
    };
  }

  private signal(): AbortSignal | undefined {
    const { signal } = this.call;
    if (!this.mode.keepsOpen) return signal;
    return signal ? AbortSignal.any([signal, this.leaving.signal]) : this.leaving.signal;
  }

  /** Waits until the next attempt is due, or throws the error if there is none. */
  private async settle(error: ApiError, { pass, startedAt }: { pass: GatePass; startedAt: number }): Promise<void> {
    const { clock, random, sleep, stack } = this.options;
    const decision = this.isAnswered(error)
      ? { retry: false as const }
      : decideRetry({ work: this.call.work, attempt: this.attempts, error, random: random() });
    const status = error.details.status;
    const note = { startedAt, stack: stack.name, status, errorKind: error.kind };
    this.recorder.attempt(decision.retry ? { ...note, waitedMs: decision.delayMs } : note);
    const until = clock() + (decision.retry ? decision.delayMs : 0);
    if (decision.retry && decision.reason === 'rateLimit') {
      // The gate does the waiting, for all calls under the same limit.
      pass.limited(error, until);
      return;
    }
    if (status === undefined) pass.left();
    else pass.passed();
    if (!decision.retry) throw error;
    this.tellWait({ reason: decision.reason, until });
    await sleep(decision.delayMs, this.call.signal);
  }

  /** Whether no retry is allowed: the call was aborted, or it starts work and a successful response had begun. */
  private isAnswered(error: ApiError): boolean {
    const reads = this.call.work === 'read' || this.call.work === 'poll';
    return error.kind === 'aborted' || (this.context.begun === true && !reads);
  }

  private async send(): Promise<HttpResponse> {
    const { apiKey, keyHeader, stack, timers } = this.options;
    const { call, outgoing, recorder } = this;
    const key = await apiKey();
    if (key === undefined) throw new ApiError({ kind: 'auth', message: 'There is no API key.', sent: false });
    this.isKeyless = key === '';
    this.redact = createRedact([key]);
    const own = (call.model === undefined ? undefined : this.options.modelOptions?.(call.model)) ?? {};
    const headers = {
      'user-agent': 'inference-desk',
      ...lowerCase(own.headers ?? {}),
      ...keyHeaders(key, call.keyHeader ?? keyHeader),
      ...outgoing.headers,
    };
    recorder.request(headers, bodyRecord(outgoing.body), this.redact);
    const response = await stack.send({
      method: call.method,
      url: this.url,
      headers,
      body: outgoing.body,
      timers: withWait({ ...workTimers[call.work], ...timers?.[call.work], ...call.timers }, own.waitSeconds),
      signal: this.signal(),
    });
    recorder.response(response);
    this.context = {
      begun: response.status < 300,
      ...idsIn(response.headers, this.redact),
    };
    if (response.status < 300 || (this.mode.acceptsRedirect && response.status < 400)) {
      const { requestId, traceId } = this.context;
      this.call.watch?.onAnswer?.({ status: response.status, requestId, traceId });
      return response;
    }
    throw await this.refusal(response);
  }

  private async refusal(response: HttpResponse): Promise<ApiError> {
    const { recorder } = this;
    const body = await readWhole(response.body, maxErrorBytes, {
      onBytes: (count) => recorder.responseBytes(count),
      onCut: () => '',
    });
    recorder.responseText(body);
    const now = this.options.clock();
    const { status, headers } = response;
    const error = toApiError({ status, headers, body, now });
    const hint = this.isKeyless && error.kind === 'auth' ? { hint: 'noKey' as const } : {};
    return new ApiError({ message: error.message, sent: true, ...error.details, ...hint, kind: error.kind });
  }

  /** Tells a missing endpoint from a missing id or model, and all of them from an address that leads elsewhere. */
  private placeOf(error: ApiError): Pick<ApiErrorInit, 'kind' | 'hint' | 'canBatch'> {
    const { kind, details } = error;
    const { route, model, work, hasIdInBody = false } = this.call;
    if (kind === 'rateLimit' && this.canBatch()) return { kind, canBatch: true };
    // Only a call that starts work may be about a model that it doesn't name, such as those in a batch file.
    if (kind === 'unknownModel' && model === undefined && (work === 'read' || work === 'poll' || work === 'change')) {
      return { kind: details.status === 404 ? 'notFound' : 'badRequest' };
    }
    if (kind !== 'notOffered' && (kind !== 'notFound' || details.status !== 404 || details.hint)) return { kind };
    // What is gone below a path with an id is that one thing, and so is what is not found there, unless the words are about the path.
    if (route !== undefined && details.status === 410) return { kind: 'notFound' };
    const isAboutId = route?.includes('{') === true || hasIdInBody;
    if (kind === 'notOffered' && isLackOfModel(error, model)) return { kind: 'badRequest' };
    const placed = kind === 'notOffered' || isAboutId ? kind : kindOfMissing(error, model);
    const { baseUrl, address } = this.options;
    const lacksVersion = !address.isProven && !/\/v\d+\w*(\/|$)/.test(new URL(baseUrl).pathname);
    // A bare "Not Found" can be about the ID or the path. No path was right yet, so it is rather that.
    if (lacksVersion && placed === 'notFound' && kindOfMissing(error, undefined) === 'notOffered') {
      return { kind: 'notFound', hint: 'missingVersion' };
    }
    if (placed !== 'notOffered' || [405, 410, 501].includes(details.status ?? 0)) return { kind: placed };
    if (lacksVersion) return { kind: 'notFound', hint: 'missingVersion' };
    return isModelList(this.endpoint) ? { kind: 'notFound', hint: 'wrongBaseUrl' } : { kind: placed };
  }

  private canBatch(): boolean {
    const { batchesAvoidLimits = false, clock, offers } = this.options;
    const isChat = Object.values(chatPaths).some((path) => path === this.call.path);
    // The others take the requests of a batch in the call that creates it, so that they are known to have one.
    const isFileForm = !['anthropic', 'openrouter'].includes(serviceOf(this.options) ?? '');
    const needed = isFileForm ? batchEndpoints : [];
    return batchesAvoidLimits && isChat && !needed.some((endpoint) => offers.isMissing(endpoint, clock()));
  }

  private checkOffered(): void {
    const { clock, offers } = this.options;
    if (!offers.isMissing(this.endpoint, clock())) return;
    throw missingEndpoint(this.endpoint);
  }

  private tellWait(wait: Omit<GateWait, 'endpoint' | 'attempt'>): void {
    const { model, watch } = this.call;
    const notice = { ...wait, model, endpoint: this.endpoint, attempt: this.attempts + 1 };
    this.options.onWait?.(notice);
    watch?.onWait?.(notice);
  }

  private toError(error: unknown): ApiError {
    const { call, endpoint, redact, recorder } = this;
    const exchangeId = this.attempts > 0 ? recorder.id : undefined;
    const { hasPrices, service } = this.options;
    const isFree = hasPrices === false;
    const failure = toCallError(error, { call, endpoint, redact, exchangeId, isFree, service, ...this.context });
    const place = this.placeOf(failure);
    this.remember(place.kind, failure);
    return place.kind === failure.kind && place.hint === undefined && place.canBatch === undefined
      ? failure
      : new ApiError({ message: failure.message, cause: failure.cause, ...failure.details, ...place });
  }

  private remember(kind: ApiErrorInit['kind'], { details: { status, sent } }: ApiError): void {
    const { baseUrl, clock, offers } = this.options;
    if (kind === 'notOffered' && status !== undefined && !this.isMissing && !isModelList(this.endpoint)) {
      this.isMissing = true;
      offers.setMissing(this.endpoint, clock());
    }
    // A server on this machine that was stopped may come back as another version, or with other options.
    if (kind === 'network' && sent === false && isLoopbackHost(new URL(baseUrl).hostname)) offers.clear();
  }
}

/** Whether a call may cost money. Uploading a file is free. */
function mayCost({ work, path }: ApiCall): boolean {
  return work !== 'read' && work !== 'poll' && work !== 'change' && path !== '/files';
}

/** Whether a call is accounted for elsewhere. */
const isJob = ({ work }: ApiCall): boolean => work === 'paid';

function bodyRecord(body: Outgoing['body']) {
  if (typeof body === 'string') return { text: body, bytes: Buffer.byteLength(body) };
  return { bytes: body?.contentLength ?? 0 };
}

function toUrl(baseUrl: string, { path, query, isUnversioned, isFromHost }: ApiCall): URL {
  const base = baseUrl.replace(/(?<!\/)\/+$/, '');
  const url = isFromHost
    ? new URL(path, baseUrl)
    : new URL((isUnversioned ? base.replace(/\/v\d+\w*$/, '') : base) + path);
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value !== undefined) url.searchParams.set(name, String(value));
  }
  return url;
}

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

/**
 * Timeouts by kind of work. Reasoning models think for a minute or more before their first token, and the vendor's own client
 * allows 300 s between two reads.
 */
const workTimers: Readonly<Record<Work, Timers>> = {
  read: { connectMs: 15 * second, firstByteMs: 30 * second, idleMs: 30 * second, totalMs: 2 * minute },
  poll: { connectMs: 15 * second, firstByteMs: 30 * second, idleMs: 30 * second, totalMs: minute },
  change: { connectMs: 15 * second, firstByteMs: 30 * second, idleMs: 30 * second, totalMs: 2 * minute },
  text: { connectMs: 15 * second, firstByteMs: 5 * minute, idleMs: 5 * minute, totalMs: hour },
  rerank: { connectMs: 15 * second, firstByteMs: 2 * minute, idleMs: minute, totalMs: 5 * minute },
  paid: { connectMs: 15 * second, firstByteMs: 5 * minute, idleMs: 2 * minute, totalMs: 15 * minute },
  upload: { connectMs: 15 * second, firstByteMs: 5 * minute, idleMs: 2 * minute, totalMs: 6 * hour },
};

/** Returns timers that wait so long for the first byte, and as long within a response: some servers send its headers at once. */
function withWait(timers: Timers, seconds: number | undefined): Timers {
  if (seconds === undefined) return timers;
  const firstByteMs = seconds === 0 ? 24 * hour : seconds * second;
  return {
    ...timers,
    firstByteMs,
    idleMs: Math.max(timers.idleMs, firstByteMs),
    totalMs: Math.max(timers.totalMs, 2 * firstByteMs),
  };
}

function lowerCase(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

/** Every service has a model list: if it is missing, the base URL is wrong. */
function isModelList(endpoint: string): boolean {
  return endpoint === 'GET /models';
}
