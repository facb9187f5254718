import { createReadStream } from 'node:fs';
import type { ProgressMonitor } from '../../async/progressMonitor';
import type { TextEncoding } from '../../workspace/textEncoding';
import { notTextProblem } from '../fileProblems';
import { fileTextWords } from '../words/makingWords';
import { MakingError } from './makingError';

/** Small enough that processing one chunk does not block the extension host noticeably. */
const pieceBytes = 1 << 16;

/**
 * Yields the text of a file in chunks of UTF-8, without a byte-order mark. `encoding`: that of the file, UTF-8 by default. Throws if the
 * bytes are invalid.
 */
export async function* utf8Pieces(
  path: string,
  { signal, onProgress }: Partial<ProgressMonitor> = {},
  encoding?: TextEncoding,
): AsyncGenerator<Buffer> {
  if (encoding !== undefined) {
    yield* convertedPieces(path, encoding, { signal, onProgress });
    return;
  }
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const stream = createReadStream(path, { highWaterMark: pieceBytes, ...(signal && { signal }) });
  let read = 0;
  for await (const piece of stream as AsyncIterable<Buffer>) {
    const problem = read === 0 ? notTextProblem(piece) : undefined;
    if (problem?.code === 'file.compressed') throw new MakingError(problem.message, problem.code);
    checkText(() => decoder.decode(piece, { stream: true }));
    const hasBom = read === 0 && piece.length > 2 && piece.readUIntBE(0, 3) === 0xefbbbf;
    read += piece.length;
    yield hasBom ? piece.subarray(3) : piece;
    onProgress?.(read);
  }
  checkText(() => decoder.decode());
}

async function* convertedPieces(
  path: string,
  encoding: TextEncoding,
  { signal, onProgress }: { readonly [Name in keyof ProgressMonitor]?: ProgressMonitor[Name] | undefined },
): AsyncGenerator<Buffer> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  let read = 0;
  for await (const piece of createReadStream(path, {
    highWaterMark: pieceBytes,
    ...(signal && { signal }),
  }) as AsyncIterable<Buffer>) {
    yield Buffer.from(checkText(() => decoder.decode(piece, { stream: true })));
    read += piece.length;
    onProgress?.(read);
  }
  yield Buffer.from(checkText(() => decoder.decode()));
}

/**
 * Returns the first part of a file that is not UTF-8 text, from which its encoding can be guessed, beginning at a line unless it is the start
 * of the file. `undefined` if the file is UTF-8 or compressed.
 */
export async function partNotUtf8(path: string): Promise<Uint8Array | undefined> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let isFirst = true;
  for await (const piece of createReadStream(path, { highWaterMark: pieceBytes }) as AsyncIterable<Buffer>) {
    if (isFirst && notTextProblem(piece)?.code === 'file.compressed') return undefined;
    try {
      if (decoder.decode(piece, { stream: true }).includes('\0')) return piece;
    } catch {
      return isFirst ? piece : piece.subarray(piece.indexOf(0x0a) + 1);
    }
    isFirst = false;
  }
  return undefined;
}

function checkText(decode: () => string): string {
  try {
    const text = decode();
    if (!text.includes('\0')) return text;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
  }
  throw new MakingError(fileTextWords.notUtf8());
}
