import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { writeAtomically, type AtomicFile } from '../../storage/atomicFile';
import { hiddenBeside } from '../../storage/temporaryFiles';
import { checkRequest } from '../bounds';
import { missingEndpoint, ApiError } from '../errors';
import { present, presentWords } from '../present';
import { mostEntries } from '../tolerant';
import { linesBody } from '../transport/fileBody';
import type { ApiCall, Transport } from '../transport/transport';
import { usualHours, usualWindow } from './batches.bounds';
import { addPages, resultPages, statusOf } from './batchForms';
import type { Batches } from './batches';
import { batchIdRequest, batchListRequest, faultOf } from './batches.schema';
import type { Batch } from './batches.schema';
import {
  anyJson,
  inlineBatchRequest,
  messageBatch,
  messageBatchList,
  openRouterBatch,
  openRouterBatchList,
} from './inlineBatches.schema';
import type { MessageBatchOnTheWire, OpenRouterBatchOnTheWire } from './inlineBatches.schema';

/** The most that both services list at a time. */
const pageLength = 100;
/** As long as an upload may take, because the requests are a part of the call. */
const timers = { totalMs: 6 * 60 * 60 * 1000 };

const idBounds = { id: { minLength: 1 } } as const;
const listBounds = { limit: { integer: true, min: 1 } } as const;

/** The Message Batches of Anthropic. */
export function createMessageBatches(transport: Transport): Batches {
  const root = '/messages/batches';
  const pathOf = (id: string, end = '') => `${root}/${encodeURIComponent(id)}${end}`;
  const ask = async (call: ApiCall) => toMessageBatch(await transport.json({ ...call, response: messageBatch }));
  return {
    form: 'anthropic',
    create: () => Promise.reject(missingEndpoint('POST /batches')),
    async createInline({ onProgress, ...request }, signal) {
      checkRequest(request, inlineBatchRequest, { path: { minLength: 1 } });
      const { path } = request;
      const streamedBody = await linesBody({ before: '{"requests":[', path, after: ']}', onProgress });
      const call = { method: 'POST', path: root, work: 'paid', timers, signal } as const;
      return toMessageBatch(await transport.json({ ...call, streamedBody, response: messageBatch }));
    },
    async list(request = {}, signal) {
      checkRequest(request, batchListRequest, listBounds);
      const query = { limit: request.limit ?? pageLength, after_id: request.after };
      const call = { method: 'GET', path: root, query, work: 'read', signal } as const;
      return toPage(await transport.json({ ...call, response: messageBatchList }), toMessageBatch);
    },
    async retrieve({ id }, signal) {
      checkRequest({ id }, batchIdRequest, idBounds);
      return ask({ method: 'GET', path: pathOf(id), route: `${root}/{id}`, work: 'read', signal });
    },
    async cancel({ id }, signal) {
      checkRequest({ id }, batchIdRequest, idBounds);
      const route = `${root}/{id}/cancel`;
      return ask({ method: 'POST', path: pathOf(id, '/cancel'), route, work: 'change', signal });
    },
    async delete({ id }, signal) {
      await deleteAt(transport, { id, path: pathOf(id), route: `${root}/{id}`, signal });
    },
    // Uses the service's own URL, whatever URL the batch contains, because the key is sent nowhere else.
    async results({ id, ...file }, signal) {
      checkRequest({ id }, batchIdRequest, idBounds);
      const route = `${root}/{id}/results`;
      return transport.save({ method: 'GET', path: pathOf(id, '/results'), route, work: 'read', timers, file, signal });
    },
    warnings: () => [],
  };
}

