import * as vscode from 'vscode';
import { l10n } from 'vscode';
import { askedVariables, fillPrompt, providedPlaceholders } from '../../core/prompts/fillPrompt';
import type { FilledPrompt } from '../../core/prompts/fillPrompt';
import { mostPromptCharacters } from '../../core/prompts/prompt';
import type { Prompt } from '../../core/prompts/prompt';
import { promptSeverities } from '../../core/prompts/promptProblem';
import { numberText } from '../../platform/displayText';
import type { LastEditor } from '../../platform/workspace/lastEditor';
import type { Settings } from '../../platform/settings';
import { UserError } from '../../platform/errors/userError';
import { askValues } from './askValues';
import { providedTexts } from './providedTexts';
import { problemWords } from './problemWords';
import type { PromptReadings } from './promptFiles';
import type { RememberedValues } from './rememberedValues';

export interface PreparedParts {
  readonly readings: PromptReadings;
  readonly remembered: RememberedValues;
  readonly lastEditor: LastEditor;
  readonly settings: Settings;
}

/** Returns the prompt in a document. Throws `UserError` if an error makes it unusable. */
export function usablePrompt(document: vscode.TextDocument, readings: PromptReadings): Prompt {
  const { prompt, problems } = readings.of(document);
  const error = problems.find(({ code }) => promptSeverities[code] === 'error');
  if (!error) return prompt;
  const { line } = document.positionAt(error.span.start);
  throw new UserError(
    l10n.t('{0} cannot be run yet', promptName(document.uri)),
    l10n.t('Line {0}: {1}', numberText(line + 1, vscode.env.language), problemWords(error)),
  );
}

/** Resolves to the values of a prompt's placeholders, except those in `columns`. `undefined` if the person cancels. */
export async function valuesFor(
  document: vscode.TextDocument,
  prompt: Prompt,
  { remembered, ...parts }: PreparedParts,
  columns: readonly string[] = [],
): Promise<ReadonlyMap<string, string> | undefined> {
  const isFixed = (name: string) => !columns.includes(name);
  const given = await providedTexts(providedPlaceholders(prompt).filter(isFixed), parts);
  const asked = askedVariables(prompt).filter(({ name }) => isFixed(name));
  const values = await askValues(promptName(document.uri), asked, remembered.of(document.uri));
  if (!values) return undefined;
  remembered.add(document.uri, values);
  return new Map([...given, ...values]);
}

/** Fills in a prompt, asking for missing values. `undefined` if the person cancels. */
export async function preparePrompt(
  document: vscode.TextDocument,
  parts: PreparedParts,
): Promise<{ readonly prompt: Prompt; readonly filled: FilledPrompt } | undefined> {
  const prompt = usablePrompt(document, parts.readings);
  const values = await valuesFor(document, prompt, parts);
  if (!values) return undefined;
  const filled = fillPrompt(prompt, values);
  if (filled.text.trim() === '') {
    throw new UserError(l10n.t('Nothing is asked'), l10n.t('With these values the text of the prompt is empty.'));
  }
  if (filled.text.length > mostPromptCharacters) {
    throw new UserError(
      l10n.t('The prompt is too long'),
      l10n.t(
        'With what is filled in it has {0} characters, and {1} is the most. Select the part it is about.',
        numberText(filled.text.length, vscode.env.language),
        numberText(mostPromptCharacters, vscode.env.language),
      ),
    );
  }
  return { prompt, filled };
}

/** Returns the file's name without the extension that all prompt files have. */
export function promptName({ path }: vscode.Uri): string {
  return path.slice(path.lastIndexOf('/') + 1).replace(/\.desk\.md$/i, '');
}
