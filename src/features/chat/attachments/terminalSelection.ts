import * as vscode from 'vscode';
import type { Attachment } from '../../../core/conversation/attachment';
import { UserError } from '../../../platform/errors/userError';
import { selectionByClipboard } from './selectionByClipboard';
import { checkTrust, toAttachment } from './toAttachment';

/**
 * Reads the selection of the active terminal. The editor only exposes it through the clipboard, whose content is restored
 * whatever happens. Throws a localized error if nothing is selected.
 */
export async function readTerminalSelection(): Promise<Attachment> {
  checkTrust();
  const terminal = vscode.window.activeTerminal;
  if (!terminal) throw noTerminal();
  const text = await selectionByClipboard({
    clipboard: vscode.env.clipboard,
    copySelection: () => vscode.commands.executeCommand('workbench.action.terminal.copySelection'),
  });
  if (text.trim() === '') throw nothingSelected();
  // A terminal pads its content with blanks, to the right and below.
  const lines = text
    .trimEnd()
    .split(/\r?\n/)
    .map((line) => line.trimEnd());
  return toAttachment('terminal', vscode.l10n.t('Terminal {0}', terminal.name), '', lines.join('\n'));
}

function noTerminal(): UserError {
  return new UserError(
    vscode.l10n.t('There is no terminal'),
    vscode.l10n.t('Open one, select in it what should go along with the question, then try again.'),
  );
}

function nothingSelected(): UserError {
  return new UserError(
    vscode.l10n.t('Nothing is selected in the terminal'),
    vscode.l10n.t('Select in it what should go along with the question, then try again.'),
  );
}