/** The batches of OpenRouter: all requests for one model and one endpoint, and the results in the batch itself. */
export function createOpenRouterBatches(transport: Transport): Batches {
  const root = '/batches';
  const route = `${root}/{id}`;
  const pathOf = (id: string) => `${root}/${encodeURIComponent(id)}`;
  return {
    form: 'openrouter',
    create: () => Promise.reject(missingEndpoint('POST /files')),
    async createInline({ onProgress, ...request }, signal) {
      checkRequest(request, inlineBatchRequest, {
        path: { minLength: 1 },
        endpoint: { minLength: 1 },
        model: { minLength: 1 },
      });
      const { path, endpoint, model } = request;
      // The service reads the body as it comes, and rejects requests that come before these.
      const head = JSON.stringify({ endpoint, model, completion_window: usualWindow });
      const before = `${head.slice(0, -1)},"requests":[`;
      const streamedBody = await linesBody({ before, path, after: ']}', onProgress });
      const call = { method: 'POST', path: root, work: 'paid', model, timers, signal } as const;
      return toOpenRouterBatch(await transport.json({ ...call, streamedBody, response: openRouterBatch }));
    },
    async list(request = {}, signal) {
      checkRequest(request, batchListRequest, listBounds);
      const query = { limit: request.limit ?? pageLength, after: request.after };
      const call = { method: 'GET', path: root, query, work: 'read', signal } as const;
      return toPage(await transport.json({ ...call, response: openRouterBatchList }), toOpenRouterBatch);
    },
    async retrieve({ id }, signal) {
      checkRequest({ id }, batchIdRequest, idBounds);
      const call = { method: 'GET', path: pathOf(id), route, work: 'read', timers, signal } as const;
      return toOpenRouterBatch(await transport.json({ ...call, response: openRouterBatch, rescue: withoutResults }));
    },
    // Its reference has no way to cancel a batch.
    cancel: () => Promise.reject(missingEndpoint('POST /batches/{id}/cancel')),
    async delete({ id }, signal) {
      await deleteAt(transport, { id, path: pathOf(id), route, signal });
    },
    async results({ id, toPath, maxBytes, isPrivate }, signal) {
      checkRequest({ id }, batchIdRequest, idBounds);
      const raw = hiddenBeside(toPath);
      const file = { toPath: raw, maxBytes, isPrivate };
      const call = { method: 'GET', path: pathOf(id), route, work: 'read', timers, signal } as const;
      try {
        const saved = await transport.save({ ...call, file });
        const bytes = await writeAtomically(toPath, isPrivate === undefined ? {} : { isPrivate }, async (lines) => {
          if (await addResults(raw, lines)) return lines.bytes;
          const pages = { path: `${pathOf(id)}/results`, route: `${route}/results`, signal };
          return addPagesAt(transport, { ...pages, maxBytes }, lines);
        });
        return { ...saved, path: toPath, bytes };
      } finally {
        await rm(raw, { force: true });
      }
    },
    warnings: () => [],
  };
}

/** A call about one batch. */
interface CallOfBatch {
  readonly path: string;
  readonly route: string;
  readonly signal: AbortSignal | undefined;
}

/** Writes the results at their own path, one per line. Resolves to the number of bytes. Throws kind `badResponse` if there are none. */
async function addPagesAt(
  transport: Transport,
  { maxBytes, ...call }: CallOfBatch & { readonly maxBytes: number },
  to: AtomicFile,
): Promise<number> {
  const read = (query: ApiCall['query']) =>
    transport.json({ ...call, method: 'GET', work: 'read', query, response: anyJson });
  await addPages(resultPages(read), maxBytes, to);
  if (to.bytes > 0) return to.bytes;
  throw new ApiError({ kind: 'badResponse', message: 'The batch has no results.', sent: true });
}

async function deleteAt(transport: Transport, { id, ...call }: CallOfBatch & { readonly id: string }): Promise<void> {
  checkRequest({ id }, batchIdRequest, idBounds);
  await transport.json({ ...call, method: 'DELETE', work: 'change', response: anyJson });
}

