import * as vscode from 'vscode';
import { DisposableStore } from '../../../platform/disposables';
import type { Disposable } from '../../../platform/disposables';

/** That what pages show of tools may have changed. */
export interface ToolChanges extends Disposable {
  tell(): void;
  readonly onDidChange: (listener: () => void) => Disposable;
}

/** The editor does not say when tools come and go; extensions and trust are what it does tell of. */
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
