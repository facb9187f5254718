import type { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import Agent from 'undici/lib/dispatcher/agent.js';
import type { ApiError } from '../errors';
import { BodyQueue } from './bodyQueue';
import { decodeContent } from './contentEncoding';
import { flatHeaders, headersToSend } from './headers';
import { abortedError, createRequestClock, timedBody } from './requestClock';
import { proxyError, toStackError } from './stackErrors';
import { createUndiciWatch } from './undiciWatch';
import type { HttpRequest, HttpResponse, HttpStack } from './transport';

/** How much of a response may be buffered unread; beyond it the socket is paused. */
const highWaterBytes = 256 * 1024;
/** Ends an abandoned connection attempt; each request has its own, shorter timer. */
const connectBackstopMs = 120_000;

/**
 * Creates a stack over undici with its own pool and timers: the least CPU per request, but no proxy and no system certificates.
 * Imports undici's agent only: its main module would set the process-wide dispatcher, which all extensions share.
 */
export function createUndiciStack(): HttpStack {
  const watch = createUndiciWatch();
  const agent = new Agent({ headersTimeout: 0, bodyTimeout: 0, connect: { timeout: connectBackstopMs } });
  return {
    name: 'undici',
    send: async (request) => {
      if (request.signal?.aborted) throw abortedError(false, request.signal.reason);
      const watched = { isSeen: false, isSending: false };
      return decodeContent(await watch.run(watched, () => dispatch(agent, request)));
    },
    async close() {
      watch.close();
      await agent.destroy();
    },
  };
}

function dispatch(agent: Agent, request: HttpRequest): Promise<HttpResponse> {
  return new Promise((resolve, reject) => {
    const { handler, body } = createExchange(request, resolve, reject);
    agent.dispatch(
      {
        origin: request.url.origin,
        path: request.url.pathname + request.url.search,
        method: request.method,
        headers: headersToSend(request),
        // undici writes any async iterable, chunk by chunk as the socket takes them; its types allow only Node's streams.
        body: body as Readable | string | null,
      },
      handler,
    );
  });
}

function createExchange(
  { url, timers, signal, body }: HttpRequest,
  resolve: (response: HttpResponse) => void,
  reject: (error: ApiError) => void,
): { readonly handler: Dispatcher.DispatchHandler; readonly body: string | AsyncIterable<Uint8Array> | null } {
  let controller: Dispatcher.DispatchController | undefined;
  let answered = false;
  let failure: ApiError | undefined;

  const fail = (error: ApiError) => {
    if (failure) return;
    failure = error;
    clock.stop();
    reject(error);
    queue.fail(error);
    controller?.abort(error);
  };
  const queue = new BodyQueue(
    highWaterBytes,
    () => controller?.resume(),
    () => fail(abortedError(true, undefined)),
  );
  const isSent = () => controller !== undefined;
  const clock = createRequestClock({
    timers,
    signal,
    onExpire: fail,
    isSent,
    isReaderWaiting: () => queue.isReaderWaiting,
  });
  const handler: Dispatcher.DispatchHandler = {
    // A connection exists and the request is about to be written to it.
    onRequestStart(started) {
      if (failure) return started.abort(failure);
      controller = started;
      clock.connected();
      if (typeof body !== 'object') clock.requestSent();
    },
    onResponseStart(_controller, status, headers) {
      if (status < 200) return;
      if (status === 407) return fail(proxyError(407));
      answered = true;
      clock.answered();
      resolve({ status, headers: flatHeaders(headers), body: queue });
    },
    onResponseData(reading, chunk) {
      clock.bodyReceived();
      if (!queue.push(chunk)) reading.pause();
    },
    onResponseEnd() {
      clock.stop();
      queue.end();
    },
    onResponseError: (_controller, error) => fail(toStackError(error, url, { sent: isSent(), answered })),
  };
  return { handler, body: typeof body === 'object' ? timedBody(body, clock) : (body ?? null) };
}
