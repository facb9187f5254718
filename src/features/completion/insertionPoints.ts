import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Span } from '../../core/completion/movedSpan';
import { trackRange } from './trackedRange';
import type { TrackedRange } from './trackedRange';
import type { CatalogueModel } from '../../core/catalogue/model';
import type { CompletionParameters } from '../../core/completion/completionParameters';
import { isBinary, promptBefore, promptTokens } from '../../core/completion/promptText';
import type { PromptBefore } from '../../core/completion/promptText';
import { UserError } from '../../platform/errors/userError';
import { notebookOf } from '../../platform/workspace/writeEdits';

/** A text to complete, and the range that its answer replaces. */
export interface InsertionPoint extends TrackedRange {
  readonly prompt: string;
  /** Whether the beginning of the text before the cursor was omitted. */
  readonly isCut: boolean;
  /** Range of the prompt. */
  readonly promptRange: TrackedRange;
}

/** Returns the prompts of an editor with their insertion points. Throws `UserError` if there is nothing to complete. */
export function insertionPointsOf(editor: vscode.TextEditor, way: Way, mostTokens: number): readonly InsertionPoint[] {
  const { document } = editor;
  return promptsOf(editor, way, mostTokens).map(({ selection, prompt, isCut }) => {
    const end = document.offsetAt(selection.end);
    const start = way === 'replace' ? document.offsetAt(selection.start) : end;
    return makePlace(document, { start, end }, { prompt, isCut, promptRange: { start: end - prompt.length, end } });
  });
}

/** Returns an insertion point that continues after an answer. */
export function insertionPointAfter(document: vscode.TextDocument, at: number, prompt: string): InsertionPoint {
  return makePlace(document, { start: at, end: at }, { prompt, isCut: false, promptRange: { start: at, end: at } });
}

function makePlace(
  document: vscode.TextDocument,
  at: Span,
  {
    prompt,
    isCut,
    promptRange: promptSpan,
  }: { readonly prompt: string; readonly isCut: boolean; readonly promptRange: Span },
): InsertionPoint {
  const target = trackRange(document, at);
  const promptRange = trackRange(document, promptSpan);
  return {
    document,
    prompt,
    isCut,
    promptRange,
    get span() {
      return target.span;
    },
    dispose() {
      target.dispose();
      promptRange.dispose();
    },
  };
}

/** Whether the document is writable, as far as can be known before writing: only a write shows that an editor is read-only. */
export function isWritable(document: vscode.TextDocument): boolean {
  const { scheme } = notebookOf(document)?.uri ?? document.uri;
  return scheme === 'untitled' || scheme === 'file' || vscode.workspace.fs.isWritableFileSystem(scheme) === true;
}

/** How an answer is delivered. */
export type Way = 'insert' | 'replace' | 'beside';

/** The prompt of one selection or cursor. */
interface Prompt extends PromptBefore {
  readonly selection: vscode.Selection;
}

/** Returns about how many prompt tokens fit the model together with its answer. */
export function longestPrompt(
  model: string | undefined,
  models: readonly CatalogueModel[],
  { max_tokens }: CompletionParameters,
): number {
  return promptTokens(models.find(({ id }) => id === model)?.contextLength, max_tokens);
}

/** Limit because each one is a separate request; more would be a mistake. */
const mostPlaces = 16;

/** Returns the selections of an editor, or the texts before its cursors. Throws `UserError` if there is nothing to complete. */
export function promptsOf(
  { document, selections: all }: vscode.TextEditor,
  way: Way,
  mostTokens: number,
): readonly Prompt[] {
  const selected = all.filter(({ isEmpty }) => !isEmpty);
  if (way === 'replace' && selected.length === 0) {
    throw new UserError(l10n.t('No text selected'), l10n.t('Select the text to replace.'));
  }
  const selections = selected.length > 0 ? selected : all;
  if (selections.length > mostPlaces) {
    throw new UserError(
      l10n.t('Too many selections: {0}', selections.length),
      l10n.t('Each selection is a request. The limit is {0}.', mostPlaces),
    );
  }
  const prompts = selections.map((selection) => ({ selection, ...promptOf(document, selection, mostTokens) }));
  for (const { prompt } of prompts) checkPrompt(prompt);
  return prompts;
}

function promptOf(document: vscode.TextDocument, selection: vscode.Selection, mostTokens: number) {
  if (!selection.isEmpty) return { prompt: document.getText(selection), isCut: false };
  return promptBefore(document.getText(new vscode.Range(new vscode.Position(0, 0), selection.active)), mostTokens);
}

function checkPrompt(prompt: string): void {
  if (prompt.trim() === '') {
    throw new UserError(l10n.t('No text to complete'), l10n.t('Select text, or place the cursor after text.'));
  }
  if (isBinary(prompt)) {
    throw new UserError(l10n.t("Can't complete binary content"), l10n.t('Select other text.'));
  }
}
