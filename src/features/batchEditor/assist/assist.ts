import * as vscode from 'vscode';
import { requestSchema } from '../../../core/batch/assist/requestSchema';
import { DisposableStore } from '../../../platform/disposables';
import type { Disposable } from '../../../platform/disposables';
import type { Services } from '../../../services/services';
import type { BatchDocument } from '../batchDocument';
import type { BatchDocuments } from '../batchDocuments';
import { isOfferedLine, lineNow } from '../offeredLine';
import type { SeverityOf } from '../severities';
import { completionTriggers, createCompletion } from './completion';
import { editLine } from './editLine';
import { helpedDocuments } from './helpedText';
import { createHover } from './hover';
import { createLineFiles } from './lineFiles';
import { createLineProblems } from './lineProblems';
import { createLineRecords } from './lineRecords';
import { schemaScheme } from './lineScheme';
import type { LineFiles } from './lineScheme';

export interface Assist extends Disposable {
  readonly lines: LineFiles;
  /** Opens the line that a lens passes, or else the cursor's line in the active file, beside the file as a document. */
  edit(given: { readonly uri: unknown; readonly line: unknown }, active: () => BatchDocument): Promise<void>;
}

/** Completion, hover and problems for requests, both in batch files and in requests edited as documents. */
export function createAssist(
  { context, models, log }: Services,
  documents: BatchDocuments,
  severityOf: SeverityOf,
): Assist {
  const store = new DisposableStore();
  const records = createLineRecords(context.workspaceState, (error) => log.warn('A line is not remembered.', error));
  const known = () => models.state.models;
  // Known models are offered at once; the service is queried in parallel, for the next time.
  const fresh = async () => {
    await models.ready();
    const asked = models.ensureFresh();
    return known().length > 0 ? known() : (await asked).models;
  };
  store.add(
    vscode.languages.registerCompletionItemProvider(
      helpedDocuments,
      createCompletion({ documents, models: fresh }),
      ...completionTriggers,
    ),
  );
  store.add(vscode.languages.registerHoverProvider(helpedDocuments, createHover({ documents, models: known })));
  store.add(createLineProblems(severityOf));
  store.add(
    vscode.workspace.registerTextDocumentContentProvider(schemaScheme, {
      provideTextDocumentContent: () => JSON.stringify(requestSchema()),
    }),
  );
  return {
    lines: createLineFiles(records),
    async edit({ uri, line }, active) {
      const document = uri instanceof vscode.Uri ? documents.get(uri)?.document : undefined;
      const asked = document && isOfferedLine(line) ? lineNow(document, line) : line;
      if (document && typeof asked === 'number' && asked >= 0 && asked < document.lineCount) {
        await editLine(records, document, asked);
      } else {
        await editLine(records, active().document, vscode.window.activeTextEditor?.selection.active.line ?? 0);
      }
    },
    dispose: () => store.dispose(),
  };
}
