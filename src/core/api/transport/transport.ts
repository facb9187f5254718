import type { z } from 'zod/mini';
import type { GateWait } from './gate';

/** A network stack: sends one request, once, without key, retries or knowledge of the API. */
export interface HttpStack {
  readonly name: 'undici' | 'editor';
  /**
   * Resolves once the status and headers have arrived. Rejects with an `ApiError` of kind `network`, `proxy` (also for 407),
   * `certificate`, `timeout`, `aborted`, `badResponse` (not HTTP) or `invalidParameter` (a header that cannot be sent), whose
   * `details.sent` says whether any byte of the request may have been sent. Follows no redirects: a 3xx is a response like any other.
   */
  send(request: HttpRequest): Promise<HttpResponse>;
  close(): Promise<void>;
}

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | StreamedBody | undefined;
  readonly timers: Timers;
  readonly signal?: AbortSignal | undefined;
}

/** A body too large for memory. Its exact length is known up front. */
export interface StreamedBody {
  readonly contentLength: number;
  /**
   * May be called again for a retry. `send` rejects with any `ApiError` it throws. A chunk may be overwritten once the next is
   * requested, so copy a chunk to retain it.
   */
  open(): AsyncIterable<Uint8Array>;
}

/** The beginning of a response. */
export interface HttpHead {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface HttpResponse extends HttpHead {
  /** The stack that received the response, if the one called only delegates. */
  readonly via?: HttpStack['name'] | undefined;
  /**
   * Must be read exactly once: an unread body holds its connection until the total timer ends it. Leaving the loop early closes the
   * connection. Rejects like `send`, with phase `idle` or `total` for timers, and with kind `truncated` if it ends before its
   * declared end; everything before that is delivered first.
   */
  readonly body: AsyncIterable<Uint8Array>;
}

/** In milliseconds; the stack counts each itself, because no library's own limits are trusted. */
export interface Timers {
  readonly connectMs: number;
  /** From the end of the request to the first byte of the response's headers. */
  readonly firstByteMs: number;
  /** Between two chunks of the body: the request's while it is sent, then the response's. */
  readonly idleMs: number;
  readonly totalMs: number;
}

/** The kind of work a call starts; determines retries and timers. */
export type Work =
  /** Costs nothing and changes nothing, so it may be retried. */
  | 'read'
  /** Repeated reading by POST. */
  | 'poll'
  | 'text'
  | 'rerank'
  | 'paid'
  | 'upload'
  /** Costs nothing, but may be rejected the second time: deleting, cancelling. */
  | 'change';

/** Where a call goes. */
export interface ApiPlace {
  /** Relative to the base URL, beginning with `/`; ids in it are already escaped. */
  readonly path: string;
  /** Whether the path is next to the version in the base URL, not below it. */
  readonly isUnversioned?: true;
  /** Whether the path begins at the host, whatever path the base URL has. */
  readonly isFromHost?: true;
  /** The header that carries the key, if it is another than that of the service's other endpoints. */
  readonly keyHeader?: 'x-api-key';
}

export interface ApiCall extends ApiPlace {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Set if the response reports on a job: an error in one that has an id and a status is the job's, not the call's. */
  readonly isReport?: true;
  /** The path with placeholders for ids, e.g. `/batches/{id}`; absent if the path has no id. */
  readonly route?: string | undefined;
  /** Set if the body names a thing by its id: a 404 that does not speak of the path is about that thing. */
  readonly hasIdInBody?: true;
  readonly query?: Readonly<Record<string, string | number | undefined>> | undefined;
  readonly work: Work;
  readonly model?: string | undefined;
  readonly timers?: Partial<Timers> | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly watch?: CallWatch | undefined;
}

/** Callbacks for the progress of one call. They must not throw. */
export interface CallWatch {
  /** Receives the id its exchange will have. */
  readonly onStart?: ((exchangeId: string) => void) | undefined;
  /** Called when the call starts to wait for a rate limit or before a retry. */
  readonly onWait?: ((wait: GateWait) => void) | undefined;
  /** Called when a successful response begins, before its body. */
  readonly onAnswer?: ((answer: AnswerHead) => void) | undefined;
}

export interface AnswerHead {
  readonly status: number;
  /** The service's id of the request, if it sends one. */
  readonly requestId: string | undefined;
  readonly traceId: string | undefined;
}

/** The service's ids of a response, for its support. Those that it doesn't send are absent. */
export interface AnswerIds {
  readonly requestId?: string;
  readonly traceId?: string;
}

/** The only access to the network. Every method throws `ApiError`. */
export interface Transport {
  /** Does not send a field of `body` that is `undefined`. */
  json<T>(
    call: ApiCall & {
      readonly body?: unknown;
      /** JSON that is too large for memory, sent in place of `body`. */
      readonly streamedBody?: StreamedBody;
      readonly response: z.ZodMiniType<T>;
      /**
       * Set if the response may hold pictures, so that it may be longer. Returns what can be read of one that is too long or was cut off, from
       * its beginning; `undefined` if there is nothing.
       */
      readonly rescue?: (beginning: string) => string | undefined;
    },
  ): Promise<T>;
  /**
   * Yields server-sent events as parsed JSON, in the batches in which they arrived; ends after `[DONE]`, after the event that `isLast`
   * accepts, or with the body, if `hasEnded` then says that all was said in the events so far. Leaving the loop aborts the request. Throws an error in the stream after everything that came
   * before it.
   */
  stream(call: ApiCall & { readonly body: unknown } & StreamEnd): AsyncIterable<readonly StreamEvent[]>;
  upload<T>(
    call: ApiCall &
      UploadParts & {
        readonly response: z.ZodMiniType<T>;
        /** Whether the response may be a plain text, which `response` then gets as `{text}`. */
        readonly isPlain?: boolean;
      },
  ): Promise<T>;
  /** Returns the raw response of an API path, e.g. speech. */
  bytes(
    call: ApiCall & { readonly body?: unknown },
  ): Promise<{ readonly contentType: string; readonly body: AsyncIterable<Uint8Array> }>;
  /** Saves the raw response of an API path to a file. Does not send the key to another address it redirects to. */
  save(call: ApiCall & { readonly file: Omit<DownloadRequest, 'url' | 'signal'> }): Promise<Downloaded>;
  /** Downloads a URL from a response. Never sends the key. */
  download(request: DownloadRequest): Promise<Downloaded>;
}

/** How the last event of a stream is known. */
export interface StreamEnd {
  readonly isLast?: ((data: unknown) => boolean) | undefined;
  /** Asked once the caller has taken all events of a body that ended as it should, but without an end mark. */
  readonly hasEnded?: (() => boolean) | undefined;
}

export type StreamEvent =
  | { readonly type: 'json'; readonly data: unknown }
  /** A `data:` line that is not JSON; shown, never fatal. */
  | { readonly type: 'malformed'; readonly text: string }
  | { readonly type: 'done' };

export interface UploadParts {
  readonly fields: Readonly<Record<string, string>>;
  readonly file: UploadFile;
  readonly onProgress?: ((sentBytes: number, totalBytes: number) => void) | undefined;
}

export interface UploadFile {
  /** Form part name. */
  readonly field: string;
  readonly filename: string;
  readonly contentType: string;
  /** A path is streamed from disk. */
  readonly source: { readonly path: string } | { readonly bytes: Uint8Array };
}

export interface DownloadRequest {
  readonly url: string;
  /** Path of the file; a temporary file beside it is renamed once complete. The folder must exist. */
  readonly toPath: string;
  readonly maxBytes: number;
  /** False if the user chose the location. */
  readonly isPrivate?: boolean | undefined;
  /** Where to save the partial file if the connection ends early. Discarded if absent. */
  readonly partTo?: string | undefined;
  /** Asked once if the address is plain http on another host; rejected if absent. */
  readonly allowPlainHttp?: ((host: string) => Promise<boolean>) | undefined;
  readonly onProgress?: ((bytes: number, totalBytes: number | undefined) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface Downloaded {
  readonly path: string;
  readonly bytes: number;
  /** Detected from the first bytes if possible, else the server's type. */
  readonly contentType: string;
}

/** Reports an upload, in bytes the network accepted. */
export interface Progress {
  readonly onProgress?: ((sentBytes: number, totalBytes: number) => void) | undefined;
}
