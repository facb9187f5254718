import * as vscode from 'vscode';
import { UserError } from '../../../platform/userError';
import { isShellLanguage } from '../../../protocol/codeActions';
import { terminalTrouble } from './codeTexts';
import { showMessage } from '../../../platform/notify';

/** Asks whether a text that is shown whole may be run. */
export type ConfirmRun = (code: string) => PromiseLike<boolean>;

/** Runs code in a terminal that is shown, after a person has read and confirmed it. Nothing is typed before. */
export async function runInTerminal(code: string, language: string, confirm: ConfirmRun = confirmRun): Promise<void> {
  if (!isShellLanguage(language)) throw new Error('Only the code of a shell is run in a terminal.');
  const trouble = terminalTrouble(code);
  if (trouble !== undefined) throw refusal(trouble);
  const text = code.trimEnd();
  if (!(await confirm(text))) return;
  const terminal = vscode.window.activeTerminal ?? vscode.window.createTerminal();
  terminal.show(true);
  terminal.sendText(text, true);
}

async function confirmRun(code: string): Promise<boolean> {
  const run = vscode.l10n.t('Run');
  const question = vscode.l10n.t('Run this in the terminal?');
  return (await showMessage('warning', question, { modal: true, detail: code }, run)) === run;
}

function refusal(trouble: NonNullable<ReturnType<typeof terminalTrouble>>): UserError {
  const details = {
    empty: vscode.l10n.t('The code block is empty.'),
    tooLong: vscode.l10n.t(
      'It is too long to be read in a question. Open it as a new file, check it, and run it from there.',
    ),
    invisible: vscode.l10n.t(
      'It has characters that cannot be seen, which could hide what it does. Open it as a new file and look at them there.',
    ),
  };
  return new UserError(vscode.l10n.t('The code was not put into a terminal'), details[trouble]);
}
