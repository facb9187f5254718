import type { HttpResponse } from './transport';

/**
 * Returns a body that passes each chunk to `onChunk` as it is read; if that throws, the body is left. Not a generator: one that
 * never started would not pass on that it was left, and the connection would stay open.
 */
export function watchedBody(body: HttpResponse['body'], onChunk: (chunk: Uint8Array) => void): HttpResponse['body'] {
  return {
    [Symbol.asyncIterator]() {
      const chunks = body[Symbol.asyncIterator]();
      return {
        async next() {
          const chunk = await chunks.next();
          if (chunk.done === true) return chunk;
          try {
            onChunk(chunk.value);
          } catch (error) {
            await chunks.return?.();
            throw error;
          }
          return chunk;
        },
        async return() {
          await chunks.return?.();
          return { done: true, value: undefined };
        },
      };
    },
  };
}
