import * as l10n from '@vscode/l10n';
import type { EvalVariant, PlannedRow } from '../../../core/evals/evalPlan';
import type { GradedCell } from '../../../core/evals/graders/gradeCell';
import { gradeNamed, rowValues } from '../../../core/evals/run/compare';
import type { RowValues } from '../../../core/evals/run/compare';
import { missingTexts, nameOfRow } from '../../../core/evals/run/report';
import { foldText, numberFormat, searchWords } from '../../../protocol/formats';
import type {
  EvalChoice,
  EvalDetails,
  EvalGroup,
  EvalMark,
  EvalScore,
  EvalSide,
  EvalTableRow,
  EvalTableSummary,
} from '../../../protocol/evalResults';
import { answerPieces, expectedOf } from './evalRows';
import { inputOf, oneLine, valueText } from '../../../core/evals/run/report';
import { answerIn, type Compared, type StoredRun } from '../../../core/evals/run/storedRun';
import { letterOf } from './verdictView';

const groupOrder: readonly EvalGroup[] = ['regressions', 'improvements', 'bothFailed', 'missing', 'bothPassed'];

type Entry = { readonly index: number } | { readonly group: EvalGroup; readonly count: number };

/** A column of the comparison: a variant, or the baseline, which has only results of rows. */
interface Block {
  readonly letter: string;
  readonly label: string;
  readonly variant: EvalVariant | undefined;
  readonly values: RowValues;
  /** By the hashes of rows. */
  readonly cells: ReadonlyMap<string, GradedCell>;
}

/** The rows of a run with the results of what is compared. */
export class EvalTable {
  private readonly blocks: readonly Block[];
  private readonly graders: readonly string[];
  private readonly groups: readonly EvalGroup[];
  private readonly folded: (string | undefined)[] = [];
  private entries: readonly Entry[] = [];
  private closed: ReadonlySet<EvalGroup> = new Set();
  readonly summary: EvalTableSummary;

  constructor(
    private readonly run: StoredRun,
    { reference, candidate }: Compared,
    private readonly language: string,
  ) {
    const { plan, graded, baseline } = run;
    const blockOf = (id: string): Block | undefined => {
      const index = plan.variants.findIndex((one) => one.id === id);
      const variant = plan.variants[index];
      const cells = (variant && graded.get(variant)) ?? [];
      if (!variant) return undefined;
      const first = cells.filter(({ repeat }) => repeat === 0).map((cell) => [cell.row, cell] as const);
      const values = rowValues(cells);
      return { letter: letterOf(index), label: variant.label, variant, values, cells: new Map(first) };
    };
    const isBaseline = reference === 'baseline' && baseline !== undefined;
    const before = isBaseline
      ? {
          letter: '',
          label: l10n.t('Baseline: {0}', baseline.label),
          variant: undefined,
          values: baseline.values,
          cells: new Map<string, GradedCell>(),
        }
      : blockOf(reference);
    const after = candidate === reference ? undefined : blockOf(candidate);
    this.blocks = [before, after].filter((block) => block !== undefined);
    const scores = this.blocks.flatMap(({ cells }) => [...cells.values()].flatMap((cell) => cell.scores));
    this.graders = [...new Set(scores.map(({ name }) => name))];
    this.groups = plan.rows.map((row) => this.groupOf(row));
    this.summary = this.summed();
  }

  private summed(): EvalTableSummary {
    const isPair = this.blocks.length > 1;
    const number = numberFormat(this.language);
    const labels = groupLabels(isPair);
    const groups = groupOrder.filter((group) => isPair || (group !== 'regressions' && group !== 'improvements'));
    const countOf = (group: EvalGroup) => this.groups.filter((one) => one === group).length;
    return {
      counts: [
        { group: 'all', label: l10n.t('All'), count: number.format(this.groups.length) },
        ...groups.map((group) => ({ group, label: labels[group], count: number.format(countOf(group)) })),
      ],
      graders: this.graders,
      blocks: this.blocks.map(({ letter, label, variant }) => ({ letter, label, hasResponses: variant !== undefined })),
      hasExpected: this.run.plan.rows.some((row) => expectedOf(row) !== ''),
    };
  }

  /** Filters and groups the rows. Returns the number of lines, and of rows. */
  arrange({ query, closed, isGrouped, ...choice }: EvalChoice): {
    readonly count: number;
    readonly rows: number;
  } {
    const words = searchWords(query);
    // A choice of an earlier run may name what this one doesn't have, and then the page offers no way to clear it.
    const group = this.summary.counts.some((one) => one.group === choice.group) ? choice.group : 'all';
    const failedBy = this.graders.includes(choice.failedBy ?? '') ? choice.failedBy : null;
    const found = this.groups.flatMap((own, index) => {
      if (group !== 'all' && own !== group) return [];
      if (failedBy !== null && !this.blocks.some((block) => this.fails(block, index, failedBy))) return [];
      return words.length > 0 && !words.every((word) => this.textOf(index).includes(word)) ? [] : [index];
    });
    if (!isGrouped) this.entries = found.map((index) => ({ index }));
    else
      this.entries = groupOrder.flatMap((one): readonly Entry[] => {
        const rows = found.filter((index) => this.groups[index] === one);
        if (rows.length === 0) return [];
        const heading = { group: one, count: rows.length };
        return closed.includes(one) ? [heading] : [heading, ...rows.map((index) => ({ index }))];
      });
    this.closed = new Set(closed);
    return { count: this.entries.length, rows: found.length };
  }

  rows(from: number, count: number): readonly EvalTableRow[] {
    return this.entries
      .slice(from, from + count)
      .map((entry) => ('group' in entry ? this.headingOf(entry) : this.rowOf(entry.index)));
  }

