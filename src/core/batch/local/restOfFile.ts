import { createHash } from 'node:crypto';
import { exists } from '../../storage/privateFiles';
import { writeLines } from '../transform/writeLines';
import type { WriteOptions } from '../transform/writeLines';
import { readLines } from '../transform/lines';

interface WrittenRest {
  readonly requests: number;
  /** Of the entire file, in hexadecimal. */
  readonly sha256: string;
}

/** Writes the lines that are not in `done` because they have no result yet, byte for byte. */
export async function writeRest(input: string, done: ReadonlySet<number>, options: WriteOptions): Promise<WrittenRest> {
  const hash = createHash('sha256');
  return writeLines(options, async (file) => {
    for await (const lines of readLines(input, options)) {
      for (const { number, bytes } of lines) {
        if (done.has(number)) continue;
        await file.line(bytes);
        hash.update(bytes).update('\n');
      }
    }
    return { requests: file.lines, sha256: hash.digest('hex') };
  });
}

/** Returns an unused path next to `file`: `requests.rest.jsonl`, `requests.rest-2.jsonl` and so on. */
export async function restPath(file: string): Promise<string> {
  const base = file.replace(/\.jsonl$/i, '').replace(/\.rest(-\d+)?$/, '');
  for (let number = 1; ; number++) {
    const path = `${base}.rest${number === 1 ? '' : `-${number}`}.jsonl`;
    if (!(await exists(path))) return path;
  }
}
