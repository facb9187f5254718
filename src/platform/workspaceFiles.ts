import { posix } from 'node:path';
import * as vscode from 'vscode';
import { createGitignore } from '../core/workspace/gitignore';
import { decodeText } from '../core/workspace/decodeText';

/** More than these are not looked at: the search takes under a second for so many. */
export const maxFound = 20_000;
const maxIgnoreFiles = 200;

/**
 * Files below a folder, by their path from it, without what Git ignores and what the settings hide from the Explorer and from
 * searches, nor what `exclude` names. `maxFound` of them at most. Ends early, with what it has, when `token` says so.
 */
export async function filesBelow(
  folder: vscode.Uri,
  glob: string,
  { token, exclude: unwanted }: { readonly token?: vscode.CancellationToken; readonly exclude?: string } = {},
): Promise<readonly string[]> {
  const exclude = hiddenGlob(folder, unwanted);
  const search = (pattern: string, most: number) =>
    vscode.workspace.findFiles(new vscode.RelativePattern(folder, pattern), exclude, most, token);
  const [found, ignoreFiles] = await Promise.all([search(glob, maxFound), search('**/.gitignore', maxIgnoreFiles)]);
  const base = vscode.workspace.getWorkspaceFolder(folder)?.uri ?? folder;
  const fromBase = (uri: vscode.Uri) => posix.relative(base.path, uri.path);
  const isIgnored = await readGitignore([...ignoreFilesAbove(folder, base), ...ignoreFiles], fromBase);
  return found.filter((uri) => !isIgnored(fromBase(uri))).map((uri) => posix.relative(folder.path, uri.path));
}

/** What `search.exclude` names; the editor adds `files.exclude` itself. */
function hiddenGlob(scope: vscode.Uri, unwanted: string | undefined): string {
  const settings = vscode.workspace.getConfiguration('search', scope).get<Readonly<Record<string, unknown>>>('exclude');
  const globs = Object.entries(settings ?? {}).flatMap(([glob, isOn]) => (isOn === true ? [glob] : []));
  return `{${['**/.git', ...(unwanted === undefined ? [] : [unwanted]), ...globs].join(',')}}`;
}

function ignoreFilesAbove(folder: vscode.Uri, base: vscode.Uri): readonly vscode.Uri[] {
  const parts = posix.relative(base.path, folder.path).split('/').filter(Boolean);
  return parts.map((_, index) => vscode.Uri.joinPath(base, ...parts.slice(0, index), '.gitignore'));
}

async function readGitignore(
  uris: readonly vscode.Uri[],
  fromBase: (uri: vscode.Uri) => string,
): Promise<(path: string) => boolean> {
  const files = await Promise.all(
    uris.map(async (uri) => {
      const bytes = await vscode.workspace.fs.readFile(uri).then(undefined, () => undefined);
      const text = bytes && decodeText(bytes);
      return text === undefined ? [] : [{ folder: posix.dirname(fromBase(uri)).replace(/^\.$/, ''), text }];
    }),
  );
  return createGitignore(files.flat());
}
