import { openAtomic, type AtomicFile } from '../../storage/atomicFile';
import type { ApiErrorKind } from '../errorKinds';
import { ApiError, isApiError } from '../errors';
import { createAddressPolicy, type AddressPolicyOptions } from './addressPolicy';
import type { Downloaded, DownloadRequest, HttpResponse, HttpStack, Timers } from './transport';
import { parseJson } from '../parseJson';

export type DownloadOptions = Omit<AddressPolicyOptions, 'allowPlainHttp'>;

const maxRedirects = 5;
/** A clip of a few hundred megabytes over a slow connection is fine; a server that is silent for a minute is not. */
const timers: Timers = { connectMs: 15_000, firstByteMs: 60_000, idleMs: 60_000, totalMs: 3_600_000 };
const redirects = new Set([301, 302, 303, 307, 308]);

/**
 * Downloads a URL from a response without the key. `createAddressPolicy` checks every hop. The file appears at `toPath` only when complete,
 * and a failure leaves no partial file. Rejects with `unsafeUrl`, `tooLarge`, `truncated`, `notFound` (expired), `file`, or the stack's
 * error.
 */
export async function download(
  stack: HttpStack,
  request: DownloadRequest,
  options: DownloadOptions,
): Promise<Downloaded> {
  const response = await follow(stack, request, options);
  const declaredBytes = declaredLength(response);
  if (declaredBytes !== undefined && declaredBytes > request.maxBytes) {
    await leave(response);
    throw tooLarge(request.maxBytes);
  }
  const file = await openAtomic(request.toPath, request).catch(async (error: unknown) => {
    await leave(response);
    throw toFileError(error, request.toPath);
  });
  try {
    const { bytes, head } = await save(response.body, file, request, declaredBytes);
    if (declaredBytes !== undefined && bytes !== declaredBytes) {
      throw new ApiError({
        kind: 'truncated',
        message: `Only ${bytes} of ${declaredBytes} bytes were received.`,
        sent: true,
      });
    }
    const contentType = await sniffContentType(head, response.headers['content-type']);
    await file.place();
    return { path: request.toPath, bytes, contentType };
  } catch (error) {
    await keepPart(file, request, error);
    throw toFileError(error, request.toPath);
  }
}

async function follow(stack: HttpStack, request: DownloadRequest, options: DownloadOptions): Promise<HttpResponse> {
  const check = createAddressPolicy({ ...options, allowPlainHttp: request.allowPlainHttp });
  let url = parse(request.url);
  for (let hop = 0; hop <= maxRedirects; hop += 1) {
    await check(url);
    const response = await stack.send({
      method: 'GET',
      url,
      headers: { accept: '*/*' },
      timers,
      signal: request.signal,
    });
    if (response.status === 200) return response;
    await leave(response);
    const { location } = response.headers;
    if (!redirects.has(response.status) || !location) throw refusedByServer(response.status, url);
    url = parse(location, url);
  }
  throw new ApiError({
    kind: 'unsafeUrl',
    message: `The download link redirects more than ${maxRedirects} times.`,
    sent: true,
  });
}

async function keepPart(file: AtomicFile, { partTo }: DownloadRequest, error: unknown): Promise<void> {
  const isCut = isApiError(error) && ['truncated', 'network', 'timeout'].includes(error.kind);
  if (isCut && partTo !== undefined) await file.placePart(partTo).catch(() => undefined);
  await file.discard();
}

function parse(address: string, base?: URL): URL {
  if (!URL.canParse(address, base?.href)) {
    throw new ApiError({ kind: 'unsafeUrl', message: 'The download link is invalid.', sent: false });
  }
  return new URL(address, base);
}

/** Closes the connection of a response whose body is not needed. */
async function leave({ body }: HttpResponse): Promise<void> {
  await body[Symbol.asyncIterator]().return?.();
}

