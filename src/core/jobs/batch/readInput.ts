import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { sampleOf } from '../../batch/job/estimateFileTokens';
import { objectOf, parseObject, textOf } from '../../batch/scan/jsonValue';
import type { JobInput } from './batchJob';

const lineEnd = 10;

/** How much of the file is searched for the first request. */
const mostOfFirst = 1 << 20;

/** Reads a file's hash, size, number of non-blank lines and first model, and estimates its tokens, in one streamed pass. Throws file system errors. */
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
  let first: Buffer | undefined;
  for await (const chunk of createReadStream(path, {
    highWaterMark: 1024 * 1024,
    ...(signal && { signal }),
  }) as AsyncIterable<Buffer>) {
    first ??= chunk.subarray(0, mostOfFirst);
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
  return {
    path,
    sha256: hash.digest('hex'),
    bytes,
    requests: requests + (isFilled ? 1 : 0),
    ...(first && { ...factsOf(first), ...tokensOf(first, bytes) }),
  };
}

/** Returns the model and the `url` of the first non-blank line, unless that is not a request that has them, or is cut off. */
function factsOf(start: Buffer) {
  const [line] = start.toString('utf8').replace(/^\s+/u, '').split('\n', 1);
  const request = parseObject(line ?? '');
  const model = textOf(objectOf(request?.['body'])?.['model']);
  const url = textOf(request?.['url']);
  return { ...(model && { model }), ...(url && { url }) };
}

/** Estimates from the first lines how many tokens all requests send, and the most that they receive. */
function tokensOf(start: Buffer, bytes: number) {
  const { tokens, shares } = sampleOf(start, bytes);
  const outputLimit = shares.reduce<number | undefined>(
    (sum, share) => (sum === undefined || share.outputLimit === undefined ? undefined : sum + share.outputLimit),
    0,
  );
  return tokens === undefined ? {} : { inputTokens: tokens, ...(outputLimit !== undefined && { outputLimit }) };
}

function hasContent(part: Buffer): boolean {
  return part.some((byte) => byte > 32);
}
