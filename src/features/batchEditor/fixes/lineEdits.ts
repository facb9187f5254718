import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { LineChange, Lines, Work } from '../../../core/batch/fixes/lineChange';
import { UserError } from '../../../platform/errors/userError';
import { readOnlyError, writeInDocument } from '../../../platform/workspace/writeEdits';

/**
 * The editor merges more than a thousand edits into one, which takes twice as long as a single edit from the start. Beyond this
 * number, one edit replaces all lines from the first changed one to the last.
 */
const mostEdits = 1000;

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

export function linesOf(document: vscode.TextDocument): Lines {
  return {
    get lineCount() {
      return document.lineCount;
    },
    line: (index) => (index < document.lineCount ? document.lineAt(index).text : undefined),
  };
}

/** Returns one undo step with all changes, which must be in document order. */
export function toEdit(document: vscode.TextDocument, changes: readonly LineChange[]): vscode.WorkspaceEdit {
  const edit = new vscode.WorkspaceEdit();
  edit.set(document.uri, editsOf(document, changes));
  return edit;
}

/** Writes the changes as one undo step. Throws `UserError` if the document has changed since `version` or is read-only. */
export async function writeChanges(
  document: vscode.TextDocument,
  version: number,
  changes: readonly LineChange[],
): Promise<void> {
  if (document.version !== version) throw changedMeanwhile();
  const result = await writeInDocument(document, editsOf(document, changes));
  if (result === 'readOnly') throw readOnlyError();
  if (result === 'rejected') throw changedMeanwhile();
}

export function changedMeanwhile(): UserError {
  return new UserError(l10n.t('The file has changed'), l10n.t("The file wasn't edited. Try again."));
}

function editsOf(document: vscode.TextDocument, changes: readonly LineChange[]): vscode.TextEdit[] {
  return changes.length > mostEdits ? [wholeEdit(document, changes)] : changes.map((one) => lineEdit(document, one));
}

function lineEdit(document: vscode.TextDocument, { start, removed, added }: LineChange): vscode.TextEdit {
  const [text] = added;
  if (text === undefined) return vscode.TextEdit.delete(new vscode.Range(start, 0, start + removed, 0));
  const before = document.lineAt(start).text;
  if (removed !== 1 || added.length !== 1) {
    const end = document.lineAt(start + removed - 1).range.end;
    return vscode.TextEdit.replace(new vscode.Range(new vscode.Position(start, 0), end), added.join('\n'));
  }
  const from = sameAtStart(before, text);
  const same = sameAtEnd(before.slice(from), text.slice(from));
  const range = new vscode.Range(start, from, start, before.length - same);
  return vscode.TextEdit.replace(range, text.slice(from, text.length - same));
}

function wholeEdit(document: vscode.TextDocument, changes: readonly LineChange[]): vscode.TextEdit {
  const first = changes[0]!.start;
  const last = changes.at(-1)!;
  const lines: string[] = [];
  let at = first;
  for (const { start, removed, added } of changes) {
    for (; at < start; at++) lines.push(document.lineAt(at).text);
    for (const text of added) lines.push(text);
    at += removed;
  }
  const end = last.start + last.removed;
  const isWithin = end < document.lineCount;
  const range = new vscode.Range(
    new vscode.Position(first, 0),
    isWithin ? new vscode.Position(end, 0) : document.lineAt(end - 1).range.end,
  );
  return vscode.TextEdit.replace(range, lines.join('\n') + (isWithin && lines.length > 0 ? '\n' : ''));
}

/** Never splits a surrogate pair, because the editor moves an edit that would. */
function sameAtStart(a: string, b: string): number {
  const most = Math.min(a.length, b.length);
  let count = 0;
  while (count < most && a[count] === b[count]) count++;
  return /[\ud800-\udbff]/.test(a.charAt(count - 1)) ? count - 1 : count;
}

function sameAtEnd(a: string, b: string): number {
  const most = Math.min(a.length, b.length);
  let count = 0;
  while (count < most && a[a.length - 1 - count] === b[b.length - 1 - count]) count++;
  return /[\udc00-\udfff]/.test(a.charAt(a.length - count)) ? count - 1 : count;
}
