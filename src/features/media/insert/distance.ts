import path from 'node:path';
import * as vscode from 'vscode';

/** The folder of a document on disk, for a notebook cell that of its notebook; `undefined` for others. */
export function folderOf({ uri }: vscode.TextDocument): string | undefined {
  return ['file', 'vscode-notebook-cell'].includes(uri.scheme) ? path.dirname(uri.fsPath) : undefined;
}

/** Whether file and document would be moved together: the file is in the workspace, or below the document's folder. */
export function isNear(file: string, document: vscode.TextDocument): boolean {
  if (vscode.workspace.getWorkspaceFolder(vscode.Uri.file(file))) return true;
  const folder = folderOf(document);
  return folder !== undefined && isBelow(file, folder);
}

export function isBelow(file: string, folder: string): boolean {
  const from = path.relative(folder, file);
  return from !== '' && !path.isAbsolute(from) && from.split(path.sep)[0] !== '..';
}
