import { l10n } from 'vscode';
import { acceptedAt } from '../../core/parameters/parameterTable';
import type { ProvidedName, PromptKey, PromptParameter, variableKeys } from '../../core/prompts/prompt';
import { numberFormat } from '../../protocol/formats';

type Words<Name extends string> = { readonly [Key in Name]: () => string };

/** What the front matter keys are for. */
export const keyWords: Words<PromptKey> = {
  description: () => l10n.t('What the prompt is for. Shown where prompt files are chosen.'),
  model: () => l10n.t('Who answers. Without it the default model for chat does.'),
  models: () => l10n.t('Who is asked by Compare: two to four models.'),
  parameters: () => l10n.t('How to answer. What is not set is not sent.'),
  system: () => l10n.t('Instructions for the model, sent beside the question. Places are filled in here too.'),
  variables: () =>
    l10n.t('What stands in places such as {{name}}: a value, nothing where it is asked for, or a list to choose from.'),
};

export const variableWords: Words<(typeof variableKeys)[number]> = {
  description: () => l10n.t('Shown where the value is asked for.'),
  default: () => l10n.t('The value unless another is given.'),
  options: () => l10n.t('The values to choose from when the prompt is run.'),
};

/** What the editor fills in. */
export const providedText: Words<ProvidedName> = {
  selection: () => l10n.t('What is selected in the editor used last.'),
  file: () => l10n.t('The text of the editor used last, under its path.'),
  path: () => l10n.t('The path of the file in the editor used last.'),
  language: () => l10n.t('The language of the file in the editor used last, e.g. typescript.'),
};

/** Returns the range of a number, such as "0 to 2"; `undefined` if it has none. */
export function boundsText(name: PromptParameter, language: string): string | undefined {
  const { min, max, advised } = acceptedAt('messages', name);
  const number = numberFormat(language);
  const [from, to] = [advised?.min ?? min, advised?.max ?? max];
  if (from === undefined) return undefined;
  return to === undefined
    ? l10n.t('From {0}', number.format(from))
    : l10n.t('{0} to {1}', number.format(from), number.format(to));
}
