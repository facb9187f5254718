import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import * as vscode from 'vscode';
import { generatedFolder } from '../../core/assets/assetName';
import { isBelow } from '../../core/workspace/isBelow';
import { realLocation } from '../../core/workspace/realLocation';
import { readSetting } from '../../platform/contributions';
import type { Settings } from '../../platform/settings';

export interface MediaFolderSources {
  readonly context: vscode.ExtensionContext;
  readonly settings: Settings;
}

export interface MediaFolders {
  /** Absolute. */
  readonly folder: string;
  /** The chosen folder, if it is not used because a link leads it out of the workspace. */
  readonly leadsOut?: string;
}

/** Returns the folder for new files: the one that was chosen, else one of the extension's own. */
export function mediaFolder(sources: MediaFolderSources): string {
  return mediaFolders(sources).folder;
}

export function mediaFolders({ context, settings }: MediaFolderSources): MediaFolders {
  const chosen = settings.get('media.folder').trim();
  const own = ownMediaFolder(context);
  if (chosen === '') return { folder: own };
  const ofUser = readSetting('media.folder', { onlyUser: true });
  const isOfUser = typeof ofUser === 'string' && chosen === ofUser.trim();
  return (isOfUser ? placeOfUser(chosen, own) : placeInWorkspace(chosen, own)) ?? { folder: own };
}

export function ownMediaFolder({ globalStorageUri }: MediaFolderSources['context']): string {
  return join(globalStorageUri.fsPath, 'media', 'files');
}

function placeOfUser(chosen: string, own: string): MediaFolders | undefined {
  const path = chosen.replace(/^~(?=$|[/\\])/, homedir());
  return isAbsolute(path) ? { folder: path } : placeInWorkspace(path, own);
}

/** A workspace may only name folders inside itself, and only if it is trusted. */
function placeInWorkspace(chosen: string, own: string): MediaFolders | undefined {
  const root = vscode.workspace.workspaceFolders?.find(({ uri }) => uri.scheme === 'file')?.uri.fsPath;
  if (root === undefined || !vscode.workspace.isTrusted || isAbsolute(chosen)) return undefined;
  const path = resolve(root, chosen);
  if (!isBelow(root, path)) return undefined;
  return isBelow(realLocation(root), realLocation(path)) ? { folder: path } : { folder: own, leadsOut: path };
}

/** Returns the folders where agents working in this workspace save what they generate. Absolute. */
export function agentFolders(): readonly string[] {
  const { isTrusted, workspaceFolders = [] } = vscode.workspace;
  const roots = isTrusted ? workspaceFolders.flatMap(({ uri }) => (uri.scheme === 'file' ? [uri.fsPath] : [])) : [];
  return roots
    .map((root) => join(root, generatedFolder))
    .filter((path, at) => isBelow(realLocation(roots[at]!), realLocation(path)));
}
