import * as l10n from '@vscode/l10n';
import { canonicalJson, hashOf } from '../../../core/evals/evalPlan';
import type { EvalVariant, PlannedRow } from '../../../core/evals/evalPlan';
import { namesIn } from '../../../core/evals/formats/template';
import type { GradedCell } from '../../../core/evals/graders/gradeCell';
import { gradeNamed } from '../../../core/evals/run/compare';
import { judgedNames, ModelPreferences } from '../../../core/evals/run/modelPreferences';
import { answerHash, keyOf as labelKey } from '../../../core/evals/run/humanLabels';
import type { HumanLabel, RatingScale } from '../../../core/evals/run/humanLabels';
import { cohenKappa } from '../../../core/evals/statistics/agreement';
import { calibratedLabels, judgeAgreement } from '../../../core/evals/statistics/judges';
import type { JudgedPair, Preference } from '../../../core/evals/statistics/judges';
import { signTest, wilson } from '../../../core/evals/statistics/passFail';
import { durationText, numberFormat } from '../../../protocol/formats';
import type {
  EvalChoiceOfSide,
  EvalPoints,
  EvalReview,
  EvalReviewItem,
  EvalReviewResult,
} from '../../../protocol/evalResults';
import { EvalNumbers } from './evalNumbers';
import { answerPieces, expectedOf } from './evalRows';
import { isPassed, preferenceIn, preferences, raterFacts, twoDigits } from './raterFacts';
import { estimateText, valueText } from '../../../core/evals/run/report';
import { answerIn, type Compared, type StoredRun } from '../../../core/evals/run/storedRun';
import { letterOf } from './verdictView';

/** Rows of a sitting. */
const sitting = 60;
/** Share of rows that come twice, to see whether the user agrees with themselves. */
const twice = 0.05;

interface Item {
  readonly row: PlannedRow;
  readonly time: number;
  /** Whether the answer of the first variant is on the left. */
  readonly isFirstLeft: boolean;
  readonly answers: readonly [string, string];
  /** Whether the first answer is known to pass and the second one to fail, so that it measures the user. */
  readonly isGold?: true;
}

interface ReviewOptions {
  /** Rows to review, at least. */
  readonly size: number;
  readonly scale: RatingScale;
  /** Whose ratings are continued. Those of others are counted, but not shown. */
  readonly rater: string;
}

/** The rows of a run that a user rates, without knowing whose the answers are. */
export class BlindReview {
  private readonly items: readonly Item[];
  /** Names of the graders that are models. */
  private readonly judged: ReadonlySet<string>;
  /** What a judge says of pairs, by rows, if it compared these variants. */
  private readonly pairs: ReadonlyMap<string, JudgedPair>;
  private readonly models: ModelPreferences;
  /** All ratings of the run, also those of other variants and responses. */
  private readonly stored: Map<string, HumanLabel>;
  private readonly labels = new Map<string, HumanLabel>();
  /** Rows that could be rated. */
  readonly rows: number;

  private constructor(
    private readonly run: StoredRun,
    private readonly first: EvalVariant,
    private readonly second: EvalVariant,
    private readonly options: ReviewOptions,
  ) {
    const { size, scale, rater } = options;
    this.judged = judgedNames(run.plan);
    this.models = new ModelPreferences(run);
    this.stored = new Map(run.labels.map((label) => [labelKey(label), label]));
    const isPaired = first === run.plan.variants[0];
    const pairs = isPaired ? (run.pairs.get(second.id) ?? []) : [];
    this.pairs = new Map(pairs.map((pair) => [pair.row ?? '', pair]));
    const sent = this.candidates();
    this.rows = sent.length;
    const shown = sent.slice(0, Math.max(sitting, size));
    const repeated = shown
      .toSorted((a, b) => compareText(hashOf(`twice ${a.hash}`, 8), hashOf(`twice ${b.hash}`, 8)))
      .slice(0, shown.length < 2 ? 0 : Math.ceil(shown.length * twice));
    const once = shown.map((row) => this.itemOf(row, 0));
    this.items = [...spread(once, this.goldItems()), ...repeated.map((row) => this.itemOf(row, 1))];
    const items = new Map(this.items.map((item) => [keyOf(item), item]));
    for (const label of run.labels) {
      const isOwn = label.rater === rater && (label.scale ?? 'better') === scale;
      const isOfPair = isOwn && label.first === first.id && label.second === second.id;
      const item = isOfPair && items.get(`${label.row} ${label.time}`);
      // Other answers than those that were rated are not rated yet.
      if (item && label.answers.every((one, place) => one === answerHash(item.answers[place]!)))
        this.labels.set(keyOf(item), label);
    }
  }

