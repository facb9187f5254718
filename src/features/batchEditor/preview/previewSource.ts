import * as vscode from 'vscode';
import { listedModels } from '../../../core/batch/fileRules';
import type { PreviewLoaded } from '../../../core/batch/preview/previewFile';
import type { Severity } from '../../../core/batch/problem';
import type { Disposable } from '../../../platform/disposables';
import { createWorkerReading } from '../../../platform/workerReading';
import type { Progress } from '../../../platform/workerReading';
import type { Services } from '../../../services/services';
import { openReader } from './previewReader';
import type { PreviewReader } from './previewReader';
import type { PreviewWorkerCalls } from './previewWorkerCalls';

/** The file of a preview, read on first request, whether or not a page is there to show it. */
export interface PreviewSource extends Disposable {
  /** Resolves once the file is read or reading was stopped. `again` reads it from scratch. */
  load(again: boolean, onProgress: Progress, signal: AbortSignal): Promise<PreviewLoaded>;
  stop(): void;
  readonly call: PreviewReader['call'];
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
