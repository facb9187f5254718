import { l10n } from 'vscode';
import { freeCustomId } from '../../core/conversation/export/appendLine';
import { toBatchLine } from '../../core/conversation/export/batchLine';
import { appendBatchLine } from '../../services/batchFiles/appendBatchLine';
import type { Settings } from '../../platform/settings';
import { UserError } from '../../platform/errors/userError';
import type { Exportable } from './exportable';

/** Asks for a batch file and adds the conversation's request to it. */
export async function addBatchLine({ request }: Exportable, settings: Settings): Promise<void> {
  if (!request) {
    throw new UserError(
      l10n.t('Nothing to add yet'),
      l10n.t('Ask something, or type a question and choose a model; its request becomes the line.'),
    );
  }
  await appendBatchLine((content) => toBatchLine(request, freeCustomId(content, 'chat')), settings);
}
