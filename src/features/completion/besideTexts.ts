import path from 'node:path';
import * as vscode from 'vscode';
import { DisposableStore } from '../../platform/disposables';
import type { Disposable } from '../../platform/disposables';

/** Throttle: with more frequent changes VS Code never gets to request code lenses. */
const gatherMs = 300;
const scheme = 'inference-desk-completion';

/** Read-only documents for streamed text, shown next to the active editor. Each exists until it is closed. */
export interface BesideTexts extends Disposable {
  /** Creates a document, in the language of `like` if it is a file. */
  add(name: string, like: vscode.Uri | undefined, text?: string): vscode.Uri;
  /** Sets a text, with its line ends normalized to LF, and returns its length. */
  set(uri: vscode.Uri, text: string, options?: { readonly atOnce: boolean }): number;
  /** Resolves when the document has the text that was set last, or is closed. */
  settled(uri: vscode.Uri): Promise<void>;
  /** Shows it where it is already open, or else next to the active editor. Doesn't take the focus. */
  show(uri: vscode.Uri): Promise<void>;
  /** Closes its tabs, including diffs with it. */
  close(uris: readonly vscode.Uri[]): Promise<void>;
  isOne(uri: vscode.Uri): boolean;
  /** Fires when the last tab of a document is closed. */
  readonly onDidClose: vscode.Event<vscode.Uri>;
}

export function createBesideTexts(): BesideTexts {
  return new ContentTexts();
}

class ContentTexts implements BesideTexts {
  private readonly store = new DisposableStore();
  private readonly changed = this.store.add(new vscode.EventEmitter<vscode.Uri>());
  private readonly closed = this.store.add(new vscode.EventEmitter<vscode.Uri>());
  private readonly texts = new Map<string, string>();
  private readonly timers = new Map<string, NodeJS.Timeout>();
  private count = 0;

  readonly onDidClose = this.closed.event;

  constructor() {
    this.store.add({
      dispose: () => {
        for (const timer of this.timers.values()) clearTimeout(timer);
      },
    });
    this.store.add(
      vscode.workspace.registerTextDocumentContentProvider(scheme, {
        onDidChange: this.changed.event,
        provideTextDocumentContent: (uri) => this.texts.get(uri.toString()) ?? '',
      }),
    );
    this.store.add(vscode.workspace.onDidCloseTextDocument(({ uri }) => this.texts.delete(uri.toString())));
    this.store.add(
      vscode.window.tabGroups.onDidChangeTabs((event) => {
        for (const { input } of event.closed) {
          if (!(input instanceof vscode.TabInputText) || !this.isOne(input.uri)) continue;
          if (tabsOf([input.uri]).length === 0) this.closed.fire(input.uri);
        }
      }),
    );
  }

  add(name: string, like: vscode.Uri | undefined, text = ''): vscode.Uri {
    // The path of a cell is that of its notebook, which would open a notebook.
    const ending = like === undefined || like.scheme === 'vscode-notebook-cell' ? '' : path.posix.extname(like.path);
    const extension = ending || '.txt';
    const uri = vscode.Uri.from({ scheme, path: `/${++this.count}/${name.replaceAll('/', '_')}${extension}` });
    this.texts.set(uri.toString(), even(text));
    return uri;
  }

  set(uri: vscode.Uri, text: string, { atOnce } = { atOnce: false }): number {
    const key = uri.toString();
    const content = even(text);
    this.texts.set(key, content);
    if (atOnce) this.tell(uri);
    else if (!this.timers.has(key))
      this.timers.set(
        key,
        setTimeout(() => this.tell(uri), gatherMs),
      );
    return content.length;
  }

  async settled(uri: vscode.Uri): Promise<void> {
    const isSettled = () => {
      const document = vscode.workspace.textDocuments.find((one) => one.uri.toString() === uri.toString());
      return document === undefined || document.getText() === this.texts.get(uri.toString());
    };
    if (isSettled()) return;
    await new Promise<void>((resolve) => {
      const check = () => {
        if (!isSettled()) return;
        listening.dispose();
        resolve();
      };
      const listening = vscode.Disposable.from(
        vscode.workspace.onDidChangeTextDocument(check),
        vscode.workspace.onDidCloseTextDocument(check),
      );
    });
  }

  async show(uri: vscode.Uri): Promise<void> {
    const open = tabsOf([uri]).find(({ input }) => input instanceof vscode.TabInputText);
    await vscode.window.showTextDocument(uri, {
      viewColumn: open?.group.viewColumn ?? vscode.ViewColumn.Beside,
      preserveFocus: true,
      preview: false,
    });
  }

  async close(uris: readonly vscode.Uri[]): Promise<void> {
    await vscode.window.tabGroups.close([...tabsOf(uris)], true);
  }

  isOne({ scheme: its }: vscode.Uri): boolean {
    return its === scheme;
  }

  dispose(): void {
    this.store.dispose();
  }

  private tell(uri: vscode.Uri): void {
    clearTimeout(this.timers.get(uri.toString()));
    this.timers.delete(uri.toString());
    this.changed.fire(uri);
  }
}

function even(text: string): string {
  return text.replaceAll(/\r\n|\r/g, '\n');
}

function tabsOf(uris: readonly vscode.Uri[]): readonly vscode.Tab[] {
  const shown = new Set(uris.map(String));
  return vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .filter(({ input }) => {
      if (input instanceof vscode.TabInputText) return shown.has(input.uri.toString());
      if (!(input instanceof vscode.TabInputTextDiff)) return false;
      return shown.has(input.original.toString()) || shown.has(input.modified.toString());
    });
}
