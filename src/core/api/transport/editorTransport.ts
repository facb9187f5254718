import http from 'node:http';
import https from 'node:https';
import { type NodePort, sendByNode } from './nodeRequest';
import { abortedError, createRequestClock, type RequestClock } from './requestClock';
import type { HttpRequest, HttpStack, HttpResponse } from './transport';
import type { ApiError } from '../errors';
import { headersToSend } from './headers';
import { proxyError, toStackError } from './stackErrors';
import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';

export interface EditorStackOptions {
  /** The editor's patched implementations; `fetch` is looked up at each request, because the editor may patch it again. */
  readonly fetch?: (() => typeof globalThis.fetch) | undefined;
  readonly http?: NodePort | undefined;
  readonly https?: NodePort | undefined;
}

/** `fetch` gives up after 300 s without headers or body bytes; calls that may be silent nearly as long use `node:https`. */
const longSilenceMs = 240_000;

/**
 * Creates the editor's own stack: inside the extension host, `fetch` and `node:https` know the user's proxy, PAC file and the system's
 * certificates. Text goes over `fetch`, which reuses connections; uploads and long calls go over `node:https`.
 */
export function createEditorStack(options: EditorStackOptions = {}): HttpStack {
  const ports = { 'http:': options.http ?? http, 'https:': options.https ?? https };
  const watch = createFetchWatch();
  const closing = new AbortController();

  const sendByBest = (request: HttpRequest) => {
    const { body, timers, url } = request;
    const isLong = timers.firstByteMs > longSilenceMs || timers.idleMs > longSilenceMs;
    if (typeof body !== 'object' && !isLong)
      return sendByFetch({ fetch: options.fetch?.() ?? globalThis.fetch, watch }, request);
    return sendByNode(url.protocol === 'https:' ? ports['https:'] : ports['http:'], request);
  };
  return {
    name: 'editor',
    send: async (request) => {
      const signal = request.signal ? AbortSignal.any([request.signal, closing.signal]) : closing.signal;
      if (signal.aborted) throw abortedError(false, signal.reason);
      return sendByBest({ ...request, signal });
    },
    close: async () => {
      closing.abort();
      watch.close();
    },
  };
}

interface FetchPort {
  readonly fetch: typeof globalThis.fetch;
  readonly watch: FetchWatch;
}

/** Sends one request over the editor's `fetch`: only for bodies that fit in a string and responses without minutes of silence. */
async function sendByFetch({ fetch, watch }: FetchPort, request: HttpRequest): Promise<HttpResponse> {
  const headers = headersToSend(request);
  const ending = new AbortController();
  const reading = { isWaiting: false };
  const watched: WatchedFetch = { isSeen: false, isSending: false };
  const clock = createRequestClock({
    timers: request.timers,
    signal: request.signal,
    onExpire: (error) => ending.abort(error),
    isSent: () => watched.isSending || !watched.isSeen,
    isConnecting: () => watched.isSeen,
    isReaderWaiting: () => reading.isWaiting,
  });
  watched.onSending = () => {
    clock.connected();
    clock.requestSent();
  };
  const toError = (error: unknown, answered: boolean): ApiError =>
    watched.status === 407
      ? proxyError(407, error)
      : toStackError(error, request.url, { sent: watched.isSeen ? watched.isSending : 'unknown', answered });

  try {
    const response = await watch.run(watched, () =>
      fetch(request.url, {
        method: request.method,
        headers,
        body: typeof request.body === 'string' ? request.body : null,
        redirect: 'manual',
        signal: ending.signal,
      }),
    );
    if (response.status === 407) throw proxyError(407);
    clock.answered();
    const leave = () => ending.abort(abortedError(true, undefined));
    const body = readBody({ stream: response.body, clock, reading, leave, toError: (error) => toError(error, true) });
    return { status: response.status, headers: decodedHeaders(response.headers), body };
  } catch (error) {
    clock.stop();
    ending.abort();
    throw toError(error, false);
  }
}

