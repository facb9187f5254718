import type { ExtensionContext } from 'vscode';
import { makeFolder, tightenAll } from '../core/storage/privateFiles';

const doneKey = 'storageTightened';

/** Revokes other users' access to what earlier versions wrote into the extension's folders, once; for the log, only to its folder. */
export async function tightenStorage(context: ExtensionContext): Promise<void> {
  const { globalStorageUri, globalState, storageUri, workspaceState, logUri } = context;
  for (const [uri, memory] of [
    [globalStorageUri, globalState],
    [storageUri, workspaceState],
  ] as const) {
    if (!uri || memory.get<boolean>(doneKey)) continue;
    await tightenAll(uri.fsPath);
    await memory.update(doneKey, true);
  }
  await makeFolder(logUri.fsPath);
}
