import type * as vscode from 'vscode';

/** The storage key of changes that wait to be kept or undone. */
export const pendingEditsKey = 'chat.pendingEdits';

/** Whether the last window had changes that wait to be kept or undone. Every window asks at its start, before it loads what keeps them. */
export function hasStoredEdits(memory: vscode.Memento): boolean {
  return memory.get<readonly unknown[]>(pendingEditsKey, []).length > 0;
}
