import { deepEqual, equal, match, notEqual, ok } from 'node:assert/strict';
import { appendFileSync, readFileSync } from 'node:fs';
import { addLabel, readLabels, undoLabel } from '../../../../src/core/evals/run/humanLabels';
import type { RatingScale } from '../../../../src/core/evals/run/humanLabels';
import { evalFacts } from '../../../../src/core/evals/evalFacts';
import type { EvalCell, EvalPlan } from '../../../../src/core/evals/evalPlan';
import { BlindReview } from '../../../../src/features/evals/logic/blindReview';
import { readStoredRun } from '../../../../src/core/evals/run/storedRun';
import { comparedIn } from '../../../../src/core/evals/run/storedRun';
import { verdictView } from '../../../../src/features/evals/logic/verdictView';
import type { EvalChoiceOfSide, EvalPoints } from '../../../../src/protocol/evalResults';
import { answeredService, evalPrices, planOfText, writeRun } from '../../../support/evalRuns';
import { setUpFolder } from '../../../support/temporaryFolder';

const count = 40;
const judgedPlan = () =>
  planOfText(
    `prompts: [{ label: one, raw: '1 {{q}}' }, { label: two, raw: '2 {{q}}' }]\nproviders: ['openai:m']\ntests: ${JSON.stringify(
      Array.from({ length: count }, (_, index) => ({
        vars: { id: `r${index}`, q: `Question ${index}`, sum: `Sum ${index}` },
        assert: [
          { type: 'contains', value: 'answer' },
          { type: 'llm-rubric', value: 'polite', metric: 'tone' },
        ],
      })),
    )}`,
  );

