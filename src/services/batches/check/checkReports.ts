import { readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { makeFolder } from '../../../core/files/privateFiles';
import { bytesText } from '../../../platform/displayText';
import { showMessage } from '../../../platform/notify';

/** Older reports are deleted. */
const mostReports = 20;
/** The editor does not pass larger files to extensions, nor does it highlight them. */
const mostBytesOpened = 50 * 1000 * 1000;

/** Returns a path for a new report in the folder, where only the newest reports are retained. */
export async function newReportPath(folder: string, name: string): Promise<string> {
  await makeFolder(folder);
  const reports = (await readdir(folder)).filter((file) => file.endsWith(ending)).toSorted();
  for (const old of reports.slice(0, Math.max(0, reports.length + 1 - mostReports))) {
    await rm(path.join(folder, old), { force: true });
  }
  // Names sort by time.
  const time = new Date().toISOString().replaceAll(':', '-');
  return path.join(folder, `${time} ${name.slice(0, 80)}${ending}`);
}

const ending = '.problems.txt';

/** Opens a report, or reports its location if it is too large for the editor. */
export async function showReport(file: string): Promise<void> {
  const { size } = await stat(file);
  if (size < mostBytesOpened) {
    await vscode.window.showTextDocument(vscode.Uri.file(file), { preview: true });
    return;
  }
  const isHere = vscode.env.remoteName === undefined && vscode.env.uiKind === vscode.UIKind.Desktop;
  const action = isHere ? vscode.l10n.t('Show in File Manager') : vscode.l10n.t('Copy Path');
  const message = vscode.l10n.t(
    'The report has {0}, too much for the editor. It is at {1}',
    bytesText(size, vscode.env.language),
    file,
  );
  if ((await showMessage('information', message, action)) !== action) return;
  if (isHere) await vscode.commands.executeCommand('revealFileInOS', vscode.Uri.file(file));
  else await vscode.env.clipboard.writeText(file);
}
