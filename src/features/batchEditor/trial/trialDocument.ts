import * as vscode from 'vscode';
import { DisposableStore } from '../../../platform/disposables';
import type { Disposable } from '../../../platform/disposables';
import { codeLens } from '../../../platform/notify';

/**
 * Pieces are gathered for so long before they are shown; the first one does not wait. Where a document changes more often than
 * every 250 ms the editor does not get round to asking for its lenses.
 */
const gatherMs = 300;
/** After they changed it gets so much longer for that. */
const lensesMs = 400;
const scheme = 'inference-desk-try';
const uri = vscode.Uri.from({ scheme, path: `/${vscode.l10n.t('Tried Line')}.md` });

/** A lens of the document, above one of its lines. */
export interface TrialLens {
  readonly line: number;
  /** Of the editor, before the title. */
  readonly icon?: string;
  readonly title: string;
  readonly command: string;
  readonly argument?: string;
}

/** The read-only document beside a batch file that shows what came of the line tried last. */
export interface TrialDocument extends Disposable {
  /** Beside the active editor, or where it is already. The focus stays. */
  show(): Promise<void>;
  /** What it says was changed; its lenses too where this is to be seen at once. */
  refresh(options?: { readonly atOnce: boolean }): void;
  /** The person closed it. */
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
