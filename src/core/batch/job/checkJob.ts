import type { ListedModels } from '../fileRules';
import type { LineProblem, ProblemCode } from '../problem';

/** How much a problem weighs in a job; what is `off` is neither counted nor reported. */
export type JobSeverity = 'error' | 'warning' | 'information' | 'hint' | 'off';
export type ProblemCounts = Readonly<Record<Exclude<JobSeverity, 'off'>, number>>;

/** Files to check, as plain data: it is handed to a worker. */
export interface CheckJob {
  readonly files: readonly string[];
  readonly models?: ListedModels;
  readonly severities: Readonly<Record<ProblemCode, JobSeverity>>;
  /** Every problem is written to this file, which does not exist yet. Beside it stands `<report>.part` meanwhile. */
  readonly report: string;
  /** So many problems of each file are told besides, those that weigh most. */
  readonly mostTold: number;
  /** Tell the digest of each file too. */
  readonly digest?: boolean;
  /** Sentences by their English words. */
  readonly translations?: Readonly<Record<string, string>>;
}

export interface RatedProblem extends LineProblem {
  readonly severity: Exclude<JobSeverity, 'off'>;
}

export interface AskedModel {
  readonly id: string;
  readonly requests: number;
}

/** All problems of one kind in a file. */
export interface ProblemKind {
  readonly count: number;
  readonly first: RatedProblem;
}

export interface CheckedFile {
  readonly file: string;
  readonly requests: number;
  /** How large it is, in bytes. */
  readonly bytes: number;
  /** The models that are asked most, at most 50, and how many there are. */
  readonly models: readonly AskedModel[];
  readonly modelCount: number;
  /** SHA-256 of all its bytes, in hexadecimal digits. Absent where it was not asked for, or not all were read. */
  readonly sha256?: string;
  /** It was written to while it was checked. */
  readonly changed: boolean;
  readonly counts: ProblemCounts;
  readonly problems: readonly RatedProblem[];
  /** Those that weigh most first, then those that are found most often. */
  readonly kinds: readonly ProblemKind[];
}

export interface UncheckedFile {
  readonly file: string;
  /** The system's code, e.g. `ENOENT`. */
  readonly code: string | undefined;
  readonly reason: string;
}

/** What a job says while it runs, as plain data. The last word is `end`. */
export type CheckProgress =
  /** Of the bytes of all files. */
  | { readonly kind: 'progress'; readonly bytes: number; readonly total: number }
  | { readonly kind: 'checked'; readonly outcome: CheckedFile }
  | { readonly kind: 'unchecked'; readonly outcome: UncheckedFile }
  /** The report is whole, or could not be written; then a job ends early. */
  | { readonly kind: 'end'; readonly reportTrouble?: string };
