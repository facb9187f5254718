import * as z from 'zod/mini';
import { writeAtomically } from '../../storage/atomicFile';
import { checkRequest, warningsOf, withOwn, type Bounds } from '../bounds';
import { serviceOf } from '../chat/chatWays';
import type { ClientOptions } from '../clientOptions';
import { missingEndpoint } from '../errors';
import { isObject } from '../isObject';
import { present, presentWords } from '../present';
import { mostEntries } from '../tolerant';
import type { DownloadRequest, Downloaded, Progress, Transport } from '../transport/transport';
import { batchBounds, checkMetadata } from './batches.bounds';
import {
  batchIdRequest,
  batchListRequest,
  batchListResponse,
  batchRequest,
  batchResponse,
  faultOf,
} from './batches.schema';
import { addPages, resultPages, resultsIn, statusOf } from './batchForms';
import type { Batch, BatchOnTheWire, BatchPage, BatchRequest } from './batches.schema';
import { createMessageBatches, createOpenRouterBatches } from './inlineBatches';
import type { InlineBatchRequest } from './inlineBatches.schema';
import type { ParameterWarning } from '../parameters';

type ResultsTarget = Omit<DownloadRequest, 'url' | 'signal'>;

/** How requests reach a service: in a file that was uploaded before, or in the call that creates the batch, in the form of one of two services. */
export type BatchForm = 'file' | 'anthropic' | 'openrouter';

export interface Batches {
  readonly form: BatchForm;
  /** Throws kind `notOffered` unless the form is `file`. */
  create(request: BatchRequest, signal?: AbortSignal): Promise<Batch>;
  /**
   * Creates a batch with the requests in a file: each line is one in the service's own form, without blank lines and a line break at the
   * end. Throws kind `notOffered` if the form is `file`.
   */
  createInline(request: InlineBatchRequest & Progress, signal?: AbortSignal): Promise<Batch>;
  list(request?: { readonly limit?: number; readonly after?: string }, signal?: AbortSignal): Promise<BatchPage>;
  retrieve(request: { readonly id: string }, signal?: AbortSignal): Promise<Batch>;
  cancel(request: { readonly id: string }, signal?: AbortSignal): Promise<Batch>;
  /** Deletes a batch that has ended, with its requests and results. Throws kind `notOffered` if its files are deleted instead. */
  delete(request: { readonly id: string }, signal?: AbortSignal): Promise<void>;
  /** Saves the results of a batch that `hasOwnResults`, one a line, in any order. */
  results(request: { readonly id: string } & ResultsTarget, signal?: AbortSignal): Promise<Downloaded>;
  warnings(request: BatchRequest): readonly ParameterWarning[];
}

/** Returns the batches of a service in the form that it has. */
export function createBatches(transport: Transport, options: ClientOptions): Batches {
  const service = serviceOf(options);
  if (service === 'anthropic') return createMessageBatches(transport);
  if (service === 'openrouter') return createOpenRouterBatches(transport);
  return createFileBatches(transport, withOwn(batchBounds, options.bounds?.batches));
}

function createFileBatches(transport: Transport, bounds: Bounds<BatchRequest>): Batches {
  return {
    form: 'file',
    createInline: () => Promise.reject(missingEndpoint('POST /messages/batches')),
    async results({ id, toPath, maxBytes, isPrivate }, signal) {
      checkRequest({ id }, batchIdRequest, { id: { minLength: 1 } });
      const reach = isPrivate === undefined ? {} : { isPrivate };
      const bytes = await writeAtomically(toPath, reach, async (file) => {
        await addPages(resultsOf(transport, id, signal), maxBytes, file);
        return file.bytes;
      });
      return { path: toPath, bytes, contentType: 'application/jsonl' };
    },
    delete: () => Promise.reject(missingEndpoint('DELETE /batches/{id}')),
    async create(request, signal) {
      checkRequest(request, batchRequest, bounds);
      checkMetadata(request.metadata);
      const call = { method: 'POST', path: '/batches', work: 'paid', isReport: true, signal } as const;
      return toBatch(await transport.json({ ...call, body: request, response: batchResponse() }));
    },
    async list(request = {}, signal) {
      checkRequest(request, batchListRequest, { limit: { integer: true, min: 1 } });
      const query = { limit: request.limit, after: request.after };
      const call = { method: 'GET', path: '/batches', query, work: 'read', signal } as const;
      const { list, first_id, last_id, has_more } = await transport.json({ ...call, response: batchListResponse });
      const page: BatchPage = {
        batches: list.map(toBatch),
        hasMore: (has_more ?? false) || list.length >= mostEntries,
      };
      return { ...page, ...presentWords({ firstId: first_id, lastId: last_id }) };
    },
    async retrieve({ id }, signal) {
      checkRequest({ id }, batchIdRequest, { id: { minLength: 1 } });
      const path = pathOf(id);
      const call = { method: 'GET', path, route: '/batches/{id}', work: 'read', isReport: true, signal } as const;
      return toBatch(await transport.json({ ...call, response: batchResponse(id) }));
    },
    async cancel({ id }, signal) {
      checkRequest({ id }, batchIdRequest, { id: { minLength: 1 } });
      const path = `${pathOf(id)}/cancel`;
      const call = {
        method: 'POST',
        path,
        route: '/batches/{id}/cancel',
        work: 'change',
        isReport: true,
        signal,
      } as const;
      return toBatch(await transport.json({ ...call, response: batchResponse(id) }));
    },
    warnings: (request) => warningsOf(request, bounds),
  };
}

