import type { z } from 'zod/mini';
import type { GateWait } from './gate';

/** A network stack: sends one request, once, without key, retry or knowledge of the API. */
export interface HttpStack {
  readonly name: 'undici' | 'editor';
  /**
   * Resolves when the status and headers are there. Rejects with an `ApiError` of kind `network`, `proxy` (407 too),
   * `certificate`, `timeout`, `aborted`, `badResponse` (not HTTP) or `invalidParameter` (a header that cannot be sent), whose `details.sent` tells whether any byte of the request may have left. Redirects are not
   * followed: a 3xx is a response like any other.
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

/** A body too large to hold. Its exact length is stated up front. */
export interface StreamedBody {
  readonly contentLength: number;
  /**
   * May be called again for a repeat. An `ApiError` it throws is what `send` rejects with. A chunk may be written over once the
   * next is asked for: whoever keeps one copies it.
   */
  open(): AsyncIterable<Uint8Array>;
}

export interface HttpResponse {
  /** The stack that answered, where the one asked only passes requests on. */
  readonly via?: HttpStack['name'] | undefined;
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /**
   * To be read once, and always: a body nobody reads holds its connection until the total timer ends it. Leaving the loop
   * early ends the connection. Rejects like `send`, with phase `idle` or `total` for timers, and with kind `truncated` when
   * it ends before its stated end; what came before is delivered first.
   */
  readonly body: AsyncIterable<Uint8Array>;
}

/** Milliseconds; each is counted by the stack itself, because no stack's own limits are trusted. */
export interface Timers {
  readonly connectMs: number;
  /** From the request being sent to the first byte of the answer's headers. */
  readonly firstByteMs: number;
  /** Between two chunks of the body, of the request's while it is sent and of the answer's afterwards. */
  readonly idleMs: number;
  readonly totalMs: number;
}

/** What kind of work a call starts; decides what may be repeated, and which limit gate it waits at. */
export type Work =
  /** Costs nothing and changes nothing: may be repeated. */
  | 'read'
  /** Reading by POST, again and again. */
  | 'poll'
  | 'text'
  | 'rerank'
  | 'paid'
  | 'upload'
  /** Costs nothing, but a second time it may be refused: deleting, cancelling. */
  | 'change';

export interface ApiCall {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Below the base URL, beginning with `/`; ids in it already escaped. */
  readonly path: string;
  /** The path with its ids left open, e.g. `/batches/{id}`; where absent the path holds no id. */
  readonly route?: string | undefined;
  readonly query?: Readonly<Record<string, string | number | undefined>> | undefined;
  readonly work: Work;
  readonly model?: string | undefined;
  readonly timers?: Partial<Timers> | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly watch?: CallWatch | undefined;
}

/** What one call tells of itself while it goes on. Must not throw. */
export interface CallWatch {
  /** The id its exchange will have. */
  readonly onStart?: ((exchangeId: string) => void) | undefined;
  /** It begins to wait: at a rate limit, or before it is repeated. */
  readonly onWait?: ((wait: GateWait) => void) | undefined;
  /** A good answer begins; its body is yet to come. */
  readonly onAnswer?: ((answer: AnswerHead) => void) | undefined;
}

export interface AnswerHead {
  readonly status: number;
  /** As the service names its work, where it does. */
  readonly requestId: string | undefined;
  readonly traceId: string | undefined;
}

/** The only door to the network. Every method throws `ApiError`. */
export interface Transport {
  /** A field of `body` that is `undefined` is not sent. */
  json<T>(call: ApiCall & { readonly body?: unknown; readonly response: z.ZodMiniType<T> }): Promise<T>;
  /**
   * Server-sent events as parsed JSON, as many at a time as came together; ends after `[DONE]`, after the event `isLast`
   * tells, or with the connection. Leaving the loop aborts the request. An error in the stream is thrown, after all that came
   * before it.
   */
  stream(
    call: ApiCall & { readonly body: unknown; readonly isLast?: (data: unknown) => boolean },
  ): AsyncIterable<readonly StreamEvent[]>;
  upload<T>(call: ApiCall & UploadParts & { readonly response: z.ZodMiniType<T> }): Promise<T>;
  /** The raw answer of an API path, e.g. speech. */
  bytes(
    call: ApiCall & { readonly body?: unknown },
  ): Promise<{ readonly contentType: string; readonly body: AsyncIterable<Uint8Array> }>;
  /** The raw answer of an API path into a file. Where it forwards elsewhere, the key stays behind. */
  save(call: ApiCall & { readonly file: Omit<DownloadRequest, 'url' | 'signal'> }): Promise<Downloaded>;
  /** A URL that came in a response. Never carries the key. */
  download(request: DownloadRequest): Promise<Downloaded>;
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
  /** Where to put it; written beside and renamed when whole. The folder must exist. */
  readonly toPath: string;
  readonly maxBytes: number;
  /** False: a person chose the place. */
  readonly isPrivate?: boolean | undefined;
  /** Where what came is kept when the connection ends before the file is whole. Dropped where absent. */
  readonly partTo?: string | undefined;
  /** Asked once when the address is plain http on another host; refused where absent. */
  readonly allowPlainHttp?: ((host: string) => Promise<boolean>) | undefined;
  readonly onProgress?: ((bytes: number, totalBytes: number | undefined) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface Downloaded {
  readonly path: string;
  readonly bytes: number;
  /** By content where its first bytes tell, else the server's word. */
  readonly contentType: string;
}

/** Reports an upload, in bytes the network accepted. */
export interface Progress {
  readonly onProgress?: ((sentBytes: number, totalBytes: number) => void) | undefined;
}
