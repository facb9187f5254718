import * as vscode from 'vscode';
import type { WireError } from '../../protocol/wire';
import { UserError } from '../../platform/errors/userError';
import { failureOf, openWorker } from '../../platform/workerCalls';
import type { CalledWorker } from '../../platform/workerCalls';
import type { ResultsWorkerCalls, ResultsWorkerData } from './resultsWorkerCalls';

/** A worker that holds the results of a run and ends when disposed. Its calls reject with localized messages. */
export type ResultsReader = CalledWorker<ResultsWorkerCalls>;

export function openResultsReader(extensionUri: vscode.Uri, data: ResultsWorkerData): ResultsReader {
  const script = vscode.Uri.joinPath(extensionUri, 'dist', 'resultsWorker.js');
  return openWorker<ResultsWorkerCalls>({ script, data, worded: workerWords });
}

/** Converts a worker's error to a localized one. The message of a `MakingError` is already localized. */
export function workerWords(error: WireError): Error {
  if (error.kind === 'MakingError') {
    return new UserError(vscode.l10n.t('The file was not written'), error.title);
  }
  return failureOf(error);
}
