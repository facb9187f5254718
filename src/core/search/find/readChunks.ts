import { setImmediate } from 'node:timers/promises';
import { chunksOf } from '../chunks';
import type { Chunk } from '../chunks';
import type { FindOptions, LeftOut } from './finding';

export interface TextLimits {
  readonly files: number;
  /** Larger files are omitted. */
  readonly fileBytes: number;
  /** Limit for all files together. */
  readonly totalBytes: number;
}

/** For a folder of text this is hundreds of thousands of lines. More takes too long to read for every search. */
export const searchLimits: TextLimits = { files: 20_000, fileBytes: 4 * 1024 * 1024, totalBytes: 64 * 1024 * 1024 };
/** How long to work before yielding to the event loop. */
const sliceMs = 12;

export interface FileText {
  /** As displayed. */
  readonly path: string;
  readonly text: string;
}

export interface FileTexts<File extends FileText> {
  /** The number of files to read. */
  readonly count: number;
  readonly texts: AsyncIterable<File>;
  /** Complete once all texts have been read. */
  readonly leftOut: LeftOut;
}

/** The files to search, and how to locate a part of one. */
export interface SearchedFiles<File extends FileText, Where> {
  readonly open: (signal: AbortSignal) => Promise<FileTexts<File>>;
  readonly whereOf: (file: File, chunk: Chunk) => Where;
}

export interface FileChunk<File> {
  readonly file: File;
  readonly chunk: Chunk;
}

/** Passes the parts of all files to `take`, which can return false to stop. Resolves to what was read and omitted. */
export async function readChunks<File extends FileText>(
  open: SearchedFiles<File, unknown>['open'],
  take: (chunk: FileChunk<File>) => boolean,
  { signal, onProgress }: FindOptions<never>,
): Promise<{ readonly files: number; readonly leftOut: LeftOut }> {
  const { texts, count, leftOut } = await open(signal);
  const onRead = (read: number) => onProgress({ kind: 'reading', files: read, of: count });
  let files = 0;
  let turn = performance.now();
  onRead(0);
  for await (const file of texts) {
    files += 1;
    for (const chunk of chunksOf(file.text)) {
      if (!take({ file, chunk }))
        return { files, leftOut: { ...leftOut, overLimit: leftOut.overLimit + count - files } };
      if (performance.now() - turn < sliceMs) continue;
      await setImmediate();
      signal.throwIfAborted();
      turn = performance.now();
    }
    onRead(files);
  }
  return { files, leftOut };
}

/** Returns the text as a model reads it: the path shows which file it is part of. */
export function readable(path: string, text: string): string {
  return `${path}\n${text}`;
}
