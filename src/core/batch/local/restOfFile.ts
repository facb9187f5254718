import { createHash } from 'node:crypto';
import { exists } from '../../storage/privateFiles';
import { writeLines } from '../transform/writeLines';
import { readLines } from '../transform/lines';
import type { ReadOptions } from '../making/rowSource';

export interface RestOptions extends ReadOptions {
  /** The lines of the batch file that have a result. */
  readonly done: ReadonlySet<number>;
}

interface WrittenRest {
  readonly requests: number;
  /** Of the whole file, in hexadecimal. */
  readonly sha256: string;
}

/** Writes the lines that have no result yet, byte for byte, to a new file. */
export async function writeRest(
  input: string,
  target: string,
  { done, ...reading }: RestOptions,
): Promise<WrittenRest> {
  const hash = createHash('sha256');
  return writeLines(target, false, async (file) => {
    for await (const lines of readLines(input, reading)) {
      for (const { number, bytes } of lines) {
        if (done.has(number)) continue;
        await file.line(bytes);
        hash.update(bytes).update('\n');
      }
    }
    return { requests: file.lines, sha256: hash.digest('hex') };
  });
}

/** Returns an unused path beside `file`: `requests.rest.jsonl`, `requests.rest-2.jsonl` and so on. */
export async function restPath(file: string): Promise<string> {
  const base = file.replace(/\.jsonl$/i, '').replace(/\.rest(-\d+)?$/, '');
  for (let number = 1; ; number++) {
    const path = `${base}.rest${number === 1 ? '' : `-${number}`}.jsonl`;
    if (!(await exists(path))) return path;
  }
}
