import { randomUUID } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { open, stat } from 'node:fs/promises';
import { ApiError } from '../errors';
import type { StreamedBody, UploadFile, UploadParts } from './transport';

export interface MultipartBody {
  /** With the boundary, for the `content-type` header. */
  readonly contentType: string;
  readonly body: StreamedBody;
}

/** Read from disk at a time: large enough to be fast, small enough that a slow line shows progress. */
const readBytes = 256 * 1024;

/**
 * Frames a form by hand (RFC 7578), so that its exact length is known and a file is never held in memory. Progress counts bytes
 * of the whole form as the stack accepts them, and begins again when the body is opened again. Rejects with kind `file` when
 * the file cannot be read; so does the body when the file is no longer the one that was measured here.
 */
export async function multipartBody(parts: UploadParts, boundary: string = newBoundary()): Promise<MultipartBody> {
  const { fields, file, onProgress } = parts;
  const preamble = Buffer.from(
    Object.entries(fields)
      .map(([name, value]) => `--${boundary}\r\n${disposition(name)}\r\n\r\n${value}\r\n`)
      .join('') + fileHeader(file, boundary),
  );
  const epilogue = Buffer.from(`\r\n--${boundary}--\r\n`);
  const content = await measure(file.source);
  const contentLength = preamble.length + content.size + epilogue.length;
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    body: {
      contentLength,
      async *open() {
        let accepted = 0;
        for await (const chunk of joined(preamble, content.read(), epilogue)) {
          yield chunk;
          accepted += chunk.length;
          onProgress?.(accepted, contentLength);
        }
      },
    },
  };
}

function newBoundary(): string {
  return `----inferenceDesk${randomUUID().replaceAll('-', '')}`;
}

function fileHeader({ field, filename, contentType }: UploadFile, boundary: string): string {
  const type = contentType.replace(/[^\x20-\x7e]/g, '');
  return `--${boundary}\r\n${disposition(field)}; filename="${quoted(filename)}"\r\nContent-Type: ${type}\r\n\r\n`;
}

function disposition(name: string): string {
  return `Content-Disposition: form-data; name="${quoted(name)}"`;
}

/** As browsers do: UTF-8 as it is, and the three characters that would end the value or the line escaped. */
function quoted(value: string): string {
  return value.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

async function* joined(before: Uint8Array, content: AsyncIterable<Uint8Array>, after: Uint8Array) {
  yield before;
  yield* content;
  yield after;
}

interface Content {
  readonly size: number;
  read(): AsyncGenerator<Uint8Array>;
}

async function measure(source: UploadFile['source']): Promise<Content> {
  if ('bytes' in source) {
    const { bytes } = source;
    return {
      size: bytes.length,
      async *read() {
        yield bytes;
      },
    };
  }
  const { path } = source;
  const measured = await stat(path).catch((cause: unknown) => Promise.reject(unreadable(path, cause)));
  if (!measured.isFile()) throw new ApiError({ kind: 'file', message: `${path} is not a file.`, sent: false });
  return { size: measured.size, read: () => readFile(path, measured) };
}

interface Measured {
  readonly size: number;
  readonly mtimeMs: number;
}

async function* readFile(path: string, measured: Measured): AsyncGenerator<Uint8Array> {
  const handle = await open(path).catch((cause: unknown) => Promise.reject(unreadable(path, cause)));
  try {
    await checkUnchanged(handle, path, measured);
    let position = 0;
    while (position < measured.size) {
      // A fresh buffer each time: the stack may still hold the last one.
      const buffer = Buffer.allocUnsafe(Math.min(readBytes, measured.size - position));
      const { bytesRead } = await handle
        .read(buffer, 0, buffer.length, position)
        .catch((cause: unknown) => Promise.reject(unreadable(path, cause)));
      if (bytesRead === 0) throw changed(path);
      position += bytesRead;
      // Looked at before the last piece leaves, so that a form made of two versions never arrives whole.
      if (position === measured.size) await checkUnchanged(handle, path, measured);
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await handle.close();
  }
}

async function checkUnchanged(handle: FileHandle, path: string, { size, mtimeMs }: Measured): Promise<void> {
  const now = await handle.stat();
  if (now.size !== size || now.mtimeMs !== mtimeMs) throw changed(path);
}

function changed(path: string): ApiError {
  return new ApiError({
    kind: 'file',
    message: `${path} changed while it was being sent. Nothing was stored; send it again.`,
  });
}

function unreadable(path: string, cause: unknown): ApiError {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause);
  return new ApiError({ kind: 'file', message: `${path} could not be read (${code}).`, sent: false, cause });
}
