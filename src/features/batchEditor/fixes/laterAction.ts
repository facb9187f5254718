import * as vscode from 'vscode';
import type { LineChange, Work } from '../../../core/batch/fixes/lineChange';

/** A code action whose edit is computed when it is chosen. */
export class LaterAction extends vscode.CodeAction {
  constructor(
    title: string,
    kind: vscode.CodeActionKind,
    readonly document: vscode.TextDocument,
    readonly work: () => Work<readonly LineChange[]>,
  ) {
    super(title, kind);
  }
}
