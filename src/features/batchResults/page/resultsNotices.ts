import { l10n } from 'vscode';
import type { ResultsSummary as Read } from '../../../core/batch/results/resultsView';
import type { ResultsNotice } from '../../../protocol/batchResults';

const tones = { error: 'error', warning: 'warning', info: 'info' } as const;

/** Notices about the files, with the actions that fix the problem. */
export function readNotices({ notices, input, files }: Read): readonly ResultsNotice[] {
  const findInput = { id: 'findInput', label: l10n.t('Find the Input…') };
  const fetchAgain = { id: 'fetchAgain', label: l10n.t('Fetch Again') };
  const isCutShort = files.some(({ badLines, trouble }) => trouble || badLines.some(({ kind }) => kind === 'torn'));
  return [
    ...notices.map(({ severity, text, about }) => ({
      tone: tones[severity],
      title: text,
      detail: '',
      actions: [...(about === 'input' ? [findInput] : []), ...(about === 'results' && isCutShort ? [fetchAgain] : [])],
    })),
    ...(input
      ? []
      : [
          {
            tone: 'warning' as const,
            title: l10n.t('The batch file is not known here'),
            detail: l10n.t('Without it the results stand alone: no requests beside them, and nothing that is missing.'),
            actions: [findInput],
          },
        ]),
  ];
}
