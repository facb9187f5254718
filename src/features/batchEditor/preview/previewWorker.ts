import { parentPort, workerData } from 'node:worker_threads';
import { throttle } from '../../../core/batch/throttle';
import { PreviewFile } from '../../../core/batch/preview/previewFile';
import { defaultSeverities } from '../../../core/batch/problem';
import type { ProblemCode } from '../../../core/batch/problem';
import { useTranslations } from '../../../core/text/useTranslations';
import type { Handlers } from '../../../protocol/call';
import { createResponder } from '../../../protocol/responder';
import type { ToHost } from '../../../protocol/wire';
import { workerFailure } from '../../../protocol/workerFailure';
import type { PreviewWorkerCalls, PreviewWorkerData } from './previewWorkerCalls';

const { path, severities, models, rules, translations } = workerData as PreviewWorkerData;
useTranslations(translations);

let file: PreviewFile | undefined;

function opened(): PreviewFile {
  if (file) return file;
  throw new Error('The file was not read yet.');
}

const handlers: Handlers<PreviewWorkerCalls> = {
  async load(_params, { signal, emit }) {
    const isTime = throttle();
    const severityOf = (code: ProblemCode) =>
      severities[code] === undefined ? defaultSeverities[code] : (severities[code] ?? undefined);
    const onProgress = (bytes: number, total: number) => void (isTime() && emit({ bytes, total }));
    file = await PreviewFile.open(path, { severityOf, models, rules }, { signal, onProgress });
    return file.loaded;
  },
  async arrange({ query, ...choice }, { signal, emit }) {
    const isTime = throttle();
    const onProgress = (bytes: number, found: number, show: () => void) => {
      if (!isTime()) return;
      show();
      emit({ part: bytes / Math.max(1, opened().loaded.bytes), found });
    };
    return { count: await opened().arrange(choice, query, { signal, onProgress }) };
  },
  rows: async ({ from, count }) => opened().rows(from, count),
  async find({ line }) {
    const index = opened().indexOf(line);
    return index === undefined ? {} : { index };
  },
  line: async ({ line }) => opened().line(line),
};

const responder = createResponder<PreviewWorkerCalls>(
  handlers,
  (message) => parentPort?.postMessage(message),
  workerFailure,
);
parentPort?.on('message', (message: ToHost) => void responder.receive(message));
