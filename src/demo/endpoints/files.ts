import { createReadStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { renameDurably } from '../../core/storage/atomicFile';
import type { Endpoint } from '../call';
import { badParameter, noSuchObject } from '../refusal';
import { secondsOf } from '../service';
import type { FileRecord } from '../store';
import { oneOf, optional, readStrictly, required } from '../validate';
import { envelope } from './envelope';

const purpose = required(oneOf('batch'));

/** Counts the lines that are not blank; the last one needs no line ending. */
export async function countLines(path: string): Promise<number> {
  let count = 0;
  let filled = false;
  for await (const piece of createReadStream(path) as AsyncIterable<Buffer>) {
    for (const byte of piece) {
      if (byte === 10) {
        if (filled) count += 1;
        filled = false;
      } else if (byte > 32) filled = true;
    }
  }
  return filled ? count + 1 : count;
}

export const uploadFile: Endpoint = {
  name: 'POST /files',
  body: 'form',
  handle: async ({ service, body, files, reply }) => {
    readStrictly(body, { purpose });
    const [upload] = files.filter((file) => file.field === 'file');
    if (upload === undefined) throw badParameter('Field required: file', 'file');
    const record: FileRecord = {
      id: `file-${service.newId()}`,
      bytes: upload.bytes,
      createdAt: secondsOf(service.clock()),
      filename: upload.filename,
      lineCount: await countLines(upload.path),
      kind: 'input',
    };
    await renameDurably(upload.path, service.store.pathOf('files', `${record.id}.jsonl`));
    service.store.state.files.push(record);
    await service.store.save();
    const { id, bytes, createdAt, filename } = record;
    return reply.json(200, envelope({ id, object: 'file', bytes, createdAt, filename, purpose: 'batch' }));
  },
};

export const listFiles: Endpoint = {
  name: 'GET /files',
  body: 'none',
  handle: ({ service, query, reply }) => {
    const { limit = 10 } = readStrictly(Object.fromEntries(query), { purpose, limit: optional(wholeNumber) });
    const newest = service.store.state.files
      .filter((file) => file.kind === 'input')
      .toReversed()
      .slice(0, limit)
      .map(({ id, bytes, createdAt, filename, lineCount }) => ({
        id,
        object: 'file',
        bytes,
        created_at: createdAt,
        filename,
        purpose: 'batch',
        line_count: lineCount,
      }));
    return reply.json(200, envelope({ data: newest, object: 'list' }));
  },
};

/** Parses a query parameter, which is a string: digits only, at least 1. */
export function wholeNumber(value: unknown, name: string): number {
  const figure = typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN;
  if (Number.isNaN(figure)) throw badParameter(`${name}: Input should be a valid integer`, name);
  if (figure < 1) throw badParameter(`${name}: Input should be greater than or equal to 1`, name);
  return figure;
}

export const fileContent: Endpoint = {
  name: 'GET /files/{id}/content',
  body: 'none',
  handle: async ({ service, params, reply }) => {
    const id = params['id'] ?? '';
    const file = service.store.state.files.find((item) => item.id === id);
    if (file === undefined) throw noSuchObject('file', id);
    const path = service.store.pathOf('files', `${id}.jsonl`);
    return reply.file(path, (await stat(path)).size, { 'Content-Type': 'application/octet-stream' });
  },
};

export const deleteFile: Endpoint = {
  name: 'DELETE /files/{id}',
  body: 'none',
  handle: async ({ service, params, reply }) => {
    const id = params['id'] ?? '';
    const { state } = service.store;
    if (!state.files.some((item) => item.id === id)) throw noSuchObject('file', id);
    state.files = state.files.filter((item) => item.id !== id);
    await service.store.save();
    await rm(service.store.pathOf('files', `${id}.jsonl`), { force: true });
    return reply.json(200, envelope({ id, object: 'file', deleted: true }));
  },
};
