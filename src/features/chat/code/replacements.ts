import * as vscode from 'vscode';
import { DisposableStore } from '../../../platform/disposables';
import type { Disposable } from '../../../platform/disposables';
import { UserError } from '../../../platform/userError';
import { createVirtualDocuments } from '../../../platform/virtualDocuments';
import { fitEnd } from './codeTexts';

/** Replacements of selected text that wait, each in a diff, for a person to apply or discard them. */
export interface Replacements extends Disposable {
  /** Shows what the selection's document becomes with `code` in its place. Changes nothing. */
  propose(editor: vscode.TextEditor | undefined, code: string): Promise<void>;
  /** `proposal` is the address of the diff's right side, as the editor's title hands it over; else the active diff's. */
  apply(proposal: unknown): Promise<void>;
  discard(proposal: unknown): Promise<void>;
}

interface Pending {
  readonly document: vscode.Uri;
  readonly range: vscode.Range;
  /** The whole document as it was. */
  readonly before: string;
  readonly code: string;
}

/** In a `when` clause of package.json, too. */
const scheme = 'inference-desk-proposal';

export function createReplacements(): Replacements {
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
    async propose(editor, code) {
      if (!editor || editor.selection.isEmpty) throw nothingSelected();
      const { document, selection } = editor;
      const before = document.getText();
      const fitted = fitEnd(code, document.getText(selection));
      const after =
        before.slice(0, document.offsetAt(selection.start)) + fitted + before.slice(document.offsetAt(selection.end));
      const name = nameOf(document);
      const uri = proposals.add(name, after);
      const range = new vscode.Range(selection.start, selection.end);
      pending.set(uri.toString(), { document: document.uri, range, before, code: fitted });
      const title = vscode.l10n.t('{0}: selection replaced', name);
      const place = { viewColumn: editor.viewColumn ?? vscode.ViewColumn.Active, preview: true };
      await vscode.commands.executeCommand('vscode.diff', document.uri, uri, title, place);
    },
    async apply(proposal) {
      const [uri, { document: target, range, before, code }] = find(proposal);
      const document = await vscode.workspace.openTextDocument(target);
      if (document.getText() !== before) throw changedMeanwhile();
      const edit = new vscode.WorkspaceEdit();
      edit.replace(target, range, code);
      if (!(await vscode.workspace.applyEdit(edit))) throw notEditable();
      pending.delete(uri.toString());
      await closeDiff(uri);
      const end = document.positionAt(document.offsetAt(range.start) + textLength(document, code));
      await vscode.window.showTextDocument(document, { selection: new vscode.Range(range.start, end) });
    },
    async discard(proposal) {
      const [uri] = find(proposal);
      pending.delete(uri.toString());
      await closeDiff(uri);
    },
    dispose: () => store.dispose(),
  };
}

/** The document has its own line ends, whatever the code had. */
function textLength(document: vscode.TextDocument, code: string): number {
  const lineEnd = document.eol === vscode.EndOfLine.CRLF ? '\r\n' : '\n';
  return code.replaceAll(/\r\n?|\n/g, lineEnd).length;
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

function nothingSelected(): UserError {
  return new UserError(
    vscode.l10n.t('Nothing is selected'),
    vscode.l10n.t('Select in an editor what the code should replace, then try again. Nothing was changed.'),
  );
}

function nothingWaits(): UserError {
  return new UserError(
    vscode.l10n.t('There is no replacement to decide on'),
    vscode.l10n.t('Choose Replace above a code block of an answer first.'),
  );
}

function changedMeanwhile(): UserError {
  return new UserError(
    vscode.l10n.t('The file changed in between'),
    vscode.l10n.t(
      'The replacement was made for an earlier text and was not applied. Discard it and choose Replace again.',
    ),
  );
}

function notEditable(): UserError {
  return new UserError(
    vscode.l10n.t('The file could not be changed'),
    vscode.l10n.t('It may be read-only. The replacement still waits in its diff.'),
  );
}
