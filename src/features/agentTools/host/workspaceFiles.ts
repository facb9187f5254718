import { isAbsolute, posix, relative, sep } from 'node:path';
import * as vscode from 'vscode';
import { AgentProblem } from '../../../core/agentTools/agentTool';
import { kindOf } from '../../../core/assets/kindOfName';
import { FileGuard } from '../../../core/workspace/fileGuard';
import type { Refused } from '../../../core/workspace/fileGuard';
import { createSecretCheck } from '../../../core/workspace/secretFiles';
import { WorkspaceGuard } from '../../../platform/workspace/workspaceGuard';
import type { GuardedUri } from '../../../platform/workspace/workspaceGuard';
import type { Services } from '../../../services/services';

export interface ProvidedFile {
  /** The URI the model named, as its editor identifies it. */
  readonly uri: vscode.Uri;
  /** With links resolved. */
  readonly real: vscode.Uri;
  /** Relative to its folder, prefixed with the folder's name if several are open. */
  readonly shown: string;
}

/** The files that models may name. */
export class WorkspaceFiles {
  constructor(
    private readonly services: Services,
    private readonly isTrusted: () => boolean,
  ) {}

  /**
   * Returns the file that a model named by an absolute path or a path in a workspace folder. Throws `AgentProblem` in Restricted Mode and if
   * the file does not exist, may hold secrets, or is outside of the workspace (also by a link) and was not generated here.
   */
  async find(path: string): Promise<ProvidedFile> {
    const { settings, media } = this.services;
    if (!this.isTrusted()) {
      throw new AgentProblem(
        'The workspace is in Restricted Mode, so its files cannot be read. Tell the user to trust the workspace first.',
      );
    }
    const folders = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri);
    const roots = [...folders, ...media.roots()];
    const places = placesOf(path).filter((uri) => roots.some((root) => isWithin(uri, root)));
    if (places.length === 0) throw new AgentProblem(outside(path, folders.length));
    const guard = await WorkspaceGuard.open(settings);
    for (const uri of places) {
      const checked = await guard.check(uri);
      const found = 'refusal' in checked && checked.refusal === 'outside' ? await this.generatedFile(uri) : checked;
      if ('uri' in found) {
        if (await isFile(found.uri)) return { uri, real: found.uri, shown: vscode.workspace.asRelativePath(uri) };
      } else if (found.refusal === 'secret') {
        throw new AgentProblem(
          `"${path}" might contain keys or passwords (setting inferenceDesk.secretFiles), so it was not read.`,
        );
      } else if (found.refusal === 'outside') throw new AgentProblem(outside(path, folders.length));
    }
    throw new AgentProblem(`"${path}" does not exist. Use a path from the workspace root, or an absolute path.`);
  }

  /** The same, as an absolute path on this machine's disk. */
  async pathOf(path: string): Promise<string> {
    const { real } = await this.find(path);
    if (real.scheme === 'file') return real.fsPath;
    throw new AgentProblem(`"${path}" is not on the disk of this machine, so it cannot be sent. Save a copy first.`);
  }

  /**
   * In the folders for generated files, allows only generated files, because such a folder can be an entire home directory, or another
   * project.
   */
  private async generatedFile(named: vscode.Uri): Promise<GuardedUri | Refused> {
    const { settings, media } = this.services;
    const roots = media.roots().map(({ fsPath }) => fsPath);
    const made = await FileGuard.open(roots, { isSecret: createSecretCheck(settings.get('secretFiles')) });
    const checked = await made.check(named.fsPath);
    // Reports a file as missing only if it would be inside these folders.
    if ('refusal' in checked) return checked;
    // Checked first, because a recipe can be put next to any file.
    if (kindOf(checked.real) === undefined) return { refusal: 'outside' };
    const asset = await media()
      .then(({ assets }) => assets.read(checked.real))
      .catch(() => undefined);
    return asset?.path === checked.real ? { uri: vscode.Uri.file(checked.real) } : { refusal: 'outside' };
  }
}

function outside(path: string, folders: number): string {
  return folders === 0
    ? 'No folder is open, so no file can be read. Tell the user to open a folder first.'
    : `"${path}" is outside of the workspace, so it was not read. Only workspace files can be read.`;
}

/** Returns the possible locations of the file: in each folder, or in the folder whose name the path starts with. */
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

async function isFile(uri: vscode.Uri): Promise<boolean> {
  return vscode.workspace.fs.stat(uri).then(
    ({ type }) => (type & vscode.FileType.File) !== 0,
    () => false,
  );
}
