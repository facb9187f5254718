/**
 * Flattens batches into single events: `toEvents` appends an item's events to its second argument. Not an async generator, because
 * a stream has many events and each further generator costs as much as reading them does. Leaving the loop leaves the batches.
 */
export function eachEvent<Item, Event>(
  open: () => AsyncIterable<readonly Item[]>,
  toEvents: (item: Item, into: Event[]) => unknown,
): AsyncIterable<Event> {
  return { [Symbol.asyncIterator]: () => new EventIterator(open, toEvents) };
}

class EventIterator<Item, Event> implements AsyncIterator<Event, undefined> {
  private batches: AsyncIterator<readonly Item[]> | undefined;
  private events: Event[] = [];
  private taken = 0;
  /** The queue of `next` calls made before an event was available, in order. */
  private asked: Promise<unknown> = Promise.resolve();
  private askers = 0;

  constructor(
    private readonly open: () => AsyncIterable<readonly Item[]>,
    private readonly toEvents: (item: Item, into: Event[]) => unknown,
  ) {}

  next(): Promise<IteratorResult<Event, undefined>> {
    if (this.askers === 0 && this.taken < this.events.length) return Promise.resolve(this.take());
    this.askers += 1;
    const result = this.asked.then(() => this.fill()).finally(() => (this.askers -= 1));
    this.asked = result.catch(() => undefined);
    return result;
  }

  async return(): Promise<IteratorResult<Event, undefined>> {
    this.events = [];
    this.taken = 0;
    await this.batches?.return?.();
    return { done: true, value: undefined };
  }

  private take(): IteratorResult<Event, undefined> {
    const value = this.events[this.taken] as Event;
    this.taken += 1;
    return { done: false, value };
  }

  private async fill(): Promise<IteratorResult<Event, undefined>> {
    this.batches ??= this.open()[Symbol.asyncIterator]();
    while (this.taken >= this.events.length) {
      const { done, value } = await this.batches.next();
      if (done) return { done: true, value: undefined };
      this.taken = 0;
      this.events = [];
      for (const item of value) this.toEvents(item, this.events);
    }
    return this.take();
  }
}
