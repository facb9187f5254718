import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { fileTextWords } from '../words/makingWords';
import type { RowSource } from './rowSource';

/** Longer texts exceed what models accept in one request. */
const largestFileBytes = 4 << 20;

/** A file and its name in requests. */
export interface NamedFile {
  readonly file: string;
  readonly name: string;
}

/** A file that is not turned into a request, with the reason as the end of a sentence. */
export interface LeftOutFile {
  readonly name: string;
  readonly why: string;
}

/** Returns a row per file, in order. Files that aren't text, too long, or unreadable are reported and omitted. */
export function fileRows(files: readonly NamedFile[], onLeftOut: (file: LeftOutFile) => void): RowSource {
  return {
    columns: ['text', 'path', 'name'],
    bytes: files.length,
    async *rows({ signal, onProgress } = {}) {
      for (const [index, { file, name }] of files.entries()) {
        signal?.throwIfAborted();
        const read = await readText(file);
        if (read.text === undefined) onLeftOut({ name, why: read.why });
        else yield [read.text, name, path.posix.basename(name)];
        onProgress?.(index + 1);
      }
    },
  };
}

type Reading = { readonly text: string } | { readonly text: undefined; readonly why: string };

async function readText(file: string): Promise<Reading> {
  try {
    const { size } = await stat(file);
    if (size > largestFileBytes) return { text: undefined, why: fileTextWords.tooLarge('4 MB') };
    const text = new TextDecoder('utf-8', { fatal: true }).decode(await readFile(file));
    return text.includes('\0') ? { text: undefined, why: fileTextWords.notText() } : { text };
  } catch (error) {
    if (error instanceof TypeError) return { text: undefined, why: fileTextWords.notText() };
    return { text: undefined, why: fileTextWords.unreadable(error instanceof Error ? error.message : String(error)) };
  }
}
