import * as l10n from '@vscode/l10n';

export const reportWords = {
  none: () => l10n.t('No problems.'),
  problems: (count: number) => (count === 1 ? l10n.t('1 problem') : l10n.t('{0} problems', count)),
};