/** The results can exceed the length limit of a response. The batch's own properties come before them. */
function withoutResults(beginning: string): string | undefined {
  const found = /(?<!\\)"results"\s*:\s*\[/.exec(beginning);
  return found ? `${beginning.slice(0, found.index)}"results":[{}]}` : undefined;
}

interface WirePage<T> {
  readonly list: readonly T[];
  readonly first_id?: string | undefined;
  readonly last_id?: string | undefined;
  readonly has_more?: boolean | undefined;
}

function toPage<T>({ list, first_id, last_id, has_more }: WirePage<T>, toBatch: (wire: T) => Batch) {
  const hasMore = (has_more ?? false) || list.length >= mostEntries;
  return { batches: list.map(toBatch), hasMore, ...presentWords({ firstId: first_id, lastId: last_id }) };
}

function toMessageBatch(wire: MessageBatchOnTheWire): Batch {
  const { processing = 0, succeeded = 0, errored = 0, canceled = 0, expired = 0 } = wire.request_counts ?? {};
  const failed = errored + canceled + expired;
  const isOver = wire.processing_status === 'ended';
  const end = canceled > 0 ? 'cancelled' : expired > 0 ? 'expired' : 'completed';
  const status = isOver ? end : wire.processing_status === 'canceling' ? 'cancelling' : wire.processing_status;
  return {
    id: wire.id,
    status: status || 'unknown',
    endpoint: '/v1/messages',
    completionWindow: usualWindow,
    ...present({
      createdAt: wire.created_at,
      inProgressAt: wire.created_at,
      expiresAt: wire.expires_at,
      cancellingAt: wire.cancel_initiated_at,
    }),
    ...(isOver && wire.ended_at !== undefined && { [`${end}At`]: wire.ended_at }),
    errors: [],
    ...(wire.request_counts && {
      requestCounts: { total: processing + succeeded + failed, completed: succeeded, failed },
    }),
    metadata: {},
    ...(isOver && { hasOwnResults: true as const }),
  };
}

function toOpenRouterBatch(wire: OpenRouterBatchOnTheWire): Batch {
  const { request_counts: counts, created_at: createdAt, finalized_at: endedAt, error } = wire;
  const status = statusOf(wire.status);
  const isEnd = ['completed', 'failed', 'expired', 'cancelled'].includes(status);
  const isAnswered = isEnd && ((counts?.completed ?? 0) > 0 || (counts?.failed ?? 0) > 0);
  const hasResults = status === 'completed' || isAnswered || (Array.isArray(wire.results) && wire.results.length > 0);
  const hours = Number(/^(\d{1,4})h$/.exec(wire.completion_window ?? '')?.[1] ?? usualHours);
  return {
    id: wire.id,
    status,
    ...presentWords({ endpoint: wire.endpoint, model: wire.model, completionWindow: wire.completion_window }),
    ...present({ createdAt, expiresAt: createdAt === undefined ? undefined : createdAt + hours * 3600 }),
    ...(isEnd && endedAt !== undefined && { [`${status}At`]: endedAt }),
    errors: error ? [faultOf(error)] : [],
    ...(counts && {
      requestCounts: present({ total: counts.total, completed: counts.completed, failed: counts.failed }),
    }),
    metadata: {},
    ...(hasResults && { hasOwnResults: true as const }),
  };
}

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const space = 0x20;
const lineEnd = Buffer.from('\n');
const name = Buffer.from('results');

/**
 * Writes the elements of the array `results` of a JSON object, one per line, without holding the file in memory. Resolves to whether there
 * is such an array. Throws kind `badResponse` if it isn't complete.
 */
async function addResults(from: string, to: AtomicFile): Promise<boolean> {
  const reader = new ResultsReader();
  for await (const piece of createReadStream(from, { highWaterMark: 1 << 20 }) as AsyncIterable<Buffer>) {
    for (const part of reader.read(piece)) await to.write(part);
    if (reader.state === 'ended') return true;
  }
  if (reader.state === 'before') return false;
  throw new ApiError({ kind: 'badResponse', message: 'The results are not complete.', sent: true });
}

/** Reads the elements of one array out of the bytes of a JSON object. */
class ResultsReader {
  state: 'before' | 'inside' | 'ended' = 'before';
  private depth = 0;
  private isInString = false;
  private isEscaped = false;
  /** How much of the last string of the object itself is the array's name; -1 if it is another one. */
  private matched = -1;
  /** Whether anything of the current element was read. */
  private isFilled = false;

  /** Returns what follows of the elements, with a line break after each. Overwrites line breaks within them. */
  read(piece: Buffer): readonly Uint8Array[] {
    const parts: Uint8Array[] = [];
    let start = 0;
    for (let at = 0; at < piece.length; at++) {
      const byte = piece[at] ?? 0;
      if (this.isInString) this.readString(byte);
      else if (byte === quote) {
        this.isInString = true;
        this.isFilled = true;
        this.matched = this.depth === 1 ? 0 : -1;
      } else if (byte < space) piece[at] = space;
      else if (byte === 0x7b || byte === 0x5b) {
        this.depth++;
        this.isFilled = true;
        const isResults = byte === 0x5b && this.depth === 2 && this.matched === name.length;
        if (isResults && this.state === 'before') {
          this.state = 'inside';
          this.isFilled = false;
          start = at + 1;
        }
      } else if (byte === 0x7d || byte === 0x5d) {
        this.depth--;
        if (this.state === 'inside' && this.depth === 1) {
          if (this.isFilled) parts.push(piece.subarray(start, at), lineEnd);
          this.state = 'ended';
          return parts;
        }
      } else if (byte === comma && this.state === 'inside' && this.depth === 2) {
        parts.push(piece.subarray(start, at), lineEnd);
        start = at + 1;
        this.isFilled = false;
      } else if (byte !== space) this.isFilled = true;
    }
    if (this.state === 'inside' && this.isFilled) parts.push(piece.subarray(start));
    return parts;
  }

  private readString(byte: number): void {
    if (this.isEscaped) this.isEscaped = false;
    else if (byte === backslash) this.isEscaped = true;
    else if (byte === quote) {
      this.isInString = false;
      return;
    }
    if (this.matched >= 0) this.matched = byte === name[this.matched] ? this.matched + 1 : -1;
  }
}
