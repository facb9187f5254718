import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { DisposableStore } from '../disposables';
import type { Replacement, Replacements } from './replacements';
import { UserError } from '../errors/userError';
import { createVirtualDocuments } from '../virtualDocuments';
import { readOnlyError, writeInDocument } from './writeEdits';

interface Pending extends Pick<Replacement, 'range' | 'text' | 'onApplied'> {
  readonly document: vscode.Uri;
  /** The whole text of the document before the change. */
  readonly before: string;
}

/** Also used in a `when` clause of package.json. */
const scheme = 'inference-desk-proposal';

export function createReplacementDiffs(): Replacements {
  const store = new DisposableStore();
  const proposals = store.add(createVirtualDocuments(scheme));
  const pending = new Map<string, Pending>();
  store.add(proposals.onDidClose((uri) => pending.delete(uri.toString())));

  const find = (proposal: unknown): readonly [vscode.Uri, Pending] => {
    const uri = proposal instanceof vscode.Uri ? proposal : activeProposal();
    const found = uri && pending.get(uri.toString());
    if (!uri || !found) throw nothingWaits();
    return [uri, found];
  };

  return {
    async propose({ document, range, text, title, viewColumn, onApplied }) {
      await checkWritable(document.uri);
      const before = document.getText();
      const after = before.slice(0, document.offsetAt(range.start)) + text + before.slice(document.offsetAt(range.end));
      const uri = proposals.add(nameOf(document), after);
      pending.set(uri.toString(), { document: document.uri, range, before, text, ...(onApplied && { onApplied }) });
      const place = { viewColumn: viewColumn ?? vscode.ViewColumn.Active, preview: true };
      await vscode.commands.executeCommand('vscode.diff', document.uri, uri, title(nameOf(document)), place);
    },
    async apply(proposal) {
      const [uri, { document: target, range, before, text, onApplied }] = find(proposal);
      const document = await vscode.workspace.openTextDocument(target);
      if (document.getText() !== before) throw changedMeanwhile();
      if ((await writeInDocument(document, [new vscode.TextEdit(range, text)])) !== 'written') throw notEditable();
      pending.delete(uri.toString());
      await closeDiff(uri);
      const end = document.positionAt(document.offsetAt(range.start) + textLength(document, text));
      const written = new vscode.Range(range.start, end);
      await vscode.window.showTextDocument(document, { selection: written });
      onApplied?.(written);
    },
    async discard(proposal) {
      const [uri] = find(proposal);
      pending.delete(uri.toString());
      await closeDiff(uri);
    },
    dispose: () => store.dispose(),
  };
}

/** Returns the length of the text in the document, which uses its own line endings. */
function textLength(document: vscode.TextDocument, text: string): number {
  const lineEnd = document.eol === vscode.EndOfLine.CRLF ? '\r\n' : '\n';
  return text.replaceAll(/\r\n?|\n/g, lineEnd).length;
}

function nameOf({ uri }: vscode.TextDocument): string {
  return uri.path.split('/').at(-1) ?? '';
}

function activeProposal(): vscode.Uri | undefined {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  return input instanceof vscode.TabInputTextDiff ? input.modified : undefined;
}

async function closeDiff(uri: vscode.Uri): Promise<void> {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  const isItsDiff = ({ input }: vscode.Tab) =>
    input instanceof vscode.TabInputTextDiff && input.modified.toString() === uri.toString();
  await vscode.window.tabGroups.close(tabs.filter(isItsDiff));
}

/** Documents that are editable without a file system. */
const fileless: readonly string[] = ['untitled', 'vscode-notebook-cell'];

/** Throws if the document is read-only, because the user shouldn't decide on a change that can't be made. */
export async function checkWritable(uri: vscode.Uri): Promise<void> {
  if (fileless.includes(uri.scheme)) return;
  // No file system provides it: a document that is only displayed.
  if (vscode.workspace.fs.isWritableFileSystem(uri.scheme) !== true) throw readOnlyError();
  const { permissions } = await vscode.workspace.fs.stat(uri).then(
    (stat) => stat,
    // Deleted while it is open: it can be saved again.
    () => ({ permissions: undefined }),
  );
  if (permissions === vscode.FilePermission.Readonly) throw readOnlyError();
}

function nothingWaits(): UserError {
  return new UserError(
    l10n.t('No pending replacement'),
    l10n.t('The replacement has been applied, discarded, or closed.'),
  );
}

function changedMeanwhile(): UserError {
  return new UserError(
    l10n.t('The file has changed'),
    l10n.t('The text has changed. Discard this replacement, and generate a new one.'),
  );
}

function notEditable(): UserError {
  return new UserError(
    l10n.t("Couldn't change the file"),
    l10n.t('The file might be read-only. The replacement is still in its diff.'),
  );
}