  /** Returns the review of two variants; `undefined` if there is only one, or if they answered no row differently. */
  static of(run: StoredRun, { reference, candidate }: Compared, options: ReviewOptions): BlindReview | undefined {
    const { variants } = run.plan;
    const second = variants.find(({ id }) => id === candidate);
    const first = variants.find(({ id }) => id === reference) ?? variants.find(({ id }) => id !== candidate);
    if (!first || !second || first === second) return undefined;
    const review = new BlindReview(run, first, second, options);
    return review.items.length === 0 ? undefined : review;
  }

  /** How far the review is. */
  progress(language: string): EvalReview {
    const rated = this.items.map((item) => this.labels.has(keyOf(item)));
    const done = rated.filter(Boolean).length;
    const seconds = [...this.labels.values()].map((label) => label.seconds).filter((one) => one > 0);
    const mean = seconds.reduce((sum, one) => sum + one, 0) / Math.max(1, seconds.length);
    const number = numberFormat(language);
    return {
      count: this.items.length,
      done,
      next: rated.indexOf(false),
      text: l10n.t('{0} of {1}', number.format(done), number.format(this.items.length)),
      pace: seconds.length === 0 ? '' : l10n.t('{0} per row', durationText(Math.max(1, mean) * 1000, language)),
      hasMore: this.rows > this.items.filter(({ time, isGold }) => time === 0 && !isGold).length,
    };
  }

  /** What is shown of an item: no names, and no results. */
  item(index: number): EvalReviewItem {
    const item = this.at(index);
    const { row, isFirstLeft, answers } = item;
    const [left, right] = isFirstLeft ? answers : [answers[1], answers[0]];
    const [leftPieces, rightPieces] = answerPieces(left, right);
    const label = this.labels.get(keyOf(item));
    return {
      index,
      key: this.keyAt(index),
      input: Array.from(row.vars)
        .filter(([name]) => this.isAsked(name))
        .map(([name, value]) => ({ name, value: valueText(value) })),
      expected: expectedOf(row),
      left: leftPieces,
      right: rightPieces,
      choice: label ? sideOf(label.choice, isFirstLeft) : null,
      points: pointsOf(label, isFirstLeft),
      note: label?.note ?? '',
    };
  }

  /** Returns the label of an item, to be stored. */
  label(
    index: number,
    choice: EvalChoiceOfSide,
    part: { readonly note: string; readonly seconds: number; readonly points: EvalPoints | null },
  ): HumanLabel {
    const { row, time, isFirstLeft, answers } = this.at(index);
    const { note, points } = part;
    const { scale, rater } = this.options;
    return {
      row: row.hash,
      first: this.first.id,
      second: this.second.id,
      answers: [answerHash(answers[0]), answerHash(answers[1])],
      choice: choice === 'tie' || choice === 'bad' ? choice : (choice === 'left') === isFirstLeft ? 'first' : 'second',
      scale,
      ...(points && { values: isFirstLeft ? [points.left, points.right] : [points.right, points.left] }),
      rater,
      time,
      ...(note !== '' && { note }),
      seconds: Math.round(part.seconds * 10) / 10,
      at: Date.now(),
    };
  }

  /** Takes over a label that was stored, or none that was taken back. */
  set(index: number, label: HumanLabel | undefined): void {
    const item = this.at(index);
    const key = keyOf(item);
    const { scale, rater } = this.options;
    const [first, second] = [this.first.id, this.second.id];
    const stored = labelKey({ row: item.row.hash, first, second, time: item.time, scale, rater });
    if (label) {
      this.labels.set(key, label);
      this.stored.set(stored, label);
    } else {
      this.labels.delete(key);
      this.stored.delete(stored);
    }
  }

