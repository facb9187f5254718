import type { UnitPrices } from '../api/models/listedPrices';
import type { Span } from '../batch/problem';

/** What an eval is made of, read from files and not yet planned. Nothing of it was run. */
export interface EvalConfig {
  readonly description?: string;
  readonly prompts: readonly EvalPrompt[];
  readonly providers: readonly EvalProvider[];
  readonly rows: readonly EvalRow[];
  /** How often each request is sent, if the file says. */
  readonly repeats?: number;
  /** In the order of their places. */
  readonly problems: readonly EvalProblem[];
}

export interface EvalPrompt {
  readonly label: string;
  /** Text, or a JSON or YAML list of messages, with placeholders. */
  readonly text: string;
  /** A script, or a file that could not be read: no request can be made of it. */
  readonly canRun: boolean;
  readonly parameters?: Readonly<Record<string, unknown>>;
  /** Values of placeholders that a row does not have. */
  readonly defaults?: ReadonlyMap<string, unknown>;
}

/** `service`: a model of the account. `echo`: the prompt is the answer. `none`: a script, or a service that cannot be reached from here. */
export interface EvalProvider {
  readonly label: string;
  readonly kind: 'service' | 'echo' | 'none';
  /** Without the vendor's prefix. */
  readonly model: string;
  /** Labels of the only prompts that it gets. */
  readonly prompts?: readonly string[];
  readonly parameters: Readonly<Record<string, unknown>>;
  /** As the file says, per token. Never shown as a price before requests are sent, because a file is untrusted text. */
  readonly prices?: UnitPrices;
}

export interface EvalRow {
  /** From a column or test variable `id`; others are identified by what is in them. */
  readonly id?: string;
  readonly description?: string;
  readonly vars: ReadonlyMap<string, unknown>;
  readonly assertions: readonly EvalAssertion[];
  /** Text before and after each prompt, in this row. */
  readonly prefix?: string;
  readonly suffix?: string;
  /** The answer of every variant, as the file has it: no request is sent for it. */
  readonly output?: string;
  /** The known grade of that answer: it measures models that grade and people who rate, and is part of no result. */
  readonly gold?: 'pass' | 'fail';
  /** Lowest weighted score at which the row passes. Absent: every assertion must pass. */
  readonly threshold?: number;
  /** Rows of one group are not independent of each other. */
  readonly group?: string;
}

/** Returns the ID and the group of a row with these variables. An empty one is none. */
export function namesOfRow(vars: ReadonlyMap<string, unknown>): { readonly id?: string; readonly group?: string } {
  const [id, group] = ['id', 'group'].map((name) => {
    const value = vars.get(name);
    return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  });
  return { ...(id && { id }), ...(group && { group }) };
}

/** `local` and `service` ones are graded. The others never are, and are counted as missing. */
export type AssertionClass = 'local' | 'service' | 'code' | 'other' | 'unknown' | 'reference' | 'set';

export interface EvalAssertion {
  /** Without `not-`. */
  readonly type: string;
  readonly isNegated: boolean;
  readonly class: AssertionClass;
  readonly value: unknown;
  readonly threshold?: number;
  /** 1 if not given. 0 counts for nothing and never fails the row. */
  readonly weight: number;
  readonly metric?: string;
  /** Set for one that is not graded although its type is known, such as one whose value is a script. */
  readonly isBlocked: boolean;
  readonly members: readonly EvalAssertion[];
  readonly rubric?: string;
  /** A template of what is graded instead of the response. Has the variables `item` and `sample`. */
  readonly input?: string;
  readonly config?: Readonly<Record<string, unknown>>;
}

/** Most of it is shown in an editor and by the command line alike, so texts are written where the problem is found. */
export interface EvalProblem {
  /** `code`: would run code, which never happens. */
  readonly kind: 'code' | 'error' | 'warning' | 'information';
  /** Place in the structure, such as `tests[0].assert[1]`. */
  readonly path: string;
  /** For code: what would run, such as `assert-javascript(file)`. */
  readonly mark?: string;
  readonly message: string;
  /** Path of the file as in the config; absent for the config itself. */
  readonly file?: string;
  readonly span: Span;
}

/** Bytes of a config, a prompt, or another file in YAML or JSON, whose parser takes a second for a megabyte. */
export const mostConfigBytes = 1_000_000;
/** Bytes of a file with rows as CSV, JSONL, or Parquet. */
export const mostRowBytes = 50_000_000;
/** Names of files with rows and nothing else. */
export const tableFile = /\.(?:csv|jsonl|parquet)$/i;
/** Bytes of all files that an eval names, a file each time that it is named. */
export const mostFileBytes = 200_000_000;
export const mostRows = 100_000;
export const mostRepeats = 20;
/** Prompts times providers. */
export const mostVariants = 1000;
/** Values in a CSV file, including those that short rows lack. */
export const mostRowValues = 10_000_000;

/** Files that a pattern such as `tests/*.yaml` stands for. */
export const mostNamedFiles = 1000;

/** Reads the files that a config names, as text: the rows of a Parquet file as lines of JSON. Never leaves the workspace folder. */
export interface EvalFiles {
  /** The files that match a pattern, as references in order, and up to `mostNamedFiles`. None if it leads elsewhere. */
  list?(pattern: string): Promise<readonly string[]>;
  /** `reference`: as written, relative to the config's folder, without `file://`. */
  read(
    reference: string,
  ): Promise<
    | { readonly text: string }
    | { readonly problem: 'missing' | 'outside' | 'secret' | 'tooLarge' | 'tooMuch' | 'unreadable' }
  >;
}
