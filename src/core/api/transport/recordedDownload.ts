import { toCallError } from './failure';
import type { Exchange } from '../exchange';
import { createRedact } from '../redact';
import { download } from './download';
import type { DownloadOptions } from './download';
import { ExchangeRecorder } from './exchangeRecorder';
import type { ApiCall, Downloaded, DownloadRequest, HttpResponse, HttpStack } from './transport';
import { watchedBody } from './watchedBody';

export interface RecordedDownloadOptions extends DownloadOptions {
  readonly clock: () => number;
  readonly maxChars: number;
  readonly onExchange: ((exchange: Exchange) => void) | undefined;
}

/**
 * Like `download`, but recorded like any other call, from the first address to the end of the file. Whoever has such an address has
 * the file, so the record retains only the host, the content type and the length of addresses and headers.
 */
export async function recordedDownload(
  stack: HttpStack,
  request: DownloadRequest,
  { clock, maxChars, onExchange, ...policy }: RecordedDownloadOptions,
): Promise<Downloaded> {
  const call: ApiCall = { method: 'GET', path: '/', work: 'read', signal: request.signal };
  const address = URL.parse(request.url);
  const recorder = new ExchangeRecorder({
    call,
    url: new URL(address?.origin ?? 'about:blank'),
    clock,
    maxChars,
    onExchange: (exchange) => onExchange?.({ ...exchange, isResult: true, path: '/…' }),
  });
  const endpoint = `GET ${address?.host ?? ''}`;
  const watched: HttpStack = { ...stack, send: (sent) => sendWatched(stack, sent, { recorder, clock }) };
  try {
    const downloaded = await download(watched, request, policy);
    recorder.finish();
    return downloaded;
  } catch (error) {
    const failure = toCallError(error, {
      call,
      endpoint,
      redact: createRedact([]),
      exchangeId: recorder.hasSent ? recorder.id : undefined,
      begun: false,
    });
    recorder.finish(failure);
    throw failure;
  }
}

interface Watch {
  readonly recorder: ExchangeRecorder;
  readonly clock: () => number;
}

async function sendWatched(
  stack: HttpStack,
  request: Parameters<HttpStack['send']>[0],
  { recorder, clock }: Watch,
): Promise<HttpResponse> {
  const startedAt = clock();
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