/** Google has the path in its IDs. */
function pathOf(id: string): string {
  return `/batches/${encodeURIComponent(id.replace(/^batches\/(?=[^/]+$)/, ''))}`;
}

/** Yields the results that a batch has in itself, as at Google, or else those at their own path, as at xAI. */
async function* resultsOf(
  transport: Transport,
  id: string,
  signal: AbortSignal | undefined,
): AsyncGenerator<readonly unknown[]> {
  const read = async (end: '' | '/results', query: Readonly<Record<string, string | number>>) => {
    const route = `/batches/{id}${end}`;
    const call = { method: 'GET', path: pathOf(id) + end, route, query, work: 'read', isReport: true, signal } as const;
    return transport.json({ ...call, response: z.unknown() });
  };
  const { results: own } = resultsIn(await read('', {}));
  if (own.length > 0) yield own;
  else yield* resultPages((query) => read('/results', query));
}

function toBatch(wire: BatchOnTheWire): Batch {
  const { request_counts: counts } = wire;
  return {
    id: wire.id,
    status: statusOf(wire.status),
    ...presentWords({
      endpoint: wire.endpoint,
      inputFileId: wire.input_file_id,
      outputFileId: wire.output_file_id,
      errorFileId: wire.error_file_id,
      completionWindow: wire.completion_window,
      fileName: wire.file_name,
    }),
    ...timesOf(wire),
    errors: errorsOf(wire.errors),
    ...(counts
      ? { requestCounts: present({ total: counts.total, completed: counts.completed, failed: counts.failed }) }
      : {}),
    ...(wire.has_own_results && { hasOwnResults: true as const }),
    metadata: Object.fromEntries(Object.entries(wire.metadata ?? {}).map(([key, value]) => [key, toWords(value)])),
  };
}

function timesOf(wire: BatchOnTheWire) {
  return present({
    createdAt: wire.created_at,
    inProgressAt: wire.in_progress_at,
    expiresAt: wire.expires_at,
    finalizingAt: wire.finalizing_at,
    completedAt: wire.completed_at,
    failedAt: wire.failed_at,
    expiredAt: wire.expired_at,
    cancellingAt: wire.cancelling_at,
    cancelledAt: wire.cancelled_at,
  });
}

/** Reads one error or several: a list, bare or as `data`, an object with an error for each line, or the error itself. */
function errorsOf(errors: unknown): Batch['errors'] {
  if (Array.isArray(errors)) return errors.filter((error) => error !== null).map(faultOf);
  const list =
    isObject(errors) && !('message' in errors) && ['data', 'errors', 'messages'].find((name) => name in errors);
  if (isObject(errors) && list) return errorsOf(errors[list]);
  if (isObject(errors) && Object.keys(errors).some((line) => /^\d+$/.test(line))) {
    return Object.entries(errors).map(([line, error]) => ({ line: Number(line), ...faultOf(error) }));
  }
  const isNone = !errors || (isObject(errors) && Object.keys(errors).length === 0);
  return isNone ? [] : [faultOf(errors)];
}

function toWords(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
