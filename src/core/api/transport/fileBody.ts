import type { FileHandle } from 'node:fs/promises';
import { open, stat } from 'node:fs/promises';
import { ApiError, isApiError } from '../errors';
import type { StreamedBody } from './transport';

/** How much is read from disk and passed on at a time. As fast as curl; half of it is a tenth slower (measured). */
const pieceBytes = 1024 * 1024;

/** A file that is sent without being held in memory. */
export interface FileContent {
  readonly size: number;
  /** Rejects with kind `file` if the file cannot be read, or has changed since it was measured. A piece may be overwritten by the next. */
  read(): AsyncGenerator<Uint8Array>;
}

/** Measures a file that is to be sent. Rejects with kind `file` if it cannot be read. */
export async function measureFile(path: string): Promise<FileContent> {
  const measured = await stat(path).catch((cause: unknown) => Promise.reject(unreadable(path, cause)));
  if (!measured.isFile()) throw new ApiError({ kind: 'file', message: `${path} is not a file.`, sent: false });
  return { size: measured.size, read: () => readFile(path, measured) };
}

const lineFeed = 0x0a;
const comma = 0x2c;

/**
 * Returns a body that is `before`, the lines of a file as the elements of a JSON array, and `after`. Each line is a JSON value; the file
 * has no blank line, and no line break at its end. A line break becomes a comma, so that the length is known up front.
 */
export async function linesBody(parts: {
  readonly before: string;
  readonly path: string;
  readonly after: string;
  readonly onProgress?: ((sentBytes: number, totalBytes: number) => void) | undefined;
}): Promise<StreamedBody> {
  const [before, after] = [Buffer.from(parts.before), Buffer.from(parts.after)];
  const content = await measureFile(parts.path);
  const contentLength = before.length + content.size + after.length;
  return {
    contentLength,
    async *open() {
      yield before;
      let accepted = before.length;
      for await (const piece of content.read()) {
        for (let at = piece.indexOf(lineFeed); at >= 0; at = piece.indexOf(lineFeed, at + 1)) piece[at] = comma;
        yield piece;
        accepted += piece.length;
        parts.onProgress?.(accepted, contentLength);
      }
      yield after;
      parts.onProgress?.(contentLength, contentLength);
    },
  };
}

interface Measured {
  readonly size: number;
  readonly mtimeMs: number;
}

async function* readFile(path: string, measured: Measured): AsyncGenerator<Uint8Array> {
  const handle = await open(path).catch((cause: unknown) => Promise.reject(unreadable(path, cause)));
  // Two alternating buffers: the next piece is read while the stack processes this one, and memory use stays flat.
  const [first, second] = [newBuffer(measured.size), newBuffer(measured.size)];
  try {
    await checkUnchanged(handle, path, measured);
    let ahead = readPiece(handle, first, 0);
    for (let position = 0, turn = 1; position < measured.size; turn += 1) {
      const piece = await ahead;
      position += piece.length;
      if (piece.length === 0 || position > measured.size) throw changed(path);
      // Checked before the last piece is sent, so that a mix of two versions never arrives whole.
      if (position === measured.size) await checkUnchanged(handle, path, measured);
      else ahead = readPiece(handle, turn % 2 === 0 ? first : second, position);
      yield piece;
    }
  } catch (error) {
    throw isApiError(error) ? error : unreadable(path, error);
  } finally {
    // Waits for a pending read.
    await handle.close();
  }
}

function newBuffer(size: number): Buffer {
  return Buffer.allocUnsafe(Math.min(pieceBytes, size));
}

/** Fills the buffer as far as the file goes. A failure surfaces when the piece is awaited, so it is not reported as unhandled. */
function readPiece(handle: FileHandle, buffer: Buffer, position: number): Promise<Uint8Array> {
  const reading = fill(handle, buffer, position).then((length) => buffer.subarray(0, length));
  reading.catch(() => {});
  return reading;
}

async function fill(handle: FileHandle, buffer: Buffer, position: number): Promise<number> {
  let filled = 0;
  while (filled < buffer.length) {
    const { bytesRead } = await handle.read(buffer, filled, buffer.length - filled, position + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return filled;
}

async function checkUnchanged(handle: FileHandle, path: string, { size, mtimeMs }: Measured): Promise<void> {
  const now = await handle.stat();
  if (now.size !== size || now.mtimeMs !== mtimeMs) throw changed(path);
}

function changed(path: string): ApiError {
  return new ApiError({
    kind: 'file',
    message: `${path} changed during the upload. Upload the file again.`,
  });
}

function unreadable(path: string, cause: unknown): ApiError {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause);
  return new ApiError({ kind: 'file', message: `${path} could not be read (${code}).`, sent: false, cause });
}
