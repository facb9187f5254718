import * as vscode from 'vscode';
import { listedModels } from '../../../core/batch/fileRules';
import type { PreviewLoaded } from '../../../core/batch/preview/previewFile';
import type { Severity } from '../../../core/batch/problem';
import type { Disposable } from '../../../platform/disposables';
import { UserError } from '../../../platform/errors/userError';
import { createWorkerReading, failureOf, openWorker } from '../../../platform/workerReading';
import type { CalledWorker, Progress } from '../../../platform/workerReading';
import type { WireError } from '../../../protocol/wire';
import type { Services } from '../../../services/services';
import type { PreviewWorkerCalls, PreviewWorkerData } from './previewWorkerCalls';

/** The file of a preview, read on first request, whether or not a page is there to show it. */
export interface PreviewSource extends Disposable {
  /** Resolves once the file is read or reading was stopped. `again` reads it from scratch. */
  load(again: boolean, onProgress: Progress, signal: AbortSignal): Promise<PreviewLoaded>;
  stop(): void;
  readonly call: CalledWorker<PreviewWorkerCalls>['call'];
}

export function createPreviewSource(services: Services, uri: vscode.Uri): PreviewSource {
  const { context, settings, models } = services;
  const script = vscode.Uri.joinPath(context.extensionUri, 'dist', 'previewWorker.js');
  const reading = createWorkerReading<PreviewWorkerCalls, PreviewLoaded>((reader, options) =>
    reader.call('load', {}, options),
  );
  const open = () => {
    return openReader(script, {
      path: uri.fsPath,
      severities: severities(settings.get('batch.severities')),
      models: listedModels(models.state.models),
      translations: vscode.l10n.bundle,
    });
  };
  return { ...reading, load: (again, onProgress, signal) => reading.load(open, { again, onProgress, signal }) };
}

/** Maps the severities to the three levels of the preview. */
function severities(set: Readonly<Record<string, string>>): Readonly<Record<string, Severity | null>> {
  const known: Readonly<Record<string, Severity | null>> = {
    error: 'error',
    warning: 'warning',
    information: 'hint',
    hint: 'hint',
    off: null,
  };
  return Object.fromEntries(Object.entries(set).map(([code, severity]) => [code, known[severity] ?? 'hint']));
}

/** Opens a worker that holds one file. Its calls reject with localized messages. */
export function openReader(script: vscode.Uri, data: PreviewWorkerData): CalledWorker<PreviewWorkerCalls> {
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
