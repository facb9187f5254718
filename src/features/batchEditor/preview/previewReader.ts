import * as vscode from 'vscode';
import type { WireError } from '../../../protocol/wire';
import { UserError } from '../../../platform/errors/userError';
import { failureOf, openWorker } from '../../../platform/workerCalls';
import type { CalledWorker } from '../../../platform/workerCalls';
import type { PreviewWorkerCalls, PreviewWorkerData } from './previewWorkerCalls';

/** A worker that holds one file and ends when disposed. Its calls reject with localized messages. */
export type PreviewReader = CalledWorker<PreviewWorkerCalls>;

export function openReader(script: vscode.Uri, data: PreviewWorkerData): PreviewReader {
  return openWorker<PreviewWorkerCalls>({ script, data, worded });
}

function worded(error: WireError): Error {
  switch (error.kind) {
    case 'ENOENT':
      return new UserError(
        vscode.l10n.t('The file is not there any more'),
        vscode.l10n.t('It was moved or deleted. Put it back, or open the preview of another file.'),
      );
    case 'EISDIR':
      return new UserError(
        vscode.l10n.t('This is not a file'),
        vscode.l10n.t('Open the preview of a file whose lines are requests.'),
      );
    default:
      return failureOf(error);
  }
}
