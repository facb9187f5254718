import * as vscode from 'vscode';
import type { OfferKind } from '../../../protocol/chatOffers';
import type { LastEditor } from '../../../platform/workspace/lastEditor';
import { nameOf } from './toAttachment';
import type { RequestedAttachment } from './attachRequested';

/** An item to choose from a list, and the attachment it represents. */
export interface RequestedOffer {
  readonly kind: OfferKind;
  readonly name: string;
  readonly detail: string;
  readonly wanted: RequestedAttachment;
}

/** The attachments offered for the editor's current state: its selection, file, that file's problems, and the terminal selection. */
export function standingOffers(lastEditor: LastEditor): readonly RequestedOffer[] {
  const editor = lastEditor.current();
  const terminal = vscode.window.activeTerminal;
  return [
    ...(editor ? offersOf(editor) : []),
    ...(terminal ? [offer('terminal', vscode.l10n.t('Terminal selection'), terminal.name)] : []),
  ];
}

function offersOf({ document, selection }: vscode.TextEditor): readonly RequestedOffer[] {
  const name = nameOf(document.uri);
  const problems = vscode.languages.getDiagnostics(document.uri).length;
  return [
    ...(selection.isEmpty ? [] : [offer('selection', vscode.l10n.t('Selection'), name)]),
    offer('openFile', vscode.l10n.t('Open file'), name),
    ...(problems === 0 ? [] : [offer('problems', vscode.l10n.t('Problems of the open file ({0})', problems), name)]),
  ];
}

function offer(from: 'selection' | 'openFile' | 'problems' | 'terminal', name: string, detail: string): RequestedOffer {
  return { kind: from, name, detail, wanted: { from } };
}
