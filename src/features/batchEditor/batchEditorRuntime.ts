import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { LineProblem } from '../../core/batch/problem';
import { fileWords } from '../../core/batch/words/lineWords';
import { setContext } from '../../platform/contributions';
import { DisposableStore, type Disposable } from '../../platform/disposables';
import { createVirtualDocuments } from '../../platform/virtualDocuments';
import type { Services } from '../../services/services';
import { createAssist } from './assist/assist';
import type { LineFiles } from './assist/lineScheme';
import { activeBatch, activeDocument, openBatch } from './activeFile';
import { createBatchDocuments, type BatchDocuments } from './batchDocuments';
import { createDiskCheck, type DiskCheck } from './check/diskCheck';
import { createBatchDecisions } from './decisions';
import { createFixes, type FixName } from './fixes/fixes';
import { createLenses } from './lenses';
import { createReadableLines } from './readableLines';
import { createPublisher, type Publisher } from './publisher';
import { createTrials, type Trials } from './trial/trials';
import { numberText } from '../../platform/displayText';

export interface BatchEditorRuntime extends Disposable {
  /** Records whether the file in the active editor is a batch file. */
  decideActive(isBatch: boolean): Promise<void>;
  /** Lists every problem of the file in the active editor, including those the editor does not show. */
  showReport(): Promise<void>;
  /** Opens a line of a batch file next to it as an editable document. Without a line, opens the one with the cursor. */
  editLine(uri: unknown, line: unknown): Promise<void>;
  /** Shows the lines of a file, by default that of the active editor, as what they ask, or in full again. */
  toggleReadable(file: unknown): Promise<void>;
  readonly lines: LineFiles;
  /** Applies a fix to the whole file in the active editor. */
  fix(name: FixName): Promise<void>;
  readonly diskCheck: DiskCheck;
  readonly trials: Trials;
}

export function createBatchEditor(services: Services): BatchEditorRuntime {
  const { context, settings, models } = services;
  const store = new DisposableStore();
  const reports = store.add(createVirtualDocuments('inference-desk-batch-report'));
  const decisions = createBatchDecisions(context.workspaceState, settings);
  const documents = store.add(createBatchDocuments(services, decisions));
  const publisher = store.add(createPublisher(services, documents));
  const fixes = store.add(createFixes(documents, (uri) => decide(uri, true)));
  const assist = store.add(createAssist(services, documents));
  const trials = store.add(createTrials(services, () => openBatch(documents).document));
  store.add(createLenses(services, publisher, trials));
  store.add(foldNothing(documents));
  const readable = store.add(createReadableLines(context.workspaceState, documents));
  const diskCheck = store.add(createDiskCheck(services, documents));

  store.add(tellFirstCheck(publisher));
  store.add(settings.onDidChange((name) => name === 'batch.files' && documents.refresh()));
  const tellActive = followActive(documents, store);
  const decide = async (uri: vscode.Uri, isBatch: boolean) => {
    await decisions.decide(uri, isBatch);
    documents.refresh();
    tellActive();
  };
  void models.ready();

  return {
    decideActive: async (isBatch) => decide(activeDocument().uri, isBatch),
    async showReport() {
      const open = await activeBatch(documents);
      const name = vscode.workspace.asRelativePath(open.document.uri);
      const uri = reports.add(`${name}.problems.txt`, reportText(name, [...documents.problemsOf(open)], documents));
      await vscode.window.showTextDocument(uri, { preview: true });
    },
    toggleReadable: async (file) =>
      readable.toggle(file instanceof vscode.Uri ? file : (await activeBatch(documents)).document.uri),
    editLine: (uri, line) => assist.edit({ uri, line }, () => openBatch(documents)),
    fix: (name) => fixes.run(name),
    lines: assist.lines,
    diskCheck,
    trials,
    dispose: () => store.dispose(),
  };
}

/**
 * A request is a single line, so a batch file has nothing to fold. Without a provider that says so, VS Code reads all lines for their
 * indentation after an edit, for folding and for sticky scroll.
 */
function foldNothing(documents: BatchDocuments): vscode.Disposable {
  return vscode.languages.registerFoldingRangeProvider(
    { language: 'jsonl' },
    { provideFoldingRanges: ({ uri }) => (documents.get(uri) ? [] : undefined) },
  );
}

function tellFirstCheck({ onDidPublish }: Publisher): vscode.Disposable {
  const listening = onDidPublish(() => {
    listening.dispose();
    void setContext('inferenceDesk.batchChecked', true);
  });
  return listening;
}

/** Keeps the context key for the active editor up to date. Returns a function to call after changes from elsewhere. */
function followActive(documents: BatchDocuments, store: DisposableStore): () => void {
  let reported: boolean | undefined;
  const tell = () => {
    const uri = vscode.window.activeTextEditor?.document.uri;
    const isBatch = uri !== undefined && documents.get(uri) !== undefined;
    if (isBatch === reported) return;
    reported = isBatch;
    void setContext('inferenceDesk.batchFile', isBatch);
  };
  store.add(vscode.window.onDidChangeActiveTextEditor(tell));
  store.add(documents.onDidChange(tell));
  store.add(documents.onDidClose(tell));
  return tell;
}

const severityNames: Readonly<Record<vscode.DiagnosticSeverity, string>> = {
  [vscode.DiagnosticSeverity.Error]: 'error',
  [vscode.DiagnosticSeverity.Warning]: 'warning',
  [vscode.DiagnosticSeverity.Information]: 'information',
  [vscode.DiagnosticSeverity.Hint]: 'hint',
};

/** Lists every problem of a file, one per line in the command line's format, below a count of each kind. */
function reportText(name: string, all: readonly LineProblem[], { rulesNow, severityOf }: BatchDocuments): string {
  const { language } = vscode.env;
  const problems = all.filter(({ code }) => severityOf(code) !== undefined);
  const rules = fileWords.checkedFor(rulesNow().name);
  if (problems.length === 0) return `${l10n.t('No problems in {0}.', name)}\n${rules}\n`;
  const counts = new Map<string, number>();
  for (const { code } of problems) counts.set(code, (counts.get(code) ?? 0) + 1);
  const heading =
    problems.length === 1
      ? l10n.t('1 problem in {0}', name)
      : l10n.t('{0} problems in {1}', numberText(problems.length, language), name);
  const kinds = [...counts].toSorted(([, a], [, b]) => b - a).map(([code, count]) => `  ${count}  ${code}`);
  const lines = problems.map(
    ({ line, span, code, message }) =>
      `${name}:${line + 1}:${span.start + 1}: ${severityNames[severityOf(code) ?? 0]} ${code} ${message}`,
  );
  return `${[heading, rules, ...kinds, '', ...lines].join('\n')}\n`;
}
