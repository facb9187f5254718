import * as vscode from 'vscode';
import type { Attachment } from '../../../core/conversation/attachment';
import { listPaths } from '../../../core/workspace/folderListing';
import { numberText } from '../../../platform/displayText';
import { checkTrust, nameOf, refused, toAttachment } from './toAttachment';
import { filesBelow, maxFound } from '../../../platform/workspace/workspaceFiles';

/** About 20,000 tokens of paths; for a larger folder, it is better to name one of its subfolders. */
const maxListed = 2000;

/** Lists the files of a folder, one path per line, below a line with their number. Throws a localized error if it has none. */
export async function readFolder(uri: vscode.Uri): Promise<Attachment> {
  checkTrust();
  const name = nameOf(uri);
  const label = `${name === uri.fsPath && vscode.workspace.getWorkspaceFolder(uri) ? folderName(uri) : name}/`;
  const { paths, count } = listPaths(await filesBelow(uri), maxListed);
  if (count === 0) throw refused(label, vscode.l10n.t('It has no files, or all of them are excluded or ignored.'));
  return toAttachment('folder', label, '', [countLine(paths.length, count), ...paths].join('\n'));
}

function countLine(listed: number, count: number): string {
  const number = (value: number) => numberText(value, vscode.env.language);
  if (count >= maxFound)
    return vscode.l10n.t('{0} of {1} files or more, without the deepest:', number(listed), number(count));
  if (listed < count) return vscode.l10n.t('{0} of {1} files, without the deepest:', number(listed), number(count));
  return count === 1 ? vscode.l10n.t('1 file:') : vscode.l10n.t('{0} files:', number(count));
}

function folderName(uri: vscode.Uri): string {
  return uri.path.slice(uri.path.lastIndexOf('/') + 1);
}
