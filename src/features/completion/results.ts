import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { CompletionChoice } from '../../core/api/completions/completionEvents';
import { movedSpan } from '../../core/completion/movedSpan';
import type { Span } from '../../core/completion/movedSpan';
import { DisposableStore } from '../../platform/disposables';
import type { Disposable } from '../../platform/disposables';
import { factsLine, isCutShort } from './factsWords';
import type { AnswerFacts } from './factsWords';
import { changesOf } from './trackedRange';
import { codeLens } from '../../platform/notify';

/** An answer at its position in a document. */
export interface Result {
  readonly uri: vscode.Uri;
  readonly span: Span;
  readonly prompt: string;
  readonly choice: CompletionChoice;
  readonly facts: AnswerFacts;
  /** Number of distinct answers. */
  readonly alternatives: number;
}

export interface NumberedResult extends Result {
  readonly number: number;
}

/** Answers in open documents that are unchanged since they arrived; editing or undoing one removes it. */
export interface Results extends Disposable {
  add(result: Result): NumberedResult;
  remove(number: number): void;
  /** Removes all results of a document. */
  removeFrom(uri: vscode.Uri): void;
  /** Returns the result with this number, or without a number the one at the cursor of the active editor, else that document's last one. */
  find(argument: unknown): NumberedResult | undefined;
  readonly all: readonly NumberedResult[];
  readonly onDidChange: vscode.Event<void>;
}

export function createResults(isStill: (uri: vscode.Uri) => boolean): Results {
  const store = new DisposableStore();
  const changed = store.add(new vscode.EventEmitter<void>());
  let all: readonly NumberedResult[] = [];
  let last = 0;
  const set = (results: readonly NumberedResult[]) => {
    all = results;
    changed.fire();
  };
  store.add(
    vscode.workspace.onDidChangeTextDocument((event) => {
      const { uri } = event.document;
      // The documents to the side are ours, and change as answers arrive.
      if (event.contentChanges.length === 0 || isStill(uri) || !all.some((one) => isSame(one.uri, uri))) return;
      const changes = changesOf(event);
      set(
        all.flatMap((one) => {
          if (!isSame(one.uri, uri)) return [one];
          const span = movedSpan(one.span, changes);
          return span ? [{ ...one, span }] : [];
        }),
      );
    }),
  );
  store.add(
    vscode.workspace.onDidCloseTextDocument(({ uri }) => {
      if (all.some((one) => isSame(one.uri, uri))) set(all.filter((one) => !isSame(one.uri, uri)));
    }),
  );
  store.add(registerLenses(() => all, changed.event));

  return {
    add(result) {
      const numbered = { ...result, number: ++last };
      set([...all, numbered]);
      return numbered;
    },
    remove: (number) => set(all.filter((one) => one.number !== number)),
    removeFrom: (uri) => set(all.filter((one) => !isSame(one.uri, uri))),
    find(argument) {
      if (typeof argument === 'number') return all.find(({ number }) => number === argument);
      const editor = vscode.window.activeTextEditor;
      if (!editor) return undefined;
      const here = all.filter(({ uri }) => isSame(uri, editor.document.uri));
      const at = editor.document.offsetAt(editor.selection.active);
      return here.find(({ span }) => span.start <= at && at <= span.end) ?? here.at(-1);
    },
    get all() {
      return all;
    },
    onDidChange: changed.event,
    dispose: () => store.dispose(),
  };
}

export function isSame(one: vscode.Uri, other: vscode.Uri): boolean {
  return one.toString() === other.toString();
}

function registerLenses(all: () => readonly NumberedResult[], onDidChange: vscode.Event<void>): Disposable {
  return vscode.languages.registerCodeLensProvider(
    { scheme: '*' },
    {
      onDidChangeCodeLenses: onDidChange,
      provideCodeLenses: (document) =>
        all()
          .filter(({ uri }) => isSame(uri, document.uri))
          .flatMap((one) => [...lensesOf(one, document)]),
    },
  );
}

function* lensesOf(result: NumberedResult, document: vscode.TextDocument): Generator<vscode.CodeLens> {
  const { span, facts, number, alternatives } = result;
  const at = document.positionAt(span.start);
  const range = new vscode.Range(at, at);
  const lens = (title: string, command: string, tooltip?: string) =>
    codeLens(range, { title, command, arguments: [number], ...(tooltip !== undefined && { tooltip }) });
  if (isCutShort(facts)) yield lens(l10n.t('Continue'), 'inferenceDesk.complete.goOn');
  if (alternatives > 1) {
    yield lens(l10n.t('{0} Alternatives', alternatives), 'inferenceDesk.complete.alternatives');
  }
  yield lens(factsLine(facts), 'inferenceDesk.complete.showFacts', l10n.t('Show completion details and actions'));
  yield lens(l10n.t('Hide'), 'inferenceDesk.complete.hideFacts');
}
