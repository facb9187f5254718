import type { ClientLimits, ClientOptions } from '../clientOptions';
import { isHtml } from '../errorBody';
import { isLoopbackHost } from './addressPolicy';
import { download } from './download';
import { readEvents } from './eventStream';
import { multipartBody } from './multipart';
import { mostTextBytes, readAnswer, readWhole, rejectionOf, tooMuch, unreadable } from './readAnswer';
import { type Answer, type Outgoing, type Sender, createSender } from './sender';
import type {
  ApiCall,
  DownloadRequest,
  Downloaded,
  HttpRequest,
  HttpResponse,
  HttpStack,
  StreamedBody,
  Transport,
} from './transport';
import { toCallError } from './failure';
import { createRedact } from '../redact';
import { ExchangeRecorder } from './exchangeRecorder';

const mebibyte = 1024 * 1024;
const defaults = {
  answerBytes: 64 * mebibyte,
  pictureBytes: 256 * mebibyte,
  textBytes: mostTextBytes,
  eventChars: 16 * mebibyte,
  exchangeChars: 256 * 1024,
};

/** Creates the transport to one service: key, JSON, errors, retries, rate limits and the log, over any HTTP stack. */
export function createApiTransport(options: ClientOptions): Transport {
  const limits = { ...defaults, ...options.limits };
  const sender = createSender(options, limits);
  const downloads = new Downloads(options, limits, sender);

  return {
    json: ({ body, streamedBody, response, rescue, ...call }) =>
      sender.run(call, jsonBody(body, streamedBody), async (answer) => {
        const isText = call.work === 'text';
        const maxBytes = isText ? limits.textBytes : rescue ? limits.pictureBytes : limits.answerBytes;
        const rescueUnlessLeft = (beginning: string) => (call.signal?.aborted ? undefined : rescue?.(beginning));
        const text = await textOf(answer, maxBytes, { isText, rescue: rescueUnlessLeft });
        return readAnswer(text, response, { isReport: call.isReport === true });
      }),

    stream({ body, isLast, hasEnded, ...call }) {
      const { headers, body: text } = jsonBody(body);
      const outgoing = { headers: { ...headers, accept: 'text/event-stream' }, body: text };
      const open = () => sender.run(call, outgoing, (opened) => Promise.resolve(opened), { keepsOpen: true });
      return readEvents(open, limits, { isLast, hasEnded });
    },

    async upload({ fields, file, onProgress, response, isPlain = false, ...call }) {
      const { contentType, body } = await multipartBody({ fields, file, onProgress });
      const outgoing = { headers: { accept: 'application/json', 'content-type': contentType }, body };
      return sender.run(call, outgoing, async (answer) => {
        const text = await textOf(answer, limits.answerBytes);
        const label = answer.response.headers['content-type'] ?? '';
        const isNothing = isPlain && text.trim() === '' && /^text\//i.test(label);
        const isReport = call.isReport === true;
        return readAnswer(isNothing ? '{"text":""}' : text, response, {
          isPlain: isPlain && !/json/i.test(label),
          isReport,
        });
      });
    },

    async bytes({ body, ...call }) {
      const outgoing = { ...jsonBody(body), headers: { ...jsonBody(body).headers, accept: '*/*' } };
      const { answer, contentType, chunks } = await sender.run(call, outgoing, openBytes, { keepsOpen: true });
      return { contentType, body: readBytes(answer, chunks) };
    },

    save: ({ file, ...call }) => downloads.save(call, file),

    download: (request) => downloads.fetch(request),
  };
}

function jsonBody(body: unknown, streamed?: StreamedBody): Outgoing {
  const headers = { accept: 'application/json' };
  if (body === undefined && !streamed) return { headers };
  return { headers: { ...headers, 'content-type': 'application/json' }, body: streamed ?? JSON.stringify(body) };
}

