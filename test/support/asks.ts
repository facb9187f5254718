import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { until } from './until';

/** What the host was asked last by a name. With `requested`, waits until it is that: what was asked before has the same name. */
export type Asks = (method: string, requested?: unknown) => Promise<unknown>;

export function asksOf(asked: readonly (readonly [string, unknown])[]): Asks {
  return async (method, requested) => {
    const last = () => asked.findLast(([name]) => name === method)?.[1];
    const isIt = (about: unknown) =>
      about !== undefined && (requested === undefined || isDeepStrictEqual(about, requested));
    try {
      return await until(() => (isIt(last()) ? last() : undefined), `the page asks: ${method}`);
    } catch (error) {
      if (last() !== undefined) assert.deepEqual(last(), requested);
      throw error;
    }
  };
}
