import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { SplitKey } from '../../../core/batch/transform/split';
import { valuesToLines } from '../../../core/batch/fixes/values';
import type { LineProblem, ProblemCode } from '../../../core/batch/problem';
import { spreadOf } from '../../../core/batch/readLine';
import type { CommandId } from '../../../platform/commands';
import { LaterAction, linesOf } from './lineEdits';

type Offer = (document: vscode.TextDocument) => vscode.CodeAction | undefined;

const numberIds: Offer = () =>
  commandAction(l10n.t('Number the IDs of all requests…'), 'inferenceDesk.batchFile.numberIds');
const setModel: Offer = () =>
  commandAction(l10n.t('Set one model in all requests…'), 'inferenceDesk.batchFile.setModel');

/** Opens the editor's own encoding menu: reopen the file with its encoding, or save it with another one. */
const encodingAction: Offer = () =>
  preferred(editorAction(l10n.t('Change file encoding…'), 'workbench.action.editor.changeEncoding'));

const offers: { readonly [Code in ProblemCode]?: Offer } = {
  'file.array': (document) => preferred(valuesAction(document, l10n.t('Split into one array item per line'))),
  'file.spread': (document) => preferred(spreadAction(document)),
  'file.crlf': (document) => preferred(lineFeedAction(document)),
  'file.bom': () =>
    preferred(commandAction(l10n.t('Save without a byte-order mark'), 'inferenceDesk.batchFile.removeMark')),
  'file.not-text': encodingAction,
  'line.not-utf8': encodingAction,
  'file.lone-cr': (document) => preferred(saveWithLineFeeds(document)),
  'line.not-json': (document) => (looksSpread(document) ? spreadAction(document) : undefined),
  'custom-id.missing': numberIds,
  'custom-id.not-string': numberIds,
  'custom-id.empty': numberIds,
  'custom-id.duplicate': numberIds,
  'custom-id.long': numberIds,
  'url.mixed': ({ uri }) => splitAction(l10n.t('Split into one file per URL'), uri, 'url'),
  'model.missing': setModel,
  'model.mixed': setModel,
  'model.invalid': setModel,
  'model.unknown': setModel,
  'model.not-chat': setModel,
};

/** Returns the action that fixes a problem by changing the whole file, or that asks for input first. */
export function fileAction({ code }: LineProblem, document: vscode.TextDocument): vscode.CodeAction | undefined {
  return offers[code]?.(document);
}

function preferred(action: vscode.CodeAction): vscode.CodeAction {
  action.isPreferred = true;
  return action;
}

function commandAction(title: string, command: CommandId): vscode.CodeAction {
  return editorAction(title, command);
}

function splitAction(title: string, uri: vscode.Uri, by: SplitKey): vscode.CodeAction {
  const action = commandAction(title, 'inferenceDesk.batchFile.split');
  return Object.assign(action, { command: { ...action.command, arguments: [uri, by] } });
}

function editorAction(title: string, command: string): vscode.CodeAction {
  const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
  action.command = { title, command };
  return action;
}

function lineFeedAction({ uri }: vscode.TextDocument): vscode.CodeAction {
  const action = new vscode.CodeAction(l10n.t('Convert line endings to LF'), vscode.CodeActionKind.QuickFix);
  action.edit = new vscode.WorkspaceEdit();
  action.edit.set(uri, [vscode.TextEdit.setEndOfLine(vscode.EndOfLine.LF)]);
  return action;
}

function saveWithLineFeeds(document: vscode.TextDocument): vscode.CodeAction {
  const action = lineFeedAction(document);
  action.title = l10n.t('Save with LF line endings');
  action.command = { title: action.title, command: 'workbench.action.files.save' };
  return action;
}

function spreadAction(document: vscode.TextDocument): vscode.CodeAction {
  return valuesAction(document, l10n.t('Join each request into a single line'));
}

function valuesAction(document: vscode.TextDocument, title: string): vscode.CodeAction {
  return new LaterAction(title, vscode.CodeActionKind.QuickFix, document, () => valuesToLines(linesOf(document)));
}

/** Whether a JSON value spans several lines, or the whole file is one array. */
export function looksSpread(document: vscode.TextDocument): boolean {
  const { text } = document.lineAt(0);
  return spreadOf(text) !== undefined || (document.lineCount > 1 && /^\s*\{\s*(?:"[^"]*"\s*:.*[{[,])?\s*$/.test(text));
}
