import path from 'node:path';
import * as vscode from 'vscode';
import { altTextFrom } from '../../../core/assets/altText';
import { insertFormsFor, insertText } from '../../../core/assets/insertForms';
import type { Inserted, InsertForm } from '../../../core/assets/insertForms';
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
 * Inserts references to files, one a line, into the last used text editor, in a form of its language and with the prompts as descriptions;
 * files outside the project are copied into it. Asks once, before anything is copied or written.
 */
export async function insertGenerated(files: readonly string[], parts: MediaParts): Promise<void> {
  const { lastEditor, questions } = parts;
  const memory = parts.context.workspaceState;
  const document = lastEditor.current(takesText)?.document;
  if (!document) throw noEditorError();
  const made = await Promise.all(
    files.map(async (file) => ({
      file,
      recipe: (await (await parts.media()).assets.read(file))?.recipe,
      target: copyTarget(file, document, memory),
    })),
  );
  const target = made.find((one) => one.target)?.target;
  const placesIn = (chosen: typeof target) => Promise.all(made.map((one) => targetIn(one.file, one.target && chosen)));
  const textIn = (places: readonly InsertTarget[], form: InsertForm) =>
    made
      .map(({ file, recipe }, at) => insertText(form, toInserted(places[at]?.file ?? file, recipe, document)))
      .join('\n');
  const proposed = await placesIn(target);
  const [first] = made;
  if (!first) return;
  const { kind } = toInserted(first.file, first.recipe, document);
  const { fitting, others } = insertFormsFor(document.languageId, kind);
  const offer = (form: InsertForm) => ({ form, text: textIn(proposed, form) });
  const answer = await questions.insert(fitting.map(offer), others.map(offer), target);
  if (!answer) return;
  if (answer.target && answer.target !== target) await rememberTarget(answer.target, memory);
  const places = await placesIn(answer.target);
  await write(textIn(places, answer.form), files, { places, lastEditor });
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
  files: readonly string[],
  { places, lastEditor }: { readonly places: readonly InsertTarget[]; readonly lastEditor: LastEditor },
): Promise<void> {
  const undos: (() => Promise<void>)[] = [];
  try {
    for (const [at, file] of files.entries()) {
      const place = places[at];
      if (place) undos.push(await settle(file, place));
    }
    const editor = await lastEditor.reveal(takesText);
    if (!editor) throw noEditorError();
    await insertAtCursor(indented(text, editor.document.lineAt(editor.selection.active.line).text), editor);
  } catch (error) {
    for (const undo of undos) await undo();
    throw error;
  }
}
