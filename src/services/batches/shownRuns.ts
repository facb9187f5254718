import * as vscode from 'vscode';
import type { Disposable } from '../../platform/disposables';

/** The folders of the runs whose answers stand at the lines of batch files: told where runs are read, and asked for where files are shown. */
export class ShownRuns implements Disposable {
  private folders: ReadonlyMap<string, string> = new Map();
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.changed.event;

  folderOf({ scheme, fsPath }: vscode.Uri): string | undefined {
    return scheme === 'file' ? this.folders.get(fsPath) : undefined;
  }

  /** In place of those shown so far. By the paths of their files. */
  show(folders: ReadonlyMap<string, string>): void {
    this.folders = folders;
    this.changed.fire();
  }

  dispose(): void {
    this.changed.dispose();
  }
}
