import { realpath } from 'node:fs/promises';
import { isAbsolute, posix, relative, sep } from 'node:path';
import * as vscode from 'vscode';
import { AgentProblem } from '../../../core/agentTools/agentTool';
import { createSecretCheck } from '../../../core/workspace/secretFiles';
import type { Services } from '../../../services';

export interface GivenFile {
  readonly uri: vscode.Uri;
  /** From its folder, with the folder's name where several are open. */
  readonly shown: string;
}

export interface FileServices extends Pick<Services, 'settings' | 'media'> {
  readonly isTrusted: () => boolean;
}

/**
 * The file that a model named, absolute or from a folder of the workspace. Throws `AgentProblem` for what is not there, lies outside of
 * the workspace (also by a link) and was not made here, or mostly holds keys, and in Restricted Mode.
 */
export async function givenFile(path: string, { settings, media, isTrusted }: FileServices): Promise<GivenFile> {
  if (!isTrusted()) {
    throw new AgentProblem(
      'The workspace is in Restricted Mode, so none of its files is read. Tell the person to trust the workspace first.',
    );
  }
  const folders = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri);
  const roots = [...folders, ...media.assets.roots()];
  const places = placesOf(path).filter((uri) => roots.some((root) => isWithin(uri, root)));
  if (places.length === 0) throw new AgentProblem(outside(path, folders.length));
  for (const uri of places) {
    if (!(await isFile(uri))) continue;
    const real = await realUri(uri);
    const isOpen = (await isWithinAny(real, folders)) || (await isMade(real, media));
    if (!isOpen) throw new AgentProblem(outside(path, folders.length));
    const isSecret = createSecretCheck(settings.get('secretFiles'));
    const shown = vscode.workspace.asRelativePath(uri);
    if ([shown, vscode.workspace.asRelativePath(real)].some((at) => isSecret(at.replace(/^\/+/, '')))) {
      throw new AgentProblem(
        `"${path}" is one of the files that mostly hold keys or passwords (setting inferenceDesk.secretFiles), so it is not read.`,
      );
    }
    return { uri, shown };
  }
  throw new AgentProblem(
    `There is no file "${path}". Give its path from the root of the workspace, or the whole path.`,
  );
}

/** The same, on this machine's disk: absolute. */
export async function givenPath(path: string, services: FileServices): Promise<string> {
  const { uri } = await givenFile(path, services);
  if (uri.scheme === 'file') return uri.fsPath;
  throw new AgentProblem(`"${path}" is not on the disk of this machine, so it cannot be sent. Save a copy first.`);
}

function outside(path: string, folders: number): string {
  return folders === 0
    ? 'No folder is open, so no file is read. Tell the person to open the folder first.'
    : `"${path}" lies outside of the workspace, so it is not read. Only files of the workspace are.`;
}

/** Where it may be: in each folder, or where the folder's name stands first, in that one. */
function placesOf(path: string): readonly vscode.Uri[] {
  if (path.startsWith('file:')) return [vscode.Uri.parse(path)];
  if (isAbsolute(path)) return [vscode.Uri.file(path)];
  const parts = path.replaceAll(sep, '/');
  return (vscode.workspace.workspaceFolders ?? []).flatMap(({ uri, name }) => [
    vscode.Uri.joinPath(uri, parts),
    ...(parts.startsWith(`${name}/`) ? [vscode.Uri.joinPath(uri, parts.slice(name.length + 1))] : []),
  ]);
}

function isWithin(uri: vscode.Uri, root: vscode.Uri): boolean {
  if (uri.scheme !== root.scheme || uri.authority !== root.authority) return false;
  const from = uri.scheme === 'file' ? relative(root.fsPath, uri.fsPath) : posix.relative(root.path, uri.path);
  return from !== '' && from.split(/[/\\]/)[0] !== '..' && !isAbsolute(from);
}

/** Of the folders for what was made only that is read, not what else is there: one may be a whole home, or another project. */
async function isMade(real: vscode.Uri, { assets }: FileServices['media']): Promise<boolean> {
  if (!(await isWithinAny(real, assets.roots()))) return false;
  return (await assets.read(real.fsPath).catch(() => undefined))?.path === real.fsPath;
}

async function isWithinAny(real: vscode.Uri, roots: readonly vscode.Uri[]): Promise<boolean> {
  const realRoots = await Promise.all(roots.map(realUri));
  return realRoots.some((root) => isWithin(real, root));
}

async function realUri(uri: vscode.Uri): Promise<vscode.Uri> {
  if (uri.scheme !== 'file') return uri;
  return realpath(uri.fsPath).then(
    (real) => vscode.Uri.file(real),
    () => uri,
  );
}

async function isFile(uri: vscode.Uri): Promise<boolean> {
  return vscode.workspace.fs.stat(uri).then(
    ({ type }) => (type & vscode.FileType.File) !== 0,
    () => false,
  );
}
