import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { checkFile } from '../disk/checkFile';
import type { FileCheckResult } from '../disk/checkFile';
import type { LineProblem, ProblemCode } from '../problem';
import type { CheckedFile, CheckJob, CheckProgress, ProblemCounts, ProblemKind, RatedProblem } from './checkJob';
import { openReport } from './reportFile';
import type { ReportFile } from './reportFile';

const mostModels = 50;
const severities = ['error', 'warning', 'information', 'hint'] as const;

/** Checks the files of a job one after another. Never rejects: errors are reported to `tell`. */
export async function runCheckJob(job: CheckJob, tell: (news: CheckProgress) => void): Promise<void> {
  try {
    const report = openReport(job.report);
    try {
      await checkAll(job, report, tell);
      await report.finish();
    } finally {
      report.close();
    }
    tell({ kind: 'end' });
  } catch (error) {
    // Errors in reading a file to check have been reported for that file.
    tell({ kind: 'end', reportTrouble: reasonOf(error) });
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
      if (error instanceof ReportTrouble) throw error.cause;
      const { code } = error as NodeJS.ErrnoException;
      tell({ kind: 'unchecked', outcome: { file, code, reason: reasonOf(error) } });
    }
    before += sizes[index] ?? 0;
  }
}

async function checkOne(
  { models, severities, mostTold, digest }: CheckJob,
  file: string,
  report: ReportFile,
  onProgress: (bytes: number) => void,
): Promise<CheckedFile> {
  const counts = { error: 0, warning: 0, information: 0, hint: 0 };
  const kept: Record<keyof ProblemCounts, RatedProblem[]> = { error: [], warning: [], information: [], hint: [] };
  const kinds = new Map<ProblemCode, { count: number; readonly first: RatedProblem }>();
  const onProblem = (problem: LineProblem) => {
    const severity = severities[problem.code];
    if (severity === 'off') return;
    counts[severity]++;
    const kind = kinds.get(problem.code);
    if (kind) kind.count++;
    else kinds.set(problem.code, { count: 1, first: { ...problem, severity } });
    if (kept[severity].length < mostTold) kept[severity].push({ ...problem, severity });
    try {
      report.add(file, problem, severity);
    } catch (error) {
      throw new ReportTrouble('The report could not be written.', { cause: error });
    }
  };
  const listed = models ? { models } : {};
  const hash = createHash('sha256');
  const onBytes = digest ? { onBytes: (bytes: Uint8Array) => void hash.update(bytes) } : {};
  const found = await checkFile(file, { ...listed, ...onBytes, onProblem, onProgress });
  const { requests, changed, size } = found;
  const problems = [...kept.error, ...kept.warning, ...kept.information, ...kept.hint].slice(0, mostTold);
  const sha256 = digest && found.bytes === size ? { sha256: hash.digest('hex') } : {};
  const sorted = sortedKinds([...kinds.values()]);
  return { file, requests, changed, counts, problems, kinds: sorted, bytes: size, ...modelsOf(found), ...sha256 };
}

function sortedKinds(kinds: readonly ProblemKind[]): readonly ProblemKind[] {
  const weight = ({ first }: ProblemKind) => severities.indexOf(first.severity);
  return kinds.toSorted((a, b) => weight(a) - weight(b) || b.count - a.count);
}

function modelsOf({ models }: FileCheckResult): Pick<CheckedFile, 'models' | 'modelCount'> {
  const asked = [...models].map(([id, { count }]) => ({ id, requests: count }));
  return { models: asked.toSorted((a, b) => b.requests - a.requests).slice(0, mostModels), modelCount: models.size };
}

/** Distinguishes errors of the report from errors of the file being checked. */
class ReportTrouble extends Error {}

/** Returns a function that reports progress whenever another hundredth of the total is done. */
function createProgress(before: number, total: number, tell: (news: CheckProgress) => void): (bytes: number) => void {
  let told = 0;
  return (bytes) => {
    if ((bytes - told) * 100 < total) return;
    told = bytes;
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
