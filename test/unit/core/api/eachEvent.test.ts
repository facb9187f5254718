import assert from 'node:assert/strict';
import { eachEvent } from '../../../../src/core/api/eachEvent';

const double = (item: number, into: number[]) => into.push(item, item);

async function all<T>(events: AsyncIterable<T>): Promise<readonly T[]> {
  const seen: T[] = [];
  for await (const event of events) seen.push(event);
  return seen;
}

describe('events of batches', () => {
  it('arrive one by one, and empty batches are skipped', async () => {
    async function* batches() {
      yield [1, 2];
      yield [];
      yield [3];
    }
    assert.deepEqual(await all(eachEvent(batches, double)), [1, 1, 2, 2, 3, 3]);
    assert.deepEqual(await all(eachEvent(batches, (_item: number, _into: number[]) => undefined)), []);
  });

  it('open batches on demand, and close them when the loop ends', async () => {
    const seen: string[] = [];
    async function* batches() {
      seen.push('opened');
      try {
        yield [1];
        yield [2];
      } finally {
        seen.push('left');
      }
    }
    const events = eachEvent(batches, double);
    assert.deepEqual(seen, []);
    for await (const _event of events) break;
    assert.deepEqual(seen, ['opened', 'left']);
  });

  it('arrive before the failure after them', async () => {
    const seen: number[] = [];
    async function* batches() {
      yield [1];
      throw new Error('failed');
    }
    await assert.rejects(async () => {
      for await (const event of eachEvent(batches, double)) seen.push(event);
    }, /failed/);
    assert.deepEqual(seen, [1, 1]);
  });

  it('keep their order for callers that request ahead', async () => {
    async function* batches() {
      yield [1, 2];
      yield [3];
    }
    const iterator = eachEvent(batches, double)[Symbol.asyncIterator]();
    const asked = await Promise.all(Array.from({ length: 7 }, () => iterator.next()));
    assert.deepEqual(
      asked.map(({ value }) => value),
      [1, 1, 2, 2, 3, 3, undefined],
    );
  });
});
