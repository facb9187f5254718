import { deepEqual, equal } from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { planEval } from '../../../../src/core/evals/evalPlan';
import type { EvalCell, EvalPlan } from '../../../../src/core/evals/evalPlan';
import { removeRequests } from '../../../../src/core/evals/run/runFolder';
import { RunReader, readStoredRun } from '../../../../src/core/evals/run/storedRun';
import { answeredService, evalPrices, planOfRows, planOfText, writeRun } from '../../../support/evalRuns';
import { setUpFolder } from '../../../support/temporaryFolder';

const rowsOf = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ id: `r${index}`, q: `Question ${index}`, expected: 'yes' }));

describe('a run that is loaded again', () => {
  const temporary = setUpFolder();
  const options = () => ({ folder: temporary.in('x.eval'), prices: evalPrices, serviceAt: () => answeredService() });
  const write = (plan: EvalPlan, answer: (cell: EvalCell) => string | undefined) =>
    writeRun(options().folder, plan, answer);
  let reader: RunReader;
  beforeEach(() => (reader = new RunReader()));

  /** Reads what was added, which must be all that there is. */
  const read = async (plan: EvalPlan) => {
    const again = await reader.read(temporary.in('x.yaml'), plan, options());
    deepEqual(again, await readStoredRun(temporary.in('x.yaml'), plan, options()));
    return again;
  };

  it('includes added responses, and all responses of a replaced run', async () => {
    const plan = await planOfRows(rowsOf(6));
    equal((await read(plan)).answers.size, 0);
    await write({ ...plan, rows: plan.rows.slice(0, 2) }, ({ variant }) =>
      variant.label === 'one' ? 'yes' : undefined,
    );
    const part = await read(plan);
    deepEqual([part.plan.rows.length, part.progress.answered, part.lost], [2, 2, 2]);
    await write(plan, () => 'yes');
    const more = await read(plan);
    deepEqual([more.plan.rows.length, more.progress.answered], [6, 12]);
    rmSync(options().folder, { recursive: true });
    equal((await read(plan)).answers.size, 0);
    await write(plan, () => 'no');
    deepEqual(
      [...(await read(plan)).graded.values()].flat().filter(({ result }) => 'pass' in result && result.pass),
      [],
    );
    // A shorter file isn't the one that was read.
    const path = `${options().folder}/responses.jsonl`;
    writeFileSync(path, `${readFileSync(path, 'utf8').split('\n').slice(0, 3).join('\n')}\n`);
    equal((await read(plan)).progress.answered, 3);
  });

  it('is graded by a changed eval file', async () => {
    const plan = await planOfRows(rowsOf(3));
    await write(plan, () => 'no');
    await read(plan);
    const changed = planEval({
      prompts: plan.variants.map(({ prompt }) => prompt),
      providers: [plan.variants[0]!.provider],
      rows: plan.rows.map((row) => ({ ...row, assertions: row.assertions.map((one) => ({ ...one, value: 'no' })) })),
      problems: [],
    });
    const passed = [...(await read(changed)).graded.values()]
      .flat()
      .filter(({ result }) => 'pass' in result && result.pass);
    equal(passed.length, 6);
  });

  it("isn't reread from the beginning", async () => {
    const plan = await planOfRows(rowsOf(4));
    await write({ ...plan, rows: plan.rows.slice(0, 2) }, () => 'yes');
    await read(plan);
    const path = `${options().folder}/responses.jsonl`;
    const text = readFileSync(path, 'utf8');
    writeFileSync(path, text.replaceAll('yes', 'NO.'));
    await write(plan, () => 'yes');
    const { answers } = await reader.read(temporary.in('x.yaml'), plan, options());
    equal([...answers.values()].filter(({ response }) => response?.text === 'yes').length, 8);
  });

  it('includes the requests of a rewritten file with the same name', async () => {
    const first = await planOfRows(rowsOf(2));
    const file = `${options().folder}/requests-0001-batch.jsonl`;
    await writeRun(options().folder, first, () => undefined, { how: 'batch' });
    await read(first);
    await removeRequests(file);
    const other = await planOfRows(rowsOf(2).map((row) => ({ ...row, q: `${row.q}, again` })));
    await writeRun(options().folder, other, () => undefined, { how: 'batch' });
    deepEqual((await read(other)).unsent, 0);
  });

  it('is a batch run if its responses are, even with immediate grades', async () => {
    const plan = await planOfText(
      "prompts: ['{{q}}']\nproviders: ['openai:m']\ntests: [{ vars: { q: a }, assert: [{ type: similar, value: yes }] }]",
    );
    await writeRun(options().folder, plan, () => 'yes', { how: 'batch' });
    await writeRun(options().folder, plan, () => undefined, { how: 'batch', embeddings: 'e5' });
    equal((await read(plan)).isByBatch, true);
  });
});
