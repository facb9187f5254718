import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { JobInput } from './batchJob';

const lineEnd = 10;

/** A file's hash, size and filled lines, read once as a stream. Throws what the file system throws. */
export async function readInput(
  path: string,
  options: {
    readonly signal?: AbortSignal;
    readonly onProgress?: (readBytes: number, totalBytes: number) => void;
  } = {},
): Promise<JobInput> {
  const { signal, onProgress } = options;
  const { size } = await stat(path);
  const hash = createHash('sha256');
  let bytes = 0;
  let requests = 0;
  let isFilled = false;
  for await (const chunk of createReadStream(path, {
    highWaterMark: 1024 * 1024,
    ...(signal && { signal }),
  }) as AsyncIterable<Buffer>) {
    hash.update(chunk);
    bytes += chunk.length;
    let start = 0;
    for (let at = chunk.indexOf(lineEnd); at >= 0; at = chunk.indexOf(lineEnd, start)) {
      if (isFilled || hasContent(chunk.subarray(start, at))) requests += 1;
      isFilled = false;
      start = at + 1;
    }
    isFilled ||= hasContent(chunk.subarray(start));
    onProgress?.(bytes, size);
  }
  return { path, sha256: hash.digest('hex'), bytes, requests: requests + (isFilled ? 1 : 0) };
}

function hasContent(part: Buffer): boolean {
  return part.some((byte) => byte > 32);
}
