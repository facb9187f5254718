import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { toAgentEval } from '../../../../src/core/agentTools/agentEval';
import { evalFacts } from '../../../../src/core/evals/evalFacts';
import type { EvalPlan } from '../../../../src/core/evals/evalPlan';
import { rowValues } from '../../../../src/core/evals/run/compare';
import { writeBaseline } from '../../../../src/core/evals/run/baseline';
import { dueRequests } from '../../../../src/core/evals/run/evalJobs';
import { readStoredRun } from '../../../../src/core/evals/run/storedRun';
import { answeredService, evalPrices, planOfRows, planOfText, writeRun } from '../../../support/evalRuns';
import { setUpFolder } from '../../../support/temporaryFolder';
import { runTool } from '../../../support/toolHost';

const rowsOf = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ id: `r${index}`, q: `Question ${index}`, expected: 'yes' }));

describe('the eval tools', () => {
  const temporary = setUpFolder();
  const folder = () => temporary.in('x.eval');
  const file = () => temporary.in('x.yaml');

  const read = async (plan: EvalPlan, part: Parameters<typeof answeredService>[0] = {}) => {
    const service = answeredService(part);
    const run = await readStoredRun(file(), plan, { folder: folder(), prices: evalPrices, serviceAt: () => service });
    const { requests } = await dueRequests(plan, folder(), service, { prices: evalPrices });
    const facts = evalFacts(plan, evalPrices);
    return toAgentEval({ file: file(), title: 'My eval', plan, facts }, run, requests, evalPrices);
  };
  const resultsOf = async (plan: EvalPlan, input: object = {}, part: Parameters<typeof answeredService>[0] = {}) =>
    runTool(
      'evalResults',
      { file: 'x.yaml', ...input },
      { currency: 'USD', evalResults: async () => read(plan, part) },
    );

  it('report size, price, and the smallest detectable difference before a run', async () => {
    const { text, data } = await resultsOf(await planOfRows(rowsOf(60)));
    match(text, /^Eval "My eval"\.\nThe eval has not been run yet\./);
    match(
      text,
      /60 rows, 2 variants, 120 requests\. Price: about \$[\d.]+ as a batch, or \$[\d.]+ if you run them now\./,
    );
    match(text, /Scores: 120 graded locally, 0 by a model, 0 not graded\./);
    match(
      text,
      /Differences below [\d.]+ percentage points cannot be detected\.\n469 rows are needed to detect 5 percentage points\./,
    );
    deepEqual(data, { stage: 'none' });
  });

  it('report a regression with its interval, counts, and both responses', async () => {
    const plan = await planOfRows(rowsOf(60));
    await writeRun(folder(), plan, ({ row, variant }) =>
      variant.label === 'two' && Number(row.id!.slice(1)) < 15 ? 'no' : 'yes',
    );
    const { text, data } = await resultsOf(plan, { regressions: 2 });
    match(text, /Responses: 120 of 120, waiting: 0, failed: 0\. Cost: \$2\.40\./);
    match(
      text,
      /two compared with one: WORSE\. Difference: -25 points \(95%: -36\.7 to -15\), p < 0\.001\. Rows: 60, improved: 0, got worse: 15, unchanged: 45\./,
    );
    match(
      text,
      /one: 100% \([\d.]+% to 100%\), passed: 60, failed: 0, missing: 0\ntwo: 75% \([\d.]+% to [\d.]+%\), passed: 45/,
    );
    match(
      text,
      /Regressions of two: 15, 2 shown\.\n\nRow r0, failed: contains\nInput: Question 0\none: yes\ntwo: no\n\nRow r1,/,
    );
    ok(!text.includes('Row r2,'));
    const { comparisons } = data as { readonly comparisons: readonly { readonly verdict: string }[] };
    equal(comparisons[0]?.verdict, 'worse');
  });

  it("report no winner if the data isn't sufficient, and the number of rows required", async () => {
    const plan = await planOfRows(rowsOf(20));
    await writeRun(folder(), plan, ({ row, variant }) => (variant.label === 'two' && row.id === 'r0' ? 'no' : 'yes'));
    const { text } = await resultsOf(plan);
    match(text, /two compared with one: CAN'T TELL\. Difference: -5 points \(95%: .+ to .+\)/);
    match(
      text,
      /Only a few rows differ, so the interval is approximate\. About \d+ rows are needed to detect 5 points\./,
    );
  });

  it('count missing responses separately from failed ones, and report what remains', async () => {
    const plan = await planOfRows(rowsOf(6));
    await writeRun(folder(), plan, ({ row, variant }) => {
      if (row.id === 'r5') return { failure: 'Overloaded at https://one.example/v1' };
      return row.id === 'r4' && variant.label === 'two' ? undefined : 'yes';
    });
    const { text } = await resultsOf(plan);
    match(text, /Responses: 9 of 12, waiting: 0, failed: 2\./);
    match(text, /Failure reasons: Overloaded at \(address\)\./);
    match(text, /Not sent yet: 1 requests, including model grades\. Price: about \$[\d.]+ as a batch/);
    match(text, /two: 100% .+, passed: 4, failed: 0, missing \(not failed\): 2 no response/);
  });

  it('report that a batch is in progress, and that another run must wait', async () => {
    const plan = await planOfRows(rowsOf(3));
    await writeRun(folder(), plan, () => undefined, { how: 'batch' });
    const { text } = await resultsOf(plan, {}, { isOver: false });
    match(
      text,
      /waiting: 6, failed: 0\.\n?.*\nA batch takes minutes to a day\..*Do not run the eval again until then\./,
    );
    ok(!text.includes('Not sent yet'));
  });

  it('compare each variant with the baseline, which has no responses', async () => {
    const plan = await planOfRows(rowsOf(40));
    await writeRun(folder(), plan, () => 'yes');
    const { run } = await read(plan);
    const [variant] = plan.variants;
    await writeBaseline(file(), variant!, rowValues(run.graded.get(variant!)!));
    await rm(folder(), { recursive: true });
    await writeRun(folder(), plan, (cell) => (cell.variant === variant ? 'yes' : 'no'));
    const { text } = await resultsOf(plan, { regressions: 1 });
    match(text, /one compared with the baseline, one: CAN'T TELL\..*\ntwo compared with the baseline, one: WORSE\./);
    match(text, /Row r\d+, failed: contains\nInput: Question \d+\ntwo: no/);
  });

  it("say that model grades aren't calibrated", async () => {
    const plan = await planOfText(
      `prompts: [{ label: one, raw: '1 {{q}}' }, { label: two, raw: '2 {{q}}' }]\nproviders: ['openai:m']\ntests: [{ vars: { q: a }, assert: [{ type: llm-rubric, value: It is polite }] }]`,
    );
    await writeRun(folder(), plan, () => 'yes', { judge: 'judge' });
    match((await resultsOf(plan)).text, /Model grades are NOT CALIBRATED: 0 of 50 human labels\./);
  });

  it('run an eval by batch by default', async () => {
    const plan = await planOfRows(rowsOf(3));
    const asked: unknown[] = [];
    const parts = {
      currency: 'USD' as const,
      runEval: async (request: unknown) => {
        asked.push(request);
        return read(plan);
      },
    };
    ok(!(await runTool('runEval', { file: 'x.yaml' }, parts)).isError);
    await runTool('runEval', { file: 'x.yaml', how: 'smokeTest' }, parts);
    deepEqual(asked, [
      { file: 'x.yaml', how: 'batch' },
      { file: 'x.yaml', how: 'smokeTest' },
    ]);
    match((await runTool('runEval', { file: 'x.yaml', how: 'later' }, parts)).text, /"how" must be one of: batch, now/);
  });
});
