import { open } from 'node:fs/promises';
import { countInputTokens } from '../../tokens/countTokens';

/** How many bytes at the start of a file are read to estimate the whole. */
const sampleBytes = 256 * 1024;

/** The estimated usage of a batch file's lines for one model. */
export interface ModelShare {
  /** Empty for lines without a model. */
  readonly model: string;
  readonly requests: number;
  readonly inputTokens: number;
  /** The most tokens that the responses may have; `undefined` if a line sets no limit. */
  readonly outputLimit: number | undefined;
}

/** Estimates for the entire file from its first lines. */
export interface FileSample {
  /** Of the entire file. */
  readonly bytes: number;
  /** The estimated input tokens of all requests in the file; `undefined` if none of the lines read is a request. */
  readonly tokens: number | undefined;
  /** The distinct models in the lines read, in their order. */
  readonly models: readonly string[];
  /** One per model, in their order. */
  readonly shares: readonly ModelShare[];
  /** Whether the lines read are the whole file. */
  readonly isWhole: boolean;
}

/** Throws if the file cannot be read. */
export async function sampleBatchFile(path: string): Promise<FileSample> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const buffer = Buffer.alloc(Math.min(size, sampleBytes));
    const { bytesRead } = await file.read(buffer, 0, buffer.length, 0);
    return sampleOf(buffer.subarray(0, bytesRead), size);
  } finally {
    await file.close();
  }
}

/** Estimates what a file of `size` bytes takes from its beginning. */
export function sampleOf(beginning: Buffer, size: number): FileSample {
  const start = beginning.subarray(0, sampleBytes);
  const isWhole = start.length === size;
  const lines = start.toString('utf8').split('\n');
  // The last line is cut off. An only line is not dropped: it may lack no more than its line break.
  if (!isWhole && lines.length > 1) lines.pop();
  const shares = new Map<string, ModelShare>();
  let bytes = 0;
  for (const line of lines) {
    const body = bodyOf(line);
    if (body === undefined) continue;
    const model = typeof body['model'] === 'string' ? body['model'] : '';
    shares.set(model, withRequest(shares.get(model), model, body));
    bytes += Buffer.byteLength(line) + 1;
  }
  const list = [...shares.values()];
  const factor = isWhole || bytes === 0 ? 1 : size / bytes;
  const tokens = Math.round(list.reduce((sum, { inputTokens }) => sum + inputTokens, 0) * factor);
  return {
    bytes: size,
    tokens: bytes === 0 ? undefined : tokens,
    models: list.flatMap(({ model }) => (model === '' ? [] : [model])),
    shares: list.map((share) => scaled(share, factor)),
    isWhole,
  };
}

function withRequest(
  share: ModelShare | undefined,
  model: string,
  body: Readonly<Record<string, unknown>>,
): ModelShare {
  const { requests, inputTokens, outputLimit } = share ?? { requests: 0, inputTokens: 0, outputLimit: 0 };
  const limit = outputLimitOf(body);
  return {
    model,
    requests: requests + 1,
    inputTokens: inputTokens + countInputTokens(body),
    outputLimit: limit === undefined || outputLimit === undefined ? undefined : outputLimit + limit,
  };
}

/** Returns the most tokens that the response to a request may have; `undefined` if the request sets no limit. */
export function outputLimitOf(body: Readonly<Record<string, unknown>>): number | undefined {
  // Rankings and embeddings have no output.
  if (!('messages' in body) && !('prompt' in body)) return 0;
  const { max_completion_tokens: most = body['max_tokens'], n = 1 } = body;
  return isCount(most) && isCount(n) ? most * n : undefined;
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) > 0;
}

function scaled({ model, requests, inputTokens, outputLimit }: ModelShare, factor: number): ModelShare {
  return {
    model,
    requests: Math.round(requests * factor),
    inputTokens: Math.round(inputTokens * factor),
    outputLimit: outputLimit === undefined ? undefined : Math.round(outputLimit * factor),
  };
}

function bodyOf(line: string): Readonly<Record<string, unknown>> | undefined {
  const request = parse(line);
  if (typeof request !== 'object' || request === null) return undefined;
  // Anthropic's lines have `params`, Gemini's have `request`.
  const { body, params = body, request: inner = params } = request as Readonly<Record<string, unknown>>;
  return typeof inner === 'object' && inner !== null ? (inner as Readonly<Record<string, unknown>>) : undefined;
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