  /** Names the row and the variants of an item, and how they are rated. */
  keyAt(index: number): string {
    return `${keyOf(this.at(index))} ${this.first.id} ${this.second.id} ${this.options.scale}`;
  }

  labelAt(index: number): HumanLabel | undefined {
    return this.labels.get(keyOf(this.at(index)));
  }

  /** What the ratings say, once they are done: of the variants, of the judge, and of the user. */
  result(language: string): EvalReviewResult {
    const names = { first: this.nameOf(this.first), second: this.nameOf(this.second) };
    const numbers = new EvalNumbers(language, undefined);
    const rated = this.items.flatMap((item) => {
      const label = this.labels.get(keyOf(item));
      return label && item.time === 0 && !item.isGold ? [{ item, label, choice: preferenceIn(label) }] : [];
    });
    const countOf = (choice: Preference) => rated.filter((one) => one.choice === choice).length;
    const [wins, losses, ties] = [countOf('second'), countOf('first'), countOf('tie')];
    const { p, rate } = signTest(wins, losses);
    const facts = [
      ...this.ratingFacts(
        rated.map(({ label }) => label),
        numbers,
      ),
      {
        name: l10n.t('Preferences'),
        value: l10n.t(
          '{0}: {1}, {2}: {3}, ties: {4}',
          names.second,
          numbers.count(wins),
          names.first,
          numbers.count(losses),
          numbers.count(ties),
        ),
      },
      ...(rate
        ? [
            {
              name: l10n.t('{0} preferred, excluding ties', names.second),
              value: l10n.t(
                '{0} (95%: {1} to {2}), {3}',
                numbers.percent(rate.estimate),
                numbers.percent(rate.low),
                numbers.percent(rate.high),
                numbers.p(p),
              ),
            },
          ]
        : []),
      ...this.judgeFacts(rated, numbers),
      ...this.passFacts(rated, numbers),
      ...raterFacts(
        this.items.filter(({ time, isGold }) => time === 0 && !isGold),
        [...this.stored.values()].filter((label) => this.isOfPair(label)),
        { scale: this.options.scale, numbers },
      ),
      ...this.ownFacts(numbers),
      ...this.goldFacts(numbers),
    ];
    return { facts };
  }

  /** The share of passes or the mean points of each variant. */
  private ratingFacts(labels: readonly HumanLabel[], numbers: EvalNumbers): EvalReviewResult['facts'] {
    const { scale } = this.options;
    if (labels.length === 0 || scale === 'better') return [];
    return [this.first, this.second].map((variant, place) => {
      const points = labels.map(({ values }) => values?.[place] ?? 0);
      const rate = wilson(labels.filter((label) => isPassed(label, place)).length, labels.length);
      if (scale === 'pass' && rate)
        return {
          name: l10n.t('{0} passes', this.nameOf(variant)),
          value: l10n.t(
            '{0} (95%: {1} to {2})',
            numbers.percent(rate.estimate),
            numbers.percent(rate.low),
            numbers.percent(rate.high),
          ),
        };
      const mean = points.reduce((sum, one) => sum + one, 0) / points.length;
      return { name: l10n.t('Mean rating of {0}', this.nameOf(variant)), value: twoDigits(numbers, mean) };
    });
  }

  /** How far the model's verdicts agree with the user's on each response. */
  private passFacts(
    rated: readonly { readonly item: Item; readonly label: HumanLabel }[],
    numbers: EvalNumbers,
  ): EvalReviewResult['facts'] {
    if (this.options.scale !== 'pass') return [];
    const pairs = rated.flatMap(({ item, label }) =>
      [this.first, this.second].flatMap(({ id }, place) => {
        const judge = this.models.passes(item.row.hash, id);
        return judge === undefined ? [] : [{ human: isPassed(label, place), judge }];
      }),
    );
    const found = judgeAgreement(pairs);
    if (!found) return [];
    const { agreement, kappa, counts } = found;
    return [
      {
        name: l10n.t('Model grades of single responses'),
        value: l10n.t(
          "{0}, Cohen's κ: {1}, wrongly passed: {2}, wrongly failed: {3}",
          numbers.percent(agreement),
          twoDigits(numbers, kappa),
          numbers.count(counts.falsePass),
          numbers.count(counts.falseFail),
        ),
      },
    ];
  }

