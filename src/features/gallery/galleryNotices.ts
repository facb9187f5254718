import path from 'node:path';
import * as vscode from 'vscode';
import { l10n } from 'vscode';
import type { UnreadableAsset } from '../../core/assets/recipe';
import type { MediaAssets } from '../../services/media/media';
import type { GalleryNotice } from '../../protocol/gallery';

/** Number of recipes that are listed by name. */
const named = 3;

export interface GalleryNotices {
  /** Notices about the last listing. */
  readonly list: () => readonly GalleryNotice[];
  /** Runs an action that a notice offers. */
  readonly mend: (notice: string, action: string) => Promise<void>;
}

/** Localized notices about folders and recipes that could not be read. */
export function galleryNotices(assets: MediaAssets): GalleryNotices {
  const recipes = () => assets.unreadable.filter(({ what }) => what === 'recipe');
  return {
    list: () => [
      ...assets.unreadable.filter(({ what }) => what === 'folder').map(folderNotice),
      ...(recipes().length > 0 ? [recipesNotice(recipes())] : []),
    ],
    async mend(notice, action) {
      const recipe = notice === 'recipes' ? recipes()[Number(action)] : undefined;
      if (recipe) await vscode.window.showTextDocument(vscode.Uri.file(recipe.path), { preview: true });
    },
  };
}

function folderNotice({ path: folder, code = '' }: UnreadableAsset): GalleryNotice {
  return {
    id: `folder ${folder}`,
    title: l10n.t('A folder could not be read'),
    detail: l10n.t('{0} ({1}). What is in it is not shown.', folder, code),
    actions: [],
  };
}

function recipesNotice(recipes: readonly UnreadableAsset[]): GalleryNotice {
  const names = recipes.slice(0, named).map((recipe) => path.basename(recipe.path));
  const count = recipes.length;
  return {
    id: 'recipes',
    title: count === 1 ? l10n.t('A recipe could not be read') : l10n.t('{0} recipes could not be read', count),
    detail:
      count === 1
        ? l10n.t('It is damaged, or of a later version. The file beside it is kept, but not shown here.')
        : l10n.t('They are damaged, or of a later version. The files beside them are kept, but not shown here.'),
    actions: names.map((name, index) => ({ id: String(index), label: name })),
  };
}
