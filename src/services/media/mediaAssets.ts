import * as l10n from '@vscode/l10n';
import { existsSync } from 'node:fs';
import { rm, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { createAssetIndex } from '../../core/assets/assetIndex';
import { imageFacts, soundFacts } from '../../core/assets/fileFacts';
import type { Inputs, InputFault, StoredInput } from '../../core/assets/inputs';
import { storeAsset } from '../../core/assets/storeAsset';
import type { StoreOptions } from '../../core/assets/storeAsset';
import { createAssetTrash, type AssetTrash } from '../../core/assets/assetTrash';
import type { Asset } from '../../core/assets/recipe';
import { writeAtomic } from '../../core/storage/atomicFile';
import { foreign } from '../../core/text/foreignText';
import { recipeEnding } from '../../core/assets/recipe';
import { readRecipe, recipePath } from '../../core/assets/recipeFile';
import type { Disposable } from '../../platform/disposables';
import type { OnSetAside } from '../../core/storage/storedFile';
import type { MediaAssets } from './media';
import { mediaFolders, ownMediaFolder, agentFolders, mediaFolder } from './mediaFolder';
import type { MediaFolderSources } from './mediaFolder';
import { showMessage } from '../../platform/notify';
import { UserError } from '../../platform/errors/userError';
import { hashDigits } from '../../core/assets/assetName';
import { createJsonFile } from '../../core/storage/storedFile';
import { hiddenBeside } from '../../core/storage/temporaryFiles';
import { isLocalDesktop } from '../../platform/localDesktop';
import { watchFolder } from '../../platform/workspace/watchFolder';

export interface StoredAssets extends MediaAssets, Disposable {
  /** Resolves with the folder for new files, which is included in listings from then on. Warns once if the chosen folder is not used. */
  place(): Promise<string>;
}

/** Deleted files can be restored as long as the window shows their notification, usually. */
const keepDeletedMs = 24 * 60 * 60_000;

interface MediaAssetsOptions extends MediaFolderSources {
  readonly storage: string;
  readonly inputs: Inputs;
  readonly lock: StoreOptions['lock'];
  /** Files or recipes were added or removed. */
  readonly onAssetsChange: () => void;
  readonly onError: (error: unknown) => void;
  readonly onSetAside: OnSetAside;
}

/** Resolves once the folders are known. */
export async function createMediaAssets(options: MediaAssetsOptions): Promise<StoredAssets> {
  const { storage, inputs, onAssetsChange, onError } = options;
  const folders = createMediaFolders(options);
  await folders.refresh();
  const index = createAssetIndex();
  const trash = createAssetTrash(join(storage, 'deleted'), keepDeletedMs);
  void trash.clear().catch(onError);
  const reportedFolders = new Set<string>();
  const place = async (): Promise<string> => {
    const { folder, leadsOut } = mediaFolders(options);
    if (leadsOut !== undefined && !reportedFolders.has(leadsOut)) {
      reportedFolders.add(leadsOut);
      tellLeadsOut(leadsOut);
    }
    await folders.remember(folder);
    return folder;
  };

  return {
    place,
    get unreadable() {
      return index.unreadable;
    },
    read: readAsset,
    async list() {
      await folders.refresh();
      return index.list(folders.list());
    },
    roots: () => [...folders.list(), join(storage, 'inputs')].map((folder) => vscode.Uri.file(folder)),
    async keepInput(from) {
      const name = 'name' in from ? from.name : from.path;
      const input = await inputs.keep(from);
      if (typeof input === 'string') throw inputError(input, name);
      return toInput(input);
    },
    async input(ref) {
      const input = await inputs.find(ref);
      return input && toInput(input);
    },
    async keep(bytes, made) {
      const folder = await place();
      const own = ownMediaFolder(options.context);
      const keepIn = (one: string) => keepMade(bytes, made, { ...options, folder: one, isPrivate: one === own });
      const asset = await keepIn(folder).catch((error: unknown) => {
        // It was paid for: if it cannot be written to the chosen folder, it is written to the extension's own.
        if (folder === own) throw error;
        return keepIn(own);
      });
      onAssetsChange();
      return asset;
    },
    async remove(path) {
      // Without its recipe a file would not be found any more, so the file goes first.
      const restore = await moveToTrash([path, recipePath(path)], trash);
      onAssetsChange();
      return restore && (() => restore().finally(onAssetsChange));
    },
    dispose: () => folders.dispose(),
  };
}

/** Resolves with a function that restores the files, unless the system's trash has them. */
async function moveToTrash(files: readonly string[], trash: AssetTrash): Promise<(() => Promise<void>) | undefined> {
  return (await moveToSystemTrash(files)) ? undefined : trash.put(files);
}

/** Resolves to false if there is no trash or it rejects one; the files that it rejects are still there. */
async function moveToSystemTrash(files: readonly string[]): Promise<boolean> {
  if (!isLocalDesktop()) return false;
  for (const file of files.filter((one) => existsSync(one))) {
    const isMoved = await Promise.resolve(vscode.workspace.fs.delete(vscode.Uri.file(file), { useTrash: true })).then(
      () => true,
      () => false,
    );
    if (!isMoved) return false;
  }
  return true;
}

/** Takes the path of the file or of its recipe. */
async function readAsset(path: string): Promise<Asset | undefined> {
  const target = path.endsWith(recipeEnding) ? path.slice(0, -recipeEnding.length) : path;
  const recipe = await readRecipe(target);
  return recipe && { path: target, recipe };
}

function tellLeadsOut(folder: string): void {
  void showMessage(
    'warning',
    l10n.t(
      "{0} contains a symbolic link that points outside the workspace, so files are in the extension's storage. Change inferenceDesk.media.folder.",
      foreign(folder),
    ),
  );
}

async function keepMade(
  bytes: Uint8Array,
  made: Parameters<MediaAssets['keep']>[1],
  { folder, lock, isPrivate }: Omit<StoreOptions, 'made' | 'facts'>,
): Promise<Asset> {
  const temporary = hiddenBeside(join(folder, 'speech'));
  try {
    await writeAtomic(temporary, bytes, { isPrivate });
    const facts =
      made.kind === 'speech'
        ? await soundFacts(bytes, made.request.response_format ?? 'mp3')
        : await imageFacts(bytes, bytes.byteLength);
    if (typeof facts === 'string') throw inputError('notPicture', '');
    const making = { ...made, createdAt: new Date().toISOString(), index: 0 };
    return await storeAsset(temporary, { folder, facts, lock, isPrivate, made: making });
  } finally {
    await rm(temporary, { force: true }).catch(() => undefined);
  }
}

function toInput({ ref, path, contentType, bytes, width, height }: StoredInput) {
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
  const title = l10n.t('"{0}" can\'t be used as input', name.split(/[/\\]/).at(-1) ?? name);
  switch (fault) {
    case 'empty':
      return new UserError(title, l10n.t('Empty file. Choose a PNG, JPEG, or WebP image.'));
    case 'markup':
      return new UserError(title, l10n.t("SVG and web pages aren't supported. Choose a PNG, JPEG, or WebP image."));
    case 'tooLarge':
      return new UserError(title, l10n.t('The image is larger than 20 MB.'));
    case 'notPicture':
      return new UserError(title, l10n.t('Choose a PNG, JPEG, or WebP image.'));
  }
}

/** All folders that files were ever generated in, by any window. */
interface MediaFolders extends Disposable {
  /** Absolute paths: the extension's own, the one chosen now, those chosen before, latest first, and those of agents. */
  list(): readonly string[];
  /** Must be called when files go to a folder, so that it is included in listings from then on. */
  remember(folder: string): Promise<void>;
  /** Picks up what other windows remembered, and watches the existing folders. */
  refresh(): Promise<void>;
}

/** A folder is dropped once this many others have been chosen after it. */
const mostFolders = 200;

/** Matches the name of a generated file or its recipe; files still being downloaded have other names. */
const madeFile = new RegExp(`-[\\da-f]{${hashDigits}}\\.\\w+(\\.recipe\\.json)?$`);

function createMediaFolders(options: MediaAssetsOptions): MediaFolders {
  const { storage, context, onAssetsChange: onChange, onError, onSetAside } = options;
  const file = createJsonFile(join(storage, 'folders.json'), toFolders, onSetAside);
  const watched = new Map<string, Disposable>();
  let chosen: readonly string[] = [];
  /** Where MCP servers save files that have no folder in a workspace. */
  let ofServers: readonly string[] = [];
  let isDisposed = false;
  const readChosen = async () => (await file.read()) ?? chosen;
  const servers = join(context.globalStorageUri.fsPath, 'mcp');
  const list = () => [
    ...new Set([ownMediaFolder(context), mediaFolder(options), ...chosen, ...agentFolders(), ...ofServers]),
  ];

  return {
    list,
    async remember(folder) {
      if (chosen.includes(folder) || folder === ownMediaFolder(context)) return;
      const withOthers = (others: readonly string[]) =>
        [folder, ...others.filter((other) => other !== folder)].slice(0, mostFolders);
      try {
        chosen = withOthers(await readChosen());
        await file.write(chosen);
      } catch (error) {
        chosen = withOthers(chosen);
        onError(error);
      }
    },
    async refresh() {
      chosen = await readChosen().catch(() => chosen);
      ofServers = (await readdir(servers).catch(() => [])).map((profile) => join(servers, profile, 'files'));
      for (const folder of list()) {
        if (watched.has(folder) || !(await stat(folder).catch(() => undefined))) continue;
        if (isDisposed || watched.has(folder)) continue;
        watched.set(folder, watchFolder(folder, { ending: madeFile, onChange, onError }));
      }
    },
    dispose() {
      isDisposed = true;
      for (const watch of watched.values()) watch.dispose();
      watched.clear();
    },
  };
}

function toFolders(raw: unknown): readonly string[] | undefined {
  return Array.isArray(raw) ? raw.filter((one) => typeof one === 'string') : undefined;
}