  private isOfPair({ first, second, time, scale = 'better' }: HumanLabel): boolean {
    return first === this.first.id && second === this.second.id && time === 0 && scale === this.options.scale;
  }

  /** How far the judge's grades agree with the user's preferences, next to what a constant answer would reach. */
  private judgeFacts(
    rated: readonly { readonly item: Item; readonly choice: Preference }[],
    numbers: EvalNumbers,
  ): EvalReviewResult['facts'] {
    if (this.judged.size === 0) return [];
    const table = preferences.map(() => preferences.map(() => 0));
    let pairs = 0;
    for (const { item, choice } of rated) {
      const other = this.models.of(item.row.hash, this.first.id, this.second.id);
      const cells = table[preferences.indexOf(choice)];
      if (!other || !cells) continue;
      cells[preferences.indexOf(other)]!++;
      pairs++;
    }
    const found = cohenKappa(table);
    if (!found)
      return [
        { name: l10n.t('Agreement with model grades'), value: l10n.t('No row has model grades for both responses.') },
      ];
    const labels = this.models.countRated(this.stored.values());
    const { kappa, agreement, baseRate } = found;
    const kappaText = twoDigits(numbers, kappa);
    return [
      {
        name: l10n.t('Agreement with model grades'),
        value: l10n.t("{0}, Cohen's κ: {1}, rows: {2}", numbers.percent(agreement), kappaText, numbers.count(pairs)),
      },
      { name: l10n.t('Agreement if every rating were the same'), value: numbers.percent(baseRate) },
      {
        name: l10n.t('Calibration'),
        value:
          labels >= calibratedLabels
            ? l10n.t('Calibrated')
            : l10n.t(
                'Not calibrated. Human labels: {0} of {1}.',
                numbers.count(labels),
                numbers.count(calibratedLabels),
              ),
      },
    ];
  }

  /** Whether the user rated the rows that came twice in the same way. */
  private ownFacts(numbers: EvalNumbers): EvalReviewResult['facts'] {
    const again = this.items.filter(({ time }) => time === 1);
    const both = again.flatMap(({ row }) => {
      const [one, other] = [this.labels.get(`${row.hash} 0`), this.labels.get(`${row.hash} 1`)];
      return one && other ? [one.choice === other.choice && String(one.values) === String(other.values)] : [];
    });
    if (both.length === 0) return [];
    const same = both.filter(Boolean).length;
    return [
      {
        name: l10n.t('Same rating on repeated rows'),
        value: l10n.t('{0} of {1}', numbers.count(same), numbers.count(both.length)),
      },
    ];
  }

  /** How often the user rated the better one of two answers of known grades as the better one. */
  private goldFacts(numbers: EvalNumbers): EvalReviewResult['facts'] {
    const labels = this.items.flatMap((item) => (item.isGold && this.labels.get(keyOf(item))) || []);
    const right = labels.filter(({ choice, values }) => (values ? values[0] > values[1] : choice === 'first')).length;
    const rate = wilson(right, labels.length);
    if (!rate) return [];
    return [
      {
        name: l10n.t('Gold rows rated correctly'),
        value: l10n.t(
          '{0} of {1}, {2}',
          numbers.count(right),
          numbers.count(labels.length),
          estimateText(rate, numbers.language),
        ),
      },
    ];
  }

  /** Two answers to the same variables, of which one is known to pass and one to fail. */
  private goldItems(): readonly Item[] {
    const byVars = new Map<string, PlannedRow[]>();
    for (const row of this.run.plan.gold) {
      const key = canonicalJson([...row.vars].filter(([name]) => name !== 'id' && name !== 'item'));
      const same = byVars.get(key);
      if (same) same.push(row);
      else byVars.set(key, [row]);
    }
    return [...byVars.values()].flatMap((rows): readonly Item[] => {
      const [good, bad] = ['pass', 'fail'].map((grade) => rows.find(({ gold }) => gold === grade));
      if (good?.output === undefined || bad?.output === undefined || good.output === bad.output) return [];
      return [{ ...this.itemOf(good, 0), answers: [good.output, bad.output], isGold: true }];
    });
  }

