import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import {
  addUsage,
  budgetState,
  dayOf,
  noUsage,
  readEntries,
  toLedgerLine,
  type Usage,
} from '../../../../src/core/usage/usage';

const entry = fc.record({
  at: fc.nat(),
  model: fc.string(),
  inputTokens: fc.nat({ max: 1e6 }),
  outputTokens: fc.nat({ max: 1e6 }),
});

const read = (text: string) => readEntries(text).reduce<Usage>(addUsage, noUsage);

describe('the usage ledger of a day', () => {
  it('sums its lines, whatever is between them', () => {
    const unpriced = ['-1', '"1"', '1e999'].map((cost) => `{"inputTokens":0,"outputTokens":0,"cost":${cost}}`);
    const noTokens = ['{"inputTokens":-1,"outputTokens":2}', '{"inputTokens":"3"}'];
    const noise = fc.constantFrom('', '{', 'null', '[]', ...noTokens, ...unpriced);
    fc.assert(
      fc.property(fc.array(fc.tuple(entry, noise)), (all) => {
        const sum = (field: 'inputTokens' | 'outputTokens') => all.reduce((total, [one]) => total + one[field], 0);
        const text = all.map(([one, between]) => toLedgerLine(one) + between).join('');
        assert.deepEqual(read(text), { inputTokens: sum('inputTokens'), outputTokens: sum('outputTokens') });
      }),
    );
  });

  it('loses only the line truncated by a crash', () => {
    const line = toLedgerLine({ at: 1, model: 'm', inputTokens: 3, outputTokens: 4 });
    for (let cut = 0; cut < line.length - 1; cut += 1) {
      const { inputTokens } = read(line + line.slice(0, cut) + line);
      assert.ok(inputTokens === 6 || (inputTokens === 9 && cut === line.length - 1), `cut at ${cut}`);
    }
  });

  it("uses the day of the user's clock", () => {
    assert.equal(dayOf(new Date(2026, 0, 5, 0, 0, 0).getTime()), '2026-01-05');
    assert.equal(dayOf(new Date(2026, 10, 21, 23, 59, 59).getTime()), '2026-11-21');
  });

  it('is within its budget, beyond the warning level, or used up', () => {
    const used = { inputTokens: 60, outputTokens: 40 };
    assert.equal(budgetState(used, { soft: 0, hard: 0 }), 'within');
    assert.equal(budgetState(used, { soft: 101, hard: 0 }), 'within');
    assert.equal(budgetState(used, { soft: 100, hard: 101 }), 'soft');
    assert.equal(budgetState(used, { soft: 100, hard: 100 }), 'hard');
    assert.equal(budgetState(used, { soft: 0, hard: 100 }), 'hard');
    // The smallest budget there is, and none.
    const one = { inputTokens: 1, outputTokens: 0 };
    const none = { inputTokens: 0, outputTokens: 0 };
    assert.deepEqual(
      [none, one].flatMap((spent) => [
        budgetState(spent, { soft: 0, hard: 0 }),
        budgetState(spent, { soft: 1, hard: 0 }),
        budgetState(spent, { soft: 0, hard: 1 }),
      ]),
      ['within', 'within', 'within', 'within', 'soft', 'hard'],
    );
  });
});
