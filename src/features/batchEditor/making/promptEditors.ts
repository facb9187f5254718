import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { unknownColumns } from '../../../core/batch/making/template';
import { setContext } from '../../../platform/contributions';
import { DisposableStore } from '../../../platform/disposables';
import type { Disposable } from '../../../platform/disposables';
import { folderItems } from '../../../platform/workspace/folderItems';
import { UserError } from '../../../platform/errors/userError';
import { columnsText } from '../logic/columnsText';
import { complaint } from '../logic/failures';
import { codeLens } from '../../../platform/notify';

export interface PromptEditorRequest {
  /** The initial text. */
  readonly text: string;
  readonly columns: readonly string[];
  /** Throws a localized error if the prompt cannot be used. */
  readonly check: (text: string) => void;
  /** Called at each change, so that a draft is saved even if it is never used. */
  readonly onTyped: (text: string) => void;
}

/** Prompts written in documents, where they can have several lines. */
export interface PromptEditors extends Disposable {
  /** Resolves to the prompt when the user accepts it; `undefined` if its document is closed before. */
  write(request: PromptEditorRequest): Promise<string | undefined>;
  /** Accepts the prompt in the active editor. Throws `UserError` if it is invalid. */
  use(): Promise<void>;
}

interface Written extends PromptEditorRequest {
  readonly end: (prompt: string | undefined) => void;
}

/** Not Markdown, because a prompt may be any text and should not be rendered or checked as something else. */
const selector = { scheme: 'untitled', language: 'plaintext' };

export function createPromptEditors(): PromptEditors {
  const store = new DisposableStore();
  const open = new Map<vscode.TextDocument, Written>();
  const shown = store.add(vscode.languages.createDiagnosticCollection('inferenceDesk.batchPrompt'));
  const lensesChanged = store.add(new vscode.EventEmitter<void>());
  const tellActive = () => {
    const document = vscode.window.activeTextEditor?.document;
    void setContext('inferenceDesk.batchPrompt', document !== undefined && open.has(document));
    lensesChanged.fire();
  };
  const look = (document: vscode.TextDocument, { columns }: Written) =>
    shown.set(document.uri, [...problemsOf(document, columns)]);
  const take = (document: vscode.TextDocument): Written | undefined => {
    const written = open.get(document);
    if (!written) return undefined;
    open.delete(document);
    shown.delete(document.uri);
    tellActive();
    return written;
  };

  store.add(vscode.window.onDidChangeActiveTextEditor(tellActive));
  store.add(vscode.workspace.onDidCloseTextDocument((document) => take(document)?.end(undefined)));
  store.add(
    vscode.workspace.onDidChangeTextDocument(({ document }) => {
      const written = open.get(document);
      if (!written) return;
      written.onTyped(document.getText());
      look(document, written);
    }),
  );
  store.add(registerHelp(open, lensesChanged.event));
  return {
    async write(request) {
      const document = await vscode.workspace.openTextDocument({ language: selector.language, content: request.text });
      const prompt = new Promise<string | undefined>((end) => {
        const written = { ...request, end };
        open.set(document, written);
        look(document, written);
      });
      await showEnd(document);
      tellActive();
      return prompt;
    },
    async use() {
      const document = vscode.window.activeTextEditor?.document;
      const written = document && open.get(document);
      if (!written) return;
      const prompt = document.getText().trim();
      const problem = complaint(() => written.check(prompt));
      if (problem !== undefined) throw new UserError(l10n.t("Couldn't use the prompt"), problem);
      take(document);
      // The steps hold the prompt from here on, so the editor must not ask where to save the document.
      await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
      written.end(prompt);
    },
    dispose: () => store.dispose(),
  };
}

async function showEnd(document: vscode.TextDocument): Promise<void> {
  const editor = await vscode.window.showTextDocument(document, { preview: false });
  const { end } = document.lineAt(document.lineCount - 1).range;
  editor.selection = new vscode.Selection(end, end);
}

/** Completion of column names, and the lens that accepts the prompt. */
function registerHelp(
  open: ReadonlyMap<vscode.TextDocument, PromptEditorRequest>,
  onDidChangeCodeLenses: vscode.Event<void>,
): vscode.Disposable {
  const completion = vscode.languages.registerCompletionItemProvider(
    selector,
    {
      provideCompletionItems: (document, position) => [
        ...folderItems(
          document,
          position,
          (open.get(document)?.columns ?? []).map((name) => ({ name, detail: l10n.t('Column') })),
        ),
      ],
    },
    '{',
  );
  const lenses = vscode.languages.registerCodeLensProvider(selector, {
    onDidChangeCodeLenses,
    provideCodeLenses(document) {
      const request = open.get(document);
      return request ? lensesFor(request) : [];
    },
  });
  return vscode.Disposable.from(completion, lenses);
}

function lensesFor({ columns }: PromptEditorRequest): vscode.CodeLens[] {
  const top = new vscode.Range(0, 0, 0, 0);
  return [
    codeLens(top, {
      title: l10n.t('Continue with This Prompt'),
      command: 'inferenceDesk.batchFile.usePrompt',
      tooltip: l10n.t('Continue with Batch File'),
    }),
    codeLens(top, {
      title: l10n.t('Columns: {0}', columnsText(columns)),
      command: 'editor.action.triggerSuggest',
      tooltip: l10n.t('Insert a column at the cursor'),
    }),
  ];
}

function* problemsOf(document: vscode.TextDocument, columns: readonly string[]): Iterable<vscode.Diagnostic> {
  for (const { start, end, message } of unknownColumns(document.getText(), columns)) {
    const range = new vscode.Range(document.positionAt(start), document.positionAt(end));
    yield new vscode.Diagnostic(range, message, vscode.DiagnosticSeverity.Error);
  }
}
