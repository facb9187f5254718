import * as vscode from 'vscode';
import type { Disposable } from '../../../platform/disposables';

/** URI scheme of requests edited as separate documents. */
export const lineScheme = 'inference-desk-line';
/** Distinguishes these documents from all other JSON: `jsonValidation` in the manifest matches it. */
export const lineAuthority = 'inference-desk-batch-line';
/** URI scheme of the JSON Schema for one request; the manifest contains its URI. */
export const schemaScheme = 'inference-desk-schema';
export const schemaUri = `${schemaScheme}://batch/request.json`;

/** One request of a batch file, as a virtual file that is read from its line and saved into it. */
export interface LineFiles {
  stat(uri: vscode.Uri): vscode.FileStat;
  /** Rejects with a localized error if the line is not found. */
  read(uri: vscode.Uri): Promise<Uint8Array>;
  /** Rejects with a localized error, and changes nothing, if the line has changed in the meantime or the text is not JSON. */
  write(uri: vscode.Uri, content: Uint8Array): Promise<void>;
}

/** Registered at startup, because a restored editor requests its content before anything else is loaded. */
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
