import * as vscode from 'vscode';
import { DisposableStore } from '../../platform/disposables';
import type { Disposable } from '../../platform/disposables';
import type { BatchDocument } from './batchDocument';
import type { BatchDocuments } from './batchDocuments';
import { toDiagnostics } from './diagnostics';
import type { ShownProblems } from './diagnostics';
import { createDebounce } from '../../platform/debounce';
import type { Services } from '../../services/services';
import { inSlices } from './logic/slices';

/** Problems are collected after a pause in typing of this length. */
const pauseMs = 80;

export interface ProblemCounts {
  readonly errors: number;
  readonly warnings: number;
}

/** Publishes the problems of batch files as diagnostics. */
export interface Publisher extends Disposable {
  readonly documents: BatchDocuments;
  /** Counts of all problems, shown or not, as of the last publication. */
  counts(uri: vscode.Uri): ProblemCounts | undefined;
  readonly onDidPublish: vscode.Event<vscode.Uri>;
}

interface Gathering {
  isCancellationRequested: boolean;
}

function stop(one: Gathering): void {
  one.isCancellationRequested = true;
}

export function createPublisher({ log }: Services, documents: BatchDocuments): Publisher {
  const store = new DisposableStore();
  const shown = store.add(vscode.languages.createDiagnosticCollection('inferenceDesk.batchFile'));
  const published = store.add(new vscode.EventEmitter<vscode.Uri>());
  const pauses = store.add(createDebounce(pauseMs));

  const counted = new Map<string, ShownProblems['counts']>();
  const gathering = new Map<string, Gathering>();
  store.add({ dispose: () => gathering.forEach(stop) });

  const publish = async (open: BatchDocument) => {
    const { uri } = open.document;
    const mine = { isCancellationRequested: false };
    gathering.set(uri.toString(), mine);
    const found = await inSlices(toDiagnostics(uri, documents.problemsOf(open), documents.severityOf), mine);
    if (!found || mine.isCancellationRequested) return;
    gathering.delete(uri.toString());
    counted.set(uri.toString(), found.counts);
    // After most keystrokes there are no problems, as before.
    if (found.diagnostics.length > 0 || shown.get(uri)?.length) shown.set(uri, found.diagnostics);
    published.fire(uri);
  };
  const stopGathering = (key: string) => {
    const one = gathering.get(key);
    if (one) stop(one);
    gathering.delete(key);
  };
  const publishLater = (open: BatchDocument) => {
    const key = open.document.uri.toString();
    // A collection that is still running belongs to an older version of the file.
    stopGathering(key);
    const report = (error: unknown) => log.error('The problems in a batch file could not be collected.', error);
    pauses.start(key, () => void publish(open).catch(report));
  };
  const forget = (uri: vscode.Uri) => {
    const key = uri.toString();
    pauses.cancel(key);
    stopGathering(key);
    counted.delete(key);
    shown.delete(uri);
  };
  store.add(documents.onDidChange(publishLater));
  store.add(documents.onDidClose(forget));
  store.add(
    documents.onDidChangeRules(() => {
      for (const open of documents.all()) if (open.isLoaded) publishLater(open);
    }),
  );
  return {
    counts(uri) {
      const counts = counted.get(uri.toString());
      if (!counts) return undefined;
      const count = (severity: vscode.DiagnosticSeverity) => counts.get(severity) ?? 0;
      return { errors: count(vscode.DiagnosticSeverity.Error), warnings: count(vscode.DiagnosticSeverity.Warning) };
    },
    documents,
    onDidPublish: published.event,
    dispose: () => store.dispose(),
  };
}
