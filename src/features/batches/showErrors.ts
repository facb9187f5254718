import { env, l10n } from 'vscode';
import type { BatchRow } from '../../services/batches/batches';
import { faultText } from '../../services/batches/batchMessages';
import type { Services } from '../../services/services';
import { nameWords, stateWords } from './rowWords';

/** Opens the errors the service reports for a batch. */
export async function showErrors(row: BatchRow, { contents }: Services): Promise<void> {
  await contents.show(`${nameWords(row)}.txt`, errorsText(row));
}

/** Formats the service's own error messages as a document. */
function errorsText(row: BatchRow): string {
  const { batch } = row;
  const errors = (batch?.errors ?? []).map((fault) => faultText(fault, env.language));
  const head = [nameWords(row), batch?.id ?? '', l10n.t('Status: {0}', stateWords(row))].filter(Boolean);
  return `${[...head, '', l10n.t('The service says:'), '', ...errors].join('\n')}\n`;
}