function refusedByServer(status: number, url: URL): ApiError {
  const message = `${url.host} returned ${status} for the download${[403, 404, 410].includes(status) ? '. The link might have expired' : ''}.`;
  return new ApiError({ kind: kindOf(status), message, status, sent: true });
}

function kindOf(status: number): ApiErrorKind {
  if (status === 403 || status === 404 || status === 410) return 'notFound';
  if (status === 429) return 'rateLimit';
  if (status === 503) return 'overloaded';
  return status >= 500 ? 'server' : 'badResponse';
}

function declaredLength({ headers }: HttpResponse): number | undefined {
  const word = headers['content-length'];
  return word !== undefined && /^\d+$/.test(word) ? Number(word) : undefined;
}

interface Saved {
  readonly bytes: number;
  /** The first bytes, enough to detect the content type. */
  readonly head: Uint8Array;
}

async function save(
  body: HttpResponse['body'],
  file: AtomicFile,
  request: DownloadRequest,
  totalBytes: number | undefined,
): Promise<Saved> {
  let head = Buffer.alloc(0);
  for await (const chunk of body) {
    if (file.bytes + chunk.byteLength > request.maxBytes) throw tooLarge(request.maxBytes);
    if (head.length < sniffBytes) head = Buffer.concat([head, chunk.subarray(0, sniffBytes - head.length)]);
    await file.write(chunk);
    request.onProgress?.(file.bytes, totalBytes);
  }
  // A full disk counts as such, and not as a result that was cut short.
  await file.close();
  return { bytes: file.bytes, head };
}

/** Returns the error for a file that is larger than whoever asked for it takes. */
export function tooLarge(maxBytes: number): ApiError {
  return new ApiError({
    kind: 'tooLarge',
    message: `The file exceeds ${maxBytes} bytes.`,
    sent: true,
  });
}

function toFileError(error: unknown, path: string): ApiError {
  if (isApiError(error)) return error;
  const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
  return new ApiError({ kind: 'file', message: `${path} could not be saved (${code}).`, cause: error });
}

/** How many bytes from the start of a file are inspected. */
const sniffBytes = 4100;

/**
 * Returns the content type of a file by its first bytes: images, video, audio and the text formats the service uses. If they are
 * inconclusive, returns the server's type without parameters, else `application/octet-stream`.
 */
export async function sniffContentType(head: Uint8Array, declared: string | undefined): Promise<string> {
  const { fileTypeFromBuffer } = await import('file-type');
  const mime = (await fileTypeFromBuffer(head))?.mime;
  if (mime && mime !== 'application/xml') return mime;
  const word = declared?.split(';')[0]?.trim().toLowerCase() || undefined;
  const text = textOf(head);
  return (
    (text === undefined ? undefined : textType(text)) ??
    word ??
    (text === undefined ? 'application/octet-stream' : 'text/plain')
  );
}

/** Returns `undefined` if the bytes are not UTF-8 text. Ignores a character cut off at the end. */
function textOf(head: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true });
    // oxlint-disable-next-line no-control-regex -- control characters are what tells binary from text
    return /[\x00-\x08\x0e-\x1a\x1c-\x1f]/.test(text) ? undefined : text.trimStart();
  } catch {
    return undefined;
  }
}

function textType(text: string): string | undefined {
  if (/^(<\?xml[^>]*>\s*)?(<!--[\s\S]*?-->\s*)*(<!doctype svg[^>]*>\s*)?<svg[\s>]/i.test(text)) return 'image/svg+xml';
  if (/^(<!--[\s\S]*?-->\s*)*<(!doctype html|html|head|body)[\s>]/i.test(text)) return 'text/html';
  if (!/^[{[]/.test(text)) return undefined;
  const [first = '', second = ''] = text.split(/\r?\n/, 2);
  // A complete value on the first line and another below it: JSON Lines. A single line is indistinguishable from JSON.
  return parseJson(first) !== undefined && second.startsWith('{') ? 'application/jsonl' : 'application/json';
}
