import * as l10n from '@vscode/l10n';
import { mostRepeats, mostRowValues, mostRows, namesOfRow } from '../evalConfig';
import type { EvalAssertion, EvalRow } from '../evalConfig';
import { numberOf, textOf } from './configTree';
import type { ConfigNode } from './configTree';
import type { Place } from './configTree';

export interface Defaults {
  readonly vars: ReadonlyMap<string, unknown>;
  readonly assertions: readonly EvalAssertion[];
  readonly threshold?: number;
  readonly rubric?: string;
  readonly prefix?: string;
  readonly suffix?: string;
  readonly isExpanded?: boolean;
}

interface TestPlace {
  readonly at: Place;
  /** Path of the file of rows that it is in. */
  readonly file: string | undefined;
}

/** A test as written, from which each set of defaults makes its rows. */
export interface Test extends TestPlace {
  readonly vars: ReadonlyMap<string, unknown>;
  readonly assertions: readonly EvalAssertion[];
  readonly framing: Partial<Defaults>;
  readonly threshold: number | undefined;
  readonly description: string | undefined;
  readonly output?: string | undefined;
  readonly gold?: EvalRow['gold'] | undefined;
}

/** What the options of a test change in its prompts. */
export function framing(test: ConfigNode | undefined): Partial<Defaults> {
  const options = test?.entries?.get('options')?.entries;
  const [prefix, suffix] = [textOf(options?.get('prefix')), textOf(options?.get('suffix'))];
  return {
    ...(prefix !== undefined && { prefix }),
    ...(suffix !== undefined && { suffix }),
    ...(options?.get('disableVarExpansion')?.scalar === true && { isExpanded: false }),
  };
}

/** How often each request is sent, as the options for a run say. */
export function readRepeats(
  top: ConfigNode['entries'],
  report: (at: Place, message: string) => void,
): number | undefined {
  for (const name of ['commandLineOptions', 'evaluateOptions']) {
    const node = top?.get(name)?.entries?.get('repeat');
    const repeats = node && numberOf(node);
    if (repeats !== undefined && Number.isInteger(repeats) && repeats >= 1 && repeats <= mostRepeats) return repeats;
    if (node) report(node, l10n.t('Expected a whole number from 1 to {0}.', mostRepeats));
  }
  return undefined;
}

/** The rows that tests make with their defaults. A few bytes can stand for any number of rows, so they are limited while they are made. */
export class TestRows {
  readonly rows: EvalRow[] = [];
  /** Whether reading more tests is of no use. */
  isFull = false;
  private tests = 0;
  private combinations = 0;
  private values = 0;

  constructor(private readonly report: (message: string, test: TestPlace) => void) {}

  /** Counts a test that is read, also one that makes no row. */
  countTest(test: TestPlace): void {
    if (++this.tests > mostRows) this.stop(test);
  }

  /** Adds the rows of tests until there are too many, which is reported once. */
  add(tests: readonly Test[], defaults: Defaults): void {
    for (const test of tests) {
      if (this.values > mostRowValues) return;
      if (this.rows.length >= mostRows || ++this.combinations > mostRows) return this.stop(test);
      this.addTest(test, defaults);
    }
  }

  private stop(
    test: TestPlace,
    message = l10n.t('The eval has too many rows. Only the first {0} are used.', mostRows),
  ): void {
    if (!this.isFull) this.report(message, test);
    this.isFull = true;
  }

  /** A variable with several values makes one row of each combination. */
  private addTest(test: Test, defaults: Defaults): void {
    const { prefix, suffix, isExpanded = true } = { ...defaults, ...test.framing };
    const vars = defaults.vars.size === 0 ? test.vars : new Map([...defaults.vars, ...test.vars]);
    const lists = isExpanded ? [...vars].filter(isListOfValues).toReversed() : [];
    let count = 1;
    for (const [, values] of lists) {
      count *= values.length;
      if (count <= mostRows) continue;
      this.values += vars.size;
      return this.report(l10n.t('This test creates too many rows. The maximum is {0}.', mostRows), test);
    }
    const assertions = [...defaults.assertions, ...test.assertions];
    this.values += Math.max(1, count) * vars.size + assertions.length;
    if (this.values > mostRowValues)
      return this.stop(test, l10n.t('The file has more than {0} values.', mostRowValues));
    const threshold = test.threshold ?? defaults.threshold;
    for (let index = 0; index < count; index++) {
      if (this.rows.length >= mostRows) return this.stop(test);
      const row = lists.length === 0 ? vars : combination(vars, lists, index);
      this.rows.push({
        vars: row,
        assertions,
        ...(test.output !== undefined && { output: test.output }),
        ...(test.gold && { gold: test.gold }),
        ...(threshold !== undefined && { threshold }),
        ...(test.description !== undefined && { description: test.description }),
        ...(prefix !== undefined && { prefix }),
        ...(suffix !== undefined && { suffix }),
        ...namesOfRow(row),
      });
    }
  }
}

/** The last variable changes first. */
function combination(
  vars: ReadonlyMap<string, unknown>,
  lists: readonly (readonly [string, readonly unknown[]])[],
  index: number,
): ReadonlyMap<string, unknown> {
  const row = new Map(vars);
  let rest = index;
  for (const [name, values] of lists) {
    row.set(name, values[rest % values.length]);
    rest = Math.floor(rest / values.length);
  }
  return row;
}

function isListOfValues(entry: readonly [string, unknown]): entry is [string, readonly unknown[]] {
  const [, value] = entry;
  return Array.isArray(value) && value.every((one) => typeof one !== 'object');
}
