import { deepEqual, equal, ok } from 'node:assert/strict';
import type { EvalPlan } from '../../../../src/core/evals/evalPlan';
import { rowValues } from '../../../../src/core/evals/run/compare';
import { writeBaseline } from '../../../../src/core/evals/run/baseline';
import { EvalTable } from '../../../../src/features/evals/logic/evalTable';
import { inputOf } from '../../../../src/core/evals/run/report';
import { readStoredRun } from '../../../../src/core/evals/run/storedRun';
import { comparedIn } from '../../../../src/core/evals/run/storedRun';
import type { EvalChoice } from '../../../../src/protocol/evalResults';
import { answeredService, evalPrices, planOfRows, planOfText, writeRun } from '../../../support/evalRuns';
import { setUpFolder } from '../../../support/temporaryFolder';

const all: EvalChoice = { group: 'all', failedBy: null, query: '', isGrouped: true, closed: ['bothPassed'] };
const rows = [
  { id: 'passes', q: 'What is 1 + 1?', expected: '2' },
  { id: 'regresses', q: 'What is 2 + 2?', expected: '4' },
  { id: 'improves', q: 'What is 3 + 3?', expected: '6' },
  { id: 'fails', q: 'What is 4 + 4?', expected: '8' },
  { id: 'lacks', q: 'What is 5 + 5?', expected: '10' },
];
const answers: Readonly<Record<string, readonly [string, string | undefined]>> = {
  passes: ['2', '2'],
  regresses: ['It is 4.', 'It is 5.'],
  improves: ['7', '6'],
  fails: ['9', '9'],
  lacks: ['10', undefined],
};

