import { rm } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { copyAtomically, isThere } from '../../../core/files/copyAtomically';
import { freePath } from '../../../platform/workspace/writeTarget';
import { inWords } from '../saveGenerated';
import { folderOf, isNear } from './distance';

/** Where a file outside the project is copied to, as a path below `base`. */
export interface CopyTarget {
  readonly base: string;
  readonly folder: string;
}

/** Where the file is that the text names. */
export interface InsertTarget {
  readonly file: string;
  /** It is still to be copied there. */
  readonly isCopied: boolean;
}

const memoryKey = 'mediaInsertFolder';
const usualFolder = 'assets';

/** Where the last one was copied to. `undefined` where the file is named where it is: it is near, or the document is nowhere. */
export function copyTarget(
  file: string,
  document: vscode.TextDocument,
  memory: vscode.Memento,
): CopyTarget | undefined {
  const base = baseOf(document);
  if (base === undefined || isNear(file, document)) return undefined;
  return { base, folder: memory.get<string>(`${memoryKey}:${base}`) ?? usualFolder };
}

export async function rememberTarget({ base, folder }: CopyTarget, memory: vscode.Memento): Promise<void> {
  await memory.update(`${memoryKey}:${base}`, folder);
}

/** A file of the same name is the same file: names hold a hash of the content. Others get another name. */
export async function targetIn(from: string, target: CopyTarget | undefined): Promise<InsertTarget> {
  if (!target) return { file: from, isCopied: false };
  const wanted = path.join(target.base, target.folder, path.basename(from));
  const isHashed = /-[0-9a-f]{12}\.[^.]+$/.test(wanted);
  if (isHashed && (await isThere(wanted))) return { file: wanted, isCopied: false };
  return { file: await inWords(() => freePath(wanted)), isCopied: true };
}

/** Copies what is to be copied: the file alone, without its recipe. Resolves to what takes that back. */
export async function settle(from: string, { file, isCopied }: InsertTarget): Promise<() => Promise<void>> {
  if (isCopied) await inWords(() => copyAtomically(from, file, { replace: false, isPrivate: false }));
  return async () => {
    if (isCopied) await rm(file, { force: true });
  };
}

/** The project of a document, else the folder it is in. */
function baseOf(document: vscode.TextDocument): string | undefined {
  const folder = vscode.workspace.getWorkspaceFolder(document.uri)?.uri;
  return folder?.scheme === 'file' ? folder.fsPath : folderOf(document);
}
