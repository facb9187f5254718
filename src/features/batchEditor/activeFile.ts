import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { UserError } from '../../platform/errors/userError';
import type { BatchDocument } from './batchDocument';
import type { BatchDocuments } from './batchDocuments';
import { commandTitle } from '../../platform/contributions';

export function activeDocument(): vscode.TextDocument {
  const editor = vscode.window.activeTextEditor;
  if (editor) return editor.document;
  throw new UserError(l10n.t('No file is open'), l10n.t('Open the batch file first.'));
}

export function openBatch(documents: BatchDocuments): BatchDocument {
  const open = documents.get(activeDocument().uri);
  if (open) return open;
  throw new UserError(
    l10n.t("This isn't a batch file"),
    l10n.t('Run "{0}" first.', commandTitle('inferenceDesk.batchFile.treatAsBatch')),
  );
}

/** Returns the batch file in the active editor, once it is read completely. */
export async function activeBatch(documents: BatchDocuments): Promise<BatchDocument> {
  const open = openBatch(documents);
  await open.loaded;
  return open;
}
