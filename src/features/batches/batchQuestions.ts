import * as vscode from 'vscode';
import { l10n } from 'vscode';
import type { BatchRow } from '../../services/batches/batchRow';
import { progressText } from '../../services/batches/batchMessages';
import { nameWords } from './rowWords';
import { showMessage } from '../../platform/notify';
import { foreign } from '../../core/text/foreignText';

/** Confirmations before actions that cannot be undone. Each resolves to false if the user declines. */
export interface BatchQuestions {
  cancel(row: BatchRow): Promise<boolean>;
  /** Asked for a job whose outcome is unknown. */
  createAgain(row: BatchRow): Promise<boolean>;
  forget(row: BatchRow): Promise<boolean>;
  /** Asks for the input file; `undefined` if the user cancels. */
  input(row: BatchRow): Promise<vscode.Uri | undefined>;
}

export const batchQuestions: BatchQuestions = {
  cancel(row) {
    const progress = row.batch && progressText(row.batch, vscode.env.language);
    const kept = l10n.t('Answers that are there already are kept and paid for; the rest is not run.');
    return confirm({
      title: l10n.t('Cancel the batch “{0}”?', foreign(nameWords(row))),
      detail: progress === undefined ? kept : l10n.t('Done so far: {0}. {1}', progress, kept),
      action: l10n.t('Cancel Batch'),
      stay: l10n.t('Let It Run'),
    });
  },
  createAgain: (row) =>
    confirm({
      title: l10n.t('Create the batch “{0}” again?', foreign(nameWords(row))),
      detail: l10n.t(
        'Whether the service made it is not known. It is looked for once more first; where it is there but not listed, the requests run and are paid for twice.',
      ),
      action: l10n.t('Create Again'),
      stay: l10n.t('Wait'),
    }),
  forget: (row) =>
    confirm({
      title: l10n.t('Forget “{0}”?', foreign(nameWords(row))),
      detail: row.batch
        ? l10n.t(
            'It is not followed any more, and no link to its file and results is kept. The batch stays at the service, and files stay on disk.',
          )
        : row.job?.stage === 'unknown'
          ? l10n.t('It is not looked for any more, although the service may have made it. Files stay where they are.')
          : l10n.t('What was ordered is not kept any more. Files stay where they are.'),
      action: l10n.t('Forget'),
      stay: l10n.t('Keep'),
    }),
  async input(row) {
    const [uri] =
      (await vscode.window.showOpenDialog({
        title: l10n.t('The file that “{0}” was made of', foreign(nameWords(row))),
        openLabel: l10n.t('Link'),
        filters: { [l10n.t('JSON Lines')]: ['jsonl'], [l10n.t('All Files')]: ['*'] },
      })) ?? [];
    return uri;
  },
};

interface Question {
  readonly title: string;
  readonly detail: string;
  readonly action: string;
  /** Label of the negative button. The editor's own "Cancel" would be mistaken for cancelling the batch. */
  readonly stay: string;
}

async function confirm({ title, detail, action, stay }: Question): Promise<boolean> {
  const yes = { title: action };
  const no = { title: stay, isCloseAffordance: true };
  return (await showMessage('warning', title, { modal: true, detail }, yes, no)) === yes;
}
