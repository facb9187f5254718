import * as vscode from 'vscode';
import { env, l10n } from 'vscode';
import { DisposableStore } from '../../../platform/disposables';
import type { Disposable } from '../../../platform/disposables';
import type { RerankSource, SourceText } from '../sources/rerankSource';
import { stillStands } from './liveRange';
import { listText } from '../../../protocol/formats';

/** Debounce, because the whole text is compared. */
const quietMs = 300;
const mostNames = 3;

/** Watches whether the texts of a source are unchanged in their editors. Ignores files that are not open. */
export interface SourceWatch extends Disposable {
  /** Localized; `undefined` while nothing has changed. */
  readonly changed: string | undefined;
}

export function watchSource(source: RerankSource, onChange: () => void): SourceWatch {
  const store = new DisposableStore();
  const byUri = new Map<string, SourceText[]>();
  for (const text of source.texts) {
    if (text.at && !text.at.isAbout) byUri.set(text.at.uri, [...(byUri.get(text.at.uri) ?? []), text]);
  }
  const others = new Set<string>();
  const waiting = new Map<string, NodeJS.Timeout>();

  const look = (document: vscode.TextDocument) => {
    const uri = document.uri.toString();
    const texts = byUri.get(uri) ?? [];
    const isOther = texts.some((text) => !stillStands(document, source, text));
    if (isOther === others.has(uri)) return;
    if (isOther) others.add(uri);
    else others.delete(uri);
    onChange();
  };
  const lookLater = (document: vscode.TextDocument) => {
    const uri = document.uri.toString();
    if (!byUri.has(uri)) return;
    clearTimeout(waiting.get(uri));
    waiting.set(
      uri,
      setTimeout(() => look(document), quietMs),
    );
  };
  store.add(vscode.workspace.onDidChangeTextDocument(({ document }) => lookLater(document)));
  store.add(vscode.workspace.onDidOpenTextDocument(lookLater));
  store.add({ dispose: () => waiting.forEach((timer) => clearTimeout(timer)) });
  for (const document of vscode.workspace.textDocuments) lookLater(document);

  return {
    get changed() {
      if (others.size === 0) return undefined;
      const names = [...new Set([...others].flatMap((uri) => byUri.get(uri)?.[0]?.name ?? []))];
      const shown = listText([...names.slice(0, mostNames), names.length > mostNames ? '…' : ''], env.language);
      return source.kind === 'selection'
        ? l10n.t('{0} was edited. To rank it as it is now, select it and choose Rerank Selection.', shown)
        : l10n.t('Edited: {0}. What is ranked here is the text of before.', shown);
    },
    dispose: () => store.dispose(),
  };
}
