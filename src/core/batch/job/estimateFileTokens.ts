import { open } from 'node:fs/promises';
import { estimateTokens, textsOf } from '../../tokens/estimate';

/** How many bytes at the start of a file are read to estimate the whole. */
const sampleBytes = 256 * 1024;

/** What the first lines of a batch file say about the whole file. */
export interface FileSample {
  /** Of the whole file. */
  readonly bytes: number;
  /** The estimated tokens of all messages in the file; `undefined` if none of the lines read is a request. */
  readonly tokens: number | undefined;
  /** The distinct models in the lines read, in their order. */
  readonly models: readonly string[];
  /** Whether the lines read are the whole file. */
  readonly isWhole: boolean;
}

/** Returns only the tokens of `sampleBatchFile`. */
export async function estimateFileTokens(path: string): Promise<number | undefined> {
  return (await sampleBatchFile(path)).tokens;
}

/** Throws if the file cannot be read. */
export async function sampleBatchFile(path: string): Promise<FileSample> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const buffer = Buffer.alloc(Math.min(size, sampleBytes));
    const { bytesRead } = await file.read(buffer, 0, buffer.length, 0);
    const text = buffer.toString('utf8', 0, bytesRead);
    const isWhole = bytesRead === size;
    const lines = text.split('\n');
    // The last line is cut off. An only line is not dropped: it may lack no more than its line break.
    if (!isWhole && lines.length > 1) lines.pop();
    const models = new Set<string>();
    let bytes = 0;
    let tokens = 0;
    for (const line of lines) {
      const body = bodyOf(line);
      if (typeof body?.['model'] === 'string') models.add(body['model']);
      if (body === undefined || !('messages' in body)) continue;
      tokens += estimateTokens([...textsOf(body['messages'])].join('\n'));
      bytes += Buffer.byteLength(line) + 1;
    }
    const all = Math.round(isWhole ? tokens : (tokens / bytes) * size);
    return { bytes: size, tokens: bytes === 0 ? undefined : all, models: [...models], isWhole };
  } finally {
    await file.close();
  }
}

function bodyOf(line: string): Readonly<Record<string, unknown>> | undefined {
  const request = parse(line);
  if (typeof request !== 'object' || request === null || !('body' in request)) return undefined;
  const { body } = request;
  return typeof body === 'object' && body !== null ? (body as Readonly<Record<string, unknown>>) : undefined;
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
