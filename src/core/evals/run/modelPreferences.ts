import { cellId, judgedIn } from '../evalPlan';
import type { EvalPlan, EvalVariant } from '../evalPlan';
import { graderName } from '../graders/gradeCell';
import type { GradedCell } from '../graders/gradeCell';
import type { Grade } from '../graders/score';
import { preferenceOf } from '../statistics/judges';
import type { JudgedPair, Preference } from '../statistics/judges';
import type { CellAnswer } from './evalRun';
import { answerHash } from './humanLabels';
import type { HumanLabel } from './humanLabels';

/** A run whose responses are graded. */
interface GradedRun {
  readonly plan: EvalPlan;
  readonly graded: ReadonlyMap<EvalVariant, readonly GradedCell[]>;
  /** By the IDs of cells. */
  readonly answers: ReadonlyMap<string, CellAnswer>;
  /** By variant: its answers next to those of the first variant. */
  readonly pairs: ReadonlyMap<string, readonly JudgedPair[]>;
}

/** Returns the names of the graders that are models, also in sets. */
export function judgedNames({ rows }: EvalPlan): ReadonlySet<string> {
  const isJudged = (row: EvalPlan['rows'][number], one: EvalPlan['rows'][number]['assertions'][number]) =>
    judgedIn({ ...row, assertions: [one] }).length > 0;
  return new Set(rows.flatMap((row) => row.assertions.filter((one) => isJudged(row, one)).map(graderName)));
}

/** The grading models' results for the responses of two variants. */
export class ModelPreferences {
  /** By the IDs of variants and the hashes of rows. */
  private readonly cells: ReadonlyMap<string, ReadonlyMap<string, readonly GradedCell[]>>;
  private readonly pairs = new Map<string, Preference | undefined>();

  private readonly judged: ReadonlySet<string>;

  constructor(private readonly run: GradedRun) {
    this.judged = judgedNames(run.plan);
    this.cells = new Map(Array.from(run.graded, ([{ id }, cells]) => [id, byRow(cells)]));
    const reference = run.plan.variants[0]?.id ?? '';
    for (const [variant, pairs] of run.pairs)
      for (const pair of pairs) this.pairs.set(`${pair.row ?? ''} ${reference} ${variant}`, preferenceOf(pair));
  }

  /** Returns the grades of a row with a variant, by its ID. */
  cellsOf(row: string, variant: string): readonly GradedCell[] {
    return this.cells.get(variant)?.get(row) ?? [];
  }

  /** Returns the preferred response: that of a comparison, or else the one that passes more criteria. `undefined` without grades of both. */
  of(row: string, first: string, second: string): Preference | undefined {
    const pair = `${row} ${first} ${second}`;
    if (this.pairs.has(pair)) return this.pairs.get(pair);
    const [a, b] = [this.passedBy(row, first), this.passedBy(row, second)];
    if (a === undefined || b === undefined) return undefined;
    return a === b ? 'tie' : a > b ? 'first' : 'second';
  }

  /** Whether a response meets all criteria that a model grades; `undefined` without their grades. */
  passes(row: string, variant: string): boolean | undefined {
    return this.gradesOf(row, variant)?.every((grade) => 'pass' in grade && grade.pass);
  }

  /** Counts the ratings that can be compared with model grades: of responses that the run still has. A row that was rated twice counts once. */
  countRated(labels: Iterable<HumanLabel>): number {
    const rated = new Set<string>();
    for (const { row, first, second, answers, time } of labels) {
      const isOfRun = [first, second].every((id, place) => {
        const text = this.run.answers.get(cellId(row, id, 0))?.response?.text;
        return text !== undefined && answerHash(text) === answers[place];
      });
      if (time === 0 && isOfRun && this.of(row, first, second)) rated.add(`${row} ${first} ${second}`);
    }
    return rated.size;
  }

  private passedBy(row: string, variant: string): number | undefined {
    const grades = this.gradesOf(row, variant);
    return grades?.reduce((sum, grade) => sum + ('value' in grade ? grade.value : 0), 0);
  }

  private gradesOf(row: string, variant: string): readonly Grade[] | undefined {
    const cell = this.cellsOf(row, variant).find(({ repeat }) => repeat === 0);
    const grades = (cell?.scores ?? []).filter(({ name }) => this.judged.has(name)).map(({ grade }) => grade);
    return grades.length === 0 || grades.some((grade) => 'missing' in grade) ? undefined : grades;
  }
}

function byRow(cells: readonly GradedCell[]): ReadonlyMap<string, readonly GradedCell[]> {
  const found = new Map<string, GradedCell[]>();
  for (const cell of cells) {
    const own = found.get(cell.row);
    if (own) own.push(cell);
    else found.set(cell.row, [cell]);
  }
  return found;
}
