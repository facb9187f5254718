import * as vscode from 'vscode';
import { l10n } from 'vscode';
import type { CatalogueModel } from '../../core/catalogue/model';
import type { CompletionParameters } from '../../core/completion/completionParameters';
import { isBinary, promptBefore, promptTokens } from '../../core/completion/promptText';
import type { PromptBefore } from '../../core/completion/promptText';
import { UserError } from '../../platform/errors/userError';

/** How an answer is delivered. */
export type Way = 'insert' | 'replace' | 'beside';

/** The prompt of one selection or cursor. */
export interface Prompt extends PromptBefore {
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
    throw new UserError(l10n.t('Nothing is selected'), l10n.t('Select the text that the answer should replace.'));
  }
  const selections = selected.length > 0 ? selected : all;
  if (selections.length > mostPlaces) {
    throw new UserError(
      l10n.t('There are {0} selections', selections.length),
      l10n.t('Each is a request of its own, and at most {0} are sent at a time. Nothing was sent.', mostPlaces),
    );
  }
  const asked = selections.map((selection) => ({ selection, ...promptOf(document, selection, mostTokens) }));
  for (const { prompt } of asked) checkPrompt(prompt);
  return asked;
}

function promptOf(document: vscode.TextDocument, selection: vscode.Selection, mostTokens: number) {
  if (!selection.isEmpty) return { prompt: document.getText(selection), isCut: false };
  return promptBefore(document.getText(new vscode.Range(new vscode.Position(0, 0), selection.active)), mostTokens);
}

function checkPrompt(prompt: string): void {
  if (prompt.trim() === '') {
    throw new UserError(
      l10n.t('There is nothing to complete'),
      l10n.t('Select a text, or write a beginning and place the cursor behind it.'),
    );
  }
  if (isBinary(prompt)) {
    throw new UserError(
      l10n.t('This is not text'),
      l10n.t('It holds bytes that no model reads as text. Nothing was sent.'),
    );
  }
}
