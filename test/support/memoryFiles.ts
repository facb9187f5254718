import * as vscode from 'vscode';

/** Creates a virtual file system, as of a workspace that isn't on disk, with the given files by path. */
export function createMemoryFiles(texts: Readonly<Record<string, string | Uint8Array>>): vscode.FileSystemProvider {
  const changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  const files = new Map(Object.entries(texts).map(([path, text]) => [path, Buffer.from(text)]));
  const known = (uri: vscode.Uri) => {
    const file = files.get(uri.path);
    if (!file) throw vscode.FileSystemError.FileNotFound(uri);
    return file;
  };
  return {
    onDidChangeFile: changed.event,
    watch: () => ({ dispose: () => undefined }),
    stat: (uri) => {
      if (uri.path === '/') return { type: vscode.FileType.Directory, ctime: 0, mtime: 0, size: 0 };
      return { type: vscode.FileType.File, ctime: 0, mtime: 0, size: known(uri).length };
    },
    readDirectory: () => [...files.keys()].map((path) => [path.slice(1), vscode.FileType.File]),
    readFile: known,
    writeFile: (uri, content) => void files.set(uri.path, Buffer.from(content)),
    createDirectory: () => undefined,
    delete: (uri) => void files.delete(uri.path),
    rename: (from, to) => {
      files.set(to.path, known(from));
      files.delete(from.path);
    },
  };
}
