import { deepEqual } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { statedLimits, type StatedLimits } from '../../../../src/core/capabilities/statedLimits';

interface StatedCase {
  readonly from: string;
  readonly message: string;
  readonly states: StatedLimits;
}

const cases = JSON.parse(readFileSync('test/cases/batch/limits.json', 'utf8')) as readonly StatedCase[];

describe('the limits stated in a rejection', () => {
  for (const { from, message, states } of cases) {
    it(`are read from ${from}: ${message.slice(0, 60)}`, () => deepEqual(statedLimits(message), states));
  }

  it('are limited to messages of a bounded length, and read in linear time', () => {
    deepEqual(statedLimits(`${'max_tokens '.repeat(100_000)}`), {});
    deepEqual(statedLimits(`${'maximum '.repeat(100_000)}`), {});
  });
});
