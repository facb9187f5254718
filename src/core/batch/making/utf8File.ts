import { createReadStream } from 'node:fs';
import type { ProgressMonitor } from '../../async/progressMonitor';
import { fileTextWords } from '../words/makingWords';
import { MakingError } from './makingError';

/** Small enough that processing one chunk does not block the extension host noticeably. */
const pieceBytes = 1 << 16;

/** Yields the bytes of a text file in chunks, without a byte-order mark. Throws if they are not valid UTF-8. */
export async function* utf8Pieces(
  path: string,
  { signal, onProgress }: Partial<ProgressMonitor> = {},
): AsyncGenerator<Buffer> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const stream = createReadStream(path, { highWaterMark: pieceBytes, ...(signal && { signal }) });
  let read = 0;
  for await (const piece of stream as AsyncIterable<Buffer>) {
    checkText(() => decoder.decode(piece, { stream: true }));
    const hasBom = read === 0 && piece.length > 2 && piece.readUIntBE(0, 3) === 0xefbbbf;
    read += piece.length;
    yield hasBom ? piece.subarray(3) : piece;
    onProgress?.(read);
  }
  checkText(() => decoder.decode());
}

function checkText(decode: () => string): void {
  try {
    if (!decode().includes('\0')) return;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
  }
  throw new MakingError(fileTextWords.notUtf8());
}
