import busboy from 'busboy';
import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';
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

export async function readJson(request: IncomingMessage): Promise<RequestBody> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of request as AsyncIterable<Buffer>) {
    size += piece.length;
    if (size > maxJsonBytes) throw new Refusal(413, 20015, 'The request body is too large.');
    pieces.push(piece);
  }
  if (!(request.headers['content-type'] ?? '').toLowerCase().includes('json')) {
    throw badParameter('Content-Type must be application/json.');
  }
  const values = parse(Buffer.concat(pieces).toString('utf8'));
  if (!isRecord(values)) throw badParameter('The request body must be a JSON object.');
  return { values, files: [], size };
}

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

/** Reads a form, streaming each file to the path that `place` returns. */
export async function readForm(request: IncomingMessage, place: () => string): Promise<RequestBody> {
  const form = openForm(request);
  const values: Record<string, unknown> = {};
  const files: UploadedFile[] = [];
  const writes: Promise<void>[] = [];
  let size = 0;
  request.on('data', (piece: Buffer) => (size += piece.length));
  form.on('field', (name, value) => (values[name] = value));
  form.on('file', (field, stream, { filename, mimeType }) => {
    const path = place();
    const write = keepStream(stream, path).then((kept) => {
      if ((stream as { truncated?: boolean }).truncated) throw new Refusal(413, 20015, 'The file is larger than 1 GB.');
      files.push({ field, filename: filename ?? '', contentType: mimeType, path, ...kept });
    });
    // It may fail before the rest of the form has come, when nobody waits for it yet.
    write.catch(() => undefined);
    writes.push(write);
  });
  try {
    await pipeline(request, form);
    await finished(form).catch(() => undefined);
    await Promise.all(writes);
  } catch (error) {
    await Promise.allSettled(writes);
    await discard(files);
    throw error instanceof Refusal ? error : badParameter('The form data is broken off or malformed.');
  }
  return { values, files, size };
}

async function keepStream(stream: Readable, path: string): Promise<Pick<UploadedFile, 'bytes' | 'sha256'>> {
  // It may be broken off before it is read, and an error that nobody listens to ends the process. `pipeline` reports it all the same.
  stream.on('error', () => undefined);
  const handle = await openFile(path, 'w').catch((error: unknown) => {
    // An unread stream would block the rest of the form.
    stream.resume();
    throw error;
  });
  const target = handle.createWriteStream({ flush: true });
  const hash = createHash('sha256');
  stream.on('data', (piece: Buffer) => hash.update(piece));
  await pipeline(stream, target);
  return { bytes: target.bytesWritten, sha256: hash.digest('hex') };
}

export async function discard(files: readonly UploadedFile[]): Promise<void> {
  await Promise.all(files.map((file) => rm(file.path, { force: true })));
}
