import { parentPort, workerData } from 'node:worker_threads';
import { useTranslations } from '../../core/batch/words/translate';
import { createResponder } from '../../protocol/responder';
import type { ToHost } from '../../protocol/wire';
import { workerFailure } from '../../protocol/workerFailure';
import { compareHandlers, resultsHandlers } from './resultsHandlers';
import type { ResultsWorkerData } from './resultsWorkerCalls';

const { run, with: other, translations } = workerData as ResultsWorkerData;
useTranslations(translations);

const post = (message: unknown) => parentPort?.postMessage(message);
const responder = other
  ? createResponder(compareHandlers({ a: run, b: other }), post, workerFailure)
  : createResponder(resultsHandlers(run), post, workerFailure);
parentPort?.on('message', (message: ToHost) => void responder.receive(message));
