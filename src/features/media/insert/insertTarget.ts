import { rm } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { copyAtomic } from '../../../core/storage/atomicFile';
import { exists } from '../../../core/storage/privateFiles';
import { freePath } from '../../../platform/workspace/writeTarget';
import { inWords } from '../saveGenerated';
import { folderOf, isNear } from './distance';

/** Destination of a file outside the project: a folder relative to `base`. */
export interface CopyTarget {
  readonly base: string;
  readonly folder: string;
}

/** The file that the text will reference. */
export interface InsertTarget {
  readonly file: string;
  /** Whether the file still has to be copied there. */
  readonly isCopied: boolean;
}

const memoryKey = 'mediaInsertFolder';
const usualFolder = 'assets';

/** Returns the last used copy destination. `undefined` if the file is referenced in place: it is near, or the document is not on disk. */
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

/** Reuses an existing file of the same name if the name contains a content hash; otherwise picks a free name. */
export async function targetIn(from: string, target: CopyTarget | undefined): Promise<InsertTarget> {
  if (!target) return { file: from, isCopied: false };
  const place = path.join(target.base, target.folder, path.basename(from));
  const isHashed = /-[0-9a-f]{12}\.[^.]+$/.test(place);
  if (isHashed && (await exists(place))) return { file: place, isCopied: false };
  return { file: await inWords(() => freePath(place)), isCopied: true };
}

/** Copies the file if needed, without its recipe. Resolves to a function that undoes the copy. */
export async function settle(from: string, { file, isCopied }: InsertTarget): Promise<() => Promise<void>> {
  if (isCopied) await inWords(() => copyAtomic(from, file, { replace: false, isPrivate: false }));
  return async () => {
    if (isCopied) await rm(file, { force: true });
  };
}

/** The workspace folder of a document, else the folder that contains it. */
function baseOf(document: vscode.TextDocument): string | undefined {
  const folder = vscode.workspace.getWorkspaceFolder(document.uri)?.uri;
  return folder?.scheme === 'file' ? folder.fsPath : folderOf(document);
}
