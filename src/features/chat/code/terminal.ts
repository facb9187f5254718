import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { foreign } from '../../../core/text/foreignText';
import type { Disposable } from '../../../platform/disposables';
import { UserError } from '../../../platform/errors/userError';
import { isShellLanguage } from '../../../protocol/codeActions';
import { terminalProblem } from '../logic/terminalProblem';
import type { TerminalProblem } from '../logic/terminalProblem';
import { showMessage } from '../../../platform/notify';

/** `undefined` if the user chose neither. */
export type RunAnswer = 'run' | 'newFile' | undefined;
/** Shows the whole code and asks what to do with it. */
export type ConfirmRun = (code: string) => PromiseLike<RunAnswer>;

/** Runs code in a visible terminal after the user has read and confirmed it. Nothing is typed before that. */
export async function runInTerminal(
  code: string,
  language: string,
  prompts: ShellPrompts,
  confirm: ConfirmRun = confirmRun,
): Promise<RunAnswer> {
  if (!isShellLanguage(language)) throw new Error('Only the code of a shell is run in a terminal.');
  const problem = terminalProblem(code, replacesHistory(prompts));
  if (problem !== undefined) throw refusal(problem);
  const text = code.trimEnd();
  const answer = await confirm(text);
  if (answer === 'run') run(text, prompts);
  return answer;
}

const withoutHistory: ReadonlySet<string | undefined> = new Set(['cmd', 'powershell', 'pwsh']);

/** Whether the shell might replace history references. Covers both possible shells: the waiting one and that of a new terminal. */
function replacesHistory(prompts: ShellPrompts): boolean {
  const { activeTerminal } = vscode.window;
  const names: (string | undefined)[] = [/([^/\\]*?)(?:\.exe)?$/i.exec(vscode.env.shell)?.[1]?.toLowerCase()];
  if (activeTerminal && prompts.at(activeTerminal)) names.push(activeTerminal.state.shell);
  return !names.every((name) => withoutHistory.has(name));
}

/** Uses the active terminal only if a shell waits there: a password prompt or a remote session would accept the text too. */
function run(text: string, prompts: ShellPrompts): void {
  const { activeTerminal } = vscode.window;
  const shell = activeTerminal && prompts.at(activeTerminal);
  const terminal = shell ? activeTerminal : vscode.window.createTerminal();
  terminal.show(true);
  // Clears a partly typed command first.
  if (shell) shell.executeCommand(text);
  else terminal.sendText(text, true);
}

/**
 * Tracks the terminals in which a shell waits for a command: those whose shell activated its integration, or finished a command,
 * since this object was created, and in which no command is running.
 */
export class ShellPrompts implements Disposable {
  /** Later changes of the integration (another folder, other variables) prove nothing, because a running command can cause them too. */
  private readonly integrated = new WeakSet(vscode.window.terminals.filter(({ shellIntegration }) => shellIntegration));
  private readonly running = new WeakMap<vscode.Terminal, Set<vscode.TerminalShellExecution>>();
  private readonly waiting = new WeakSet<vscode.Terminal>();
  private readonly listening = [
    vscode.window.onDidChangeTerminalShellIntegration(({ terminal }) => {
      if (!this.integrated.has(terminal)) this.settle(terminal);
      this.integrated.add(terminal);
    }),
    vscode.window.onDidStartTerminalShellExecution(({ terminal, execution }) => {
      const running = this.running.get(terminal) ?? new Set();
      this.running.set(terminal, running.add(execution));
      this.settle(terminal);
    }),
    vscode.window.onDidEndTerminalShellExecution(({ terminal, execution }) => {
      this.running.get(terminal)?.delete(execution);
      this.settle(terminal);
    }),
  ];

  /** Returns `undefined` unless a shell is known to wait in the terminal. */
  at(terminal: vscode.Terminal): vscode.TerminalShellIntegration | undefined {
    return this.waiting.has(terminal) ? terminal.shellIntegration : undefined;
  }

  dispose(): void {
    for (const one of this.listening) one.dispose();
  }

  private settle(terminal: vscode.Terminal): void {
    if ((this.running.get(terminal)?.size ?? 0) > 0) this.waiting.delete(terminal);
    else this.waiting.add(terminal);
  }
}

/** Enter presses the first button, so for several lines that one does not run them. */
async function confirmRun(code: string): Promise<RunAnswer> {
  const lines = code.split('\n').length;
  const newFile = l10n.t('Open as New File');
  const run = lines > 1 ? l10n.t('Run {0} Lines', lines) : l10n.t('Run');
  const question =
    lines > 1 ? l10n.t('Run these {0} lines in the terminal?', lines) : l10n.t('Run this in the terminal?');
  const buttons = lines > 1 ? [newFile, run] : [run, newFile];
  const chosen = await showMessage('warning', question, { modal: true, detail: code }, ...buttons);
  if (chosen === run) return 'run';
  return chosen === newFile ? 'newFile' : undefined;
}

function refusal(problem: TerminalProblem): UserError {
  const title = l10n.t("Couldn't run the code");
  if (problem === 'empty') return new UserError(title, l10n.t('The code block is empty.'));
  return new UserError(title, whyNot(problem), [{ id: 'newFile', label: l10n.t('Open as New File') }]);
}

function whyNot(problem: Exclude<TerminalProblem, 'empty'>): string {
  if (problem === 'tooLong') {
    return l10n.t('The code is too long for this dialog. Review it in a new file.');
  }
  const found = foreign(problem.found);
  switch (problem.kind) {
    case 'unseen':
      return l10n.t(
        'The code contains {0}, which is invisible or controls the terminal. Review it in a new file.',
        found,
      );
    case 'rightToLeft':
      return l10n.t(
        'The code contains {0}, a right-to-left character that can hide the real order. Review it in a new file.',
        found,
      );
    case 'stacked':
      return l10n.t(
        'The code contains {0}, a combining mark that can cover other code. Review it in a new file.',
        found,
      );
    case 'history':
      return l10n.t(
        'The code contains {0}, which many shells replace with an earlier command. Review it in a new file.',
        found,
      );
  }
}