describe('the rows of an eval', () => {
  const temporary = setUpFolder();
  const file = () => temporary.in('x.yaml');
  const folder = () => temporary.in('x.eval');
  const stored = (plan: EvalPlan) =>
    readStoredRun(file(), plan, { folder: folder(), prices: evalPrices, serviceAt: () => answeredService() });
  const runOfFive = async () => {
    const plan = await planOfRows(rows);
    await writeRun(folder(), plan, ({ row, variant }) => answers[row.id!]?.[variant.label === 'one' ? 0 : 1]);
    return stored(plan);
  };
  const tableOf = async (reference = '') => {
    const run = await runOfFive();
    return new EvalTable(run, comparedIn(run, { reference, candidate: '' }), 'en');
  };
  const shown = (table: EvalTable) =>
    table.rows(0, 100).map(({ heading, name }) => (heading ? `# ${heading.label} · ${heading.facts}` : name));

  it('are grouped with regressions first, and those that both pass collapsed', async () => {
    const table = await tableOf();
    deepEqual(table.arrange(all), { count: 9, rows: 5 });
    deepEqual(shown(table), [
      '# Regressions · Rows: 1 · Passed with A, failed with B',
      'regresses',
      '# Improvements · Rows: 1 · Passed with B, failed with A',
      'improves',
      '# Failed by both · Rows: 1',
      'fails',
      '# Missing · Rows: 1',
      'lacks',
      '# Passed by both · Rows: 1',
    ]);
    deepEqual(
      table.summary.counts.map(({ label, count }) => `${label} ${count}`),
      ['All 5', 'Regressions 1', 'Improvements 1', 'Failed by both 1', 'Missing 1', 'Passed by both 1'],
    );
    ok(table.rows(0, 1)[0]!.row < 0);
  });

  it('have the input, the expected value, and a mark per grader and variant', async () => {
    const table = await tableOf();
    table.arrange({ ...all, group: 'regressions', isGrouped: false });
    deepEqual(table.rows(0, 100), [
      {
        row: 1,
        name: 'regresses',
        input: 'What is 2 + 2?',
        expected: '4',
        cells: [
          { text: 'It is 4.', tone: 'plain', isChanged: false, result: 'pass', grades: ['pass'] },
          { text: 'It is 5.', tone: 'plain', isChanged: true, result: 'fail', grades: ['fail'] },
        ],
      },
    ]);
  });

  it('show a missing response as missing with its reason, and never as failed', async () => {
    const table = await tableOf();
    table.arrange({ ...all, group: 'missing', isGrouped: false });
    const [row] = table.rows(0, 100);
    deepEqual(row?.cells[1], {
      text: 'no response',
      tone: 'muted',
      isChanged: false,
      result: 'missing',
      grades: ['missing'],
    });
    equal(table.arrange({ ...all, failedBy: 'contains', isGrouped: false }).rows, 3);
  });

  it('are all shown with a filter by a grader that the run no longer has', async () => {
    const table = await tableOf();
    equal(table.arrange({ ...all, failedBy: 'earlier', isGrouped: false }).rows, 5);
  });

  it('are found by ID, input, and response', async () => {
    const table = await tableOf();
    const found = (query: string) => {
      table.arrange({ ...all, query, isGrouped: false });
      return shown(table);
    };
    deepEqual(found('REGRESSES'), ['regresses']);
    deepEqual(found('8'), ['fails']);
    deepEqual(found('is 5.'), ['regresses']);
    equal(table.find(1), 0);
    equal(table.find(0), undefined);
  });

  it('have details with both responses, their differences, and the evidence of graders', async () => {
    const { sides, expected, input } = (await tableOf()).details(1);
    equal(expected, '4');
    deepEqual(input.at(-1), { name: 'q', value: 'What is 2 + 2?' });
    deepEqual(
      sides.map(({ letter, pieces }) => [
        letter,
        pieces.map(({ text, differs }) => (differs ? `[${text}]` : text)).join(''),
      ]),
      [
        ['A', 'It is [4].'],
        ['B', 'It is [5].'],
      ],
    );
    deepEqual(
      sides.map(({ scores }) => scores.map(({ name, mark }) => `${name} ${mark}`)),
      [['contains pass'], ['contains fail']],
    );
  });

  it('are compared with a baseline by its results, which has no responses', async () => {
    const run = await runOfFive();
    const [[variant, cells]] = [...run.graded] as unknown as readonly [readonly [EvalPlan['variants'][0], never]];
    await writeBaseline(file(), variant, rowValues(cells));
    const table = await tableOf();
    deepEqual(
      table.summary.blocks.map(({ label, hasResponses }) => [label, hasResponses]),
      [
        ['Baseline: one', false],
        ['two', true],
      ],
    );
    table.arrange({ ...all, group: 'regressions', isGrouped: false });
    deepEqual(
      table.rows(0, 1)[0]?.cells.map(({ result, text }) => [result, text]),
      [
        ['pass', ''],
        ['fail', 'It is 5.'],
      ],
    );
  });

  it('are passed, failed, or missing with one variant', async () => {
    const plan = await planOfText(
      `prompts: ['{{q}}']\nproviders: ['openai:m']\ntests: [{ vars: { id: a, q: b }, assert: [{ type: contains, value: yes }] }]`,
    );
    await writeRun(folder(), plan, () => 'no');
    const run = await stored(plan);
    const table = new EvalTable(run, comparedIn(run, { reference: '', candidate: '' }), 'en');
    deepEqual(
      table.summary.counts.map(({ label, count }) => `${label} ${count}`),
      ['All 1', 'Failed 1', 'Missing 0', 'Passed 0'],
    );
    equal(table.summary.blocks.length, 1);
    // The page may still have a filter that only two variants have.
    equal(table.arrange({ ...all, group: 'regressions', isGrouped: false }).rows, 1);
  });

  it("show as input only variables that aren't compared with the response", async () => {
    const inputOfRow = async (vars: string) => {
      const plan = await planOfText(
        `prompts: ['{{q}}']\nproviders: ['openai:m']\ntests: [{ vars: ${vars}, assert: [{ type: equals, value: '{{label}}' }] }]`,
      );
      return inputOf(plan.rows[0]!);
    };
    equal(await inputOfRow('{ id: a, q: Where is it?, label: delivery }'), 'Where is it?');
    equal(await inputOfRow('{ q: Where is it?, city: Rome, label: delivery }'), 'q: Where is it? · city: Rome');
    equal(await inputOfRow('{ label: delivery }'), 'delivery');
  });
});
