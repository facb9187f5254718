import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { closeSync, createReadStream, rmSync, writeSync } from 'node:fs';
import * as l10n from '@vscode/l10n';
import { writeAtomically } from '../../storage/atomicFile';
import { openNewFileSync } from '../../storage/privateFiles';
import { checkFile } from '../disk/checkFile';
import type { FileCheckResult } from '../disk/checkFile';
import type { LineProblem, ProblemCode } from '../problem';
import type { BatchRules } from '../services/batchRules';
import { fileWords } from '../words/lineWords';
import type { CheckedFile, CheckJob, CheckProgress, ProblemCounts, ProblemKind, RatedProblem } from './checkJob';

const mostModels = 50;
const severities = ['error', 'warning', 'information', 'hint'] as const;

/** Checks the files of a job one after another. Never rejects: errors are reported to `tell`. */
export async function runCheckJob(job: CheckJob, tell: (news: CheckProgress) => void): Promise<void> {
  try {
    const report = openReport(job.report, job.rules);
    try {
      await checkAll(job, report, tell);
      await report.finish();
    } finally {
      report.close();
    }
    tell({ kind: 'end' });
  } catch (error) {
    // Errors in reading a file to check have been reported for that file.
    tell({ kind: 'end', reportError: reasonOf(error) });
  }
}

async function checkAll(job: CheckJob, report: ReportFile, tell: (news: CheckProgress) => void): Promise<void> {
  const sizes = await Promise.all(job.files.map((file) => sizeOf(file)));
  const total = sizes.reduce((sum, size) => sum + size, 0);
  let before = 0;
  for (const [index, file] of job.files.entries()) {
    const progress = createProgress(before, total, tell);
    try {
      const outcome = await checkOne(job, file, report, progress);
      tell({ kind: 'checked', outcome });
    } catch (error) {
      if (error instanceof ReportError) throw error.cause;
      const { code } = error as NodeJS.ErrnoException;
      tell({ kind: 'unchecked', outcome: { file, code, reason: reasonOf(error) } });
    }
    before += sizes[index] ?? 0;
  }
}

async function checkOne(
  { models, rules, severities, maxListed, digest }: CheckJob,
  file: string,
  report: ReportFile,
  onProgress: (bytes: number) => void,
): Promise<CheckedFile> {
  const counts = { error: 0, warning: 0, information: 0, hint: 0 };
  const bySeverity: Record<keyof ProblemCounts, RatedProblem[]> = { error: [], warning: [], information: [], hint: [] };
  const kinds = new Map<ProblemCode, { count: number; readonly first: RatedProblem }>();
  const onProblem = (problem: LineProblem) => {
    const severity = severities[problem.code];
    if (severity === 'off') return;
    counts[severity]++;
    const kind = kinds.get(problem.code);
    if (kind) kind.count++;
    else kinds.set(problem.code, { count: 1, first: { ...problem, severity } });
    if (bySeverity[severity].length < maxListed) bySeverity[severity].push({ ...problem, severity });
    try {
      report.add(file, problem, severity);
    } catch (error) {
      throw new ReportError('The report could not be saved.', { cause: error });
    }
  };
  const listed = { ...(models && { models }), ...(rules && { rules }) };
  const hash = createHash('sha256');
  const onBytes = digest ? { onBytes: (bytes: Uint8Array) => void hash.update(bytes) } : {};
  const found = await checkFile(file, { ...listed, ...onBytes, onProblem, onProgress });
  const { requests, changed, size } = found;
  const problems = [...bySeverity.error, ...bySeverity.warning, ...bySeverity.information, ...bySeverity.hint].slice(
    0,
    maxListed,
  );
  const sha256 = digest && found.bytes === size ? { sha256: hash.digest('hex') } : {};
  const sorted = sortedKinds([...kinds.values()]);
  return { file, requests, changed, counts, problems, kinds: sorted, bytes: size, ...modelsOf(found), ...sha256 };
}

