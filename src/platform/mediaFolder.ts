import { homedir } from 'node:os';
import { isAbsolute, join, relative, resolve } from 'node:path';
import * as vscode from 'vscode';
import { readSetting } from './contributions';
import type { Settings } from './settings';

export interface MediaFolderSources {
  readonly context: Pick<vscode.ExtensionContext, 'globalStorageUri'>;
  readonly settings: Settings;
}

/** Where new files go: the folder that was chosen, else one of the extension's own. */
export function mediaFolder({ context, settings }: MediaFolderSources): string {
  const chosen = settings.get('media.folder').trim();
  const own = ownMediaFolder(context);
  if (chosen === '') return own;
  const ofUser = readSetting('media.folder', { onlyUser: true });
  const isOfUser = typeof ofUser === 'string' && chosen === ofUser.trim();
  return (isOfUser ? placeOfUser(chosen) : placeInWorkspace(chosen)) ?? own;
}

export function ownMediaFolder({ globalStorageUri }: MediaFolderSources['context']): string {
  return join(globalStorageUri.fsPath, 'media', 'files');
}

function placeOfUser(chosen: string): string | undefined {
  const path = chosen.replace(/^~(?=$|[/\\])/, homedir());
  return isAbsolute(path) ? path : placeInWorkspace(path);
}

/** A workspace says where in itself, and only one that is trusted. */
function placeInWorkspace(chosen: string): string | undefined {
  const root = vscode.workspace.workspaceFolders?.find(({ uri }) => uri.scheme === 'file')?.uri.fsPath;
  if (root === undefined || !vscode.workspace.isTrusted || isAbsolute(chosen)) return undefined;
  const path = resolve(root, chosen);
  const inside = relative(root, path);
  return inside.split(/[/\\]/)[0] === '..' || isAbsolute(inside) ? undefined : path;
}
