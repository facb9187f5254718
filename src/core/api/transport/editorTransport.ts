import http from 'node:http';
import https from 'node:https';
import type { Socket } from 'node:net';
import { BodyQueue } from './bodyQueue';
import { abortedError, createRequestClock, type RequestClock, timedBody } from './requestClock';
import type { HttpRequest, HttpStack, HttpResponse, StreamedBody } from './transport';
import type { ApiError } from '../errors';
import { mostDecodedBytes, tooMuchDecoded, decodeContent } from './contentEncoding';
import { headersToSend, flatHeaders } from './headers';
import { proxyError, toStackError } from './stackErrors';
import { createUndiciWatch } from './undiciWatch';
import type { UndiciWatch, WatchedRequest } from './undiciWatch';
import type { ClientRequest, IncomingMessage, RequestOptions } from 'node:http';

/** `fetch` gives up after 300 s without headers or body bytes; calls that may be silent nearly as long use `node:https`. */
const longSilenceMs = 240_000;

/**
 * Creates the editor's own stack: inside the extension host, `fetch` and `node:https` know the user's proxy, PAC file and the system's
 * certificates. Text goes over `fetch`, which reuses connections; uploads and long calls go over `node:https`.
 */
export function createEditorStack(
  options: {
    /** The editor's patched implementations; `fetch` is looked up at each request, because the editor may patch it again. */
    readonly fetch?: (() => typeof globalThis.fetch) | undefined;
    readonly http?: NodePort | undefined;
    readonly https?: NodePort | undefined;
  } = {},
): HttpStack {
  const ports = { 'http:': options.http ?? http, 'https:': options.https ?? https };
  const watch = createUndiciWatch();
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
  readonly watch: UndiciWatch;
}

