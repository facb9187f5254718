import type { ClientRequest, IncomingMessage, RequestOptions } from 'node:http';
import type { Socket } from 'node:net';
import type { ApiError } from '../errors';
import { BodyQueue } from './bodyQueue';
import { decodeContent } from './contentEncoding';
import { flatHeaders, headersToSend } from './headers';
import { abortedError, createRequestClock, timedBody } from './requestClock';
import type { RequestClock } from './requestClock';
import { proxyError, toStackError } from './stackErrors';
import type { HttpRequest, HttpResponse, StreamedBody } from './transport';

/** `node:http` or `node:https`, as the editor patched it. */
export interface NodePort {
  request(options: RequestOptions): ClientRequest;
}

/** How much of a response may be buffered unread; beyond it the socket is paused. */
const highWaterBytes = 256 * 1024;

/** Sends one request over `node:http(s)`: bodies of any length, and no limit of its own on silence. */
export function sendByNode(port: NodePort, request: HttpRequest): Promise<HttpResponse> {
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
