import { rm } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { recipeEnding } from '../../../core/assets/recipe';
import { copyWhole, isThere } from '../../../core/files/copyWhole';
import { freePath } from '../../../platform/writeTarget';
import type { MediaQuestions } from '../mediaQuestions';
import { inWords } from '../saveMade';
import { folderOf, isNear } from './nearness';

/** Where the file is that the text names. */
export interface InsertPlace {
  readonly file: string;
  /** Copies it there, where it is not there yet. */
  settle(): Promise<{ undo(): Promise<void> }>;
}

const memoryKey = 'mediaInsertFolder';
const usualFolder = 'assets';

/** `undefined` where the person turned away. Of a file outside the project they are asked whether it is copied into it. */
export async function planPlace(
  file: string,
  document: vscode.TextDocument,
  { questions, memory }: { readonly questions: Pick<MediaQuestions, 'place'>; readonly memory: vscode.Memento },
): Promise<InsertPlace | undefined> {
  const stay: InsertPlace = { file, settle: async () => ({ undo: async () => undefined }) };
  const base = baseOf(document);
  if (base === undefined || isNear(file, document)) return stay;
  const key = `${memoryKey}:${base}`;
  const answer = await questions.place(file, base, memory.get<string>(key) ?? usualFolder);
  if (answer === undefined || answer === 'stay') return answer && stay;
  await memory.update(key, answer.folder);
  return planCopy(file, path.join(base, answer.folder, path.basename(file)));
}

/** The project of a document, else the folder it is in. */
function baseOf(document: vscode.TextDocument): string | undefined {
  const folder = vscode.workspace.getWorkspaceFolder(document.uri)?.uri;
  return folder?.scheme === 'file' ? folder.fsPath : folderOf(document);
}

/** A file of the same name is the same file: names hold a hash of the content. Others get another name. */
async function planCopy(from: string, wanted: string): Promise<InsertPlace> {
  const isHashed = /-[0-9a-f]{12}\.[^.]+$/.test(wanted);
  if (isHashed && (await isThere(wanted)))
    return { file: wanted, settle: async () => ({ undo: async () => undefined }) };
  const file = await inWords(() => freePath(wanted));
  return {
    file,
    async settle() {
      const hasRecipe = await isThere(from + recipeEnding);
      await inWords(async () => {
        await copyWhole(from, file, { replace: false, isPrivate: false });
        if (hasRecipe) await copyWhole(from + recipeEnding, file + recipeEnding, { replace: true, isPrivate: false });
      });
      return {
        async undo() {
          await rm(file, { force: true });
          if (hasRecipe) await rm(file + recipeEnding, { force: true });
        },
      };
    },
  };
}
