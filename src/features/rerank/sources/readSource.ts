import * as vscode from 'vscode';
import { l10n } from 'vscode';
import type { LastEditor } from '../../../platform/workspace/lastEditor';
import type { Settings } from '../../../platform/settings';
import { UserError } from '../../../platform/errors/userError';
import { WorkspaceGuard } from '../../../platform/workspace/workspaceGuard';
import type { RerankSourceKind } from '../../../protocol/rerank';
import { askFiles, readFiles, readTabs } from './filesSource';
import { readProblems } from './problemsSource';
import { mostCharacters } from './rerankSource';
import type { RerankSource } from './rerankSource';
import { readSearch } from './searchSource';
import { readDocument, readSelection } from './selectionSource';
import { checkTrust, tooMuch } from './textOf';

/** Reads what is to be ranked, asking as needed. `undefined` on cancel. */
export async function readSource(
  kind: RerankSourceKind,
  { lastEditor, settings }: { readonly lastEditor: LastEditor; readonly settings: Settings },
  signal?: AbortSignal,
): Promise<RerankSource | undefined> {
  checkTrust();
  switch (kind) {
    case 'selection':
      return readSelection(lastEditor.current());
    case 'file':
      return readDocument(lastEditor.current()?.document);
    case 'tabs':
      return readTabs(await tabGuard(settings), signal);
    case 'files': {
      const uris = await askFiles();
      return uris && readFiles(uris, { signal });
    }
    case 'search':
      return readSearch(await WorkspaceGuard.open(settings));
    case 'problems':
      return readProblems(await tabGuard(settings), signal);
    case 'clipboard':
      return readClipboard();
  }
}

/** Allows files outside the workspace, because the user opened them. */
export function tabGuard(settings: Settings): Promise<WorkspaceGuard> {
  return WorkspaceGuard.open(settings, { allowsElsewhere: true });
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