async function textOf(
  { response, recorder, redact }: Answer,
  maxBytes: number,
  { isText = false, rescue }: { isText?: boolean; rescue?: (beginning: string) => string | undefined } = {},
): Promise<string> {
  let isTooLong = false;
  const text = await readWhole(response.body, maxBytes, {
    onBytes: (count) => recorder.responseBytes(count),
    onCut(beginning, error) {
      isTooLong = error === undefined;
      if (isTooLong) recorder.responseText(beginning);
      const rescued = rescue?.(beginning);
      if (rescued !== undefined) return rescued;
      if (!isTooLong) throw error;
      throw isText ? tooMuch(maxBytes) : unreadable(`The response exceeds ${maxBytes} bytes.`, 'tooMuch');
    },
  });
  if (!isTooLong) recorder.responseText(text);
  return redact.plain(text);
}

interface OpenedBytes {
  readonly answer: Answer;
  readonly contentType: string;
  readonly chunks: AsyncIterator<Uint8Array>;
}

/** Raw samples without a label may begin as JSON does. */
// oxlint-disable-next-line no-control-regex -- control characters are what tells binary from text
const noText = /[\x00-\x08\x0e-\x1f\ufffd]/;

/**
 * Reads the first chunk to distinguish a file from an error: JSON or a web page with a text content type is an error, anything else is a
 * file.
 */
