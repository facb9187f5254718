import { doesNotMatch } from 'node:assert/strict';
import * as fc from 'fast-check';
import { planEval } from '../../../../src/core/evals/evalPlan';
import type { EvalVariant } from '../../../../src/core/evals/evalPlan';
import type { GradedCell } from '../../../../src/core/evals/graders/gradeCell';
import { compare, summarize } from '../../../../src/core/evals/run/compare';
import { junitReport, markdownReport, reportOf } from '../../../../src/core/evals/run/report';
import { lengthControlledRate, preferences } from '../../../../src/core/evals/statistics/judges';

const outcome = fc.constantFrom('pass', 'fail', 'missing');
const sides = fc.constantFrom('first', 'second', 'tie', undefined);
const pair = fc.record({ forward: sides, swapped: sides, firstLength: fc.nat(3), secondLength: fc.nat(3) });

describe('results of few or equal rows', () => {
  it('have displayable numbers, or none', () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(outcome, { maxLength: 12 }), { minLength: 1, maxLength: 3 }),
        fc.integer({ min: 1, max: 3 }),
        fc.array(pair, { maxLength: 6 }),
        fc.boolean(),
        (columns, repeats, pairs, isGrouped) => {
          const count = Math.max(...columns.map(({ length }) => length));
          const plan = planEval({
            prompts: columns.map((_, index) => ({ label: `p${index}`, text: `${index}`, canRun: true })),
            providers: [{ label: 'm', kind: 'service', model: 'm', parameters: {} }],
            rows: Array.from({ length: count }, (_, index) => ({
              id: String(index),
              vars: new Map(),
              assertions: [],
              ...(isGrouped && { group: String(index % 2) }),
            })),
            problems: [],
            repeats,
          });
          const graded = new Map<EvalVariant, readonly GradedCell[]>(
            plan.variants.map((variant, at) => [
              variant,
              columns[at]!.flatMap((one, index) =>
                Array.from({ length: repeats }, (__, repeat): GradedCell => {
                  const isPassed = (one === 'pass') !== (repeat === 2);
                  const result =
                    one === 'missing'
                      ? { missing: 'noResponse' as const }
                      : { pass: isPassed, value: Number(isPassed) };
                  return {
                    id: `${index}${repeat}`,
                    row: plan.rows[index]!.hash,
                    variant: variant.id,
                    repeat,
                    scores: [],
                    result,
                  };
                }),
              ),
            ]),
          );
          const judged = new Map(plan.variants.slice(1).map(({ id }) => [id, pairs]));
          for (const baseline of [
            undefined,
            { label: 'b', values: new Map(plan.rows.map(({ hash }, at) => [hash, at % 2])) },
          ]) {
            const report = reportOf(plan, graded, {
              cost: 0,
              margin: 0.05,
              pairs: judged,
              ...(baseline && { baseline }),
            });
            const texts = [
              markdownReport(report, { plan, currency: 'USD', language: 'en', answers: [] }),
              junitReport(graded, plan),
              // JSON has neither NaN nor infinite numbers.
              JSON.stringify(report, (_, one: unknown) =>
                typeof one === 'number' && !Number.isFinite(one) ? 'NaN' : one,
              ),
            ];
            for (const text of texts) doesNotMatch(text, /NaN|Infinity|∞|undefined/);
          }
        },
      ),
      { numRuns: 400 },
    );
  });

  it('are undecided without rows, and with one', () => {
    const values = [[], ['a'], ['a', 'b']].map((rows) => new Map(rows.map((row) => [row, 1])));
    for (const one of values)
      for (const other of values)
        doesNotMatch(
          JSON.stringify([compare(one, other), compare(one, other, { margin: 0.05 })]) ?? '',
          /better|worse"/,
        );
    doesNotMatch(JSON.stringify([summarize([]), preferences([]), lengthControlledRate([])]), /NaN/);
  });
});
