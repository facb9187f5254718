import * as vscode from 'vscode';
import { DisposableStore } from '../../platform/disposables';
import type { Disposable } from '../../platform/disposables';
import { openBatchDocument } from './batchDocument';
import type { BatchDocument } from './batchDocument';
import type { BatchDecisions } from './decisions';
import { createDebounce } from '../../platform/debounce';

/** A file being typed is checked for being a batch file after a pause of this length. */
const settleMs = 300;

/** The open batch files. */
export interface BatchDocuments extends Disposable {
  get(uri: vscode.Uri): BatchDocument | undefined;
  readonly all: Iterable<BatchDocument>;
  /** Fires when a batch file was opened and read, or edited. */
  readonly onDidChange: vscode.Event<BatchDocument>;
  /** Fires when a batch file was closed, or is no longer one. */
  readonly onDidClose: vscode.Event<vscode.Uri>;
  /** Checks again which of the open documents are batch files. */
  refresh(): void;
}

export function createBatchDocuments(decisions: BatchDecisions, report: (error: unknown) => void): BatchDocuments {
  const store = new DisposableStore();
  const open = new Map<string, BatchDocument>();
  const changed = store.add(new vscode.EventEmitter<BatchDocument>());
  const closed = store.add(new vscode.EventEmitter<vscode.Uri>());
  const pauses = store.add(createDebounce(settleMs));

  const tellLoaded = (one: BatchDocument) => void one.loaded.then(() => one.isLoaded && changed.fire(one), report);
  const lookAtFile = (one?: BatchDocument) =>
    void one?.lookAtFile().then((isOther) => isOther && one.isLoaded && changed.fire(one), report);
  const add = (document: vscode.TextDocument) => {
    const key = document.uri.toString();
    if (open.has(key) || !decisions.isBatch(document)) return;
    const opened = openBatchDocument(document);
    open.set(key, opened);
    tellLoaded(opened);
    lookAtFile(opened);
  };
  const remove = ({ uri }: vscode.TextDocument) => {
    const key = uri.toString();
    pauses.cancel(key);
    const known = open.get(key);
    if (!known) return;
    known.dispose();
    open.delete(key);
    closed.fire(uri);
  };
  const edit = ({ document, contentChanges }: vscode.TextDocumentChangeEvent) => {
    const known = open.get(document.uri.toString());
    if (known) {
      if (followEdit(known, contentChanges)) tellLoaded(known);
      else if (known.isLoaded) changed.fire(known);
    } else if (document.languageId === 'jsonl') {
      pauses.start(document.uri.toString(), () => !document.isClosed && add(document));
    }
  };

  store.add(vscode.workspace.onDidOpenTextDocument(add));
  store.add(vscode.workspace.onDidCloseTextDocument(remove));
  store.add(vscode.workspace.onDidSaveTextDocument(({ uri }) => lookAtFile(open.get(uri.toString()))));
  store.add(vscode.workspace.onDidChangeTextDocument(edit));
  const refresh = () => {
    for (const document of vscode.workspace.textDocuments) (decisions.isBatch(document) ? add : remove)(document);
  };
  refresh();
  return {
    get: (uri) => open.get(uri.toString()),
    get all() {
      return open.values();
    },
    onDidChange: changed.event,
    onDidClose: closed.event,
    refresh,
    dispose() {
      store.dispose();
      for (const document of open.values()) document.dispose();
    },
  };
}

/** Passes the edit on. Returns whether the document is read again because of it. */
function followEdit(known: BatchDocument, changes: readonly vscode.TextDocumentContentChangeEvent[]): boolean {
  const wasLoaded = known.isLoaded;
  if (changes.length > 0) known.change(changes);
  return wasLoaded && !known.isLoaded;
}