  /** Rows that both answered differently: first those of which the judge is unsure, then those on which graders disagree, then the others. */
  private candidates(): readonly PlannedRow[] {
    const { judged } = this;
    const rankOf = (row: PlannedRow): number => {
      const ofVariants = [this.first, this.second].map(({ id }) => this.models.cellsOf(row.hash, id));
      const gradesOf = (cells: readonly GradedCell[], isJudge: boolean) =>
        cells.flatMap((cell) =>
          [...new Set(cell.scores.map(({ name }) => name))]
            .filter((name) => judged.has(name) === isJudge)
            .flatMap((name) => {
              const grade = gradeNamed(cell, name);
              return 'pass' in grade ? [`${name} ${String(grade.pass)}`] : [];
            }),
        );
      const isUnsure = ofVariants.some((cells) => {
        const grades = new Set(gradesOf(cells, true));
        return [...judged].some((name) => grades.has(`${name} true`) && grades.has(`${name} false`));
      });
      if (isUnsure || isFlipped(this.pairs.get(row.hash))) return 0;
      const disagrees = ofVariants.some((cells) => {
        const passes = (isJudge: boolean) => gradesOf(cells, isJudge).map((one) => one.endsWith('true'));
        const [judge, local] = [passes(true), passes(false)];
        return judge.length > 0 && local.length > 0 && judge.every(Boolean) !== local.every(Boolean);
      });
      return disagrees ? 1 : 2;
    };
    return this.run.plan.rows
      .filter((row) => {
        const [a, b] = this.answersOf(row);
        return a !== undefined && b !== undefined && a !== b;
      })
      .map((row) => ({ row, rank: rankOf(row), order: hashOf(`order ${row.hash}`, 8) }))
      .toSorted((a, b) => a.rank - b.rank || compareText(a.order, b.order))
      .map(({ row }) => row);
  }

  /** Whether a variable is part of a prompt: the others, such as an expected value, are not part of the question. */
  private isAsked(name: string): boolean {
    // The variable `item` has all values of a row, also the expected one.
    if (name === 'item') return false;
    return [this.first, this.second].some(
      ({ prompt: { text } }) => namesIn(text).includes(name) || text.includes(`item.${name}`),
    );
  }

  private nameOf(variant: EvalVariant): string {
    return `${letterOf(this.run.plan.variants.indexOf(variant))} (${variant.label})`;
  }

  private answersOf({ hash }: PlannedRow): readonly (string | undefined)[] {
    return [this.first, this.second].map(({ id }) => answerIn(this.run, hash, id)?.response?.text);
  }

  private itemOf(row: PlannedRow, time: number): Item {
    const [a = '', b = ''] = this.answersOf(row);
    const side = Number.parseInt(hashOf(`side ${row.hash} ${this.first.id} ${this.second.id} ${time}`, 4), 16);
    return { row, time, isFirstLeft: side % 2 === 0, answers: [a, b] };
  }

  private at(index: number): Item {
    const item = this.items[index];
    if (!item) throw new Error(`No item ${index}`);
    return item;
  }
}

function keyOf({ row, time }: Item): string {
  return `${row.hash} ${time}`;
}

/** Puts a few items evenly between others. */
function spread(items: readonly Item[], few: readonly Item[]): readonly Item[] {
  if (items.length === 0) return [];
  const every = (items.length + few.length) / (few.length + 1);
  const all = [...items];
  for (const [index, item] of few.entries()) all.splice(Math.round((index + 1) * every) - 1, 0, item);
  return all;
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Whether a judge says something else if the answers are swapped. */
function isFlipped(pair: JudgedPair | undefined): boolean {
  return pair?.forward !== undefined && pair.swapped !== undefined && pair.forward !== pair.swapped;
}

function pointsOf(label: HumanLabel | undefined, isFirstLeft: boolean): EvalPoints | null {
  if (!label?.values) return null;
  const [first, second] = label.values;
  return isFirstLeft ? { left: first, right: second } : { left: second, right: first };
}

function sideOf(choice: HumanLabel['choice'], isFirstLeft: boolean): EvalChoiceOfSide {
  if (choice === 'tie' || choice === 'bad') return choice;
  return (choice === 'first') === isFirstLeft ? 'left' : 'right';
}
