import type { FileRenameEvent, Uri } from 'vscode';

/** Returns where a file is after a rename or move of it, or of a folder that it's in; `undefined` if it wasn't renamed. */
export function renamedUri(uri: Uri, files: FileRenameEvent['files']): Uri | undefined {
  for (const { oldUri, newUri } of files) {
    if (uri.scheme !== oldUri.scheme || uri.authority !== oldUri.authority) continue;
    if (uri.path === oldUri.path) return newUri;
    if (uri.path.startsWith(`${oldUri.path}/`))
      return newUri.with({ path: newUri.path + uri.path.slice(oldUri.path.length) });
  }
  return undefined;
}
