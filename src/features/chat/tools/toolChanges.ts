import * as vscode from 'vscode';
import { DisposableStore } from '../../../platform/disposables';
import type { Disposable } from '../../../platform/disposables';

/** Notifies pages that what they show of tools may have changed. */
export interface ToolChanges extends Disposable {
  tell(): void;
  readonly onDidChange: (listener: () => void) => Disposable;
}

/** The editor does not report when tools are added or removed; it only reports changes of extensions and of workspace trust. */
export function createToolChanges(): ToolChanges {
  const store = new DisposableStore();
  const changed = store.add(new vscode.EventEmitter<void>());
  store.add(vscode.extensions.onDidChange(() => changed.fire()));
  store.add(vscode.workspace.onDidGrantWorkspaceTrust(() => changed.fire()));
  return {
    tell: () => changed.fire(),
    onDidChange: (listener) => changed.event(listener),
    dispose: () => store.dispose(),
  };
}
