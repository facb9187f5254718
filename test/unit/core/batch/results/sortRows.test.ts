import assert from 'node:assert/strict';
import fc from 'fast-check';
import { sortRows } from '../../../../../src/core/batch/results/sortRows';

describe('Rows that are sorted', () => {
  it('are in the order in which a stable sort puts them', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(20), { maxLength: 200 }), (keys) => {
        const rows = Uint32Array.from(keys.keys());
        sortRows(rows, (a, b) => keys[a]! - keys[b]!);
        assert.deepEqual(
          [...rows],
          [...keys.keys()].toSorted((a, b) => keys[a]! - keys[b]!),
        );
      }),
    );
  });
});
