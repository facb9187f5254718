import * as l10n from '@vscode/l10n';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { recipeEnding } from '../../core/assets/recipe';
import { copyAtomic, writeAtomic } from '../../core/storage/atomicFile';
import { exists } from '../../core/storage/privateFiles';
import { UserError } from '../../platform/errors/userError';
import { reasonText } from '../../platform/errors/fileErrorMessages';
import { sentence } from '../../protocol/sentences';
import { tellWritten } from '../../platform/workspace/written';
import { csvOf, detailsOf } from '../../core/assets/assetDetails';
import { numberText } from '../../platform/displayText';
import { freePath } from '../../platform/workspace/writeTarget';
import type { MediaAssets } from '../../services/media/media';
import type { MediaQuestions } from './logic/mediaQuestions';
import { foreign } from '../../core/text/foreignText';

/** Copies files, and on request their recipes, to a location the user chooses: one to a file, several to a folder. */
export async function saveGenerated(files: readonly string[], questions: MediaQuestions): Promise<void> {
  const [file] = files;
  if (file === undefined) return;
  await (files.length === 1 ? saveOne(file, questions) : saveSeveral(files, questions));
}

async function saveSeveral(files: readonly string[], questions: MediaQuestions): Promise<void> {
  const folder = await questions.folder(files);
  if (!folder) return;
  const isEach = await Promise.all(files.map((file) => exists(file + recipeEnding)));
  const [first = ''] = files.filter((_, at) => isEach[at]);
  const recipes = first === '' ? 'without' : await questions.withRecipe(first, false);
  if (recipes === undefined) return;
  for (const file of files) {
    // Existing files in the folder are never replaced.
    const to = await inWords(() => freePath(path.join(folder.fsPath, path.basename(file))));
    await inWords(() => copyAtomic(file, to, { replace: false, isPrivate: false }));
    if (recipes === 'with' && (await exists(file + recipeEnding))) await copyRecipe(file, to);
  }
  const count = numberText(files.length, vscode.env.language);
  tellWritten(folder, l10n.t('Saved {0} files to {1}.', count, foreign(path.basename(folder.fsPath))));
}

async function saveOne(file: string, questions: MediaQuestions): Promise<void> {
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
  if (recipe === 'with') await copyRecipe(file, to);
  tellWritten(target, l10n.t('Saved "{0}".', foreign(path.basename(to))));
}

async function copyRecipe(file: string, to: string): Promise<void> {
  const text = renamed(await readFile(file + recipeEnding, 'utf8'), path.basename(to));
  await inWords(() => writeAtomic(to + recipeEnding, text, { replace: true, isPrivate: false }));
}

/** Writes the details of files as a table, CSV or JSON, to a location the user chooses. */
export async function exportDetails(
  files: readonly string[],
  assets: MediaAssets,
  questions: MediaQuestions,
): Promise<void> {
  const read = await Promise.all(files.map((file) => assets.read(file)));
  const details = read.filter((asset) => asset !== undefined).map(detailsOf);
  const target = await questions.details();
  if (!target) return;
  const isJson = target.path.toLowerCase().endsWith('.json');
  const text = isJson ? `${JSON.stringify(details, undefined, 2)}\n` : csvOf(details);
  await inWords(() => writeText(target, text));
  const count = numberText(details.length, vscode.env.language);
  const message =
    details.length === 1
      ? l10n.t('Exported the details of 1 file.')
      : l10n.t('Exported the details of {0} files.', count);
  tellWritten(target, message);
}

/** Also to a file system that only VS Code can access. The dialog has already confirmed overwriting. */
async function writeText(target: vscode.Uri, text: string): Promise<void> {
  if (target.scheme === 'file') return writeAtomic(target.fsPath, text, { replace: true, isPrivate: false });
  return vscode.workspace.fs.writeFile(target, Buffer.from(text));
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
    throw new UserError(l10n.t("Couldn't save the file"), sentence(reasonText(error)));
  }
}
