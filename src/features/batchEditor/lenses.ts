import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { requestSnippets } from '../../core/batch/assist/requestSnippets';
import type { BatchRules } from '../../core/batch/services/batchRules';
import { fileWords } from '../../core/batch/words/lineWords';
import { bytesText, numberText } from '../../platform/displayText';
import { createDebounce } from '../../platform/debounce';
import { DisposableStore, type Disposable } from '../../platform/disposables';
import type { BatchDocument } from './batchDocument';
import type { BatchDocuments } from './batchDocuments';
import { isEmptyFile } from './decisions';
import { diagnosticSource } from './diagnostics';
import { offerLine } from './logic/offeredLine';
import type { ProblemCounts, Publisher } from './publisher';
import type { Trials } from './trial/trials';
import { listText } from '../../protocol/formats';
import { codeLens } from '../../platform/notify';
import { lacksBatches, type ShownRunFacts } from '../../services/batches/batches';
import type { Services } from '../../services/services';

/** Code lenses above the first line of a batch file and above the line with the cursor. */
export function createLenses(services: Services, publisher: Publisher, trials: Trials): Disposable {
  const { account, connections, settings, shownRuns } = services;
  const { documents } = publisher;
  const isOn = () => settings.get('batch.lenses');
  const store = new DisposableStore();
  const changed = store.add(new vscode.EventEmitter<void>());
  const cursors = store.add(createCursorLines(documents));
  store.add(settings.onDidChange((name) => (name === 'batch.lenses' || name === 'prices') && changed.fire()));
  store.add(publisher.onDidPublish(() => changed.fire()));
  store.add(
    vscode.languages.onDidChangeDiagnostics(({ uris }) => {
      if (uris.some((uri) => documents.get(uri))) changed.fire();
    }),
  );
  store.add(cursors.onDidChange(() => isOn() && changed.fire()));
  store.add(trials.onDidChange(() => changed.fire()));
  store.add(shownRuns.onDidChange(() => changed.fire()));
  store.add(connections.onDidChangeOffers(() => changed.fire()));
  store.add(connections.onDidChange(() => changed.fire()));
  store.add(
    vscode.languages.registerCodeLensProvider(
      { language: 'jsonl' },
      {
        onDidChangeCodeLenses: changed.event,
        async provideCodeLenses(document) {
          const { uri } = document;
          if (isOn() && isEmptyFile(document)) return [firstRequestLens(documents.rulesNow())];
          const open = documents.get(uri);
          if (!open || !isOn()) return [];
          await open.loaded;
          if (!open.isLoaded) return [];
          const cursor = cursors.lineIn(uri);
          const first = [
            lacksBatches(account.current) ? runLens(uri) : submitLens(uri),
            ...resultsLenses(shownRuns.of(uri)),
          ];
          const facts = [
            problemsLens(withOthers(uri, publisher.counts(uri))),
            summaryLens(open, fileWords.checkedFor(documents.rulesNow().name)),
          ];
          if (cursor === undefined || !isRequest(open, cursor)) return [...first, ...facts];
          const price = await trials.priced(l10n.t('Test Request'), document.lineAt(cursor).text);
          const atCursor = lineLenses(document, cursor, { test: price, isTesting: trials.isRunning(uri) });
          return cursor === 0 ? [...first, ...atCursor, ...facts] : [...first, ...facts, ...atCursor];
        },
      },
    ),
  );
  return store;
}

function isRequest({ document }: BatchDocument, line: number): boolean {
  return line < document.lineCount && !document.lineAt(line).isEmptyOrWhitespace;
}

function submitLens(uri: vscode.Uri): vscode.CodeLens {
  return lensAt(0, l10n.t('Submit Batch…'), {
    command: 'inferenceDesk.batches.submit',
    arguments: [uri],
    tooltip: l10n.t('Review and upload the file'),
  });
}

function runLens(uri: vscode.Uri): vscode.CodeLens {
  return lensAt(0, l10n.t('Run Now…'), {
    command: 'inferenceDesk.batchFile.runLocally',
    arguments: [uri],
  });
}

/** Opens the results of the last run, and retries what has no response. */
function resultsLenses(run: ShownRunFacts | undefined): vscode.CodeLens[] {
  if (run === undefined) return [];
  const { folder, answered, requests, open = 0 } = run;
  const number = (value: number) => numberText(value, vscode.env.language);
  const title =
    answered === undefined || requests === undefined
      ? l10n.t('Results')
      : l10n.t('Results: {0} of {1}', number(answered), number(requests));
  const results = lensAt(0, title, {
    command: 'inferenceDesk.batches.openResults',
    arguments: [folder],
  });
  if (open === 0) return [results];
  const retry = lensAt(0, l10n.t('Retry {0}', number(open)), {
    command: 'inferenceDesk.batches.retryFailed',
    arguments: [folder],
    tooltip: l10n.t('Review and resend the requests without a response'),
  });
  return [results, retry];
}

