import * as vscode from 'vscode';
import type { WireError } from '../../protocol/wire';
import { UserError } from '../../platform/userError';
import { openWorker } from '../../platform/workerCalls';
import type { CalledWorker } from '../../platform/workerCalls';
import type { ResultsWorkerCalls, ResultsWorkerData } from './resultsWorkerCalls';

/** The results of a run in a worker of its own, which ends with this. Its calls reject with words for the person. */
export type ResultsReader = CalledWorker<ResultsWorkerCalls>;

export function openResultsReader(extensionUri: vscode.Uri, data: ResultsWorkerData): ResultsReader {
  const script = vscode.Uri.joinPath(extensionUri, 'dist', 'resultsWorker.js');
  return openWorker<ResultsWorkerCalls>({ script, data, worded: workerWords });
}

/** A worker's error for the person: the engine words what can be mended itself. */
export function workerWords({ kind, title }: WireError): Error {
  if (kind === 'MakingError') {
    return new UserError(vscode.l10n.t('The file was not written'), title);
  }
  switch (kind) {
    case 'EMFILE':
    case 'ENFILE':
      return new UserError(
        vscode.l10n.t('Too many files are open'),
        vscode.l10n.t('Close some other programs or tabs, then try again.'),
      );
    case 'EACCES':
    case 'EPERM':
      return new UserError(
        vscode.l10n.t('The file may not be read or written'),
        vscode.l10n.t('Its permissions keep this editor out. Change them, then try again.'),
      );
    default:
      return new Error(title);
  }
}
