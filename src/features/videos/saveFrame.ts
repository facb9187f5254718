import { dirname, join, parse } from 'node:path';
import { homedir } from 'node:os';
import * as vscode from 'vscode';
import { l10n } from 'vscode';
import { UserError } from '../../platform/errors/userError';

export interface Frame {
  readonly seconds: number;
  /** Base64. */
  readonly png: string;
}

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** Asks where to save the frame, and writes it. `false` on cancel. */
export async function saveFrame(videoPath: string, { seconds, png }: Frame): Promise<boolean> {
  const bytes = Buffer.from(png, 'base64');
  // The page shows third-party content, so its data is not trusted.
  if (!bytes.subarray(0, signature.length).equals(signature)) {
    throw new UserError(l10n.t('The frame was not saved'), l10n.t('What the page gave is no picture.'));
  }
  const workspace = vscode.workspace.workspaceFolders?.find(({ uri }) => uri.scheme === 'file')?.uri.fsPath;
  const folder = workspace ?? (dirname(videoPath) || homedir());
  const name = `${parse(videoPath).name}-${seconds.toFixed(2).replace('.', '-')}s.png`;
  const target = await vscode.window.showSaveDialog({
    title: l10n.t('Save this frame'),
    defaultUri: vscode.Uri.file(join(folder, name)),
    filters: { PNG: ['png'] },
  });
  if (!target) return false;
  await vscode.workspace.fs.writeFile(target, bytes);
  return true;
}
