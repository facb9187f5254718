import { readFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { l10n } from 'vscode';
import { recipeEnding } from '../../core/assets/recipe';
import { copyAtomic, writeAtomic } from '../../core/storage/atomicFile';
import { exists } from '../../core/storage/privateFiles';
import { UserError } from '../../platform/errors/userError';
import { reasonText } from '../../platform/errors/fileErrorMessages';
import { sentence } from '../../protocol/sentences';
import { tellWritten } from '../../platform/workspace/written';
import type { MediaQuestions } from './mediaQuestions';
import { foreign } from '../../core/text/foreignText';

/** Copies a file, and on request its recipe, to a location the user chooses. */
export async function saveGenerated(file: string, questions: MediaQuestions): Promise<void> {
  const folder = vscode.workspace.workspaceFolders?.find(({ uri }) => uri.scheme === 'file')?.uri;
  const name = path.basename(file);
  const target = await questions.target(file, folder ? vscode.Uri.joinPath(folder, name) : vscode.Uri.file(name));
  if (!target) return;
  if (target.scheme !== 'file') return saveElsewhere(file, target);
  const to = target.fsPath;
  if (path.relative(file, to) === '') return;
  const hasRecipe = await exists(file + recipeEnding);
  const recipe = hasRecipe ? await questions.withRecipe(file, await exists(to + recipeEnding)) : 'without';
  if (recipe === undefined) return;
  // The dialog has already confirmed overwriting.
  await inWords(() => copyAtomic(file, to, { replace: true, isPrivate: false }));
  if (recipe === 'with') {
    const text = renamed(await readFile(file + recipeEnding, 'utf8'), path.basename(to));
    await inWords(() => writeAtomic(to + recipeEnding, text, { replace: true, isPrivate: false }));
  }
  tellWritten(target, l10n.t('“{0}” was saved.', foreign(path.basename(to))));
}

/** Copies to a file system that only VS Code can access. */
async function saveElsewhere(file: string, target: vscode.Uri): Promise<void> {
  await inWords(() => Promise.resolve(vscode.workspace.fs.copy(vscode.Uri.file(file), target, { overwrite: true })));
}

/** Returns the recipe with the file's new name; an unreadable recipe is returned unchanged. */
export function renamed(recipe: string, name: string): string {
  try {
    const read = JSON.parse(recipe) as { readonly file?: object };
    if (typeof read.file !== 'object' || read.file === null) return recipe;
    return `${JSON.stringify({ ...read, file: { ...read.file, name } }, undefined, 2)}\n`;
  } catch {
    return recipe;
  }
}

/** Rethrows file system errors as `UserError`. */
export async function inWords<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    throw new UserError(l10n.t('The file was not saved'), sentence(reasonText(error)));
  }
}
