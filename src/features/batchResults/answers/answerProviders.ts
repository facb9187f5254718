import * as vscode from 'vscode';
import { lineDigest } from '../../../core/batch/results/lineMarks';
import type { AskedLine, ResultsRow } from '../../../core/batch/results/resultsView';
import { DisposableStore } from '../../../platform/disposables';
import type { Disposable } from '../../../platform/disposables';
import { hintText, hoverOf } from './answerWords';
import type { FileAnswers } from './fileAnswers';
import { customIdOf, idRange } from './lineIds';
import { codeLens } from '../../../platform/notify';

/** The editor requests slightly more lines than it shows; a request for many more is only answered in part. */
const mostLines = 500;
const selector: vscode.DocumentSelector = { language: 'jsonl', scheme: 'file' };
/** A less specific selector: the editor puts its lenses after the others of a line, so that the actions on the file come first. */
const behindOthers: vscode.DocumentSelector = { language: '*', scheme: '*' };

export interface AnswerProviderOptions {
  readonly of: (document: vscode.TextDocument) => FileAnswers | undefined;
  readonly where: () => 'both' | 'hints' | 'lens' | 'off';
  readonly onDidChange: vscode.Event<void>;
}

/** Shows answers behind the visible lines, above the cursor's line, and in full on hover. */
export function registerAnswerProviders(options: AnswerProviderOptions): Disposable {
  const store = new DisposableStore();
  store.add(vscode.languages.registerInlayHintsProvider(selector, hintsOf(options)));
  store.add(vscode.languages.registerHoverProvider(selector, hoversOf(options)));
  const lineOf = new WeakMap<vscode.TextDocument, number>();
  const lenses = store.add(new vscode.EventEmitter<void>());
  store.add(options.onDidChange(() => lenses.fire()));
  store.add(
    vscode.window.onDidChangeTextEditorSelection(({ textEditor, selections: [selection] }) => {
      if (selection && lineOf.get(textEditor.document) !== selection.active.line && options.of(textEditor.document))
        lenses.fire();
    }),
  );
  store.add(
    vscode.languages.registerCodeLensProvider(behindOthers, {
      onDidChangeCodeLenses: lenses.event,
      async provideCodeLenses(document) {
        const line = cursorIn(document);
        if (line === undefined) return [];
        lineOf.set(document, line);
        return lensesAt(document, line, options);
      },
    }),
  );
  return store;
}

function hintsOf({ of, where, onDidChange }: AnswerProviderOptions): vscode.InlayHintsProvider<LineHint> {
  return {
    onDidChangeInlayHints: onDidChange,
    async provideInlayHints(document, range, token) {
      const answers = of(document);
      if (!answers || !['both', 'hints'].includes(where())) return [];
      const lines = idsIn(document, range);
      const { version } = document;
      const rows = await answers.rows(lines.map(({ asked }) => asked));
      if (token.isCancellationRequested || document.version !== version) return [];
      return lines.flatMap(({ line, asked }, index) => {
        const row = rows[index];
        return row ? [new LineHint(document.lineAt(line).range.end, row, { answers, asked })] : [];
      });
    },
    async resolveInlayHint(hint) {
      const { answers, asked } = hint.from;
      const { customId } = asked;
      const details = await answers.details(asked);
      // A hint shows a single text; the link is in the hover of the id.
      if (details) hint.tooltip = hoverOf(details, { ...factsOf(answers), customId })[0];
      return hint;
    },
  };
}

interface From {
  readonly answers: FileAnswers;
  readonly asked: AskedLine;
}

class LineHint extends vscode.InlayHint {
  constructor(
    position: vscode.Position,
    row: ResultsRow,
    readonly from: From,
  ) {
    super(position, hintText(row));
    this.paddingLeft = true;
  }
}

function hoversOf({ of, where }: AnswerProviderOptions): vscode.HoverProvider {
  return {
    async provideHover(document, { line, character }) {
      const answers = where() === 'off' ? undefined : of(document);
      if (!answers) return undefined;
      const { text } = document.lineAt(line);
      const range = idRange(text);
      if (!range || character < range[0] || character > range[1]) return undefined;
      const asked = askedLine(text);
      const details = asked && (await answers.details(asked));
      if (!asked || !details) return undefined;
      const { customId } = asked;
      const at = new vscode.Range(line, range[0], line, range[1]);
      return new vscode.Hover([...hoverOf(details, { ...factsOf(answers), customId })], at);
    },
  };
}

async function lensesAt(
  document: vscode.TextDocument,
  line: number,
  { of, where }: AnswerProviderOptions,
): Promise<vscode.CodeLens[]> {
  const answers = of(document);
  if (!answers || !['both', 'lens'].includes(where()) || line >= document.lineCount) return [];
  // The lenses for the file are above the first line; its answer would push them out of view, and already appears as a hint.
  if (line === 0 && where() === 'both') return [];
  const asked = askedLine(document.lineAt(line).text);
  if (!asked) return [];
  const { customId } = asked;
  const [row] = await answers.rows([asked]);
  if (!row) return [];
  return [
    codeLens(new vscode.Range(line, 0, line, 0), {
      title: hintText(row),
      command: 'inferenceDesk.batches.openResults',
      arguments: [answers.folder, customId],
      tooltip: vscode.l10n.t('Show this answer on the results page'),
    }),
  ];
}

function idsIn(document: vscode.TextDocument, { start, end }: vscode.Range) {
  const last = Math.min(end.line, document.lineCount - 1, start.line + mostLines);
  const found: { readonly line: number; readonly asked: AskedLine }[] = [];
  for (let line = start.line; line <= last; line++) {
    const asked = askedLine(document.lineAt(line).text);
    if (asked) found.push({ line, asked });
  }
  return found;
}

function askedLine(text: string): AskedLine | undefined {
  const customId = customIdOf(text);
  return customId === undefined ? undefined : { customId, digest: lineDigest(text) };
}

function cursorIn(document: vscode.TextDocument): number | undefined {
  const active = vscode.window.activeTextEditor;
  const editor =
    active?.document === document ? active : vscode.window.visibleTextEditors.find((one) => one.document === document);
  return editor?.selection.active.line;
}

function factsOf({ folder, isChanged }: FileAnswers) {
  return { folder, isChanged };
}
