import * as vscode from 'vscode';
import { l10n } from 'vscode';
import { readFileFacts } from '../../core/assets/fileFacts';
import { kindOf } from '../../core/assets/kindOfName';
import { recipeEnding } from '../../core/assets/recipe';
import { isThere } from '../../core/files/copyAtomically';
import { UserError } from '../../platform/errors/userError';
import { readGenerated } from './generatedFile';
import type { MediaAssets } from '../../services/media/media';

/** Opens the file in VS Code's own viewer. */
export async function openInEditor(file: string): Promise<void> {
  await vscode.commands.executeCommand('vscode.open', vscode.Uri.file(file));
}

export async function showRecipe(file: string, assets: MediaAssets): Promise<void> {
  // Open an unreadable recipe all the same, so that the user can fix it.
  if (!(await isThere(file + recipeEnding))) await readGenerated(file, assets);
  await vscode.window.showTextDocument(vscode.Uri.file(file + recipeEnding), { preview: true });
}

/** Whether programs on the user's machine can access the extension host's files. */
export function hasOwnPrograms(): boolean {
  return vscode.env.remoteName === undefined && vscode.env.uiKind === vscode.UIKind.Desktop;
}

/** Returns `false` if that is impossible from here. Throws `UserError` for files the system might execute, whatever recipe they have. */
export async function openOutside(file: string): Promise<boolean> {
  if (!(await isShownOnly(file))) {
    throw new UserError(
      l10n.t('The file was not opened'),
      l10n.t('“{0}” is no picture, video or sound by its name and content: another program might run it.', file),
    );
  }
  if (!hasOwnPrograms()) return false;
  if (await vscode.env.openExternal(vscode.Uri.file(file))) return true;
  throw new UserError(
    l10n.t('No program opened the file'),
    l10n.t('The system may know none for it: open “{0}” from there.', file),
  );
}

/** Whether it is a media file by its name, which the system goes by, and by its content. */
async function isShownOnly(file: string): Promise<boolean> {
  const kind = kindOf(file);
  if (kind === undefined) return false;
  const facts = await readFileFacts(file);
  // Audio may be raw samples, which are indistinguishable from other bytes.
  return typeof facts !== 'string' || (kind === 'speech' && facts === 'other');
}

/** Reveals the file in the Explorer if it is in the workspace, else in the system's file manager. */
export async function reveal(file: string): Promise<void> {
  const uri = vscode.Uri.file(file);
  if (vscode.workspace.getWorkspaceFolder(uri)) {
    await vscode.commands.executeCommand('revealInExplorer', uri);
    return;
  }
  if (hasOwnPrograms()) {
    await vscode.commands.executeCommand('revealFileInOS', uri);
    return;
  }
  throw new UserError(
    l10n.t('The folder cannot be shown from here'),
    l10n.t('The editor runs in a browser or on another machine. The file is “{0}”.', file),
  );
}
