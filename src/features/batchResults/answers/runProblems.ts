import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { lineDigest, LineMarks } from '../../../core/batch/results/lineMarks';
import type { SentMark } from '../../../core/batch/results/lineMarks';
import type { RunFolder } from '../../../core/batch/results/runFolder';
import { sentLines } from '../../../core/batch/results/sentLines';
import { foreign } from '../../../core/text/foreignText';
import type { BatchJob } from '../../../services/batches/batches';
import { DisposableStore } from '../../../platform/disposables';
import type { Disposable } from '../../../platform/disposables';
import { jobName } from '../../../services/batches/batchMessages';
import type { Services } from '../../../services/services';
import { failureText } from '../page/detailsWords';
import { sentInput } from '../run/shownRun';
import type { FileAnswers, OpenAnswers } from './fileAnswers';
import { customIdOf, idRange } from '../logic/lineIds';
import type { LinkedRuns } from './linkedRuns';

/** The editor shows no more problems per file. */
const mostShown = 999;
/** The most characters underlined in a line without an id. */
const longestUnderlined = 200;
const longestMessage = 500;
/** Stages of a job that has produced nothing. */
const notMade: readonly BatchJob['stage'][] = ['preparing', 'submitting', 'refused', 'unknown'];

interface Problem extends SentMark {
  readonly message: string;
  readonly code: string;
}

/** The problems the service found with the lines of one file in its last run. */
interface Found {
  /** Changes whenever there is something different to report. */
  readonly key: string;
  readonly run: string;
  readonly severity: vscode.DiagnosticSeverity;
  readonly read: () => Promise<readonly Problem[]>;
}

interface Shown {
  readonly key: string;
  readonly found: Found;
  marks: LineMarks<Problem> | undefined;
}

/** Shows a run's problems on the lines of open batch files, until those are edited or run again. */
export function createRunProblems(services: Services, linked: LinkedRuns, answers: OpenAnswers): Disposable {
  const store = new DisposableStore();
  const collection = store.add(vscode.languages.createDiagnosticCollection('inferenceDesk.batchRun'));
  const shown = new Map<vscode.TextDocument, Shown>();

  const draw = (document: vscode.TextDocument, { found, marks }: Shown) =>
    collection.set(
      document.uri,
      marks?.shown.map(({ mark, line }) => diagnosticOf(document, { line, problem: mark, found })),
    );
  const forget = (document: vscode.TextDocument) => {
    if (shown.delete(document)) collection.delete(document.uri);
  };
  const show = async (document: vscode.TextDocument, found: Found) => {
    if (shown.get(document)?.key === found.key) return;
    forget(document);
    const mine: Shown = { key: found.key, found, marks: undefined };
    shown.set(document, mine);
    const problems = await found.read();
    if (shown.get(document) !== mine || document.isClosed) return;
    const lines = {
      get lineCount() {
        return document.lineCount;
      },
      textAt: (line: number) => document.lineAt(line).text,
    };
    mine.marks = new LineMarks(problems, lines, customIdOf);
    draw(document, mine);
  };
  store.add(vscode.workspace.onDidCloseTextDocument(forget));
  store.add(
    vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      const one = shown.get(document);
      const edits = contentChanges.map(({ range, text }) => ({
        start: range.start.line,
        end: range.end.line,
        lines: text.split('\n').length,
      }));
      if (one?.marks?.change(edits)) draw(document, one);
    }),
  );
  const refresh = () => {
    for (const document of vscode.workspace.textDocuments) {
      const { languageId, uri } = document;
      if (languageId !== 'jsonl' || uri.scheme !== 'file') continue;
      const job = newerBatch(uri.fsPath, services, linked);
      const found = job ? faultsOf(job) : failuresOf(shownRunOf(uri.fsPath, linked), answers.of(document));
      if (!found) forget(document);
      else show(document, found).catch((error: unknown) => services.log.warn(`Problems of a run: ${String(error)}`));
    }
  };
  store.add(answers.onDidChange(refresh));
  store.add(services.batchJobs.onDidChange(refresh));
  return store;
}

/** The run whose answers a file shows. */
function shownRunOf(file: string, linked: LinkedRuns): RunFolder | undefined {
  const folder = linked.folderOf(file);
  return linked.of(file).find(({ path }) => path === folder);
}

/** Returns a batch of the file that is newer than the run whose answers are shown, unless the user chose that run. */
function newerBatch(file: string, { batchJobs }: Services, linked: LinkedRuns): BatchJob | undefined {
  const run = shownRunOf(file, linked);
  const job = batchJobs.jobs.find(({ input, stage }) => input?.path === file && !notMade.includes(stage));
  if (!job || (run && linked.chosen(file) === run.path)) return undefined;
  return !run || (job.folder !== run.path && job.createdAt > run.run.createdAt) ? job : undefined;
}

function failuresOf(run: RunFolder | undefined, answers: FileAnswers | undefined): Found | undefined {
  if (!run || answers?.folder !== run.path) return undefined;
  return {
    key: `${answers.folder} ${answers.reading}`,
    run: run.run.name,
    severity: vscode.DiagnosticSeverity.Information,
    read: async () =>
      (await answers.failures(mostShown)).map(({ failure, ...mark }) => ({
        ...mark,
        message: failureText({ ...failure, code: '' }),
        code: failure.code,
      })),
  };
}

function faultsOf(job: BatchJob): Found | undefined {
  if (job.batch?.status !== 'failed') return undefined;
  const faults = job.batch.errors.slice(0, mostShown);
  return {
    key: `${job.id} ${faults.length}`,
    run: jobName(job),
    severity: vscode.DiagnosticSeverity.Warning,
    async read() {
      const input = await sentInput(job, undefined);
      const numbers = faults.flatMap(({ line }) => line ?? []);
      const sent = input && numbers.length > 0 ? await sentLines(input, numbers) : undefined;
      return faults.flatMap(({ line, message, code = '' }) => {
        const text = line === undefined ? undefined : sent?.get(line);
        if (line === undefined || text === undefined) return [];
        return [{ line: line - 1, digest: lineDigest(text), customId: customIdOf(text), message, code }];
      });
    },
  };
}

function diagnosticOf(
  document: vscode.TextDocument,
  { line, problem, found }: { readonly line: number; readonly problem: Problem; readonly found: Found },
): vscode.Diagnostic {
  const { text } = document.lineAt(line);
  const [start, end] = idRange(text) ?? [0, Math.min(text.length, longestUnderlined)];
  const range = new vscode.Range(line, start, line, end);
  const diagnostic = new vscode.Diagnostic(range, foreign(problem.message, longestMessage), found.severity);
  diagnostic.source = l10n.t('Run "{0}"', foreign(found.run));
  if (problem.code !== '') diagnostic.code = foreign(problem.code);
  return diagnostic;
}
