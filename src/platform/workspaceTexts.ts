import { setImmediate } from 'node:timers/promises';
import * as vscode from 'vscode';
import type { LeftOut } from '../core/search/find/finding';
import type { TextLimits } from '../core/search/find/readChunks';
import { toGlob } from '../core/search/searchGlobs';
import { decodeText } from '../core/workspace/decodeText';
import { withToken } from './cancellation';
import { filesBelow, maxFound } from './workspaceFiles';

/** Which files of the workspace; as typed, parted by commas. */
export interface FileChoice {
  readonly include?: string;
  readonly exclude?: string;
  /** Files beside those that `exclude` names. */
  readonly isLeftOut?: (uri: vscode.Uri) => boolean;
}

export interface WorkspaceText {
  readonly uri: vscode.Uri;
  /** As the editor shows it: from its folder, with the folder's name where several are open. */
  readonly path: string;
  readonly text: string;
}

export interface WorkspaceTexts {
  /** How many files there are to be read. */
  readonly count: number;
  readonly texts: AsyncIterable<WorkspaceText>;
  /** Complete when all texts were read. */
  readonly leftOut: LeftOut;
}

const atOnce = 16;
/** So long the editor waits for nothing else. */
const sliceMs = 12;

/**
 * The texts of the workspace's files, without what Git ignores and what the settings hide; as their editors show them, where
 * they are open. Untitled documents are among them where nothing is included by name.
 */
export async function openWorkspaceTexts(
  { include, exclude, isLeftOut = () => false }: FileChoice,
  limits: TextLimits,
  signal?: AbortSignal,
): Promise<WorkspaceTexts> {
  const [wanted, unwanted] = [toGlob(include ?? ''), toGlob(exclude ?? '')];
  const folders = vscode.workspace.workspaceFolders ?? [];
  const found = await withToken(signal, (token) =>
    Promise.all(
      folders.map(async ({ uri }) => {
        const options = { token, ...(unwanted !== undefined && { exclude: unwanted }) };
        const paths = await filesBelow(uri, wanted ?? '**/*', options);
        return paths.toSorted().map((path) => vscode.Uri.joinPath(uri, path));
      }),
    ),
  );
  const untitled = wanted === undefined ? vscode.workspace.textDocuments.filter(({ isUntitled }) => isUntitled) : [];
  const all = [...untitled.map(({ uri }) => uri), ...found.flat()];
  const chosen = all.filter((uri) => !isLeftOut(uri));
  return openTexts(chosen, { ...limits, files: Math.min(limits.files, maxFound) }, signal);
}

/** The texts of these files, each once, wherever they are. */
export function openTexts(of: readonly vscode.Uri[], limits: TextLimits, signal?: AbortSignal): WorkspaceTexts {
  const all = unique(of);
  const uris = all.slice(0, limits.files);
  const leftOut = { overLimit: all.length - uris.length, tooLarge: 0, notText: 0, unreadable: 0 };
  return { count: uris.length, leftOut, texts: readTexts(uris, limits, leftOut, signal) };
}

async function* readTexts(
  uris: readonly vscode.Uri[],
  { fileBytes, totalBytes }: TextLimits,
  leftOut: { -readonly [Reason in keyof LeftOut]: number },
  signal: AbortSignal | undefined,
): AsyncGenerator<WorkspaceText> {
  let bytesLeft = totalBytes;
  let turn = performance.now();
  for (let at = 0; at < uris.length; at += atOnce) {
    const documents = new Map(vscode.workspace.textDocuments.map((document) => [document.uri.toString(), document]));
    const read = await Promise.all(
      uris.slice(at, at + atOnce).map(async (uri) => ({ uri, ...(await readText(uri, documents, fileBytes)) })),
    );
    for (const { uri, text, bytes = 0, reason } of read) {
      signal?.throwIfAborted();
      if (text === undefined) leftOut[reason ?? 'unreadable'] += 1;
      else if (bytes > bytesLeft) leftOut.overLimit += 1;
      else {
        bytesLeft -= bytes;
        yield { uri, path: vscode.workspace.asRelativePath(uri), text };
      }
      if (performance.now() - turn < sliceMs) continue;
      await setImmediate();
      turn = performance.now();
    }
  }
}

interface Read {
  readonly text?: string;
  readonly bytes?: number;
  readonly reason?: keyof LeftOut;
}

async function readText(
  uri: vscode.Uri,
  documents: ReadonlyMap<string, vscode.TextDocument>,
  fileBytes: number,
): Promise<Read> {
  const open = documents.get(uri.toString());
  if (open) {
    const text = open.getText();
    return text.length > fileBytes ? { reason: 'tooLarge' } : { text, bytes: text.length };
  }
  try {
    const { size, type } = await vscode.workspace.fs.stat(uri);
    if ((type & vscode.FileType.File) === 0) return { reason: 'unreadable' };
    if (size > fileBytes) return { reason: 'tooLarge' };
    const content = await vscode.workspace.fs.readFile(uri);
    const text = decodeText(content);
    return text === undefined ? { reason: 'notText' } : { text, bytes: content.length };
  } catch {
    return { reason: 'unreadable' };
  }
}

/** Folders of a workspace may lie in each other. */
function unique(uris: readonly vscode.Uri[]): readonly vscode.Uri[] {
  return [...new Map(uris.map((uri) => [uri.toString(), uri])).values()];
}
