import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { makeFolder } from '../../core/files/privateFiles';
import { DisposableStore } from '../../platform/disposables';
import type { Disposable } from '../../platform/disposables';
import type { Profiles } from '../account/profiles';
import { watchFolder } from '../../platform/workspace/watchFolder';

/** What a job engine needs from the editor and the machine. */
export const jobSurroundings = {
  where: () => vscode.workspace.name ?? '',
  now: Date.now,
  newId: randomUUID,
  setTimer: (ms: number, run: () => void) => {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};

export interface FollowedEngine {
  refresh(): Promise<void>;
  wake(): Promise<void>;
}

export interface FollowOptions {
  /** Folder of the records; created if missing. */
  readonly folder: string;
  readonly profiles: Profiles;
  readonly onTrouble: (error: unknown) => void;
}

/** How often other windows' records are reread if the folder does not report changes. */
const refreshMs = 60_000;

/**
 * Resolves once the engine knows what is on disk. From then on, the engine notices what other windows write, and immediately retries failed
 * work when a profile changes.
 */
export async function followJobs(
  engine: FollowedEngine,
  { folder, profiles, onTrouble }: FollowOptions,
): Promise<Disposable> {
  await makeFolder(folder).catch(onTrouble);
  await engine.refresh();
  const refresh = () => void engine.refresh().catch(onTrouble);
  const wake = () => void engine.wake().catch(onTrouble);
  const store = new DisposableStore();
  store.add(watchFolder(folder, { ending: '.json', onChange: refresh, onTrouble }));
  store.add(vscode.window.onDidChangeWindowState(({ focused }) => focused && refresh()));
  store.add(profiles.onDidChange((change) => change !== 'active' && wake()));
  const timer = setInterval(refresh, refreshMs);
  store.add({ dispose: () => clearInterval(timer) });
  return store;
}
