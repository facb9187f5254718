import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { l10n } from 'vscode';
import { createAssetIndex } from '../core/assets/assetIndex';
import { soundFacts } from '../core/assets/fileFacts';
import type { Inputs, InputFault, KeptInput } from '../core/assets/inputs';
import { keepAsset } from '../core/assets/keepAsset';
import type { KeepOptions } from '../core/assets/keepAsset';
import type { Asset } from '../core/assets/recipe';
import { recipeEnding } from '../core/assets/recipe';
import { readRecipe, recipePath } from '../core/assets/recipeFile';
import type { Disposable } from './disposables';
import type { OnSetAside } from '../core/files/setAside';
import type { MediaAssets } from './media';
import { mediaFolder, ownMediaFolder } from './mediaFolder';
import type { MediaFolderSources } from './mediaFolder';
import { createMediaFolders } from './mediaFolders';
import { UserError } from './userError';

export interface KeptAssets extends Omit<MediaAssets, 'onDidChange' | 'folder'>, Disposable {
  /** Files go there, so that they are looked for there from now on. */
  remember(folder: string): Promise<void>;
}

export interface MediaAssetsOptions extends MediaFolderSources {
  readonly storage: string;
  readonly inputs: Inputs;
  readonly lock: KeepOptions['lock'];
  readonly onAssetsChange: () => void;
  readonly onTrouble: (error: unknown) => void;
  readonly onSetAside: OnSetAside;
}

/** Resolves when the folders are known. */
export async function createMediaAssets(options: MediaAssetsOptions): Promise<KeptAssets> {
  const { storage, inputs, onAssetsChange } = options;
  const folders = createMediaFolders({ ...options, onChange: onAssetsChange });
  await folders.refresh();
  const index = createAssetIndex();
  const read = async (path: string): Promise<Asset | undefined> => {
    const target = path.endsWith(recipeEnding) ? path.slice(0, -recipeEnding.length) : path;
    const recipe = await readRecipe(target);
    return recipe && { path: target, recipe };
  };

  return {
    remember: (folder) => folders.remember(folder),
    get unreadable() {
      return index.unreadable;
    },
    read,
    async list() {
      await folders.refresh();
      return index.list(folders.list());
    },
    roots: () => [...folders.list(), join(storage, 'inputs')].map((folder) => vscode.Uri.file(folder)),
    async keepInput(from) {
      const name = 'name' in from ? from.name : from.path;
      const kept = await inputs.keep(from);
      if (typeof kept === 'string') throw inputError(kept, name);
      return toInput(kept);
    },
    async input(ref) {
      const kept = await inputs.find(ref);
      return kept && toInput(kept);
    },
    async keep(bytes, made) {
      const folder = mediaFolder(options);
      await folders.remember(folder);
      const keepIn = (place: string) => keepSpeech(bytes, made, { ...options, folder: place });
      const own = ownMediaFolder(options.context);
      const asset = await keepIn(folder).catch((error: unknown) => {
        // It was paid for: what cannot be written where the person wants it goes where it can.
        if (folder === own) throw error;
        return keepIn(own);
      });
      onAssetsChange();
      return asset;
    },
    async remove(path, { forGood = false } = {}) {
      for (const each of [path, recipePath(path)]) {
        if (!existsSync(each)) continue;
        await vscode.workspace.fs.delete(vscode.Uri.file(each), { useTrash: !forGood });
      }
      onAssetsChange();
    },
    dispose: () => folders.dispose(),
  };
}

async function keepSpeech(
  bytes: Uint8Array,
  made: Parameters<MediaAssets['keep']>[1],
  { folder, lock }: Pick<KeepOptions, 'folder' | 'lock'>,
): Promise<Asset> {
  await mkdir(folder, { recursive: true });
  const temporary = join(folder, `.${randomUUID()}.download`);
  try {
    await writeFile(temporary, bytes, { flush: true });
    const facts = await soundFacts(bytes, made.request.response_format ?? 'mp3');
    const making = { ...made, createdAt: new Date().toISOString(), index: 0 };
    return await keepAsset(temporary, { folder, facts, lock, made: making });
  } finally {
    await rm(temporary, { force: true }).catch(() => undefined);
  }
}

function toInput({ ref, path, contentType, bytes, width, height }: KeptInput) {
  return {
    ref,
    path,
    contentType,
    bytes,
    ...(width !== undefined && { width }),
    ...(height !== undefined && { height }),
  };
}

function inputError(fault: InputFault, name: string): UserError {
  const title = l10n.t('“{0}” cannot be sent along', name.split(/[/\\]/).at(-1) ?? name);
  switch (fault) {
    case 'empty':
      return new UserError(title, l10n.t('The file is empty. Choose a PNG, JPEG or WebP picture.'));
    case 'markup':
      return new UserError(
        title,
        l10n.t('It is a text of tags, such as an SVG or a web page. Choose a PNG, JPEG or WebP picture.'),
      );
    case 'tooLarge':
      return new UserError(title, l10n.t('It is larger than 20 MB. Choose a smaller one, or scale it down.'));
    case 'notPicture':
      return new UserError(
        title,
        l10n.t('By its content it is not a picture the service takes. Choose a PNG, JPEG or WebP picture.'),
      );
  }
}
