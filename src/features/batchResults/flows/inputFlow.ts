import * as vscode from 'vscode';
import type { ShownRun } from '../run/shownRun';

/** Asks the user which batch file the results answer, and links it. Does nothing if the user cancels. */
export async function askInput(run: ShownRun): Promise<void> {
  const before = run.state.input;
  const chosen = await vscode.window.showOpenDialog({
    title: vscode.l10n.t('Which batch file do these results answer?'),
    openLabel: vscode.l10n.t('Link'),
    filters: { 'JSON Lines': ['jsonl'] },
    ...(before !== undefined && { defaultUri: vscode.Uri.file(before) }),
  });
  const file = chosen?.[0];
  if (file?.scheme === 'file') await run.linkInput(file.fsPath);
}
