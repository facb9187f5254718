import path from 'node:path';
import * as vscode from 'vscode';
import { altTextFrom } from '../../../core/assets/altText';
import { describesFile, insertFormsFor, insertText } from '../../../core/assets/insertForms';
import type { Inserted } from '../../../core/assets/insertForms';
import { referenceTo } from '../../../core/assets/insertReference';
import { recipeEnding } from '../../../core/assets/recipe';
import type { AssetKind, Recipe } from '../../../core/assets/recipe';
import { insertAtCursor, noEditorError } from '../../../platform/insertAtCursor';
import type { LastEditor } from '../../../platform/lastEditor';
import type { MediaAssets } from '../../../platform/media';
import { kindOf } from '../../../core/assets/kindOfName';
import type { MediaQuestions } from '../mediaQuestions';
import { planPlace } from './insertPlace';
import type { InsertPlace } from './insertPlace';
import { folderOf, isNear } from './nearness';

export interface InsertParts {
  readonly assets: Pick<MediaAssets, 'read'>;
  readonly lastEditor: LastEditor;
  readonly questions: Pick<MediaQuestions, 'forms' | 'alt' | 'place'>;
  /** Remembers where files are copied to. */
  readonly memory: vscode.Memento;
}

/**
 * Names a file in the text editor that was used last, in a form its language knows; a file outside the project may be copied
 * into it. Asks everything first: nothing is copied or written where the person turns away.
 */
export async function insertMade(file: string, parts: InsertParts): Promise<void> {
  const { assets, lastEditor, questions } = parts;
  const document = lastEditor.current(takesText)?.document;
  if (!document) throw noEditorError();
  const recipe = (await assets.read(file))?.recipe;
  const place = await planPlace(file, document, parts);
  if (!place) return;
  const proposed = { ...toInserted(file, recipe, place.file, document), alt: altOf(recipe) };
  const { fitting, others } = insertFormsFor(document.languageId, proposed.kind);
  const offer = (form: (typeof fitting)[number]) => ({ form, text: insertText(form, proposed) });
  const form = await questions.forms(fitting.map(offer), others.map(offer));
  if (!form) return;
  const alt = describesFile(form) ? await questions.alt(proposed.alt) : '';
  if (alt === undefined) return;
  await write(insertText(form, { ...proposed, alt }), place, lastEditor);
}

function toInserted(
  file: string,
  recipe: Recipe | undefined,
  target: string,
  document: vscode.TextDocument,
): Omit<Inserted, 'alt'> {
  const kind: AssetKind = recipe?.kind ?? kindOf(file) ?? 'image';
  const documentFolder = isNear(target, document) ? folderOf(document) : undefined;
  return {
    kind,
    name: path.basename(target),
    reference: referenceTo(target, { documentFolder, windows: process.platform === 'win32' }),
    width: recipe?.file.width,
    height: recipe?.file.height,
  };
}

/** A recipe tells how a file was made, and is not the place to name it. */
function takesText({ uri }: vscode.TextDocument): boolean {
  if (uri.scheme === 'output' || uri.path.endsWith(recipeEnding)) return false;
  return vscode.workspace.fs.isWritableFileSystem(uri.scheme) !== false;
}

function altOf(recipe: Recipe | undefined): string {
  if (!recipe) return '';
  return altTextFrom(recipe.kind === 'speech' ? recipe.request.input : recipe.request.prompt);
}

async function write(text: string, place: InsertPlace, lastEditor: LastEditor): Promise<void> {
  const copy = await place.settle();
  try {
    const editor = await lastEditor.reveal(takesText);
    if (!editor) throw noEditorError();
    const [indent = ''] = /^\s*/.exec(editor.document.lineAt(editor.selection.active.line).text) ?? [];
    await insertAtCursor(text.replaceAll(/\n(?=.)/g, `\n${indent}`), editor);
  } catch (error) {
    await copy.undo();
    throw error;
  }
}
