import type * as vscode from 'vscode';

export function isPromptFile({ path }: vscode.Uri): boolean {
  return path.toLowerCase().endsWith('.desk.md');
}
