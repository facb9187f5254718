import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { until } from './until';

/** Returns the last call of a method. With `requested`, waits for these parameters, because earlier calls have the same name. */
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