  /** The place of a row among those shown. */
  find(row: number): number | undefined {
    const at = this.entries.findIndex((entry) => 'index' in entry && entry.index === row);
    return at < 0 ? undefined : at;
  }

  details(index: number): EvalDetails {
    const row = this.run.plan.rows[index];
    if (!row) throw new Error(`No row ${index}`);
    const [before, after] = this.blocks;
    const [a, b] = [this.responseOf(before, row), this.responseOf(after, row)];
    const pieces = answerPieces(a, b);
    const sides = this.blocks.map((block, place): EvalSide => {
      return {
        letter: block.letter,
        label: block.label,
        pieces: pieces[place === 0 ? 0 : 1],
        note: this.noteOf(block, row),
        result: this.resultOf(block, row),
        scores: this.scoresOf(block, row),
      };
    });
    const vars = Array.from(row.vars).filter(([name]) => name !== 'item' && !name.startsWith('__'));
    return {
      row: index,
      name: nameOfRow(row),
      input: vars.map(([name, value]) => ({
        name,
        value: valueText(value),
      })),
      expected: expectedOf(row),
      sides,
    };
  }

  private headingOf({ group, count }: { readonly group: EvalGroup; readonly count: number }): EvalTableRow {
    const isPair = this.blocks.length > 1;
    const [before, after] = this.blocks.map(({ letter, label }) => letter || label);
    const facts = [l10n.t('Rows: {0}', numberFormat(this.language).format(count))];
    if (isPair && group === 'regressions')
      facts.push(l10n.t('Passed with {0}, failed with {1}', before ?? '', after ?? ''));
    if (isPair && group === 'improvements')
      facts.push(l10n.t('Passed with {0}, failed with {1}', after ?? '', before ?? ''));
    return {
      row: -1 - groupOrder.indexOf(group),
      heading: { group, label: groupLabels(isPair)[group], facts: facts.join(' · '), isClosed: this.closed.has(group) },
      name: '',
      input: '',
      expected: '',
      cells: [],
    };
  }

  private rowOf(index: number): EvalTableRow {
    const row = this.run.plan.rows[index]!;
    const texts = this.blocks.map((block) => this.responseOf(block, row));
    return {
      row: index,
      name: nameOfRow(row),
      input: inputOf(row),
      expected: oneLine(expectedOf(row)),
      cells: this.blocks.map((block, place) => {
        const text = texts[place];
        const note = this.noteOf(block, row);
        return {
          text: text === undefined ? note : oneLine(text),
          tone: text === undefined ? 'muted' : 'plain',
          isChanged: place === 1 && texts[0] !== undefined && text !== undefined && text !== texts[0],
          result: this.resultOf(block, row),
          grades: this.graders.map((name) => markOf(block.cells.get(row.hash), name)),
        };
      }),
    };
  }

  private groupOf({ hash }: PlannedRow): EvalGroup {
    const [before, after] = this.blocks;
    const first = before?.values.get(hash);
    const second = after ? after.values.get(hash) : first;
    if (first === undefined || second === undefined) return 'missing';
    if (second !== first) return second < first ? 'regressions' : 'improvements';
    return second === 1 ? 'bothPassed' : 'bothFailed';
  }

  private resultOf({ values }: Block, { hash }: PlannedRow): EvalMark {
    const value = values.get(hash);
    return value === undefined ? 'missing' : value === 1 ? 'pass' : 'fail';
  }

  private fails({ cells }: Block, index: number, name: string): boolean {
    return markOf(cells.get(this.run.plan.rows[index]?.hash ?? ''), name) === 'fail';
  }

  private responseOf(block: Block | undefined, { hash }: PlannedRow): string | undefined {
    return block?.variant && answerIn(this.run, hash, block.variant.id)?.response?.text;
  }

  /** Returns why there is no response, or what it lacks, or an empty text. */
  private noteOf({ variant }: Block, { hash }: PlannedRow): string {
    if (!variant) return '';
    const { response, failure } = answerIn(this.run, hash, variant.id) ?? {};
    if (!response) return failure ?? missingTexts.noResponse();
    return response.isTruncated ? missingTexts.truncated() : '';
  }

  private scoresOf({ cells }: Block, { hash }: PlannedRow): readonly EvalScore[] {
    return (cells.get(hash)?.scores ?? []).map(({ name, grade }) => {
      if ('missing' in grade) return { name, mark: 'missing', evidence: missingTexts[grade.missing]() };
      return { name, mark: grade.pass ? 'pass' : 'fail', evidence: grade.evidence ?? '' };
    });
  }

  /** The searched text, built once per row. */
  private textOf(index: number): string {
    return (this.folded[index] ??= this.foldedText(this.run.plan.rows[index]!));
  }

  private foldedText(row: PlannedRow): string {
    const texts = this.blocks.map((block) => this.responseOf(block, row) ?? '');
    return foldText([nameOfRow(row), inputOf(row), expectedOf(row), ...texts].join('\n'));
  }
}

function groupLabels(isPair: boolean): Readonly<Record<EvalGroup, string>> {
  return {
    regressions: l10n.t('Regressions'),
    improvements: l10n.t('Improvements'),
    bothFailed: isPair ? l10n.t('Failed by both') : l10n.t('Failed'),
    missing: l10n.t('Missing'),
    bothPassed: isPair ? l10n.t('Passed by both') : l10n.t('Passed'),
  };
}

function markOf(cell: GradedCell | undefined, name: string): EvalMark {
  if (!cell?.scores.some((score) => score.name === name)) return 'none';
  const grade = gradeNamed(cell, name);
  return 'missing' in grade ? 'missing' : grade.pass ? 'pass' : 'fail';
}
