import type { Transform } from 'node:stream';
import { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { ApiError } from '../errors';
import type { HttpResponse } from './transport';

/**
 * Decodes a body that a service or proxy compressed although stacks request `identity`, which prevents a compressor from delaying a
 * stream. Removes the headers that describe the bytes on the wire.
 */
export function decodeContent(response: HttpResponse): HttpResponse {
  const encoding = response.headers['content-encoding']?.trim().toLowerCase();
  if (!encoding || encoding === 'identity') return response;
  const { 'content-encoding': _encoding, 'content-length': _length, ...headers } = response.headers;
  return { ...response, headers, body: decodedBody(response.body, encoding) };
}

/** So much is decoded of any answer. */
const freeBytes = 8 * 1024 * 1024;
/** JSON shrinks to a tenth, base64 to three quarters. Data that grows by more when decoded is meant to fill the memory. */
const mostGrowth = 100;
/** Returns how many bytes an encoded body may have once it is decoded, given its encoded length. */
export function mostDecodedBytes(encodedBytes: number): number {
  return Math.max(freeBytes, encodedBytes * mostGrowth);
}

/** The error for a body that exceeds that. */
export function tooMuchDecoded(): ApiError {
  const message = 'The decompressed response is too large.';
  return new ApiError({ kind: 'badResponse', hint: 'tooMuch', message, sent: true });
}

function decoderFor(encoding: string): Transform {
  if (encoding === 'gzip' || encoding === 'x-gzip') return createGunzip();
  if (encoding === 'deflate') return createInflate();
  if (encoding === 'br') return createBrotliDecompress();
  throw new ApiError({
    kind: 'badResponse',
    message: `The response uses an unsupported encoding (${encoding}).`,
    sent: true,
  });
}

function decodedBody(body: AsyncIterable<Uint8Array>, encoding: string): AsyncIterable<Uint8Array> {
  return {
    [Symbol.asyncIterator]() {
      const source = body[Symbol.asyncIterator]();
      const reading = decode({ [Symbol.asyncIterator]: () => source }, decoderFor(encoding), encoding);
      return {
        next: () => reading.next(),
        // A generator that never started runs no `finally`, so the connection is released here.
        return: async () => {
          await reading.return(undefined);
          await source.return?.();
          return { value: undefined, done: true };
        },
      };
    },
  };
}

async function* counted(
  body: AsyncIterable<Uint8Array>,
  onBytes: (count: number) => void,
): AsyncGenerator<Uint8Array, undefined> {
  for await (const chunk of body) {
    onBytes(chunk.byteLength);
    yield chunk;
  }
  return undefined;
}

async function* decode(
  body: AsyncIterable<Uint8Array>,
  decoder: Transform,
  encoding: string,
): AsyncGenerator<Uint8Array, undefined> {
  let encodedBytes = 0;
  let decodedBytes = 0;
  const source = Readable.from(
    counted(body, (count) => (encodedBytes += count)),
    { objectMode: false },
  );
  source.on('error', (error) => decoder.destroy(error));
  source.pipe(decoder);
  try {
    for await (const chunk of decoder as AsyncIterable<Uint8Array>) {
      decodedBytes += chunk.byteLength;
      if (decodedBytes > mostDecodedBytes(encodedBytes)) throw tooMuchDecoded();
      yield chunk;
    }
  } catch (error) {
    if (error instanceof Error && 'code' in error && String(error.code).startsWith('Z_')) {
      throw new ApiError({
        kind: 'truncated',
        message: `The ${encoding} response is damaged or incomplete.`,
        sent: true,
        cause: error,
      });
    }
    throw error;
  } finally {
    source.destroy();
    decoder.destroy();
  }
}
