import http from 'node:http';
import https from 'node:https';
import { sendByFetch } from './fetchRequest';
import { createFetchWatch } from './fetchWatch';
import type { NodePort } from './nodeRequest';
import { sendByNode } from './nodeRequest';
import { abortedError } from './requestClock';
import type { HttpRequest, HttpStack } from './transport';

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
