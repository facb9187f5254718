import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { hashDigits } from '../../core/assets/assetName';
import type { Disposable } from '../../platform/disposables';
import type { OnSetAside } from '../../core/files/setAside';
import { createJsonFile } from '../../platform/jsonFile';
import { agentFolders, mediaFolder, ownMediaFolder } from './mediaFolder';
import type { MediaFolderSources } from './mediaFolder';
import { watchFolder } from '../../platform/workspace/watchFolder';

/** All folders that files were ever generated in, by any window. */
export interface MediaFolders extends Disposable {
  /** Absolute paths: the extension's own, the one chosen now, those chosen before, latest first, and those of agents. */
  list(): readonly string[];
  /** Must be called when files go to a folder, so that it is included in listings from then on. */
  remember(folder: string): Promise<void>;
  /** Picks up what other windows remembered, and watches the existing folders. */
  refresh(): Promise<void>;
}

export interface MediaFoldersOptions extends MediaFolderSources {
  readonly storage: string;
  /** Files or recipes were added or removed. */
  readonly onChange: () => void;
  readonly onTrouble: (error: unknown) => void;
  readonly onSetAside: OnSetAside;
}

/** A folder is dropped once this many others have been chosen after it. */
const mostFolders = 200;

/** Matches the name of a generated file or its recipe; files still being downloaded have other names. */
const madeFile = new RegExp(`-[\\da-f]{${hashDigits}}\\.\\w+(\\.recipe\\.json)?$`);

export function createMediaFolders(options: MediaFoldersOptions): MediaFolders {
  const { storage, context, onChange, onTrouble, onSetAside } = options;
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
        onTrouble(error);
      }
    },
    async refresh() {
      chosen = await readChosen().catch(() => chosen);
      ofServers = (await readdir(servers).catch(() => [])).map((profile) => join(servers, profile, 'files'));
      for (const folder of list()) {
        if (watched.has(folder) || !(await stat(folder).catch(() => undefined))) continue;
        if (isDisposed || watched.has(folder)) continue;
        watched.set(folder, watchFolder(folder, { ending: madeFile, onChange, onTrouble }));
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
