import * as l10n from '@vscode/l10n';
import type { ListedModels } from '../../../core/batch/fileRules';
import * as vscode from 'vscode';
import { fixAll, fixSafely, endedWell } from '../../../core/batch/fixes/fixAll';
import { createFileNames } from '../../../core/batch/fixes/fileNames';
import { quickFixesOf, rootOf } from '../../../core/batch/fixes/fixLine';
import { waysFor, codesOf } from '../../../core/batch/fixes/fixTable';
import type { FileNames, FileService, FixStrategy } from '../../../core/batch/fixes/strategy';
import type { LineProblem } from '../../../core/batch/problem';
import type { BatchRules } from '../../../core/batch/services/batchRules';
import type { Disposable } from '../../../platform/disposables';
import { UserError } from '../../../platform/errors/userError';
import type { BatchDocument } from '../batchDocument';
import type { BatchDocuments } from '../batchDocuments';
import { fileAction, looksSpread } from './fileActions';
import { changedMeanwhile, LaterAction, linesOf, toEdit } from './lineEdits';
import { inSlices } from '../logic/slices';
import { isForeign } from '../../../core/batch/fixes/foreign/toRequest';
import type { CommandId } from '../../../platform/commands';
import type { Work } from '../../../core/batch/fixes/lineChange';

const fixAllKind = vscode.CodeActionKind.SourceFixAll.append('inferenceDesk');
/** Someone who selects many lines wants one of the fixes for all. */
const mostProblems = 20;

/** Registers the quick fixes for batch files, and the fixes on save. */
export function registerFixes(documents: BatchDocuments): Disposable {
  const problemsOf = createOpenProblems(documents);
  const provider: vscode.CodeActionProvider = {
    async provideCodeActions(document, range, context): Promise<vscode.CodeAction[]> {
      const open = documents.get(document.uri);
      const rewriting = context.only?.intersects(vscode.CodeActionKind.RefactorRewrite)
        ? [convertAction(document)]
        : [];
      if (!open) return [...foreignActions(document), ...rewriting];
      await open.loaded;
      if (!open.isLoaded) return [];
      const problems = await problemsOf(open);
      if (!problems) return rewriting;
      if (context.only?.contains(fixAllKind)) return [safeAction(problems)];
      const found = problemsIn(problems, range).filter(({ code }) => documents.severityOf(code) !== undefined);
      return [
        ...oncePerTitle(found.flatMap((problem) => actionsFor(problem, problems, context.diagnostics))),
        ...rewriting,
      ];
    },
    async resolveCodeAction(action, token) {
      if (!(action instanceof LaterAction)) return action;
      const { version } = action.document;
      const changes = await inSlices(action.work(), token);
      if (!changes) return action;
      if (action.document.version !== version) throw changedMeanwhile();
      if (changes.length === 0) throw nothingToFix();
      action.edit = toEdit(action.document, changes);
      return action;
    },
  };
  return vscode.languages.registerCodeActionsProvider({ language: 'jsonl' }, provider, {
    providedCodeActionKinds: [vscode.CodeActionKind.QuickFix, fixAllKind, vscode.CodeActionKind.RefactorRewrite],
  });
}

function nothingToFix(): UserError {
  return new UserError(l10n.t('No automatic fix available'), l10n.t('Close the unterminated string manually first.'));
}

/** Returns the problems marked in the range, or else all problems of its lines. */
function problemsIn(problems: OpenProblems, range: vscode.Range): readonly LineProblem[] {
  const inLines: LineProblem[] = [];
  for (let line = range.start.line; line <= range.end.line && inLines.length < mostProblems; line++) {
    for (const one of problems.inLine(line)) inLines.push(one);
  }
  const marked = inLines.filter(({ line, span }) =>
    range.intersection(new vscode.Range(line, span.start, line, span.end)),
  );
  return (marked.length > 0 ? marked : inLines).slice(0, mostProblems);
}

/** An action that fixes several problems is offered once, with the diagnostics of all of them. */
function oncePerTitle(actions: readonly vscode.CodeAction[]): vscode.CodeAction[] {
  const known = new Map<string, vscode.CodeAction>();
  for (const action of actions) {
    const same = known.get(action.title);
    if (same) same.diagnostics = [...(same.diagnostics ?? []), ...(action.diagnostics ?? [])];
    else known.set(action.title, action);
  }
  return [...known.values()];
}

/** `shown` are the diagnostics that VS Code shows where the actions are requested. */
function actionsFor(
  problem: LineProblem,
  problems: OpenProblems,
  shown: readonly vscode.Diagnostic[],
): readonly vscode.CodeAction[] {
  const own = waysFor(problem.code).flatMap((way) => wayActions(way, problem, problems));
  const [first] = own;
  if (first && !waysFor(problem.code)[0]?.isChoice) first.isPreferred = true;
  const whole = fileAction(problem, problems.open.document);
  const actions = whole ? [...own, whole] : own;
  const diagnostics = shown.filter(({ code, range }) => code === problem.code && range.start.line === problem.line);
  for (const action of actions) action.diagnostics = diagnostics;
  return actions;
}

