/** A response body between a pushing parser and a pulling loop. */
export interface BodyQueue {
  /** To be read once. What came before a failure is delivered before it is thrown. */
  readonly body: AsyncIterable<Uint8Array>;
  /** False asks the pusher to pause until `onDrain`. */
  push(chunk: Uint8Array): boolean;
  end(): void;
  /** The first failure counts; none counts after `end`. */
  fail(error: Error): void;
  isReaderWaiting(): boolean;
}

export interface BodyQueueOptions {
  readonly highWaterBytes: number;
  /** Called after `push` returned false, once all that was pushed has been taken. */
  readonly onDrain: () => void;
  /** The reader left before the end. */
  readonly onCancel: () => void;
}

interface Waiting {
  readonly resolve: (result: IteratorResult<Uint8Array, undefined>) => void;
  readonly reject: (error: Error) => void;
}

const done = { value: undefined, done: true } as const;

export function createBodyQueue({ highWaterBytes, onDrain, onCancel }: BodyQueueOptions): BodyQueue {
  let chunks: Uint8Array[] = [];
  let taken = 0;
  let bytes = 0;
  let isFull = false;
  let state: 'open' | 'ended' | 'left' | { readonly error: Error } = 'open';
  let waiting: Waiting | undefined;

  const take = (): Uint8Array | undefined => {
    const chunk = chunks[taken];
    if (!chunk) return undefined;
    taken += 1;
    bytes -= chunk.byteLength;
    if (taken === chunks.length) {
      chunks = [];
      taken = 0;
      if (isFull) {
        isFull = false;
        onDrain();
      }
    }
    return chunk;
  };
  const iterator: AsyncIterator<Uint8Array, undefined> = {
    next() {
      const chunk = take();
      if (chunk) return Promise.resolve({ value: chunk, done: false });
      if (typeof state === 'object') return Promise.reject(state.error);
      if (state !== 'open') return Promise.resolve(done);
      return new Promise((resolve, reject) => (waiting = { resolve, reject }));
    },
    return() {
      const wasOpen = state === 'open';
      chunks = [];
      state = 'left';
      waiting?.resolve(done);
      waiting = undefined;
      if (wasOpen) onCancel();
      return Promise.resolve(done);
    },
  };
  return {
    body: { [Symbol.asyncIterator]: () => iterator },
    push(chunk) {
      if (state !== 'open') return true;
      if (waiting) {
        waiting.resolve({ value: chunk, done: false });
        waiting = undefined;
        return true;
      }
      chunks.push(chunk);
      bytes += chunk.byteLength;
      isFull = bytes >= highWaterBytes;
      return !isFull;
    },
    end() {
      if (state !== 'open') return;
      state = 'ended';
      waiting?.resolve(done);
      waiting = undefined;
    },
    fail(error) {
      if (state !== 'open') return;
      state = { error };
      waiting?.reject(error);
      waiting = undefined;
    },
    isReaderWaiting: () => waiting !== undefined,
  };
}
