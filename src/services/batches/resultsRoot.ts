import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import type { ExtensionContext } from 'vscode';
import type { Settings } from '../../platform/settings';

export interface ResultsRootSources {
  readonly context: Pick<ExtensionContext, 'globalStorageUri'>;
  readonly settings: Settings;
}

/** Where the folders of runs are: the folder the person chose, else one of the extension's own. */
export function resultsRoot({ context, settings }: ResultsRootSources): string {
  return chosenFolder(settings.get('batch.resultsFolder')) ?? ownResultsRoot(context);
}

export function ownResultsRoot({ globalStorageUri }: ResultsRootSources['context']): string {
  return join(globalStorageUri.fsPath, 'results');
}

/** `undefined` for what names no place on this machine. */
function chosenFolder(setting: string): string | undefined {
  const path = setting.trim().replace(/^~(?=$|[/\\])/, homedir());
  return isAbsolute(path) ? path : undefined;
}
