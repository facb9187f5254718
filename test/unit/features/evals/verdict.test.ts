import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { appendFileSync, readdirSync, writeFileSync } from 'node:fs';
import { evalFacts, smokePlan } from '../../../../src/core/evals/evalFacts';
import type { EvalPlan } from '../../../../src/core/evals/evalPlan';
import { rowValues } from '../../../../src/core/evals/run/compare';
import { writeBaseline } from '../../../../src/core/evals/run/baseline';
import { EvalRunFolder } from '../../../../src/core/evals/run/runFolder';
import { readStoredRun } from '../../../../src/core/evals/run/storedRun';
import { letterOf, verdictView } from '../../../../src/features/evals/logic/verdictView';
import { answeredService, evalOrigin, evalPrices, planOfRows, planOfText, writeRun } from '../../../support/evalRuns';
import { setUpFolder } from '../../../support/temporaryFolder';

const rowsOf = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ id: `r${index}`, q: `Question ${index}`, expected: 'yes' }));
const always = { reference: '', candidate: '' };

describe('the verdict on an eval', () => {
  const temporary = setUpFolder();
  const folder = () => temporary.in('x.eval');
  const file = () => temporary.in('x.yaml');

  const stored = (plan: EvalPlan, service: Parameters<typeof answeredService>[0] = {}) =>
    readStoredRun(file(), plan, {
      folder: folder(),
      prices: evalPrices,
      serviceAt: () => answeredService(service),
    });
  const viewOf = async (
    plan: EvalPlan,
    { compared = always, ...service }: Parameters<typeof answeredService>[0] & { compared?: typeof always } = {},
  ) => {
    const run = await stored(plan, service);
    return verdictView(run, {
      pageId: 'page',
      title: 'x',
      language: 'en',
      currency: 'USD',
      facts: evalFacts(run.plan, evalPrices),
      compared,
    });
  };

  it('names a regression with its interval, counts, and rows, and suggests a review', async () => {
    const plan = await planOfRows(rowsOf(60));
    await writeRun(folder(), plan, ({ row, variant }) =>
      variant.label === 'two' && Number(row.id!.slice(1)) < 15 ? 'no' : 'yes',
    );
    const view = await viewOf(plan);
    equal(view.verdict, 'worse');
    equal(view.sentence, 'B is worse than A');
    match(
      view.line,
      /^Difference: -25 points \(95%: -36\.7 to -15\), p < 0\.001\. Rows: 60, improved: 0, got worse: 15/,
    );
    deepEqual(view.primary, { id: 'regressions', label: 'Review Regressions' });
    equal(view.regressions.title, 'Regressions: 15');
    equal(view.regressions.more, '5 more');
    deepEqual(view.regressions.rows[0], {
      row: 0,
      name: 'r0',
      input: 'Question 0',
      before: 'yes',
      after: 'no',
      failed: 'contains',
    });
    deepEqual(
      view.variants.map(({ letter, label, pass, price, canAccept }) => [letter, label, pass.rate, price, canAccept]),
      [
        ['A', 'one', '100%', '$20.00', true],
        ['B', 'two', '75%', '$20.00', true],
      ],
    );
    equal(view.differences?.graders[0]?.rate, '-25');
    deepEqual(view.facts.slice(0, 2), ['Rows: 60, variants: 2', 'Charged: $2.40']);
    deepEqual(view.references, []);
  });

  it('suggests a better variant as the baseline, and compares the next run with it', async () => {
    const plan = await planOfRows(rowsOf(40));
    await writeRun(folder(), plan, ({ row, variant }) =>
      variant.label === 'one' && Number(row.id!.slice(1)) < 12 ? 'no' : 'yes',
    );
    const view = await viewOf(plan);
    deepEqual([view.verdict, view.primary?.id], ['better', 'accept']);
    const run = await stored(plan);
    const [, [better, cells]] = [...run.graded] as unknown as readonly [
      unknown,
      readonly [EvalPlan['variants'][1], never],
    ];
    await writeBaseline(file(), better, rowValues(cells));
    // That of another eval in the folder, which has rows of its own.
    await writeBaseline(temporary.in('other.yaml'), better, new Map([['0123456789', 1]]));
    const after = await viewOf(plan);
    deepEqual([after.reference, after.sentence], ['baseline', 'A is worse than the baseline']);
    equal(after.variants[1]?.role, 'baseline');
    equal(after.differences, undefined);
    equal(
      (await viewOf(plan, { compared: { reference: plan.variants[0]!.id, candidate: '' } })).sentence,
      'B is better than A',
    );
  });

  it('says how many rows differ between repeats', async () => {
    const plan = { ...(await planOfRows(rowsOf(20))), repeats: 3 };
    await writeRun(folder(), plan, ({ row, variant, repeat }) =>
      variant.label === 'two' && Number(row.id!.slice(1)) < 4 && repeat === 1 ? 'no' : 'yes',
    );
    const { checks, facts, variants } = await viewOf(plan);
    // As many rows as without repeats, which all agree.
    deepEqual([variants[0]?.pass.rate, variants[0]?.pass.interval], ['100%', '83.9–100']);
    deepEqual(checks, [
      { name: 'Rows that differ between repeats of A', value: '0% (0% – 16.1%)' },
      { name: 'Rows that differ between repeats of B', value: '20% (8.1% – 41.6%)' },
    ]);
    equal(facts[1], 'Repeats: 3');
    deepEqual((await viewOf(await planOfRows(rowsOf(20)))).checks, []);
  });

  it('names the number of rows required if it is undecided', async () => {
    const plan = await planOfRows(rowsOf(60));
    await writeRun(folder(), plan, ({ row, variant }) => {
      const index = Number(row.id!.slice(1));
      return (variant.label === 'one' ? index < 6 : index >= 4 && index < 12) ? 'no' : 'yes';
    });
    const { verdict, needs, primary } = await viewOf(plan);
    equal(verdict, 'cantTell');
    equal(primary?.id, 'addRows');
    match(primary?.label ?? '', /^Add Rows \(\d+\)…$/);
    deepEqual(
      needs.map(({ goal }) => goal),
      ['To detect 5 points', 'To detect 3.3 points'],
    );
    ok(needs.every(({ rows, price }) => /^rows to add: [\d,]+$/.test(rows) && price.startsWith('about $')));
  });

  it('has no comparison for one variant, and suggests it as the baseline', async () => {
    const plan = await planOfText(
      `prompts: ['{{q}}']\nproviders: ['openai:m']\ntests: [{ vars: { q: a }, assert: [{ type: contains, value: yes }] }]`,
    );
    await writeRun(folder(), plan, () => 'yes');
    const { verdict, plot, primary, variants } = await viewOf(plan);
    deepEqual([verdict, plot, primary?.id, variants.length], ['rate', undefined, 'accept', 1]);
  });

  it('allows a choice of the reference among several variants, and adjusts p for their number', async () => {
    const plan = await planOfText(
      `prompts: ['1 {{q}}', '2 {{q}}', '3 {{q}}']\nproviders: ['openai:m']\ntests: ${JSON.stringify(rowsOf(20).map(({ id, q }) => ({ vars: { id, q }, assert: [{ type: 'contains', value: 'yes' }] })))}`,
    );
    const [, second, third] = plan.variants;
    await writeRun(folder(), plan, ({ variant }) => (variant === third ? 'no' : 'yes'));
    const view = await viewOf(plan, { compared: { reference: second!.id, candidate: third!.id } });
    equal(view.sentence, 'C is worse than B');
    match(view.line, /p < 0\.001 \(Holm, comparisons: 2\)/);
    deepEqual(
      view.references.map(({ id }) => id),
      plan.variants.map(({ id }) => id),
    );
    deepEqual(
      view.candidates.map(({ label }) => label.slice(0, 1)),
      ['A', 'C'],
    );
  });

  it('covers the received responses of an interrupted run, and offers to resume it', async () => {
    const plan = await planOfRows(rowsOf(30));
    await writeRun(folder(), plan, ({ row }) => (Number(row.id!.slice(1)) < 20 ? 'yes' : undefined));
    const { stage, sentence, notices, primary, progress, variants } = await viewOf(plan);
    equal(stage, 'interrupted');
    match(sentence, /^Preliminary: /);
    deepEqual(
      notices.map(({ title, detail }) => `${title}: ${detail}`),
      ['The run was interrupted: Requests without a response: 20. Resume the run to complete it.'],
    );
    deepEqual(primary, { id: 'run', label: 'Resume Run…' });
    equal(progress, 'Responses so far: 40 of 60');
    ok(variants.every(({ canAccept }) => !canAccept));
  });

  it('waits for batches, and shows why one failed', async () => {
    const plan = await planOfRows(rowsOf(5));
    await writeRun(folder(), plan, () => undefined, { how: 'batch' });
    const waiting = await viewOf(plan, { isOver: false });
    deepEqual([waiting.stage, waiting.primary?.id, waiting.notices], ['waiting', 'collect', []]);
    const elsewhere = await viewOf(plan, { elsewhere: 'commandLine' });
    deepEqual([elsewhere.stage, elsewhere.primary?.id], ['waiting', 'collect']);
    ok(elsewhere.variants.every(({ canAccept }) => !canAccept));
    const [{ title, detail, actions }] = elsewhere.notices as [(typeof elsewhere.notices)[0]];
    match(
      `${title}. ${detail}`,
      /^Requests without results: 10\. The command line may have submitted a batch for this run, /,
    );
    deepEqual(actions, [{ id: 'retry', label: 'Retry Failed Requests…' }]);
    const failed = await viewOf(plan, { problem: 'The file was rejected.' });
    deepEqual(failed.notices[0], {
      tone: 'error',
      title: 'A batch failed',
      detail: 'The file was rejected.',
      actions: [],
    });
  });

  it('is pending while a run uses the folder', async () => {
    const plan = await planOfRows(rowsOf(5));
    await writeRun(folder(), plan, () => undefined);
    const held = await EvalRunFolder.open(folder(), evalOrigin);
    const { stage, primary } = await viewOf(plan);
    await held.close();
    deepEqual([stage, primary], ['running', undefined]);
  });

  it('counts failed requests with their reasons, and never as failed answers', async () => {
    const plan = await planOfRows(rowsOf(10));
    await writeRun(folder(), plan, ({ row, variant }) =>
      variant.label === 'two' && row.id === 'r3' ? { failure: 'Too long' } : 'yes',
    );
    const { notices, missing, variants } = await viewOf(plan);
    deepEqual(notices[0], {
      tone: 'warning',
      title: 'Failed requests: 1',
      detail: 'Too long',
      actions: [{ id: 'retry', label: 'Retry Failed Requests…' }],
    });
    deepEqual(missing, [{ name: 'Missing for B', value: '1 no response' }]);
    equal(variants[1]?.pass.hint, 'Passed: 9, Failed: 0, Missing: 1');
  });

  it('covers the rows of a smoke test, and says so', async () => {
    const plan = await planOfRows(rowsOf(60));
    await writeRun(folder(), { ...plan, rows: plan.rows.slice(0, 3) }, () => 'yes');
    const { notices, facts, sentence, primary } = await viewOf(plan);
    equal(notices[0]?.title, 'Rows in this run: 3 of 60');
    equal(facts[0], 'Rows: 3, variants: 2');
    match(sentence, /^Preliminary: /);
    equal(primary?.id, 'run');
  });

  it('excludes responses to a prompt that has changed since', async () => {
    const before = await planOfRows(rowsOf(10));
    await writeRun(folder(), before, () => 'yes');
    const plan = await planOfText(
      `prompts: [{ label: one, raw: '1 {{q}}' }, { label: two, raw: 'Other {{q}}' }]\nproviders: ['openai:m']\ntests: ${JSON.stringify(rowsOf(10).map(({ id, q }) => ({ vars: { id, q }, assert: [{ type: 'contains', value: 'yes' }] })))}`,
    );
    const { notices, verdict, variants, primary } = await viewOf(plan);
    equal(notices[0]?.title, 'The eval file has changed since this run');
    deepEqual([verdict, primary?.id], ['rate', 'run']);
    deepEqual(
      variants.map(({ pass }) => pass.rate),
      ['100%', ''],
    );
  });

  it('uses the readable part of a damaged folder, and reports the damage', async () => {
    const plan = await planOfRows(rowsOf(10));
    await writeRun(folder(), plan, () => 'yes');
    writeFileSync(`${folder()}/manifest.json`, '{"vers');
    appendFileSync(`${folder()}/responses.jsonl`, '{"key": 4}\n{"key":"x","id"');
    writeFileSync(temporary.in('baseline.json'), '{}');
    const { notices, variants } = await viewOf(plan);
    deepEqual(
      notices.map(({ tone, title }) => `${tone} ${title}`),
      ['error The run folder is damaged', "warning Couldn't read some responses", "warning Couldn't use the baseline"],
    );
    match(notices[1]!.detail, /responses\.jsonl: 2\./);
    equal(variants[0]?.pass.rate, '100%');
  });

  it('changes no files', async () => {
    const plan = await planOfRows(rowsOf(3));
    await writeRun(folder(), plan, ({ row }) => (row.id === 'r0' ? undefined : 'yes'));
    const list = () =>
      readdirSync(folder(), { recursive: true })
        .map(String)
        .toSorted((a, b) => a.localeCompare(b));
    const before = list();
    await viewOf(plan);
    deepEqual(list(), before);
  });

  it('is empty before the first run', async () => {
    const plan = await planOfRows(rowsOf(3));
    const { stage, verdict, primary } = await viewOf(plan);
    deepEqual([stage, verdict, primary], ['none', 'none', { id: 'run', label: 'Run Eval…' }]);
  });

  it('describes a judge as uncalibrated until people have rated enough responses', async () => {
    const plan = await planOfText(
      `prompts: ['{{q}}']\nproviders: ['openai:m']\ntests: [{ vars: { q: a }, assert: [{ type: llm-rubric, value: polite, metric: tone }] }]`,
    );
    await writeRun(folder(), plan, () => 'yes', { judge: 'j' });
    const view = await viewOf(plan);
    equal(view.judge?.text, 'Not calibrated: tone. Human labels: 0 of 50.');
    deepEqual(view.primary, { id: 'collect', label: 'Get Model Grades' });
    deepEqual(view.graders, [{ name: 'tone', isJudged: true }]);
  });

  it('measures the model that grades by rows of known grades, which are part of no other result', async () => {
    const gold = (id: string, output: string, grade: string) =>
      `{ vars: { id: ${id}, q: a }, providerOutput: ${output}, metadata: { desk: { gold: ${grade} } } }`;
    const plan = await planOfText(
      `prompts: ['1 {{q}}', '2 {{q}}']\nproviders: ['openai:m']
defaultTest: { assert: [{ type: llm-rubric, value: polite }, { type: contains, value: yes }, { type: select-best, value: good }] }
tests: [{ vars: { q: a } }, ${gold('g1', 'good', 'pass')}, ${gold('g2', 'fine', 'pass')}, ${gold('g3', 'bad', 'fail')}, ${gold('g4', 'rude', 'fail')}, ${gold('g5', 'odd', 'fail')}]`,
    );
    deepEqual([plan.rows.length, plan.gold.length, smokePlan(plan).gold.length], [1, 5, 0]);
    await writeRun(folder(), plan, () => 'yes');
    const asked: string[] = [];
    await writeRun(
      folder(),
      plan,
      ({ row }) => {
        asked.push(row.id ?? '');
        if (row.output === 'odd') return 'no verdict';
        return JSON.stringify({ reason: 'So', pass: row.output !== 'bad', winner: 'tie' });
      },
      { judge: 'j' },
    );
    // Equal responses of both variants have one verdict.
    deepEqual(asked.toSorted(), ['', 'g1', 'g2', 'g3', 'g4', 'g5']);
    const { checks, facts, variants } = await viewOf(plan);
    deepEqual(checks, [
      {
        name: 'Gold rows that the model grades correctly',
        value: "3 of 4, 75% (30.1% – 95.4%), Cohen's κ: 0.5, wrongly passed: 1, wrongly failed: 0",
      },
    ]);
    equal(facts[0], 'Rows: 1, variants: 2');
    equal(variants[0]?.pass.rate, '100%');
    const withoutGold = evalFacts({ ...plan, gold: [] }, evalPrices, { judge: 'j' }).grades!;
    const withGold = evalFacts(plan, evalPrices, { judge: 'j' }).grades!;
    ok(withGold.now > withoutGold.now && withGold.batch === withGold.now / 2);
  });

  it('labels variants beyond Z with several letters', () => {
    deepEqual([0, 25, 26, 51, 52].map(letterOf), ['A', 'Z', 'AA', 'AZ', 'BA']);
  });
});
