import { setImmediate } from 'node:timers/promises';
import * as vscode from 'vscode';
import type { LeftOut } from '../../core/search/find/finding';
import type { TextLimits } from '../../core/search/find/readChunks';
import { toGlobs } from '../../core/search/searchGlobs';
import { decodeText } from '../../core/workspace/decodeText';
import type { Refused } from '../../core/workspace/fileGuard';
import { withToken } from '../errors/cancellation';
import { filesBelow, maxFound } from './workspaceFiles';
import { readFile } from './workspaceGuard';
import type { WorkspaceGuard } from './workspaceGuard';

/** Which files of the workspace to use; as typed, separated by commas. */
export interface FileChoice {
  readonly include?: string;
  readonly exclude?: string;
}

export interface GuardedChoice extends FileChoice {
  /** Files that it rejects are omitted, and not counted. */
  readonly guard: WorkspaceGuard;
}

export interface WorkspaceText {
  readonly uri: vscode.Uri;
  /** As VS Code displays it: relative to its folder, with the folder's name if several are open. */
  readonly path: string;
  readonly text: string;
}

export interface WorkspaceTexts {
  /** Number of files to read. */
  readonly count: number;
  readonly texts: AsyncIterable<WorkspaceText>;
  /** Complete once all texts have been read. */
  readonly leftOut: LeftOut;
}

const atOnce = 16;
/** How long the editor's other work is blocked at most. */
const sliceMs = 12;

/**
 * Returns the texts of the workspace's files, without what Git ignores and what the settings hide. Files that are open are returned as
 * their editors show them. Untitled documents are included unless `include` names files.
 */
export async function openWorkspaceTexts(
  { include = '', exclude = '', guard }: GuardedChoice,
  limits: TextLimits,
  signal?: AbortSignal,
): Promise<WorkspaceTexts> {
  const globs = { include: toGlobs(include), exclude: toGlobs(exclude) };
  const folders = vscode.workspace.workspaceFolders ?? [];
  const found = await withToken(signal, (token) =>
    Promise.all(
      folders.map(async ({ uri }) => {
        const paths = await filesBelow(uri, globs, token);
        return paths.toSorted().map((path) => vscode.Uri.joinPath(uri, path));
      }),
    ),
  );
  const untitled =
    globs.include.length === 0 ? vscode.workspace.textDocuments.filter(({ isUntitled }) => isUntitled) : [];
  const all = [...untitled.map(({ uri }) => uri), ...found.flat()];
  return openTexts(all, { ...limits, files: Math.min(limits.files, maxFound), guard }, signal);
}

/** Limits per file; without a guard, files are read wherever they are, because the user picked them. */
export interface ReadLimits extends TextLimits {
  readonly guard?: WorkspaceGuard;
  /**
   * Decodes a file that isn't UTF-8, or returns `undefined` for binary content. Called for one file at a time. Without it, such files are
   * omitted.
   */
  readonly decodeOther?: (name: string, bytes: Uint8Array) => Promise<string | undefined>;
}

/** Returns the texts of these files, each once. */
export function openTexts(of: readonly vscode.Uri[], limits: ReadLimits, signal?: AbortSignal): WorkspaceTexts {
  const all = unique(of);
  const uris = all.slice(0, limits.files);
  const leftOut = { overLimit: all.length - uris.length, tooLarge: 0, notText: 0, unreadable: 0 };
  return { count: uris.length, leftOut, texts: readTexts(uris, limits, leftOut, signal) };
}

async function* readTexts(
  uris: readonly vscode.Uri[],
  { fileBytes, totalBytes, guard, decodeOther }: ReadLimits,
  leftOut: { -readonly [Reason in keyof LeftOut]: number },
  signal: AbortSignal | undefined,
): AsyncGenerator<WorkspaceText> {
  let bytesLeft = totalBytes;
  let turn = performance.now();
  for (let at = 0; at < uris.length; at += atOnce) {
    const documents = new Map(vscode.workspace.textDocuments.map((document) => [document.uri.toString(), document]));
    const read = await Promise.all(
      uris
        .slice(at, at + atOnce)
        .map(async (uri) => ({ uri, ...(await readText(uri, { documents, fileBytes, guard })) })),
    );
    for (const { uri, text: utf8, other, bytes = 0, reason } of read) {
      signal?.throwIfAborted();
      if (reason === 'refused') continue;
      const path = vscode.workspace.asRelativePath(uri);
      const text = utf8 ?? (other && (await decodeOther?.(path, other)));
      if (text === undefined) leftOut[reason ?? 'unreadable'] += 1;
      else if (bytes > bytesLeft) leftOut.overLimit += 1;
      else {
        bytesLeft -= bytes;
        yield { uri, path, text };
      }
      if (performance.now() - turn < sliceMs) continue;
      await setImmediate();
      turn = performance.now();
    }
  }
}

interface Read {
  readonly text?: string;
  /** The content of a file that is not UTF-8. */
  readonly other?: Uint8Array;
  readonly bytes?: number;
  readonly reason?: keyof LeftOut | 'refused';
}

async function readText(
  uri: vscode.Uri,
  {
    documents,
    fileBytes,
    guard,
  }: {
    readonly documents: ReadonlyMap<string, vscode.TextDocument>;
    readonly fileBytes: number;
    readonly guard: WorkspaceGuard | undefined;
  },
): Promise<Read> {
  const open = documents.get(uri.toString());
  if (open) {
    if (guard && !(await guard.isOpen(uri))) return { reason: 'refused' };
    const text = open.getText();
    return text.length > fileBytes ? { reason: 'tooLarge' } : { text, bytes: text.length };
  }
  try {
    const content = await (guard ? guard.read(uri, fileBytes) : readFile(uri, fileBytes));
    if (content === 'tooLarge') return { reason: 'tooLarge' };
    if ('refusal' in content) return { reason: isRefused(content) ? 'refused' : 'unreadable' };
    const text = decodeText(content);
    return text === undefined
      ? { reason: 'notText', other: content, bytes: content.length }
      : { text, bytes: content.length };
  } catch {
    return { reason: 'unreadable' };
  }
}

function isRefused({ refusal }: Refused): boolean {
  return refusal === 'outside' || refusal === 'secret';
}

/** Folders of a workspace may be nested. */
function unique(uris: readonly vscode.Uri[]): readonly vscode.Uri[] {
  return [...new Map(uris.map((uri) => [uri.toString(), uri])).values()];
}
