import * as l10n from '@vscode/l10n';

export const localWords = {
  repeatedId: () => l10n.t('A line before it has the same custom_id, so its answer could not be told apart.'),
  notUtf8: () => l10n.t('The line is not text in UTF-8.'),
};
