import * as vscode from 'vscode';
import { DisposableStore } from '../../../platform/disposables';
import type { Disposable } from '../../../platform/disposables';
import { codeLens } from '../../../platform/notify';

/**
 * Deltas are collected for this long before they are shown; the first one is shown at once. If a document changes more often than
 * every 250 ms, the editor never gets to request its code lenses.
 */
const gatherMs = 300;
/** After the lenses changed, the next update waits this much longer, so that the editor can request them. */
const lensesMs = 400;
const scheme = 'inference-desk-try';
const uri = vscode.Uri.from({ scheme, path: `/${vscode.l10n.t('Tried Line')}.md` });

/** A code lens of the document, above one of its lines. */
export interface TrialLens {
  readonly line: number;
  /** A codicon before the title. */
  readonly icon?: string;
  readonly title: string;
  readonly command: string;
  readonly argument?: string;
}

/** The read-only document beside a batch file that shows the result of the last tried line. */
export interface TrialDocument extends Disposable {
  /** Opens beside the active editor, or reveals the document where it is already open. The focus does not move. */
  show(): Promise<void>;
  /** To be called when the text changed. `atOnce` shows it immediately and refreshes the lenses too. */
  refresh(options?: { readonly atOnce: boolean }): void;
  /** Fires when the user closed the document. */
  readonly onDidClose: vscode.Event<void>;
}

export interface TrialDocumentOptions {
  readonly text: () => string;
  readonly lenses: () => readonly TrialLens[];
}

export function createTrialDocument({ text, lenses }: TrialDocumentOptions): TrialDocument {
  const store = new DisposableStore();
  const changed = store.add(new vscode.EventEmitter<vscode.Uri>());
  const lensesChanged = store.add(new vscode.EventEmitter<void>());
  const closed = store.add(new vscode.EventEmitter<void>());
  let timer: NodeJS.Timeout | undefined;
  let lastTold = 0;

  const tell = () => {
    clearTimeout(timer);
    timer = undefined;
    lastTold = Date.now();
    changed.fire(uri);
  };
  store.add({ dispose: () => clearTimeout(timer) });
  store.add(
    vscode.workspace.registerTextDocumentContentProvider(scheme, {
      onDidChange: changed.event,
      provideTextDocumentContent: text,
    }),
  );
  store.add(
    vscode.languages.registerCodeLensProvider(
      { scheme },
      { onDidChangeCodeLenses: lensesChanged.event, provideCodeLenses: () => lenses().map(toCodeLens) },
    ),
  );
  store.add(
    vscode.window.tabGroups.onDidChangeTabs((event) => {
      if (event.closed.some(isOurs) && !openTab()) closed.fire();
    }),
  );
  return {
    async show() {
      await vscode.window.showTextDocument(uri, {
        viewColumn: openTab()?.group.viewColumn ?? vscode.ViewColumn.Beside,
        preserveFocus: true,
        preview: false,
      });
    },
    refresh({ atOnce } = { atOnce: false }) {
      if (atOnce) {
        tell();
        lensesChanged.fire();
        lastTold += lensesMs;
      } else timer ??= setTimeout(tell, Math.max(0, gatherMs - (Date.now() - lastTold)));
    },
    onDidClose: closed.event,
    dispose: () => store.dispose(),
  };
}

function openTab(): vscode.Tab | undefined {
  return vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs).find(isOurs);
}

function isOurs({ input }: vscode.Tab): boolean {
  return input instanceof vscode.TabInputText && input.uri.toString() === uri.toString();
}

function toCodeLens({ line, argument, ...lens }: TrialLens): vscode.CodeLens {
  const given = argument === undefined ? {} : { arguments: [argument] };
  return codeLens(new vscode.Range(line, 0, line, 0), { ...lens, ...given });
}
