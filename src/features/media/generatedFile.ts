import path from 'node:path';
import * as vscode from 'vscode';
import { l10n } from 'vscode';
import { kindOf } from '../../core/assets/kindOfName';
import { recipeEnding } from '../../core/assets/recipe';
import { exists } from '../../core/storage/privateFiles';
import type { Asset, MediaAssets } from '../../services/media/media';
import { UserError } from '../../platform/errors/userError';
import { mediaRowOf } from './mediaRow';
import type { MediaQuestions } from './mediaQuestions';
import { foreign } from '../../core/text/foreignText';

/**
 * Resolves to the absolute path of the file a command is about, whether or not it exists: from its argument (a URI, path or row; a recipe
 * means its file), else the active tab, else a pick. `undefined` if the user cancels.
 */
export async function findGenerated(
  of: unknown,
  assets: MediaAssets,
  questions: MediaQuestions,
): Promise<string | undefined> {
  if (of !== undefined) return withoutRecipe(handedPath(of));
  const open = activeFile();
  if (open !== undefined) return open;
  const made = await assets.list();
  if (made.length > 0) return (await questions.made(made))?.path;
  throw new UserError(
    l10n.t('Nothing was made yet'),
    l10n.t('Make an image or a video first, or open the file this is about.'),
  );
}

function handedPath(of: unknown): string {
  if (of instanceof vscode.Uri) {
    if (of.scheme === 'file') return of.fsPath;
    throw new UserError(l10n.t('This file is not on disk'), l10n.t('Save it to a folder on disk, then try again.'));
  }
  const row = mediaRowOf(of);
  if (row?.kind === 'made') return row.asset.path;
  if (typeof of === 'string' && path.isAbsolute(of)) return path.normalize(of);
  throw new UserError(
    l10n.t('This names no file'),
    l10n.t('Run the command on an image or a video, in the Explorer or in the view Images and Videos.'),
  );
}

function withoutRecipe(file: string): string {
  return file.endsWith(recipeEnding) ? file.slice(0, -recipeEnding.length) : file;
}

/** The file in the active tab, if its type can be generated or it is a recipe. VS Code's media viewers are custom editor tabs. */
function activeFile(): string | undefined {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  if (!(input instanceof vscode.TabInputText) && !(input instanceof vscode.TabInputCustom)) return undefined;
  if (input.uri.scheme !== 'file') return undefined;
  const file = withoutRecipe(input.uri.fsPath);
  return kindOf(file) === undefined ? undefined : file;
}

/** Throws `UserError` if the file was moved or deleted. */
export async function checkThere(file: string): Promise<void> {
  if (await exists(file)) return;
  throw new UserError(
    l10n.t('The file is not there any more'),
    l10n.t('“{0}” was moved or deleted. Where its recipe is still there, it can be made again from it.', file),
  );
}

/** Returns the file with its recipe; throws `UserError` if there is none or it cannot be read. */
export async function readGenerated(file: string, assets: MediaAssets): Promise<Asset> {
  const asset = await assets.read(file);
  if (asset) return asset;
  const name = path.basename(file) + recipeEnding;
  if (await exists(file + recipeEnding)) {
    throw new UserError(
      l10n.t('The recipe cannot be read'),
      l10n.t('“{0}” was changed by hand, or written by a later version.', foreign(name)),
    );
  }
  throw new UserError(
    l10n.t('This file has no recipe'),
    l10n.t(
      'How it was made is not known: “{0}” is not beside it. Files made here have one, wherever both are moved.',
      foreign(name),
    ),
  );
}
