import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';

/** What is known of one `fetch` while it runs. */
export interface WatchedFetch {
  /** Whether the creation of the request was observed; false if this `fetch` does not report it. */
  isSeen: boolean;
  /** Whether the first byte was about to be written. */
  isSending: boolean;
  onSending?: () => void;
  /** The response's status, which `fetch` does not reveal if it is 407. */
  status?: number;
}

export interface FetchWatch {
  /** Runs `call` and updates `watched` about the request it creates. */
  run<T>(watched: WatchedFetch, call: () => T): T;
  close(): void;
}

/**
 * `fetch` does not report when it has a connection. The undici behind it does, on Node's diagnostics channels
 * (https://nodejs.org/api/diagnostics_channel.html, `undici:request:create`, `undici:client:sendHeaders`, `undici:request:headers`);
 * the async context identifies the call a request belongs to.
 */
export function createFetchWatch(): FetchWatch {
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
