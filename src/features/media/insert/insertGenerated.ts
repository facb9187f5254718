import path from 'node:path';
import * as vscode from 'vscode';
import { altTextFrom } from '../../../core/assets/altText';
import { insertFormsFor, insertText } from '../../../core/assets/insertForms';
import type { Inserted } from '../../../core/assets/insertForms';
import { referenceTo } from '../../../core/assets/insertReference';
import { recipeEnding } from '../../../core/assets/recipe';
import type { Recipe } from '../../../core/assets/recipe';
import { insertAtCursor, noEditorError } from '../../../platform/workspace/insertAtCursor';
import type { LastEditor } from '../../../platform/workspace/lastEditor';
import { kindOf } from '../../../core/assets/kindOfName';
import type { MediaParts } from '../mediaRuntime';
import { copyTarget, targetIn, rememberTarget, settle } from './insertTarget';
import type { InsertTarget } from './insertTarget';
import { folderOf, isNear } from './distance';

/**
 * Inserts a reference to a file into the last used text editor, in a form of its language and with the prompt as description; a file
 * outside the project is copied into it. Asks once, before anything is copied or written.
 */
export async function insertGenerated(file: string, parts: MediaParts): Promise<void> {
  const { lastEditor, questions } = parts;
  const memory = parts.context.workspaceState;
  const document = lastEditor.current(takesText)?.document;
  if (!document) throw noEditorError();
  const recipe = (await parts.media.assets.read(file))?.recipe;
  const target = copyTarget(file, document, memory);
  const proposed = toInserted((await targetIn(file, target)).file, recipe, document);
  const { fitting, others } = insertFormsFor(document.languageId, proposed.kind);
  const offer = (form: (typeof fitting)[number]) => ({ form, text: insertText(form, proposed) });
  const answer = await questions.insert(fitting.map(offer), others.map(offer), target);
  if (!answer) return;
  if (answer.target && answer.target !== target) await rememberTarget(answer.target, memory);
  const place = await targetIn(file, answer.target);
  await write(insertText(answer.form, toInserted(place.file, recipe, document)), file, { place, lastEditor });
}

/** Returns what `document` says about the file at `target`, generated from `recipe`. */
export function toInserted(target: string, recipe: Recipe | undefined, document: vscode.TextDocument): Inserted {
  const documentFolder = isNear(target, document) ? folderOf(document) : undefined;
  return {
    kind: recipe?.kind ?? kindOf(target) ?? 'image',
    name: path.basename(target),
    reference: referenceTo(target, documentFolder),
    alt: altOf(recipe),
    width: recipe?.file.width,
    height: recipe?.file.height,
  };
}

/** Indents all lines after the first like the line they are inserted into. */
export function indented(text: string, line: string): string {
  const [indent = ''] = /^\s*/.exec(line) ?? [];
  return text.replaceAll(/\n(?=.)/g, `\n${indent}`);
}

/** Accepts writable documents, except output and recipes: a recipe describes a file and should not reference one. */
function takesText({ uri }: vscode.TextDocument): boolean {
  if (uri.scheme === 'output' || uri.path.endsWith(recipeEnding)) return false;
  return vscode.workspace.fs.isWritableFileSystem(uri.scheme) !== false;
}

function altOf(recipe: Recipe | undefined): string {
  if (!recipe) return '';
  return altTextFrom(recipe.kind === 'speech' ? recipe.request.input : recipe.request.prompt);
}

async function write(
  text: string,
  from: string,
  { place, lastEditor }: { readonly place: InsertTarget; readonly lastEditor: LastEditor },
): Promise<void> {
  const undo = await settle(from, place);
  try {
    const editor = await lastEditor.reveal(takesText);
    if (!editor) throw noEditorError();
    await insertAtCursor(indented(text, editor.document.lineAt(editor.selection.active.line).text), editor);
  } catch (error) {
    await undo();
    throw error;
  }
}
