import os from 'node:os';
import * as vscode from 'vscode';
import type { Known } from '../../core/diagnosis/scrub';
import type { Services } from '../../services/services';

/** Returns the keys of all profiles, as far as the secret storage provides them. */
export async function keysOf({ profiles }: Services): Promise<readonly string[]> {
  const keys = await Promise.all(profiles.list.map(({ id }) => profiles.key(id).catch(() => undefined)));
  return keys.filter((key) => key !== undefined);
}

/** Returns what identifies this machine and its user. */
export async function knownHere(services: Services): Promise<Known> {
  const folders = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri.fsPath);
  return {
    keys: await keysOf(services),
    folders: [os.homedir(), ...folders, services.context.globalStorageUri.fsPath],
    names: [userName(), os.hostname()],
  };
}

/** `os.userInfo` throws if the system has no entry for the user. */
function userName(): string {
  try {
    return os.userInfo().username;
  } catch {
    return '';
  }
}