function sortedKinds(kinds: readonly ProblemKind[]): readonly ProblemKind[] {
  const weight = ({ first }: ProblemKind) => severities.indexOf(first.severity);
  return kinds.toSorted((a, b) => weight(a) - weight(b) || b.count - a.count);
}

function modelsOf({ models }: FileCheckResult) {
  const requested = [...models].map(([id, { count }]) => ({ id, requests: count }));
  return {
    models: requested.toSorted((a, b) => b.requests - a.requests).slice(0, mostModels),
    modelCount: models.size,
  };
}

/** Distinguishes errors of the report from errors of the file being checked. */
class ReportError extends Error {}

/** Returns a function that reports progress whenever another hundredth of the total is done. */
function createProgress(before: number, total: number, tell: (news: CheckProgress) => void): (bytes: number) => void {
  let reportedAt = 0;
  return (bytes) => {
    if ((bytes - reportedAt) * 100 < total) return;
    reportedAt = bytes;
    tell({ kind: 'progress', bytes: before + bytes, total });
  };
}

async function sizeOf(file: string): Promise<number> {
  return stat(file).then(
    ({ size }) => size,
    () => 0,
  );
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** A report that lists every problem on a line, in the command line's format, below the count of each kind. */
interface ReportFile {
  /** Throws if writing fails. */
  add(file: string, problem: LineProblem, severity: string): void;
  /** Writes the counts, followed by the problems. */
  finish(): Promise<void>;
  /** Deletes the temporary file. Safe to call twice. */
  close(): void;
}

/** Characters to buffer before writing: one write for each of a million problems would take most of the time. */
const writtenAtOnce = 1 << 16;

/** `rules`: those that the files are checked by. Problems go to `<path>.part` first because their counts are known only at the end. Memory use does not grow with them. */
export function openReport(path: string, rules?: BatchRules): ReportFile {
  const part = `${path}.part`;
  let descriptor: number | undefined = openNewFileSync(part);
  const kinds = new Map<ProblemCode, number>();
  let gathered = '';

  const flush = () => {
    if (descriptor !== undefined && gathered !== '') writeWhole(descriptor, gathered);
    gathered = '';
  };
  const closePart = () => {
    if (descriptor !== undefined) closeSync(descriptor);
    descriptor = undefined;
  };
  return {
    add(file, { code, line, span, message }, severity) {
      kinds.set(code, (kinds.get(code) ?? 0) + 1);
      gathered += `${file}:${line + 1}:${span.start + 1}: ${severity} ${code} ${message}\n`;
      if (gathered.length > writtenAtOnce) flush();
    },
    async finish() {
      flush();
      closePart();
      await writeAtomically(path, {}, async (file) => {
        await file.write(Buffer.from(heading(kinds, rules)));
        for await (const piece of createReadStream(part) as AsyncIterable<Buffer>) await file.write(piece);
      });
    },
    close() {
      closePart();
      rmSync(part, { force: true });
    },
  };
}

function heading(kinds: ReadonlyMap<ProblemCode, number>, rules: BatchRules | undefined): string {
  const sum = [...kinds.values()].reduce((all, count) => all + count, 0);
  const checkedFor = rules === undefined ? [] : [fileWords.checkedFor(rules.name)];
  if (sum === 0) return `${[reportWords.none(), ...checkedFor].join('\n')}\n`;
  const lines = [...kinds].toSorted(([, a], [, b]) => b - a).map(([code, count]) => `  ${count}  ${code}`);
  return `${[reportWords.problems(sum), ...checkedFor, ...lines, '', ''].join('\n')}`;
}

function writeWhole(descriptor: number, text: string): void {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length;) at += writeSync(descriptor, bytes, at);
}

const reportWords = {
  none: () => l10n.t('No problems found.'),
  problems: (count: number) => (count === 1 ? l10n.t('1 problem') : l10n.t('{0} problems', count)),
};
