import * as vscode from 'vscode';
import { l10n } from 'vscode';
import { readFileFacts } from '../../core/assets/fileFacts';
import { kindOf } from '../../core/assets/kindOfName';
import { recipeEnding } from '../../core/assets/recipe';
import { isThere } from '../../core/files/copyAtomically';
import { UserError } from '../../platform/errors/userError';
import { readGenerated } from './generatedFile';
import type { MediaAssets } from '../../services/media/media';

/** In the editor's own viewer. */
export async function openInEditor(file: string): Promise<void> {
  await vscode.commands.executeCommand('vscode.open', vscode.Uri.file(file));
}

export async function showRecipe(file: string, assets: Pick<MediaAssets, 'read'>): Promise<void> {
  // One that cannot be read is for the person to mend.
  if (!(await isThere(file + recipeEnding))) await readGenerated(file, assets);
  await vscode.window.showTextDocument(vscode.Uri.file(file + recipeEnding), { preview: true });
}

/** Whether programs of the machine the person sits at can see the files that are here. */
export function hasOwnPrograms(): boolean {
  return vscode.env.remoteName === undefined && vscode.env.uiKind === vscode.UIKind.Desktop;
}

/** False where it cannot be done from here. Throws in words for what the system might run, whatever recipe is beside it. */
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

/** By its name, which is what the system goes by, and by its content. */
async function isShownOnly(file: string): Promise<boolean> {
  const kind = kindOf(file);
  if (kind === undefined) return false;
  const facts = await readFileFacts(file);
  // Sound may be bare samples, which nothing tells from other bytes.
  return typeof facts !== 'string' || (kind === 'speech' && facts === 'other');
}

/** In the Explorer where it is part of the workspace, else where the system shows files. */
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
