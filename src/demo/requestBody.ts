import busboy from 'busboy';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { openFile } from '../core/storage/privateFiles';
import { Refusal, badParameter } from './refusal';
import { isRecord } from './validate';

/** A file part, stored on disk. An endpoint that needs it moves it away; otherwise it is deleted after the call. */
export interface UploadedFile {
  readonly field: string;
  readonly filename: string;
  readonly contentType: string;
  readonly path: string;
  readonly bytes: number;
  /** In hexadecimal. */
  readonly sha256: string;
}

export interface RequestBody {
  readonly values: Record<string, unknown>;
  readonly files: readonly UploadedFile[];
  readonly size: number;
}

/** Enough for a base64 image of 24 MB with its prompt. */
const maxJsonBytes = 32 * 1024 * 1024;
/** The batch guide's limit per file: 1 GB. */
const maxFileBytes = 1024 ** 3;

const tooLarge = (what: string) => new Refusal(413, 20015, `The ${what} is too large.`);

/** Yields the pieces of a stream. Whoever stops reading leaves the rest in it: a destroyed request could not be read off. */
const piecesOf = (stream: Readable): AsyncIterable<Buffer> => stream.iterator({ destroyOnReturn: false });

export async function readJson(request: IncomingMessage): Promise<RequestBody> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of piecesOf(request)) {
    size += piece.length;
    if (size > maxJsonBytes) throw tooLarge('request body');
    pieces.push(piece);
  }
  if (!(request.headers['content-type'] ?? '').toLowerCase().includes('json')) {
    throw badParameter('Content-Type must be application/json.');
  }
  const values = parse(Buffer.concat(pieces).toString('utf8'));
  if (!isRecord(values)) throw badParameter('The request body must be a JSON object.');
  return { values, files: [], size };
}

/**
 * Reads the rest of a request, for a long but limited time, and resolves to whether that was all. A client that gets its response early
 * might never send the rest (Node's own doesn't), and then waits forever unless the connection closes.
 */
export async function readOff(request: IncomingMessage, signal: AbortSignal): Promise<boolean> {
  if (request.readableEnded) return true;
  if (request.destroyed) return false;
  request.resume();
  const patience = AbortSignal.any([signal, AbortSignal.timeout(longestReadOffMs)]);
  return finished(request, { signal: patience, cleanup: true }).then(
    () => true,
    () => false,
  );
}

const longestReadOffMs = 30_000;

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw badParameter('The request body is not valid JSON.');
  }
}

function openForm(request: IncomingMessage): busboy.Busboy {
  try {
    return busboy({
      headers: request.headers,
      defParamCharset: 'utf8',
      limits: { fileSize: maxFileBytes, fieldSize: maxJsonBytes },
    });
  } catch {
    throw badParameter('Content-Type must be multipart/form-data with a boundary.');
  }
}

/** Reads a form, streaming each file to the path that `place` returns. If it rejects, no file is left. */
export async function readForm(request: IncomingMessage, place: () => string): Promise<RequestBody> {
  const form = openForm(request);
  const values: Record<string, unknown> = {};
  const files: UploadedFile[] = [];
  const writes: Promise<void>[] = [];
  let [size, fieldBytes] = [0, 0];
  form.on('field', (name, value, { valueTruncated }) => {
    fieldBytes += valueTruncated ? Infinity : value.length;
    if (fieldBytes <= maxJsonBytes) values[name] = value;
  });
  form.on('file', (field, stream, { filename, mimeType }) => {
    const path = place();
    const write = keepStream(stream, path).then((stored) => {
      files.push({ field, filename: filename ?? '', contentType: mimeType, path, ...stored });
      if ((stream as { truncated?: boolean }).truncated) throw tooLarge('file');
    });
    // It may fail before the rest of the form has come, when nobody waits for it yet.
    write.catch(() => undefined);
    writes.push(write);
  });
  const read = async () => {
    for await (const piece of piecesOf(request)) {
      size += piece.length;
      if (form.errored) throw form.errored;
      if (!form.write(piece)) await once(form, 'drain');
      if (fieldBytes > maxJsonBytes) throw tooLarge('form');
    }
    form.end();
    await finished(form);
  };
  // Reported as soon as the form is used again.
  form.on('error', () => undefined);
  const broken: unknown = await read().then(
    () => undefined,
    (error: unknown) => (error instanceof Refusal ? error : badParameter('The form data is broken off or malformed.')),
  );
  form.destroy();
  const failed = (await Promise.allSettled(writes)).find((write) => write.status === 'rejected');
  if (broken !== undefined || failed !== undefined) {
    await discard(files);
    throw broken ?? failed?.reason;
  }
  return { values, files, size };
}

async function keepStream(stream: Readable, path: string) {
  // It can break off before it is read, and an error without a listener ends the process. Its reader still gets the error.
  stream.on('error', () => undefined);
  const hash = createHash('sha256');
  let bytes = 0;
  try {
    const handle = await openFile(path, 'w');
    try {
      for await (const piece of piecesOf(stream)) {
        hash.update(piece);
        bytes += piece.length;
        await handle.appendFile(piece);
      }
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch (error) {
    // An unread stream would block the rest of the form.
    stream.resume();
    await rm(path, { force: true });
    throw error;
  }
  return { bytes, sha256: hash.digest('hex') };
}

export async function discard(files: readonly UploadedFile[]): Promise<void> {
  await Promise.all(files.map((file) => rm(file.path, { force: true })));
}
