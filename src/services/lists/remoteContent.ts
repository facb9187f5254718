import type * as vscode from 'vscode';
import type { Connections } from '../account/connections';
import type { Disposable } from '../../platform/disposables';

/** A file at the service. */
export interface RemoteContent {
  /** An id, or the address a batch names in its place. */
  readonly file: string;
  /** What it is called; its ending tells the editor the language. */
  readonly name: string;
  readonly bytes?: number | undefined;
}

/** Shows and saves what the service says and keeps in its files. */
export interface RemoteContents extends Disposable {
  /** In a read-only editor; what stands after the name's last dot tells its language. */
  show(name: string, text: string): Promise<void>;
  /** A small one in a read-only editor; of a larger one the person is asked where to save it. */
  open(content: RemoteContent): Promise<void>;
  /** Resolves to where it was saved; `undefined` when the person turned away. */
  saveAs(content: RemoteContent): Promise<vscode.Uri | undefined>;
}

export interface RemoteContentsOptions {
  readonly context: Pick<vscode.ExtensionContext, 'globalStorageUri'>;
  readonly connections: Connections;
  /** Asks where to put a file. */
  readonly askWhere?: (proposed: vscode.Uri) => Thenable<vscode.Uri | undefined>;
}

/** Loads what it takes at first use. */
export function createRemoteContents(options: RemoteContentsOptions): RemoteContents {
  let loaded: Promise<RemoteContents> | undefined;
  const load = () => (loaded ??= import('./readOnlyContents').then((module) => new module.ReadOnlyContents(options)));
  return {
    show: async (name, text) => (await load()).show(name, text),
    open: async (content) => (await load()).open(content),
    saveAs: async (content) => (await load()).saveAs(content),
    dispose: () => void loaded?.then((contents) => contents.dispose()),
  };
}
