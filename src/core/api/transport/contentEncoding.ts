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

function decoderFor(encoding: string): Transform {
  if (encoding === 'gzip' || encoding === 'x-gzip') return createGunzip();
  if (encoding === 'deflate') return createInflate();
  if (encoding === 'br') return createBrotliDecompress();
  throw new ApiError({
    kind: 'badResponse',
    message: `The answer is encoded as ${encoding}, which was not asked for.`,
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

async function* decode(
  body: AsyncIterable<Uint8Array>,
  decoder: Transform,
  encoding: string,
): AsyncGenerator<Uint8Array, undefined> {
  const source = Readable.from(body, { objectMode: false });
  source.on('error', (error) => decoder.destroy(error));
  source.pipe(decoder);
  try {
    for await (const chunk of decoder) yield chunk as Uint8Array;
  } catch (error) {
    if (error instanceof Error && 'code' in error && String(error.code).startsWith('Z_')) {
      throw new ApiError({
        kind: 'truncated',
        message: `The ${encoding} answer is damaged or cut short.`,
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
