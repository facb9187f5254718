import { ok } from 'node:assert/strict';
import { compare } from '../../src/core/evals/run/compare';
import type { RowValues } from '../../src/core/evals/run/compare';
import { binomial } from '../../src/core/evals/statistics/distributions';
import { wilson } from '../../src/core/evals/statistics/passFail';
import { createRandom } from '../../src/core/evals/statistics/resampling';

const runs = 2000;
const rows = Array.from({ length: 469 }, (_, index) => String(index));

/** The verdicts of so many simulated runs in which a share of rows differs, and the second variant passes more of them by `difference`. */
function verdicts(difference: number, discordant: number, seed: number) {
  const random = createRandom(seed);
  const counts = { better: 0, worse: 0, notWorse: 0, cantTell: 0 };
  for (let run = 0; run < runs; run++) {
    const [first, second] = [new Map<string, number>(), new Map<string, number>()];
    for (const row of rows) {
      const drawn = random();
      const isGained = drawn < (discordant + difference) / 2;
      const isLost = !isGained && drawn < discordant;
      const both = Number(random() < 0.8);
      first.set(row, isGained ? 0 : isLost ? 1 : both);
      second.set(row, isGained ? 1 : isLost ? 0 : both);
    }
    counts[compare(first as RowValues, second)!.verdict]++;
  }
  return counts;
}

const percent = (share: number) => `${(share * 100).toFixed(2)}%`;

describe('simulated evals', () => {
  it('call one of two equal variants better in at most 3.5%, and better or worse in at most 6% of 2,000 runs', () => {
    const { better, worse } = verdicts(0, 0.15, 11);
    ok(better / runs <= 0.035, `better ${percent(better / runs)}`);
    ok((better + worse) / runs <= 0.06, `better or worse ${percent((better + worse) / runs)}`);
  });

  it('find 5 points with the rows that the plan advises in at least 78% of 2,000 runs', () => {
    const { better } = verdicts(0.05, 0.15, 12);
    ok(better / runs >= 0.78, `found in ${percent(better / runs)}`);
  });

  it('have 95% intervals that cover 94 to 96% on average over the pass rate', () => {
    for (const n of [50, 100, 469, 1000]) {
      let [sum, count] = [0, 0];
      for (let p = 0.02; p < 0.99; p += 0.01) {
        const { first, chances } = binomial(n, p);
        for (const [index, chance] of chances.entries()) {
          const { low, high } = wilson(first + index, n)!;
          if (low <= p && p <= high) sum += chance;
        }
        count++;
      }
      ok(sum / count > 0.94 && sum / count < 0.96, `${percent(sum / count)} with ${n} rows`);
    }
  });
});
