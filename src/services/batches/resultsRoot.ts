import { createHash } from 'node:crypto';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import type { ExtensionContext } from 'vscode';
import type { Settings } from '../../platform/settings';

export interface ResultsRootSources {
  readonly context: ExtensionContext;
  readonly settings: Settings;
}

/** Returns the parent folder of all runs: the one the user chose, else one in the extension's storage. */
export function resultsRoot({ context, settings }: ResultsRootSources): string {
  return chosenFolder(settings.get('batch.resultsFolder')) ?? ownResultsRoot(context);
}

export function ownResultsRoot({ globalStorageUri }: ResultsRootSources['context']): string {
  return join(globalStorageUri.fsPath, 'results');
}

/**
 * Returns the folder with the source columns of batch files. In the extension's storage and not next to the files, where each would require
 * a companion that a rename, a copy, or a commit leaves behind.
 */
export function sourceStoreOf({ globalStorageUri }: ResultsRootSources['context']): string {
  return join(globalStorageUri.fsPath, 'batchSources');
}

/** Returns `undefined` if the setting is not a path on this machine. */
function chosenFolder(setting: string): string | undefined {
  const path = setting.trim().replace(/^~(?=$|[/\\])/, homedir());
  return isAbsolute(path) ? path : undefined;
}

/** The folder of the leases of running runs, in the extension's storage. */
export const localRunLeases = join('localRuns', 'leases');

/** Returns the id of the lease that lets only one window at a time execute a run. */
export function leaseIdOf(folder: string): string {
  return createHash('sha256').update(folder).digest('hex').slice(0, 16);
}