/** Sends one request over the editor's `fetch`: only for bodies that fit in a string and responses without minutes of silence. */
async function sendByFetch({ fetch, watch }: FetchPort, request: HttpRequest): Promise<HttpResponse> {
  const headers = headersToSend(request);
  const ending = new AbortController();
  const reading = { isWaiting: false };
  const watched: WatchedRequest = { isSeen: false, isSending: false };
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
    const most = mostBytesOf(response.headers, watched);
    const body = readBody({
      stream: response.body,
      most,
      clock,
      reading,
      leave,
      toError: (error) => toError(error, true),
    });
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

/**
 * Returns how many bytes a body may have by now. `fetch` has decoded it, so this depends on how many encoded bytes have arrived, or are
 * announced. Readers have limits of their own, which are the only ones if a `fetch` reports neither.
 */
function mostBytesOf(headers: Headers, watched: WatchedRequest): () => number {
  const encoding = headers.get('content-encoding') ?? 'identity';
  if (encoding === 'identity') return () => Infinity;
  const length = Number(headers.get('content-length') ?? Number.NaN);
  const announced = length >= 0 ? length : Infinity;
  return () => mostDecodedBytes(watched.receivedBytes?.() ?? announced);
}

interface BodyReading {
  /** More bytes than these are refused. */
  readonly most: () => number;
  readonly stream: Response['body'];
  readonly clock: RequestClock;
  readonly reading: { isWaiting: boolean };
  readonly leave: () => void;
  readonly toError: (error: unknown) => ApiError;
}

function readBody({ stream, most, clock, reading, leave, toError }: BodyReading): AsyncIterable<Uint8Array> {
  const reader = stream?.getReader();
  let isOver = reader === undefined;
  let bytes = 0;
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
        bytes += value.byteLength;
        if (bytes > most()) {
          leave();
          throw tooMuchDecoded();
        }
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

/** `node:http` or `node:https`, as the editor patched it. */
interface NodePort {
  request(options: RequestOptions): ClientRequest;
}

/** How much of a response may be buffered unread; beyond it the socket is paused. */
const highWaterBytes = 256 * 1024;

/** Sends one request over `node:http(s)`: bodies of any length, and no limit of its own on silence. */
function sendByNode(port: NodePort, request: HttpRequest): Promise<HttpResponse> {
  const { url, timers, signal, body, method } = request;
  const headers = headersToSend(request);
  return new Promise((resolve, reject) => {
    let isConnected = false;
    let incoming: IncomingMessage | undefined;
    let failure: ApiError | undefined;

    const fail = (error: ApiError) => {
      if (failure) return;
      failure = error;
      clock.stop();
      reject(error);
      queue.fail(error);
      outgoing.destroy();
    };
    const queue = new BodyQueue(
      highWaterBytes,
      () => incoming?.resume(),
      () => fail(abortedError(true, undefined)),
    );
    const isSent = () => isConnected;
    const clock = createRequestClock({
      timers,
      signal,
      onExpire: fail,
      isSent,
      isReaderWaiting: () => queue.isReaderWaiting,
    });
    const toError = (error: unknown) => toStackError(error, url, { sent: isSent(), answered: incoming !== undefined });

    // An upload must not use a kept-alive connection that is just being closed.
    const connection = typeof body === 'object' ? { connection: 'close' } : {};
    const outgoing = port.request({ ...addressOf(url), method, headers: { ...headers, ...connection } });
    outgoing.on('error', (error) => fail(toError(error)));
    outgoing.on('socket', (socket) => {
      whenConnected(socket, () => {
        isConnected = true;
        clock.connected();
        if (typeof body !== 'object') clock.requestSent();
      });
    });
    outgoing.on('response', (response) => {
      if (isProxysOwn(response, url)) return fail(proxyError(response.statusCode ?? 0));
      incoming = response;
      clock.answered();
      deliver(response, { queue, clock, fail: (error) => fail(toError(error)) });
      resolve(decodeContent({ status: response.statusCode ?? 0, headers: flatHeaders(response.headers), body: queue }));
    });
    if (typeof body === 'object') void write(body, { outgoing, clock }).catch((error: unknown) => fail(toError(error)));
    else outgoing.end(body);
  });
}

interface Delivery {
  readonly queue: BodyQueue;
  readonly clock: RequestClock;
  readonly fail: (error: unknown) => void;
}

function deliver(response: IncomingMessage, { queue, clock, fail }: Delivery): void {
  response.on('data', (chunk: Buffer) => {
    clock.bodyReceived();
    if (!queue.push(chunk)) response.pause();
  });
  response.on('end', () => {
    clock.stop();
    queue.end();
  });
  response.on('error', fail);
}

interface Writing {
  readonly outgoing: ClientRequest;
  readonly clock: RequestClock;
}

async function write(body: StreamedBody, { outgoing, clock }: Writing): Promise<void> {
  // The next piece is read only once the socket has taken the last, so progress counts what was sent, not what was read.
  for await (const chunk of timedBody(body, clock)) {
    if (outgoing.destroyed) return;
    if (!outgoing.write(chunk)) await drained(outgoing);
  }
  outgoing.end();
}

function drained(outgoing: ClientRequest): Promise<void> {
  return new Promise((resolve) => {
    const onDone = () => {
      outgoing.off('drain', onDone);
      outgoing.off('close', onDone);
      resolve();
    };
    outgoing.on('drain', onDone);
    outgoing.on('close', onDone);
  });
}

/** With TLS, calls `onConnected` only after the handshake: before that no byte of the request is sent. */
function whenConnected(socket: Socket & { readonly secureConnecting?: boolean }, onConnected: () => void): void {
  if (socket.secureConnecting) socket.once('secureConnect', onConnected);
  else if (socket.connecting) socket.once('connect', onConnected);
  else onConnected();
}

/** Whether a response is a proxy's own: a 407, or an unencrypted one to an encrypted request, which is how a refused tunnel shows. */
function isProxysOwn(response: IncomingMessage, url: URL): boolean {
  return response.statusCode === 407 || (url.protocol === 'https:' && !('encrypted' in response.socket));
}

function addressOf(url: URL): RequestOptions {
  return {
    protocol: url.protocol,
    hostname: url.hostname.replace(/^\[|\]$/g, ''),
    ...(url.port ? { port: url.port } : {}),
    path: url.pathname + url.search,
  };
}
