import { basename } from 'node:path';
import { checkRequest } from '../bounds';
import { ApiError } from '../errors';
import { factsOf } from '../errorBody';
import { isObject } from '../isObject';
import { present, presentWords } from '../present';
import type { DownloadRequest, Downloaded, Progress, Transport } from '../transport/transport';
import {
  fileContentRequest,
  fileDeletedResponse,
  fileIdRequest,
  fileListRequest,
  fileListResponse,
  fileResponse,
  fileUploadRequest,
} from './files.schema';
import type { FileOnTheWire, RemoteFile } from './files.schema';

const purpose = 'batch';

export interface Files {
  /** `filename` defaults to the base name of `path`. */
  upload(
    request: { readonly path: string; readonly filename?: string | undefined } & Progress,
    signal?: AbortSignal,
  ): Promise<RemoteFile>;
  /** Throws kind `notFound` if there is no such file, or the service does not report on single files. */
  retrieve(request: { readonly id: string }, signal?: AbortSignal): Promise<RemoteFile>;
  list(request: { readonly limit?: number | undefined }, signal?: AbortSignal): Promise<readonly RemoteFile[]>;
  /** Saves a file's content. `file` is an id, or the address that a batch has in place of one. */
  content(
    request: { readonly file: string } & Omit<DownloadRequest, 'url' | 'signal'>,
    signal?: AbortSignal,
  ): Promise<Downloaded>;
  /** Throws kind `notFound` if there is no such file, and `notOffered` if the service deletes none. */
  delete(request: { readonly id: string }, signal?: AbortSignal): Promise<void>;
}

export function createFiles(transport: Transport): Files {
  return {
    async upload({ onProgress, ...request }, signal) {
      checkRequest(request, fileUploadRequest, { path: { minLength: 1 }, filename: { minLength: 1 } });
      const { path, filename = basename(path) } = request;
      const uploaded = await transport.upload({
        method: 'POST',
        path: '/files',
        work: 'upload',
        isReport: true,
        fields: { purpose },
        file: { field: 'file', filename, contentType: 'application/jsonl', source: { path } },
        onProgress,
        response: fileResponse,
        signal,
      });
      return toRemoteFile(uploaded);
    },
    async retrieve({ id }, signal) {
      checkRequest({ id }, fileIdRequest, { id: { minLength: 1 } });
      const call = { method: 'GET', path: `/files/${encodeURIComponent(id)}`, route: '/files/{id}' } as const;
      return toRemoteFile(
        await transport.json({ ...call, work: 'read', isReport: true, signal, response: fileResponse }),
      );
    },
    async list(request, signal) {
      checkRequest(request, fileListRequest, { limit: { integer: true, min: 1 } });
      const query = { purpose, limit: request.limit };
      const call = { method: 'GET', path: '/files', query, work: 'read', signal } as const;
      const { list } = await transport.json({ ...call, response: fileListResponse });
      return list.map(toRemoteFile);
    },
    async content({ file, ...target }, signal) {
      checkRequest({ file }, fileContentRequest, { file: { minLength: 1 } });
      if (/^https?:\/\//i.test(file))
        return transport.download({ ...target, url: file, ...(signal ? { signal } : {}) });
      const path = `/files/${encodeURIComponent(file)}/content`;
      const timers = { totalMs: 60 * 60 * 1000 };
      return transport.save({
        method: 'GET',
        path,
        route: '/files/{id}/content',
        work: 'read',
        timers,
        file: target,
        signal,
      });
    },
    async delete({ id }, signal) {
      checkRequest({ id }, fileIdRequest, { id: { minLength: 1 } });
      const call = { method: 'DELETE', path: `/files/${encodeURIComponent(id)}`, route: '/files/{id}' } as const;
      const { deleted } = await transport.json({ ...call, work: 'change', signal, response: fileDeletedResponse });
      if (deleted !== false) return;
      throw new ApiError({ kind: 'server', message: `The service could not delete ${id}.`, sent: true });
    },
  };
}

function toRemoteFile(wire: FileOnTheWire): RemoteFile {
  const { id, filename, bytes, purpose: use, createdAt, created_at, line_count } = wire;
  const status = wire.status ?? wire.state ?? '';
  const state = pendingStatuses.test(status) ? 'pending' : failedStatuses.test(status) ? 'error' : undefined;
  const reason = state === 'error' ? reasonOf(wire) : undefined;
  return {
    id,
    ...(state && { state }),
    ...(reason && { stateReason: reason }),
    ...presentWords({ filename, purpose: use }),
    ...present({ bytes, createdAt: createdAt ?? created_at, lineCount: line_count }),
  };
}

const pendingStatuses =
  /^(pending|uploading|processing|running|not_?running|in_?progress|validating|queued|importing)$/i;
const failedStatuses = /^(error|errored|failed|failure|invalid|rejected|deleted|deleting|expired)$/i;

function reasonOf({ status_details: details, ...wire }: FileOnTheWire): string | undefined {
  if (typeof details === 'string' && details !== '') return details;
  const listed: unknown = Array.isArray(details) ? details[0] : details;
  if (typeof listed === 'string' && listed !== '') return listed;
  return factsOf({ error: isObject(listed) ? listed : (wire['error'] ?? wire['last_error']), message: wire['message'] })
    ?.message;
}
