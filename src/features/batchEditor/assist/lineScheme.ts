import * as vscode from 'vscode';
import type { Disposable } from '../../../platform/disposables';

/** Where requests stand that are edited as documents of their own. */
export const lineScheme = 'inference-desk-line';
/** Tells them from all other JSON: the manifest's `jsonValidation` goes by it. */
export const lineAuthority = 'inference-desk-batch-line';
/** The form of one request, as a JSON Schema; the manifest names its address. */
export const schemaScheme = 'inference-desk-schema';

/** One request of a batch file, as a file that is read from its line and saved into it. */
export interface LineFiles {
  stat(uri: vscode.Uri): vscode.FileStat;
  /** Rejects with a worded error where the line is not found. */
  read(uri: vscode.Uri): Promise<Uint8Array>;
  /** Rejects with a worded error, and changes nothing, where the line changed meanwhile or the text is no JSON. */
  write(uri: vscode.Uri, content: Uint8Array): Promise<void>;
}

/** Registered from the start: an editor that a window restores asks before anything else is loaded. */
export function registerLineScheme(load: () => Promise<LineFiles>): Disposable {
  const refuse = (uri: vscode.Uri): never => {
    throw vscode.FileSystemError.NoPermissions(uri);
  };
  const provider: vscode.FileSystemProvider = {
    onDidChangeFile: () => ({ dispose: () => undefined }),
    watch: () => ({ dispose: () => undefined }),
    stat: async (uri) => (await load()).stat(uri),
    readFile: async (uri) => (await load()).read(uri),
    writeFile: async (uri, content) => (await load()).write(uri, content),
    readDirectory: () => [],
    createDirectory: refuse,
    delete: refuse,
    rename: refuse,
  };
  return vscode.workspace.registerFileSystemProvider(lineScheme, provider, { isCaseSensitive: true });
}
