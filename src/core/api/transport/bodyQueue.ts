interface Waiting {
  readonly resolve: (result: IteratorResult<Uint8Array, undefined>) => void;
  readonly reject: (error: Error) => void;
}

const done = { value: undefined, done: true } as const;

/** A response body between a pushing parser and a pulling loop. Readable once; delivers what arrived before a failure, then throws. */
export class BodyQueue implements AsyncIterable<Uint8Array> {
  private chunks: Uint8Array[] = [];
  private taken = 0;
  private bytes = 0;
  private isFull = false;
  private state: 'open' | 'ended' | { readonly error: Error } = 'open';
  private waiting: Waiting | undefined;

  /**
   * `onDrain` is called after `push` returned false, once everything pushed has been read; `onCancel` when the reader leaves before the
   * end.
   */
  constructor(
    private readonly highWaterBytes: number,
    private readonly onDrain: () => void,
    private readonly onCancel: () => void,
  ) {}

  get isReaderWaiting(): boolean {
    return this.waiting !== undefined;
  }

  /** Returns false to ask the pusher to pause until `onDrain`. */
  push(chunk: Uint8Array): boolean {
    if (this.state !== 'open') return true;
    if (this.waiting) {
      this.settle(({ resolve }) => resolve({ value: chunk, done: false }));
      return true;
    }
    this.chunks.push(chunk);
    this.bytes += chunk.byteLength;
    this.isFull = this.bytes >= this.highWaterBytes;
    return !this.isFull;
  }

  end(): void {
    if (this.state !== 'open') return;
    this.state = 'ended';
    this.settle(({ resolve }) => resolve(done));
  }

  /** Only the first failure counts, and none after `end`. */
  fail(error: Error): void {
    if (this.state !== 'open') return;
    this.state = { error };
    this.settle(({ reject }) => reject(error));
  }

  [Symbol.asyncIterator](): AsyncIterator<Uint8Array, undefined> {
    return { next: () => this.next(), return: () => this.leave() };
  }

  private next(): Promise<IteratorResult<Uint8Array, undefined>> {
    const chunk = this.take();
    if (chunk) return Promise.resolve({ value: chunk, done: false });
    if (this.state === 'ended') return Promise.resolve(done);
    if (this.state !== 'open') return Promise.reject(this.state.error);
    return new Promise((resolve, reject) => {
      this.waiting = { resolve, reject };
    });
  }

  private leave(): Promise<IteratorResult<Uint8Array, undefined>> {
    const wasOpen = this.state === 'open';
    this.chunks = [];
    this.state = 'ended';
    this.settle(({ resolve }) => resolve(done));
    if (wasOpen) this.onCancel();
    return Promise.resolve(done);
  }

  private take(): Uint8Array | undefined {
    const chunk = this.chunks[this.taken];
    if (!chunk) return undefined;
    this.taken += 1;
    this.bytes -= chunk.byteLength;
    if (this.taken === this.chunks.length) {
      this.chunks = [];
      this.taken = 0;
      if (this.isFull) {
        this.isFull = false;
        this.onDrain();
      }
    }
    return chunk;
  }

  private settle(use: (waiting: Waiting) => void): void {
    const { waiting } = this;
    this.waiting = undefined;
    if (waiting) use(waiting);
  }
}
