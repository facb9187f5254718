import { setImmediate } from 'node:timers/promises';
import { chunksOf } from '../chunks';
import type { Chunk } from '../chunks';
import type { LeftOut } from './finding';

export interface TextLimits {
  readonly files: number;
  /** Larger files are left out. */
  readonly fileBytes: number;
  /** Of all files together. */
  readonly totalBytes: number;
}

/** Of a folder of text this is hundreds of thousands of lines; more takes too long to read each time. */
export const searchLimits: TextLimits = { files: 20_000, fileBytes: 4 * 1024 * 1024, totalBytes: 64 * 1024 * 1024 };
/** So long nothing else waits. */
const sliceMs = 12;

export interface FileText {
  /** As it is shown. */
  readonly path: string;
  readonly text: string;
}

export interface FileTexts<File extends FileText> {
  /** How many files there are to be read. */
  readonly count: number;
  readonly texts: AsyncIterable<File>;
  /** Complete when all texts were read. */
  readonly leftOut: LeftOut;
}

/** What is searched, and how a part of it is told. */
export interface SearchedFiles<File extends FileText, Where> {
  readonly open: (signal: AbortSignal) => Promise<FileTexts<File>>;
  readonly whereOf: (file: File, chunk: Chunk) => Where;
}

export interface FileChunk<File> {
  readonly file: File;
  readonly chunk: Chunk;
}

export interface ReadOptions {
  readonly signal: AbortSignal;
  readonly onRead: (files: number, of: number) => void;
}

/** Hands over the parts of all files; resolves to what was read and left out. `take` may end it by answering false. */
export async function readChunks<File extends FileText>(
  open: SearchedFiles<File, unknown>['open'],
  take: (chunk: FileChunk<File>) => boolean,
  { signal, onRead }: ReadOptions,
): Promise<{ readonly files: number; readonly leftOut: LeftOut }> {
  const { texts, count, leftOut } = await open(signal);
  let files = 0;
  let turn = performance.now();
  onRead(0, count);
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
    onRead(files, count);
  }
  return { files, leftOut };
}

/** What a model reads: the path tells what a part of a file is a part of. */
export function readable(path: string, text: string): string {
  return `${path}\n${text}`;
}
