import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { Socket } from 'node:net';

/** The state of a running request. */
export interface WatchedRequest {
  /** Whether the creation of the request was observed. False if this undici, or another kind of `fetch`, doesn't report it. */
  isSeen: boolean;
  /** Whether the first byte was about to be written. */
  isSending: boolean;
  onSending?: () => void;
  /** Returns how many bytes of the response have arrived, as they were sent; unset until the request is sent. */
  receivedBytes?: () => number;
  /** The response's status, which `fetch` does not reveal if it is 407. */
  status?: number;
}

export interface UndiciWatch {
  /** Runs `call` and updates `watched` about the request it creates. */
  run<T>(watched: WatchedRequest, call: () => T): T;
  close(): void;
}

/**
 * Watches requests by undici, also the one behind `fetch`, which itself does not report when it has a connection. undici does, on
 * Node's diagnostics channels (https://nodejs.org/api/diagnostics_channel.html, `undici:request:create`, `undici:client:sendHeaders`,
 * `undici:request:headers`); the async context identifies the call a request belongs to. Also lets these requests pass over a
 * `100 Continue`.
 */
export function createUndiciWatch(): UndiciWatch {
  const calls = new AsyncLocalStorage<WatchedRequest>();
  const requests = new WeakMap<object, WatchedRequest>();

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
    const socket = socketOf(message);
    if (socket) {
      passOverContinue(socket);
      const before = socket.bytesRead;
      watched.receivedBytes = () => socket.bytesRead - before;
    }
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

function socketOf(message: unknown): Socket | undefined {
  const socket = typeof message === 'object' && message !== null && 'socket' in message ? message.socket : undefined;
  return socket instanceof Socket ? socket : undefined;
}

const continueHead = Buffer.from('HTTP/1.1 100');
const longestHead = 16 * 1024;

/**
 * Drops every `100 Continue` before the next response from the data read from a socket. A server can send one unasked (RFC 9110, section
 * 15.2), but undici then closes the connection, after the request was sent and perhaps charged.
 */
function passOverContinue(socket: Socket): void {
  const before = Object.getOwnPropertyDescriptor(socket, 'read');
  const read: () => Buffer | null = socket.read.bind(socket);
  let held: Buffer = Buffer.alloc(0);
  const restore = () => {
    if (before) Object.defineProperty(socket, 'read', before);
    else Reflect.deleteProperty(socket, 'read');
  };
  socket.read = (): Buffer | null => {
    const chunk = read();
    if (chunk === null) return null;
    held = held.length > 0 ? Buffer.concat([held, chunk]) : chunk;
    for (;;) {
      const known = Math.min(held.length, continueHead.length);
      const isAnswer = !held.subarray(0, known).equals(continueHead.subarray(0, known));
      const end = held.indexOf('\r\n\r\n');
      if (isAnswer || (end === -1 && held.length > longestHead)) {
        restore();
        return held;
      }
      if (end === -1) return null;
      held = held.subarray(end + 4);
    }
  };
}
