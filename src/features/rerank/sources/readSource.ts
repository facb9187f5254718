import * as vscode from 'vscode';
import { l10n } from 'vscode';
import type { LastEditor } from '../../../platform/lastEditor';
import { UserError } from '../../../platform/userError';
import type { RerankSourceKind } from '../../../protocol/rerank';
import { askFiles, readFiles, readTabs } from './filesSource';
import { readProblems } from './problemsSource';
import { mostCharacters } from './rerankSource';
import type { RerankSource } from './rerankSource';
import { readSearch } from './searchSource';
import { readDocument, readSelection } from './selectionSource';
import { checkTrust, tooMuch } from './textOf';

/** Reads what is to be ranked, and asks what it needs to know for it. `undefined` where a person thought better of it. */
export async function readSource(
  kind: RerankSourceKind,
  lastEditor: LastEditor,
  signal?: AbortSignal,
): Promise<RerankSource | undefined> {
  checkTrust();
  switch (kind) {
    case 'selection':
      return readSelection(lastEditor.current());
    case 'file':
      return readDocument(lastEditor.current());
    case 'tabs':
      return readTabs(signal);
    case 'files': {
      const uris = await askFiles();
      return uris && readFiles(uris, signal);
    }
    case 'search':
      return readSearch();
    case 'problems':
      return readProblems(signal);
    case 'clipboard':
      return readClipboard();
  }
}

async function readClipboard(): Promise<RerankSource> {
  const text = await vscode.env.clipboard.readText();
  const name = l10n.t('Clipboard');
  if (text.trim() === '') {
    throw new UserError(
      l10n.t('There is no text in the clipboard'),
      l10n.t('Copy the text that is to be ranked, then try again.'),
    );
  }
  if (text.length > mostCharacters) throw tooMuch(name);
  return { kind: 'clipboard', title: name, texts: [{ text, name, languageId: 'plaintext' }], remarks: [] };
}