/** `fetch` decodes automatically, so headers about the encoded bytes are dropped. */
function decodedHeaders(headers: Headers): Record<string, string> {
  const { 'content-encoding': encoding, ...others } = Object.fromEntries(headers);
  if (!encoding || encoding === 'identity') return others;
  const { 'content-length': _length, ...rest } = others;
  return rest;
}

interface BodyReading {
  readonly stream: Response['body'];
  readonly clock: RequestClock;
  readonly reading: { isWaiting: boolean };
  readonly leave: () => void;
  readonly toError: (error: unknown) => ApiError;
}

function readBody({ stream, clock, reading, leave, toError }: BodyReading): AsyncIterable<Uint8Array> {
  const reader = stream?.getReader();
  let isOver = reader === undefined;
  if (isOver) clock.stop();
  const over = () => {
    isOver = true;
    clock.stop();
    return { value: undefined, done: true } as const;
  };
  const iterator: AsyncIterator<Uint8Array, undefined> = {
    async next() {
      if (isOver || !reader) return over();
      reading.isWaiting = true;
      try {
        const { value, done } = await reader.read();
        if (done) return over();
        clock.bodyReceived();
        return { value, done: false };
      } catch (error) {
        over();
        throw toError(error);
      } finally {
        reading.isWaiting = false;
      }
    },
    return() {
      if (!isOver) leave();
      return Promise.resolve(over());
    },
  };
  return { [Symbol.asyncIterator]: () => iterator };
}

/** What is known of one `fetch` while it runs. */
interface WatchedFetch {
  /** Whether the creation of the request was observed; false if this `fetch` does not report it. */
  isSeen: boolean;
  /** Whether the first byte was about to be written. */
  isSending: boolean;
  onSending?: () => void;
  /** The response's status, which `fetch` does not reveal if it is 407. */
  status?: number;
}

interface FetchWatch {
  /** Runs `call` and updates `watched` about the request it creates. */
  run<T>(watched: WatchedFetch, call: () => T): T;
  close(): void;
}

/**
 * `fetch` does not report when it has a connection. The undici behind it does, on Node's diagnostics channels
 * (https://nodejs.org/api/diagnostics_channel.html, `undici:request:create`, `undici:client:sendHeaders`, `undici:request:headers`);
 * the async context identifies the call a request belongs to.
 */
function createFetchWatch(): FetchWatch {
  const calls = new AsyncLocalStorage<WatchedFetch>();
  const requests = new WeakMap<object, WatchedFetch>();

  const onCreate = (message: unknown) => {
    const watched = calls.getStore();
    const request = requestOf(message);
    // A proxy tunnel is a separate request, created in the same context.
    if (!watched || !request || request.method === 'CONNECT') return;
    watched.isSeen = true;
    requests.set(request, watched);
  };
  const onSendHeaders = (message: unknown) => {
    const request = requestOf(message);
    const watched = request && requests.get(request);
    if (!watched) return;
    watched.isSending = true;
    watched.onSending?.();
  };
  const onHeaders = (message: unknown) => {
    const request = requestOf(message);
    const watched = request && requests.get(request);
    const status = statusOf(message);
    if (watched && status !== undefined) watched.status = status;
  };
  subscribe('undici:request:create', onCreate);
  subscribe('undici:client:sendHeaders', onSendHeaders);
  subscribe('undici:request:headers', onHeaders);
  return {
    run: (watched, call) => calls.run(watched, call),
    close() {
      unsubscribe('undici:request:create', onCreate);
      unsubscribe('undici:client:sendHeaders', onSendHeaders);
      unsubscribe('undici:request:headers', onHeaders);
    },
  };
}

function requestOf(message: unknown): { readonly method?: unknown } | undefined {
  if (typeof message !== 'object' || message === null || !('request' in message)) return undefined;
  const { request } = message;
  return typeof request === 'object' && request !== null ? request : undefined;
}

function statusOf(message: unknown): number | undefined {
  if (typeof message !== 'object' || message === null || !('response' in message)) return undefined;
  const { response } = message;
  if (typeof response !== 'object' || response === null || !('statusCode' in response)) return undefined;
  return typeof response.statusCode === 'number' ? response.statusCode : undefined;
}