function wayActions(way: FixStrategy, problem: LineProblem, problems: OpenProblems): vscode.CodeAction[] {
  const { open, documents, all } = problems;
  const { document } = open;
  const lines = linesOf(document);
  const text = lines.line(problem.line);
  if (text === undefined) return [];
  const found = quickFixesOf(way, { text, problem, root: rootOf(text), file: namesOf(open, documents) });
  const actions = found.map(({ fix, lines: added }) => {
    const action = new vscode.CodeAction(fix.title, vscode.CodeActionKind.QuickFix);
    action.edit = toEdit(document, [endedWell({ start: problem.line, removed: 1, added }, lines)]);
    return action;
  });
  if (actions.length === 0 || !way.allTitle || problems.countFor(way) < 2) return actions;
  const work = () => fixAll(way, { lines, problems: all, file: namesOf(open, documents) });
  return [...actions, new LaterAction(way.allTitle(), vscode.CodeActionKind.QuickFix, document, work)];
}

function safeAction({ open, documents, all }: OpenProblems): vscode.CodeAction {
  const title = l10n.t('Fix Problems Without Changing Requests');
  const work = () => fixSafely({ lines: linesOf(open.document), problems: all, file: namesOf(open, documents) });
  return new LaterAction(title, fixAllKind, open.document, work);
}

/** Creates the names for one list of actions or one fix, within which no new id is assigned twice. */
export function namesOf(open: BatchDocument, documents: BatchDocuments): FileNames {
  const model = () => mostRequested(open.summary().models);
  return createFileNames({ isUsed: (id) => open.hasId(id), model, service: serviceOf(documents) });
}

export function serviceOf({ rulesNow, wayNow }: BatchDocuments): FileService {
  return { rules: rulesNow(), way: wayNow() };
}

function mostRequested(models: ReadonlyMap<string, number>): string | undefined {
  return [...models].reduce<readonly [string, number] | undefined>(
    (most, one) => (most && most[1] >= one[1] ? most : one),
    undefined,
  )?.[0];
}

/** This much of a file's beginning is enough to recognize its format. */
const linesLookedAt = 3;
const charactersLookedAt = 100_000;

/** Returns the action that converts a file to a batch file, if it looks convertible. */
function foreignActions(document: vscode.TextDocument): readonly vscode.CodeAction[] {
  if (!looksForeign(document)) return [];
  const title = l10n.t('Convert the lines to batch requests…');
  const action = new vscode.CodeAction(title, vscode.CodeActionKind.RefactorRewrite);
  const command: CommandId = 'inferenceDesk.batchFile.convertLines';
  action.command = { title, command };
  return [action];
}

/** Offered in menus for refactoring only: it has nothing to do with a line. */
function convertAction({ uri }: vscode.TextDocument): vscode.CodeAction {
  const title = l10n.t('Convert for another service…');
  const action = new vscode.CodeAction(title, vscode.CodeActionKind.RefactorRewrite);
  const command: CommandId = 'inferenceDesk.batchFile.convertFor';
  action.command = { title, command, arguments: [uri] };
  return action;
}

function looksForeign(document: vscode.TextDocument): boolean {
  if (looksSpread(document)) return true;
  const count = Math.min(document.lineCount, linesLookedAt);
  for (let line = 0; line < count; line++) {
    const { text } = document.lineAt(line);
    if (text.length < charactersLookedAt && isForeign(text)) return true;
  }
  return false;
}

/** All problems of a batch file in its current version, including those the editor does not show. */
interface OpenProblems {
  readonly open: BatchDocument;
  readonly documents: BatchDocuments;
  readonly all: readonly LineProblem[];
  inLine(line: number): readonly LineProblem[];
  /** The number of problems that a strategy fixes. */
  countFor(way: FixStrategy): number;
}

interface CachedFixes {
  readonly version: number;
  readonly listed: ListedModels | undefined;
  readonly rules: BatchRules;
  readonly problems: Promise<OpenProblems | undefined>;
}

/**
 * Collected once per version of a document, in slices, because the editor requests code actions at every move of the cursor.
 * Resolves to `undefined` if the document was edited in the meantime.
 */
function createOpenProblems(documents: BatchDocuments): (open: BatchDocument) => Promise<OpenProblems | undefined> {
  const cache = new WeakMap<BatchDocument, CachedFixes>();
  return (open) => {
    const { document } = open;
    const { version } = document;
    const known = cache.get(open);
    const models = documents.listed();
    if (known?.version === version && known.listed === models && known.rules === documents.rulesNow())
      return known.problems;
    const whileSame = {
      get isCancellationRequested() {
        return document.version !== version;
      },
    };
    const problems = inSlices(gather(open, documents), whileSame);
    cache.set(open, { version, listed: models, rules: documents.rulesNow(), problems });
    return problems;
  };
}

function* gather(open: BatchDocument, documents: BatchDocuments): Work<OpenProblems> {
  const all: LineProblem[] = [];
  const lines = new Map<number, LineProblem[]>();
  const counts = new Map<string, number>();
  for (const problem of documents.problemsOf(open)) {
    all.push(problem);
    const same = lines.get(problem.line);
    if (same) same.push(problem);
    else lines.set(problem.line, [problem]);
    counts.set(problem.code, (counts.get(problem.code) ?? 0) + 1);
    yield;
  }
  return {
    open,
    documents,
    all,
    inLine: (line) => lines.get(line) ?? [],
    countFor: (way) => [...codesOf(way)].reduce((sum, code) => sum + (counts.get(code) ?? 0), 0),
  };
}
