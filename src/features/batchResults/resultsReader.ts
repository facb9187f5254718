import * as vscode from 'vscode';
import type { WireError } from '../../protocol/wire';
import { UserError } from '../../platform/errors/userError';
import { failureOf, openWorker } from '../../platform/workerCalls';
import type { CalledWorker } from '../../platform/workerCalls';
import type { ResultsWorkerCalls, ResultsWorkerData } from './resultsWorkerCalls';

/** The results of a run in a worker of its own, which ends with this. Its calls reject with words for the person. */
export type ResultsReader = CalledWorker<ResultsWorkerCalls>;

export function openResultsReader(extensionUri: vscode.Uri, data: ResultsWorkerData): ResultsReader {
  const script = vscode.Uri.joinPath(extensionUri, 'dist', 'resultsWorker.js');
  return openWorker<ResultsWorkerCalls>({ script, data, worded: workerWords });
}

/** A worker's error for the person: the engine words what can be mended itself. */
export function workerWords(error: WireError): Error {
  if (error.kind === 'MakingError') {
    return new UserError(vscode.l10n.t('The file was not written'), error.title);
  }
  return failureOf(error);
}