async function openBytes(answer: Answer): Promise<OpenedBytes> {
  const { response } = answer;
  const chunks = response.body[Symbol.asyncIterator]();
  const first = await chunks.next();
  if (first.done) throw rejectionOf('', 'file');
  const label = response.headers['content-type'] ?? '';
  const isText = /json|html|^text\//i.test(label) || label === '';
  const head = isText ? new TextDecoder().decode(first.value.subarray(0, 1024), { stream: true }) : '';
  if (isText && (isHtml(head) || (/^\s*[{["]/.test(head) && !noText.test(head)))) {
    throw rejectionOf(
      await textOf({ ...answer, response: { ...response, body: resume(first, chunks) } }, 1024 * 1024),
      'file',
    );
  }
  const contentType = isText || label === '' ? 'application/octet-stream' : label;
  return { answer, contentType, chunks: resume(first, chunks)[Symbol.asyncIterator]() };
}

async function* resume(
  first: IteratorResult<Uint8Array>,
  chunks: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  let isOver = false;
  try {
    for (let next = first; !next.done; next = await chunks.next()) yield next.value;
    isOver = true;
  } finally {
    if (!isOver) await chunks.return?.();
  }
}

async function* readBytes(
  { recorder, toError }: Answer,
  chunks: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of { [Symbol.asyncIterator]: () => chunks }) {
      recorder.responseBytes(chunk.byteLength);
      yield chunk;
    }
    recorder.finish();
  } catch (error) {
    const failure = toError(error);
    recorder.finish(failure);
    throw failure;
  } finally {
    recorder.finish(toError(new DOMException('The answer was left.', 'AbortError')));
  }
}

/** Saves files: those of the service itself, and those at addresses that came in a response. */
class Downloads {
  private readonly policy;
  private readonly clock;

  constructor(
    private readonly options: ClientOptions,
    private readonly limits: Required<ClientLimits>,
    private readonly sender: Sender,
  ) {
    const { hostname } = new URL(options.baseUrl);
    this.policy = { loopbackProfile: isLoopbackHost(hostname), profileHost: hostname };
    this.clock = options.clock ?? Date.now;
  }

  /** Downloads through the sender while the address is the service's own; follows a redirect elsewhere without the key. */
  async save(call: ApiCall, file: Omit<DownloadRequest, 'url' | 'signal'>): Promise<Downloaded> {
    const url = this.options.baseUrl.replace(/(?<!\/)\/+$/, '') + call.path;
    const opened: Answer[] = [];
    const stack: HttpStack = {
      ...this.options.stack,
      send: async (request) => {
        if (opened.length > 0) return this.options.stack.send(request);
        const mode = { keepsOpen: true, acceptsRedirect: true };
        const answer = await this.sender.run(
          call,
          { headers: { accept: '*/*' } },
          (response) => Promise.resolve(response),
          mode,
        );
        opened.push(answer);
        return { ...answer.response, body: checkedContent(answer) };
      },
    };
    const host = new URL(url).host;
    const allowPlainHttp = async (requestHost: string) =>
      requestHost === host || ((await file.allowPlainHttp?.(requestHost)) ?? false);
    try {
      const downloaded = await download(stack, { ...file, url, allowPlainHttp, signal: call.signal }, this.policy);
      opened[0]?.recorder.finish();
      return downloaded;
    } catch (error) {
      const [answer] = opened;
      if (!answer) throw error;
      const failure = answer.toError(error);
      answer.recorder.finish(failure);
      throw failure;
    }
  }

  /**
   * Like `download`, but recorded like any other call, from the first URL to the end of the file. The URL gives access to the file, so the
   * record contains only the host, the content type, and the length of URLs and headers.
   */
  async fetch(request: DownloadRequest): Promise<Downloaded> {
    const call: ApiCall = { method: 'GET', path: '/', work: 'read', signal: request.signal };
    const address = URL.parse(request.url);
    const recorder = new ExchangeRecorder({
      call,
      url: new URL(address?.origin ?? 'about:blank'),
      clock: this.clock,
      maxChars: this.limits.exchangeChars,
      onExchange: (exchange) => this.options.onExchange?.({ ...exchange, isResult: true, path: '/…' }),
    });
    const endpoint = `GET ${address?.host ?? ''}`;
    const watched: HttpStack = { ...this.options.stack, send: (sent) => this.sendWatched(sent, recorder) };
    try {
      const downloaded = await download(watched, { ...request, allowPlainHttp: this.plainHttp(request) }, this.policy);
      recorder.finish();
      return downloaded;
    } catch (error) {
      const failure = toCallError(error, {
        call,
        endpoint,
        redact: createRedact([]),
        exchangeId: recorder.hasSent ? recorder.id : undefined,
      });
      recorder.finish(failure);
      throw failure;
    }
  }

  /** A service that is called unencrypted may have its results fetched so. */
  private plainHttp({ allowPlainHttp }: DownloadRequest): (host: string) => Promise<boolean> {
    const { protocol, hostname } = new URL(this.options.baseUrl);
    const isOwn = (host: string) => protocol === 'http:' && new URL(`http://${host}`).hostname === hostname;
    return async (host) => isOwn(host) || ((await allowPlainHttp?.(host)) ?? false);
  }

  private async sendWatched(request: HttpRequest, recorder: ExchangeRecorder): Promise<HttpResponse> {
    const startedAt = this.clock();
    const { stack } = this.options;
    try {
      const response = await stack.send(request);
      recorder.attempt({ startedAt, stack: response.via ?? stack.name, status: response.status });
      const { 'content-type': type, 'content-length': length } = response.headers;
      const headers = { ...(type && { 'content-type': type }), ...(length && { 'content-length': length }) };
      recorder.response({ status: response.status, headers });
      return { ...response, body: watchedBody(response.body, (chunk) => recorder.responseBytes(chunk.byteLength)) };
    } catch (error) {
      recorder.attempt({ startedAt, stack: stack.name });
      throw error;
    }
  }
}

/** Rejects a web page or an envelope in place of the content by its first chunk; errors in the content's own lines are part of it. */
function checkedContent({ response, recorder }: Answer): HttpResponse['body'] {
  let isFirst = true;
  return watchedBody(response.body, (chunk) => {
    recorder.responseBytes(chunk.byteLength);
    if (isFirst && response.status === 200 && isNoContent(chunk)) {
      throw rejectionOf(new TextDecoder().decode(chunk), 'file');
    }
    isFirst = false;
  });
}

function isNoContent(chunk: Uint8Array): boolean {
  const head = new TextDecoder().decode(chunk.subarray(0, 4096));
  return isHtml(head) || /^\s*\{\s*"code"\s*:\s*\d/.test(head);
}

/**
 * Returns a body that passes each chunk to `onChunk` as it is read. If that throws, the body is abandoned. Not a generator, because one
 * that never started would not pass the abandonment on, and the connection would stay open.
 */
function watchedBody(body: HttpResponse['body'], onChunk: (chunk: Uint8Array) => void): HttpResponse['body'] {
  return {
    [Symbol.asyncIterator]() {
      const chunks = body[Symbol.asyncIterator]();
      return {
        async next() {
          const chunk = await chunks.next();
          if (chunk.done === true) return chunk;
          try {
            onChunk(chunk.value);
          } catch (error) {
            await chunks.return?.();
            throw error;
          }
          return chunk;
        },
        async return() {
          await chunks.return?.();
          return { done: true, value: undefined };
        },
      };
    },
  };
}
