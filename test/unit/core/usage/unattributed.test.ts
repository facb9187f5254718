import { deepEqual } from 'node:assert/strict';
import { unattributedFalls } from '../../../../src/core/usage/unattributed';

describe('The decrease of a balance without a known charge', () => {
  const days = ['2026-11-19', '2026-11-20', '2026-11-21'];
  const [first = '', second = '', third = ''] = days;
  const find = (fell: Readonly<Record<string, number>>, charged: Readonly<Record<string, number>>, of = ['mine']) =>
    unattributedFalls(
      of.map((one) => ({ of: one, days: new Map(Object.entries(fell)) })),
      (_, day) => charged[day] ?? 0,
      days,
    ).map(({ day, amount }) => [day, Number(amount.toFixed(6))]);

  it('is the part of the decrease that exceeds the charges, by day', () => {
    deepEqual(find({ [first]: 3, [second]: 2 }, { [first]: 1, [second]: 2 }), [[first, 2]]);
    deepEqual(find({ [second]: 0.4 }, {}), [[second, 0.4]]);
  });

  it('is zero if charges by price exceed the decrease, or if only rounding differs', () => {
    deepEqual(find({ [first]: 1 }, { [first]: 1.5 }), []);
    deepEqual(find({ [first]: 1.004 }, { [first]: 1 }), []);
  });

  it("doesn't count a charge from before midnight and a balance after it, or the reverse, twice", () => {
    deepEqual(find({ [first]: 0, [second]: 5 }, { [first]: 4, [second]: 1 }), []);
    deepEqual(find({ [first]: 4, [second]: 1 }, { [second]: 5 }), []);
    deepEqual(find({ [first]: 0, [second]: 5 }, { [first]: 3, [second]: 1 }), [[second, 1]]);
  });

  it('excludes days without a balance, and the days next to them', () => {
    deepEqual(find({ [second]: 2 }, { [first]: 9, [third]: 9 }), [[second, 2]]);
  });

  it('is counted once for two accounts with the same balance, and separately for two balances', () => {
    deepEqual(find({ [first]: 3 }, { [first]: 1 }, ['mine', 'mine']), [[first, 2]]);
    deepEqual(find({ [first]: 3 }, { [first]: 1 }, ['mine', 'other']), [
      [first, 2],
      [first, 2],
    ]);
  });
});
