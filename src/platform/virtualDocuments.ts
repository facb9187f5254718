import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { DisposableStore } from './disposables';
import type { Disposable } from './disposables';

/** Read-only documents created from texts, each retained until its editor is closed. */
export interface VirtualDocuments extends Disposable {
  /** `name` is a file name: its extension determines the language in the editor. */
  add(name: string, text: string): vscode.Uri;
  /** Fires when a document is closed and its text dropped. */
  readonly onDidClose: vscode.Event<vscode.Uri>;
}

export function createVirtualDocuments(scheme: string): VirtualDocuments {
  const store = new DisposableStore();
  const texts = new Map<string, string>();
  const closed = store.add(new vscode.EventEmitter<vscode.Uri>());
  store.add(
    vscode.workspace.registerTextDocumentContentProvider(scheme, {
      provideTextDocumentContent: (uri) => texts.get(uri.toString()),
    }),
  );
  store.add(
    vscode.workspace.onDidCloseTextDocument(({ uri }) => {
      if (texts.delete(uri.toString())) closed.fire(uri);
    }),
  );
  return {
    add(name, text) {
      const uri = vscode.Uri.from({ scheme, path: `/${randomUUID()}/${name.replaceAll('/', '_')}` });
      texts.set(uri.toString(), text);
      return uri;
    },
    onDidClose: closed.event,
    dispose: () => store.dispose(),
  };
}
