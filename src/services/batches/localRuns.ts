import { join } from 'node:path';
import type { ExtensionContext } from 'vscode';
import { retryFoldersOf } from '../../core/batch/results/retries';
import { listRunFolders, updateRun, type KnownRuns, type RunFolder } from '../../core/batch/results/runFolder';
import { Leases } from '../../core/storage/leases';
import type { Disposable } from '../../platform/disposables';
import type { Settings } from '../../platform/settings';
import { leaseIdOf, localRunLeases, ownResultsRoot, resultsRoot } from './resultsRoot';

/** A run of a batch file on this machine. */
export interface LocalRunRecord extends RunFolder {
  /** Whether this window or another one executes it now. */
  readonly isRunning: boolean;
}

/** The runs of batch files on this machine, in all windows, that were not removed from lists. */
export class LocalRunList implements Disposable {
  private readonly known: KnownRuns = new Map();
  private readonly leases: Leases;

  constructor(private readonly sources: { readonly context: ExtensionContext; readonly settings: Settings }) {
    this.leases = new Leases(join(sources.context.globalStorageUri.fsPath, localRunLeases), () => '');
  }

  /** Resolves to the runs in the configured folder and in the fallback folder for when that can't be written. */
  async all(): Promise<readonly LocalRunRecord[]> {
    const [runs, held] = await Promise.all([
      this.read(),
      // This list has no leases of its own, so those of this window are elsewhere too.
      this.leases.elsewhere(),
    ]);
    return runs.map((folder) => ({ ...folder, isRunning: held.has(leaseIdOf(folder.path)) }));
  }

  /** Removes a run from the list. Its results stay. */
  async forget(folder: string): Promise<void> {
    await updateRun(folder, { isUnlisted: true });
  }

  private async read(): Promise<readonly RunFolder[]> {
    const places = [...new Set([resultsRoot(this.sources), ownResultsRoot(this.sources.context)])];
    const none = (): readonly RunFolder[] => [];
    const found = await Promise.all(places.map((place) => listRunFolders(place, this.known).catch(none)));
    const runs = found.flat();
    const retries = await Promise.all(runs.map((run) => retryFoldersOf(run, this.known).catch(none)));
    return [...runs, ...retries.flat()].filter(
      ({ isGuessed, run }) => run.kind === 'local' && !isGuessed && !run.isUnlisted,
    );
  }

  dispose(): void {
    this.leases.dispose();
  }
}
