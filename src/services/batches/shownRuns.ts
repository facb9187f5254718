import * as vscode from 'vscode';
import type { Disposable } from '../../platform/disposables';

/** The folders of the runs whose answers are shown at the lines of batch files: set where runs are read, read where files are shown. */
export class ShownRuns implements Disposable {
  private folders: ReadonlyMap<string, string> = new Map();
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.changed.event;

  folderOf({ scheme, fsPath }: vscode.Uri): string | undefined {
    return scheme === 'file' ? this.folders.get(fsPath) : undefined;
  }

  /** Replaces the runs shown so far. By path of the batch file. */
  show(folders: ReadonlyMap<string, string>): void {
    this.folders = folders;
    this.changed.fire();
  }

  dispose(): void {
    this.changed.dispose();
  }
}
