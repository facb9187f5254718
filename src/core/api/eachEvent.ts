/** Follows one reading of a stream, from before its request to its end. */
export interface StreamObserver<Event> {
  /** Called first. If it rejects, nothing is sent, and the stream fails with its error. */
  before(): Promise<void>;
  /** Called with each event that the reader takes. Must not throw. */
  onEvent(event: Event): void;
  /** Called once, when the stream has ended, failed or been left. Must not throw. */
  onEnd(error?: unknown): void;
}

/**
 * Flattens batches into single events: `toEvents` appends an item's events to its second argument. Not an async generator, because
 * a stream has many events and each further generator costs as much as reading them does; whoever only wants to see the events is an
 * observer for the same reason. Leaving the loop leaves the batches. `flush` appends what `toEvents` held back, before a failure is thrown.
 */
export function eachEvent<Item, Event>(
  open: () => AsyncIterable<readonly Item[]>,
  toEvents: (item: Item, into: Event[]) => unknown,
  observer?: StreamObserver<Event>,
  flush?: (into: Event[]) => void,
): AsyncIterable<Event> {
  return { [Symbol.asyncIterator]: () => new EventIterator(open, toEvents, observer, flush) };
}

class EventIterator<Item, Event> implements AsyncIterator<Event, undefined> {
  private batches: AsyncIterator<readonly Item[]> | undefined;
  private events: Event[] = [];
  private taken = 0;
  /** To be thrown once the events before it are taken. */
  private failure: { readonly error: unknown } | undefined;
  /** The queue of `next` calls made before an event was available, in order. */
  private pending: Promise<unknown> = Promise.resolve();
  private askers = 0;
  /** From before the request until the end of the stream. */
  private isObserved = false;

  constructor(
    private readonly open: () => AsyncIterable<readonly Item[]>,
    private readonly toEvents: (item: Item, into: Event[]) => unknown,
    private readonly observer: StreamObserver<Event> | undefined,
    private readonly flush: ((into: Event[]) => void) | undefined,
  ) {}

  next(): Promise<IteratorResult<Event, undefined>> {
    if (this.askers === 0 && this.taken < this.events.length) return Promise.resolve(this.take());
    this.askers += 1;
    const result = this.pending.then(() => this.fill()).finally(() => (this.askers -= 1));
    this.pending = result.catch(() => undefined);
    return result;
  }

  async return(): Promise<IteratorResult<Event, undefined>> {
    this.events = [];
    this.taken = 0;
    try {
      await this.batches?.return?.();
    } finally {
      this.end();
    }
    return { done: true, value: undefined };
  }

  private take(): IteratorResult<Event, undefined> {
    const value = this.events[this.taken] as Event;
    this.taken += 1;
    this.observer?.onEvent(value);
    return { done: false, value };
  }

  private async fill(): Promise<IteratorResult<Event, undefined>> {
    try {
      this.batches ??= await this.begin();
      while (this.taken >= this.events.length) {
        if (this.failure) throw this.failure.error;
        const batch = await this.nextBatch(this.batches);
        if (batch?.done) {
          this.end();
          return { done: true, value: undefined };
        }
        const leaving = batch && this.convert(batch.value);
        if (leaving) await leaving;
      }
    } catch (error) {
      this.end(error);
      throw error;
    }
    return this.take();
  }

  /** Returns `undefined` if the batches fail. */
  private async nextBatch(
    batches: AsyncIterator<readonly Item[]>,
  ): Promise<IteratorResult<readonly Item[], unknown> | undefined> {
    this.taken = 0;
    this.events = [];
    try {
      return await batches.next();
    } catch (error) {
      this.fail(error);
      return undefined;
    }
  }

  private fail(error: unknown): void {
    this.failure = { error };
    this.flush?.(this.events);
  }

  /** Converts a batch as far as it can be. The first item that cannot ends the reading. */
  private convert(items: readonly Item[]): Promise<unknown> | undefined {
    try {
      for (const item of items) this.toEvents(item, this.events);
    } catch (error) {
      this.fail(error);
      return this.batches?.return?.();
    }
    return undefined;
  }

  private async begin(): Promise<AsyncIterator<readonly Item[]>> {
    if (this.observer) {
      this.isObserved = true;
      await this.observer.before();
    }
    return this.open()[Symbol.asyncIterator]();
  }

  private end(error?: unknown): void {
    if (!this.isObserved) return;
    this.isObserved = false;
    this.observer?.onEnd(error);
  }
}