describe('a blind review', () => {
  const temporary = setUpFolder();

  it('contains pairs of gold rows, which measure the user and are part of no other result', async () => {
    const plan = await judgedPlan();
    const gold = (q: string, output: string, grade: 'pass' | 'fail') => ({
      ...plan.rows[0]!,
      vars: new Map([['q', q]]),
      hash: `${q}${grade}`,
      output,
      gold: grade,
    });
    const measured = {
      ...plan,
      gold: [
        ...['x', 'y', 'z'].flatMap((q) => [gold(q, `good ${q}`, 'pass'), gold(q, `bad ${q}`, 'fail')]),
        // Neither has a counterpart of the other grade.
        gold('lone', 'good', 'pass'),
      ],
    };
    await writeRun(folder(), measured, ({ row, variant }) => `answer ${variant.label} to ${row.id}`);
    for (const scale of ['better', 'pass', 'points'] as const) {
      const review = await open(measured, 0, scale);
      const all = Array.from({ length: review.progress('en').count }, (_, index) => review.item(index));
      const places = all.filter(({ input }) => /^[xyz]$/.test(String(input[0]?.value))).map(({ index }) => index);
      equal(places.length, 3);
      equal(review.progress('en').hasMore, false);
      ok(places[0]! > 5 && places.at(-1)! < count, String(places));
      for (const [turn, index] of places.entries()) {
        const { left } = review.item(index);
        const isGoodLeft = left
          .map(({ text }) => text)
          .join('')
          .startsWith('good');
        // The last one is rated the other way around.
        const isLeft = isGoodLeft === turn < 2;
        const points = scale === 'points' ? { left: isLeft ? 5 : 2, right: isLeft ? 2 : 5 } : null;
        review.set(index, review.label(index, isLeft ? 'left' : 'right', { note: '', seconds: 1, points }));
      }
      const { facts } = review.result('en');
      deepEqual(facts.at(-1), { name: 'Gold rows rated correctly', value: '2 of 3, 66.7% (20.8% – 93.9%)' });
      ok(!facts.some(({ name }) => name.endsWith('passes') || name.startsWith('Mean')));
    }
  });
  const folder = () => temporary.in('x.eval');

  /** The judge passes the first variant only, except that it fails both of the last row. Rows 0 to 3 have equal answers. */
  const judgedRun = async (): Promise<EvalPlan> => {
    const plan = await judgedPlan();
    await writeRun(folder(), plan, ({ row, variant }) =>
      Number(row.id!.slice(1)) < 4 ? 'same answer' : `answer ${variant.label} to ${row.id}`,
    );
    await writeRun(
      folder(),
      plan,
      ({ row, variant }) =>
        JSON.stringify({ reason: 'So', pass: variant.label === 'one' && row.id !== `r${count - 1}` }),
      { judge: 'j' },
    );
    return plan;
  };
  const stored = (plan: EvalPlan) =>
    readStoredRun(temporary.in('x.yaml'), plan, {
      folder: folder(),
      prices: evalPrices,
      serviceAt: () => answeredService(),
    });
  const open = async (plan: EvalPlan, size = 0, scale: RatingScale = 'better', rater = 'me') => {
    const run = await stored(plan);
    return BlindReview.of(run, comparedIn(run, { reference: '', candidate: '' }), { size, scale, rater })!;
  };
  const rate = async (
    review: BlindReview,
    index: number,
    choice: EvalChoiceOfSide,
    note = '',
    points: EvalPoints | null = null,
  ) => {
    const label = review.label(index, choice, { note, points, seconds: 9 });
    await addLabel(folder(), label);
    review.set(index, label);
  };
  const textOf = (pieces: readonly { readonly text: string }[]) => pieces.map(({ text }) => text).join('');

  it('excludes equal responses, and shows 5 % of the rows twice', async () => {
    const review = await open(await judgedRun());
    equal(review.progress('en').count, count - 4 + 2);
    equal(review.progress('en').text, '0 of 38');
  });

  it('has stable sides that differ between rows', async () => {
    const plan = await judgedRun();
    const sidesOf = (review: BlindReview) =>
      Array.from({ length: 36 }, (_, index) => textOf(review.item(index).left).includes('one'));
    const sides = sidesOf(await open(plan));
    deepEqual(sidesOf(await open(plan)), sides);
    const left = sides.filter(Boolean).length;
    ok(left > 8 && left < 28, String(left));
  });

  it('starts with rows on which the model and other graders disagree', async () => {
    const plan = await judgedPlan();
    await writeRun(folder(), plan, ({ row, variant }) => `answer ${variant.label} to ${row.id}`);
    const odd = ['r7', 'r20', 'r33'];
    const isOdd = (id: string | undefined, label: string) => label === 'two' && odd.includes(id ?? '');
    const judge = ({ row, variant }: EvalCell) => JSON.stringify({ reason: 'So', pass: !isOdd(row.id, variant.label) });
    await writeRun(folder(), plan, judge, { judge: 'j' });
    const review = await open(plan);
    deepEqual(
      new Set([0, 1, 2].map((index) => review.item(index).input[0]?.value)),
      new Set(odd.map((id) => `Question ${id.slice(1)}`)),
    );
  });

  it('stores each rating for the variant, whatever its side, and continues after a restart', async () => {
    const plan = await judgedRun();
    const review = await open(plan);
    const isLeft = textOf(review.item(0).left).includes('one');
    await rate(review, 0, isLeft ? 'left' : 'right', 'good');
    await rate(review, 1, 'bad');
    const [first, second] = await readLabels(folder());
    deepEqual([first?.choice, first?.note, second?.choice], ['first', 'good', 'bad']);
    const again = await open(plan);
    deepEqual([again.progress('en').done, again.progress('en').next], [2, 2]);
    deepEqual([again.item(0).choice, again.item(0).note], [isLeft ? 'left' : 'right', 'good']);
    equal(again.progress('en').pace, '9 sec per row');
  });

  it('undoes a rating by appending, and reads past an incomplete line', async () => {
    const plan = await judgedRun();
    const review = await open(plan);
    await rate(review, 0, 'tie');
    await rate(review, 1, 'tie');
    await undoLabel(folder(), review.labelAt(1)!);
    appendFileSync(`${folder()}/human.jsonl`, '{"row":"x","fir');
    equal(readFileSync(`${folder()}/human.jsonl`, 'utf8').split('\n').length, 4);
    equal((await readLabels(folder())).length, 1);
    await rate(review, 1, 'tie');
    equal((await readLabels(folder())).length, 2);
  });

  it('ignores ratings of other responses', async () => {
    const plan = await judgedRun();
    const review = await open(plan);
    const label = review.label(0, 'tie', { note: '', points: null, seconds: 1 });
    await addLabel(folder(), { ...label, answers: ['other', 'answers'] });
    equal((await open(plan)).progress('en').done, 0);
  });

  it('reports the agreement of model and user at the end', async () => {
    const plan = await judgedRun();
    const review = await open(plan);
    for (let index = 0; index < review.progress('en').count; index++) {
      const isFirstLeft = textOf(review.item(index).left).includes('one');
      // The person prefers the first answer too, except for a few rows.
      await rate(review, index, index < 6 ? 'tie' : isFirstLeft ? 'left' : 'right');
    }
    const { facts } = review.result('en');
    const factOf = (name: string) => facts.find((one) => one.name === name)?.value;
    equal(factOf('Preferences'), 'B (two): 0, A (one): 30, ties: 6');
    notEqual(factOf('Agreement with model grades'), undefined);
    ok(factOf('Agreement with model grades')!.endsWith('rows: 36'), factOf('Agreement with model grades'));
    equal(factOf('Agreement if every rating were the same'), '83.3%');
    equal(factOf('Calibration'), 'Not calibrated. Human labels: 36 of 50.');
    ok(factOf('Same rating on repeated rows')?.endsWith('of 2'));
  });

  it('counts the same ratings as the verdict: those of responses that the run still has', async () => {
    const plan = await judgedRun();
    const review = await open(plan);
    await rate(review, 0, 'tie');
    await rate(review, 1, 'tie');
    const other = review.label(2, 'tie', { note: '', points: null, seconds: 1 });
    await addLabel(folder(), { ...other, answers: ['other', 'answers'] });
    const run = await stored(plan);
    const { judge } = verdictView(run, {
      pageId: '',
      title: '',
      language: 'en',
      currency: undefined,
      facts: evalFacts(plan, evalPrices),
      compared: { reference: '', candidate: '' },
    });
    equal(judge?.text, 'Not calibrated: tone. Human labels: 2 of 50.');
    const calibration = (await open(plan)).result('en').facts.find(({ name }) => name === 'Calibration');
    equal(calibration?.value, 'Not calibrated. Human labels: 2 of 50.');
  });

  const factsOf = (review: BlindReview) =>
    new Map(review.result('en').facts.map(({ name, value }) => [name, value] as const));
  const isOneLeft = (review: BlindReview, index: number) => textOf(review.item(index).left).includes('one');

  it('rates by pass and by points separately, and compares passes with the model on each response', async () => {
    const plan = await judgedRun();
    const byPass = await open(plan, 0, 'pass');
    for (let index = 0; index < byPass.progress('en').count; index++)
      await rate(byPass, index, index < 9 ? 'tie' : isOneLeft(byPass, index) ? 'left' : 'right');
    const facts = factsOf(byPass);
    equal(facts.get('A (one) passes'), '100% (95%: 90.4% to 100%)');
    equal(facts.get('B (two) passes'), '25% (95%: 13.8% to 41.1%)');
    match(
      facts.get('Model grades of single responses')!,
      /^86\.1%, Cohen's κ: 0\.7\d, wrongly passed: 0, wrongly failed: 10$/,
    );
    const byPoints = await open(plan, 0, 'points');
    equal(byPoints.progress('en').done, 0);
    for (let index = 0; index < byPoints.progress('en').count; index++)
      await rate(
        byPoints,
        index,
        isOneLeft(byPoints, index) ? 'left' : 'right',
        '',
        isOneLeft(byPoints, index) ? { left: 5, right: 2 } : { left: 2, right: 5 },
      );
    deepEqual(
      [factsOf(byPoints).get('Mean rating of A (one)'), factsOf(byPoints).get('Mean rating of B (two)')],
      ['5', '2'],
    );
    const again = await open(plan, 0, 'points');
    deepEqual(again.item(0).points, isOneLeft(again, 0) ? { left: 5, right: 2 } : { left: 2, right: 5 });
    equal((await open(plan)).progress('en').done, 0);
  });

  it('keeps the ratings of several raters separate, and reports their agreement', async () => {
    const plan = await judgedRun();
    const all = async (rater: string, choiceOf: (isLeft: boolean, index: number) => EvalChoiceOfSide) => {
      const review = await open(plan, 0, 'better', rater);
      equal(review.progress('en').done, 0);
      for (let index = 0; index < review.progress('en').count; index++)
        await rate(review, index, choiceOf(isOneLeft(review, index), index));
    };
    await all('ann', (isLeft) => (isLeft ? 'left' : 'right'));
    await all('ben', (isLeft, index) => (index < 9 ? 'tie' : isLeft ? 'left' : 'right'));
    equal(
      factsOf(await open(plan, 0, 'better', 'ben')).get('Agreement among 2 raters'),
      "75%, Cohen's κ: 0, ratings: 36",
    );
    await all('cat', (isLeft, index) => (index < 9 ? 'tie' : isLeft ? 'left' : 'right'));
    equal(
      factsOf(await open(plan, 0, 'better', 'cat')).get('Agreement among 3 raters'),
      // Of 108 ratings, 18 are ties, in 9 of the rows: 1 - (18 * 107) / (2 * 18 * 90).
      "Krippendorff's α: 0.41, ratings: 108",
    );
    await undoLabel(folder(), (await open(plan, 0, 'better', 'cat')).labelAt(0)!);
    equal((await readLabels(folder())).filter(({ rater }) => rater === 'ben').length, 38);
  });

  it('names an item by its row and variants', async () => {
    const review = await open(await judgedRun());
    const keys = Array.from({ length: 38 }, (_, index) => review.item(index).key);
    equal(new Set(keys).size, 38);
    const again = await open(await judgedRun(), 200);
    deepEqual(
      keys.slice(0, 36),
      Array.from({ length: 36 }, (_, index) => again.item(index).key),
    );
  });

  it("shows the prompts' questions, without grader-only variables", async () => {
    const review = await open(await judgedRun());
    deepEqual(
      review.item(0).input.map(({ name }) => name),
      ['q'],
    );
  });

  it('requires two variants', async () => {
    const plan = await planOfText(
      `prompts: ['{{q}}']\nproviders: ['openai:m']\ntests: [{ vars: { q: a }, assert: [{ type: contains, value: yes }] }]`,
    );
    await writeRun(folder(), plan, () => 'yes');
    equal(await open(plan), undefined);
  });
});
