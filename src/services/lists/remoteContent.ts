import type * as vscode from 'vscode';
import type { Connections } from '../account/account';
import type { Disposable } from '../../platform/disposables';
import { withLazyMethods } from '../../platform/lazy';

/** A file stored at the service. */
export interface RemoteContent {
  /** An id, or the URL that a batch uses in its place. */
  readonly file: string;
  /** The file's name; its extension determines the language in the editor. */
  readonly name: string;
  readonly bytes?: number | undefined;
}

/** Shows and saves messages of the service and the content of its files. */
export interface RemoteContents extends Disposable {
  /** Opens a read-only editor; the extension of the name determines its language. */
  show(name: string, text: string): Promise<void>;
  /** Opens a small file in a read-only editor; for a larger one, asks the user where to save it. */
  open(content: RemoteContent): Promise<void>;
  /** Resolves with where it was saved, or `undefined` if the user cancelled. */
  saveAs(content: RemoteContent): Promise<vscode.Uri | undefined>;
}

/** Asks the user where to save a file; `undefined`: nowhere. */
export type AskWhere = (proposed: vscode.Uri) => Thenable<vscode.Uri | undefined>;

/** Loads its implementation on first use. `askWhere` replaces the save dialog. */
export function createRemoteContents(
  context: vscode.ExtensionContext,
  connections: Connections,
  askWhere?: AskWhere,
): RemoteContents {
  let loaded: Promise<RemoteContents> | undefined;
  const load = () =>
    (loaded ??= import('./readOnlyContents').then(
      (module) => new module.ReadOnlyContents(context, connections, askWhere),
    ));
  const dispose = () => void loaded?.then((contents) => contents.dispose());
  return withLazyMethods({ dispose }, load);
}
