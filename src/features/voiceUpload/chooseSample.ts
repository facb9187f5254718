import * as vscode from 'vscode';
import { UserError } from '../../platform/errors/userError';

/** The file a menu or a drop hands over, else the one a person chooses. `undefined`: they chose none. Throws in words where it is not on disk. */
export async function chooseSample(file: unknown): Promise<string | undefined> {
  const uri = file instanceof vscode.Uri ? file : await askSample();
  return uri && samplePath(uri);
}

export async function askSample(): Promise<vscode.Uri | undefined> {
  const chosen = await vscode.window.showOpenDialog({
    title: vscode.l10n.t('Upload Voice Sample'),
    openLabel: vscode.l10n.t('Review'),
    filters: {
      [vscode.l10n.t('Recordings')]: ['mp3', 'wav', 'opus', 'ogg', 'pcm'],
      [vscode.l10n.t('All Files')]: ['*'],
    },
  });
  return chosen?.[0];
}

/** The path of a file of this machine. Throws in words for any other address, and for what a folder nobody trusts yet holds. */
export function samplePath(uri: vscode.Uri): string {
  // The window calls a file of the machine we run on by that machine's name.
  const isHere = uri.scheme === 'file' || (uri.scheme === 'vscode-remote' && vscode.env.remoteName !== undefined);
  if (!isHere) {
    throw new UserError(
      vscode.l10n.t('This file is not on disk'),
      vscode.l10n.t('Save the recording in a folder of this machine first, then upload it.'),
    );
  }
  const place = uri.scheme === 'file' ? uri : vscode.Uri.file(uri.path);
  if (!vscode.workspace.isTrusted && vscode.workspace.getWorkspaceFolder(place) !== undefined) {
    throw new UserError(
      vscode.l10n.t('This workspace is not trusted'),
      vscode.l10n.t(
        'Its files stay on this machine until you trust it. Trust the workspace, then upload the recording.',
      ),
    );
  }
  return place.fsPath;
}

/** As a page names it: not trusted. */
export function droppedPath(address: string): string {
  let uri: vscode.Uri;
  try {
    uri = vscode.Uri.parse(address, true);
  } catch {
    throw new UserError(
      vscode.l10n.t('Nothing was read'),
      vscode.l10n.t('What was dropped is no file. Drop a recording from the Explorer or from a folder.'),
    );
  }
  // What an address says beside the path no file system is to hear of.
  return samplePath(uri.with({ query: '', fragment: '' }));
}
