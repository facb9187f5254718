import { posix } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { FileGuard } from '../../core/workspace/fileGuard';
import type { Refused } from '../../core/workspace/fileGuard';
import { createSecretCheck } from '../../core/workspace/secretFiles';
import type { Settings } from '../settings';

/** Returns why the guard rejects a file that exists, and what to do, as a localized text. */
export function guardReason(refusal: 'outside' | 'secret'): string {
  return refusal === 'outside'
    ? l10n.t('The symbolic link points outside the workspace. Use its target instead.')
    : l10n.t('The file might contain secrets. To change exclusions, edit the setting inferenceDesk.secretFiles.');
}

export interface GuardedUri {
  /** With links resolved if it is on a disk. */
  readonly uri: vscode.Uri;
}

/**
 * Decides which files of the workspace can be read or written by name: none that a link leads out of it, and none that the setting
 * `secretFiles` matches by its own name or by that of a link's target. Files that the user picks in a dialog are exempt.
 */
export class WorkspaceGuard {
  private constructor(
    private readonly files: FileGuard,
    private readonly folders: readonly vscode.Uri[],
    private readonly isSecret: (path: string) => boolean,
    private readonly allowsElsewhere: boolean,
  ) {}

  /**
   * Creates a guard for the current workspace and settings. `allowsElsewhere`: also allows what the user opened outside of the workspace,
   * unless it is secret.
   */
  static async open(
    settings: Settings,
    { allowsElsewhere = false }: { readonly allowsElsewhere?: boolean } = {},
  ): Promise<WorkspaceGuard> {
    const isSecret = createSecretCheck(settings.get('secretFiles'));
    const folders = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri);
    const onDisk = folders.filter(({ scheme }) => scheme === 'file').map(({ fsPath }) => fsPath);
    const files = await FileGuard.open(onDisk, { isSecret, allowsElsewhere });
    return new WorkspaceGuard(files, folders, isSecret, allowsElsewhere);
  }

  async check(uri: vscode.Uri): Promise<GuardedUri | Refused> {
    if (uri.scheme !== 'file') return this.checkName(uri);
    const checked = await this.files.check(uri.fsPath);
    return 'refusal' in checked ? checked : { uri: vscode.Uri.file(checked.real) };
  }

  async isOpen(uri: vscode.Uri): Promise<boolean> {
    return !('refusal' in (await this.check(uri)));
  }

  /** Returns those that may be used, in the same order. */
  async only(uris: readonly vscode.Uri[]): Promise<readonly vscode.Uri[]> {
    const areOpen = await Promise.all(uris.map((uri) => this.isOpen(uri)));
    return uris.filter((_, index) => areOpen[index]);
  }

  /** Resolves with `tooLarge` for more than `mostBytes`. Throws what the editor's file systems throw. */
  async read(uri: vscode.Uri, mostBytes: number): Promise<Uint8Array | Refused | 'tooLarge'> {
    if (uri.scheme === 'file') {
      const read = await this.files.read(uri.fsPath, mostBytes);
      return read !== 'tooLarge' && 'bytes' in read ? read.bytes : read;
    }
    const checked = this.checkName(uri);
    return 'refusal' in checked ? checked : readFile(uri, mostBytes);
  }

  /** Checks only the name, because there are no links outside of disks, or VS Code doesn't report them. */
  private checkName(uri: vscode.Uri): GuardedUri | Refused {
    const isHere = this.folders.some((one) => isWithin(uri, one));
    if (!isHere && !this.allowsElsewhere && uri.scheme !== 'untitled') return { refusal: 'outside' };
    return this.hasSecretName(uri) ? { refusal: 'secret' } : { uri };
  }

  /** Whether a file may contain keys by its name alone, also if it no longer exists. */
  hasSecretName(uri: vscode.Uri): boolean {
    const folder = this.folders.find((one) => isWithin(uri, one));
    const names = [uri.path, ...(folder ? [posix.relative(folder.path, uri.path)] : [])];
    return names.some(this.isSecret);
  }
}

/** Reads any file without a guard, for files that the user picked. */
export async function readFile(uri: vscode.Uri, mostBytes: number): Promise<Uint8Array | Refused | 'tooLarge'> {
  const { size, type } = await vscode.workspace.fs.stat(uri);
  if ((type & vscode.FileType.File) === 0) return { refusal: 'notFile' };
  return size > mostBytes ? 'tooLarge' : vscode.workspace.fs.readFile(uri);
}

function isWithin(uri: vscode.Uri, folder: vscode.Uri): boolean {
  if (uri.scheme !== folder.scheme || uri.authority !== folder.authority) return false;
  const from = posix.relative(folder.path, uri.path);
  return from !== '' && from.split('/')[0] !== '..';
}