/** `test`: the label of the action that sends the line. */
function lineLenses(
  document: vscode.TextDocument,
  line: number,
  { test, isTesting }: { readonly test: string; readonly isTesting: boolean },
): readonly vscode.CodeLens[] {
  const args = [document.uri, offerLine(document, line)];
  const tryNow = lensAt(line, test, {
    command: 'inferenceDesk.batchFile.tryLine',
    arguments: args,
    tooltip: l10n.t('Send this request now'),
  });
  // The first line has the lenses of the file too. There, the menu has this one.
  const edit =
    line === 0
      ? []
      : [
          lensAt(line, l10n.t('Edit as JSON'), {
            command: 'inferenceDesk.batchFile.editLine',
            arguments: args,
          }),
        ];
  if (!isTesting) return [tryNow, ...edit];
  const stop = lensAt(line, l10n.t('Stop Test'), { command: 'inferenceDesk.batchFile.stopTrying' });
  return [tryNow, stop, ...edit];
}

function lensAt(line: number, title: string, command: Omit<vscode.Command, 'title'>): vscode.CodeLens {
  return codeLens(new vscode.Range(line, 0, line, 0), { title, ...command });
}

function problemsLens(counts: ProblemCounts | undefined): vscode.CodeLens {
  return lensAt(0, problemsText(counts), {
    command: 'workbench.actions.view.problems',
    tooltip: l10n.t('Open the Problems view'),
  });
}

/** Comes last, because a model's name can be long and the actions should stay visible. `rules`: the service it is checked for. */
function summaryLens(open: BatchDocument, rules: string): vscode.CodeLens {
  return lensAt(0, summaryText(open), {
    command: 'inferenceDesk.batchFile.showReport',
    tooltip: [rules, l10n.t('List all problems in this file')].join('\n'),
  });
}

function firstRequestLens(rules: BatchRules): vscode.CodeLens {
  return lensAt(0, l10n.t('Add First Request'), {
    command: 'editor.action.insertSnippet',
    arguments: [{ snippet: requestSnippets(rules)[0]?.snippet }],
  });
}

function summaryText(open: BatchDocument): string {
  const { language } = vscode.env;
  const { requests, models, bytes } = open.summary();
  const count = requests === 1 ? l10n.t('1 request') : l10n.t('{0} requests', numberText(requests, language));
  const [model] = models.keys();
  const modelText = models.size > 1 ? l10n.t('{0} models', numberText(models.size, language)) : model;
  return [count, modelText, bytesText(bytes, language)].filter(Boolean).join(' · ');
}

/** Includes the diagnostics of other sources, such as a run of the file, because the Problems view lists them too. */
function withOthers(uri: vscode.Uri, counts: ProblemCounts | undefined): ProblemCounts | undefined {
  if (!counts) return undefined;
  const others = vscode.languages.getDiagnostics(uri).filter(({ source }) => source !== diagnosticSource);
  const count = (severity: vscode.DiagnosticSeverity) => others.filter((one) => one.severity === severity).length;
  return {
    errors: counts.errors + count(vscode.DiagnosticSeverity.Error),
    warnings: counts.warnings + count(vscode.DiagnosticSeverity.Warning),
  };
}

function problemsText(counts: ProblemCounts | undefined): string {
  const { language } = vscode.env;
  const { errors = 0, warnings = 0 } = counts ?? {};
  if (errors + warnings === 0) return l10n.t('No problems');
  const parts = [
    errors === 1 ? l10n.t('1 error') : errors > 0 && l10n.t('{0} errors', numberText(errors, language)),
    warnings === 1 ? l10n.t('1 warning') : warnings > 0 && l10n.t('{0} warnings', numberText(warnings, language)),
  ];
  return listText(parts, language);
}

/** A moving cursor does not stay on one line for this long. */
const restMs = 120;

/** The line on which the cursor rests in each batch file. */
interface CursorLines extends Disposable {
  /** From 0. While another editor is active, the last known line. */
  lineIn(uri: vscode.Uri): number | undefined;
  /** Fires when the cursor rests on another line. */
  readonly onDidChange: vscode.Event<void>;
}

function createCursorLines(documents: BatchDocuments): CursorLines {
  const store = new DisposableStore();
  const changed = store.add(new vscode.EventEmitter<void>());
  const pauses = store.add(createDebounce(restMs));
  const lines = new Map<string, number>();

  const note = (editor: vscode.TextEditor | undefined) => {
    if (!editor || !documents.get(editor.document.uri)) return;
    const key = editor.document.uri.toString();
    const line = editor.selection.active.line;
    if (lines.get(key) === line) return;
    const isFirst = !lines.has(key);
    lines.set(key, line);
    if (!isFirst && documents.get(editor.document.uri)?.isLoaded) changed.fire();
  };
  const noteLater = (editor: vscode.TextEditor) =>
    pauses.start(editor.document.uri.toString(), () => note(vscode.window.activeTextEditor));
  store.add(
    vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => {
      if (textEditor === vscode.window.activeTextEditor) noteLater(textEditor);
    }),
  );
  store.add(vscode.window.onDidChangeActiveTextEditor(note));
  store.add(documents.onDidChange(() => note(vscode.window.activeTextEditor)));
  store.add(documents.onDidClose((uri) => void lines.delete(uri.toString())));
  note(vscode.window.activeTextEditor);
  return { lineIn: (uri) => lines.get(uri.toString()), onDidChange: changed.event, dispose: () => store.dispose() };
}
