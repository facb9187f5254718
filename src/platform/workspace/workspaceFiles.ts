import { dirname, posix } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import * as vscode from 'vscode';
import { isQuickGlob } from '../../core/search/searchGlobs';
import { FileGuard } from '../../core/workspace/fileGuard';
import { createGitignore, readIgnoreFile } from '../../core/workspace/gitignore';
import { createGlob } from '../../core/workspace/globs';
import { decodeText } from '../../core/workspace/decodeText';

/** Maximum number of files considered: the search takes under a second for this many. */
export const maxFound = 20_000;
const maxIgnoreFiles = 200;
/** Maximum number of patterns passed to the editor at once. */
const mostGlobs = 30;
/** How long the editor's other work is blocked at most. */
const sliceMs = 12;

/** Selects files by patterns of their paths, relative to the folder. */
export interface RequestedFiles {
  /** A pattern for the editor's search, which is fast with it; all files if absent. */
  readonly glob?: string;
  /** As typed. Empty for all files. */
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
}

/**
 * Returns the files below a folder, as paths relative to it, without what Git ignores, what the settings hide from the Explorer and from
 * searches, and what is in a folder that a link leads out of the workspace. At most `maxFound`. If `token` is canceled, ends early with
 * the files found so far.
 */
export async function filesBelow(
  folder: vscode.Uri,
  requested: RequestedFiles = {},
  token?: vscode.CancellationToken,
): Promise<readonly string[]> {
  const { include = [], exclude = [] } = requested;
  const hidden = hiddenGlob(folder, exclude.filter(isQuickGlob));
  const search = (pattern: string, most: number) =>
    vscode.workspace.findFiles(new vscode.RelativePattern(folder, pattern), hidden, most, token);
  const glob = requested.glob ?? quickGlob(include);
  const [found, ignoreFiles] = await Promise.all([search(glob, maxFound), search('**/.gitignore', maxIgnoreFiles)]);
  const base = vscode.workspace.getWorkspaceFolder(folder)?.uri ?? folder;
  const fromBase = (uri: vscode.Uri) => posix.relative(base.path, uri.path);
  const isIgnored = await readGitignore([...ignoreFilesAbove(folder, base), ...ignoreFiles], fromBase);
  const isIncluded = include.length === 0 ? () => true : createGlob(include);
  const isExcluded = createGlob(exclude);
  const isHere = await hereOf(folder, found);
  const paths: string[] = [];
  let turn = performance.now();
  for (const uri of found) {
    const path = posix.relative(folder.path, uri.path);
    if (isHere(uri) && isIncluded(path) && !isExcluded(path) && !isIgnored(fromBase(uri))) paths.push(path);
    if (performance.now() - turn < sliceMs) continue;
    await setImmediate();
    turn = performance.now();
  }
  return paths;
}

/** Returns the pattern for the editor's search: the combined patterns if all of them are fast, else one for all files. */
function quickGlob(include: readonly string[]): string {
  const isQuick = include.length > 0 && include.length <= mostGlobs && include.every(isQuickGlob);
  if (!isQuick) return '**/*';
  return include.length > 1 ? `{${include.join(',')}}` : include[0]!;
}

/** Returns a check whether a file is in the workspace, or in the folder the user chose, and not one that a link leads to. */
async function hereOf(folder: vscode.Uri, found: readonly vscode.Uri[]): Promise<(uri: vscode.Uri) => boolean> {
  if (folder.scheme !== 'file') return () => true;
  const roots = [folder, ...(vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri)];
  const onDisk = roots.filter(({ scheme }) => scheme === 'file').map(({ fsPath }) => fsPath);
  const guard = await FileGuard.open(onDisk, { isSecret: () => false });
  const folders = [...new Set(found.map(({ fsPath }) => dirname(fsPath)))];
  const checked = await Promise.all(folders.map(async (one) => ({ one, ...(await guard.check(one)) })));
  const here = new Set(checked.filter((one) => 'real' in one).map(({ one }) => one));
  return ({ fsPath }) => here.has(dirname(fsPath));
}

/** Returns the patterns of `search.exclude`; the editor adds `files.exclude` itself. */
function hiddenGlob(scope: vscode.Uri, unwanted: readonly string[]): string {
  const settings = vscode.workspace.getConfiguration('search', scope).get<Readonly<Record<string, unknown>>>('exclude');
  const globs = Object.entries(settings ?? {}).flatMap(([glob, isOn]) => (isOn === true ? [glob] : []));
  return `{${['**/.git', ...unwanted.slice(0, mostGlobs), ...globs].join(',')}}`;
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
      return text === undefined ? [] : [readIgnoreFile(posix.dirname(fromBase(uri)).replace(/^\.$/, ''), text)];
    }),
  );
  return createGitignore(files.flat());
}
