import * as l10n from '@vscode/l10n';
import path from 'node:path';
import * as vscode from 'vscode';
import type { ProgressMonitor } from '../../core/async/progressMonitor';
import { bytesText } from '../displayText';
import { showMessage, withProgress } from '../notify';
import { foreign } from '../../core/text/foreignText';

/** The editor does not open larger files as documents for extensions. */
const largestOpened = 50_000_000;

/** Runs work that writes a file, with progress and a cancel button. `total` is what `onProgress` counts up to. */
export async function withWriting<T>(
  title: string,
  total: number,
  work: (monitor: ProgressMonitor) => Promise<T>,
): Promise<T> {
  const location = vscode.ProgressLocation.Notification;
  return withProgress({ location, title, cancellable: true }, async (progress, token) => {
    const controller = new AbortController();
    const cancelling = token.onCancellationRequested(() => controller.abort());
    let reportedBytes = 0;
    const onProgress = (done: number) => {
      const percent = total === 0 ? 0 : Math.min(100, Math.floor((done / total) * 100));
      if (percent <= reportedBytes) return;
      progress.report({ increment: percent - reportedBytes, message: `${percent} %` });
      reportedBytes = percent;
    };
    try {
      return await work({ signal: controller.signal, onProgress });
    } finally {
      cancelling.dispose();
    }
  });
}

/** Opens the written file; one too large for an editor is reported, with a button to reveal it. */
export async function showWritten(file: string, bytes: number): Promise<void> {
  const uri = vscode.Uri.file(file);
  if (bytes <= largestOpened) {
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri));
    return;
  }
  tellWritten(uri, l10n.t('Saved {0} ({1}).', foreign(path.basename(file)), bytesText(bytes, vscode.env.language)));
}

/** Shows a message, with a button to reveal the file. */
export function tellWritten(uri: vscode.Uri, message: string): void {
  const reveal = l10n.t('Reveal');
  const command = vscode.workspace.getWorkspaceFolder(uri) ? 'revealInExplorer' : 'revealFileInOS';
  void showMessage('information', message, reveal).then((answer) => {
    if (answer === reveal) void vscode.commands.executeCommand(command, uri);
  });
}
