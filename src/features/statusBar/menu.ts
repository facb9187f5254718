import * as vscode from 'vscode';
import { runCommand } from '../../platform/contributions';
import { askPick } from '../../platform/quickInput';
import type { PickItem } from '../../platform/quickInput';

type Choice = () => Thenable<unknown>;

/** What a click on the status bar item offers. */
export async function showMenu(isSignedIn: boolean): Promise<void> {
  const answer = await askPick({
    title: vscode.l10n.t('Inference Desk'),
    placeholder: vscode.l10n.t('What next?'),
    canGoBack: false,
    items: isSignedIn ? signedInItems() : signedOutItems(),
  });
  if (answer.kind === 'value') await answer.value();
}

const item = (icon: string, label: string, value: Choice): PickItem<Choice> => ({
  label,
  iconPath: new vscode.ThemeIcon(icon),
  value,
});

function signedInItems(): readonly PickItem<Choice>[] {
  return [
    item('comment-discussion', vscode.l10n.t('Open chat'), () => focus('chat')),
    item('account', vscode.l10n.t('Show the account'), () => focus('account')),
    item('arrow-swap', vscode.l10n.t('Switch profile'), () => runCommand('inferenceDesk.switchProfile')),
    item('key', vscode.l10n.t('Manage key'), () => runCommand('inferenceDesk.manageKey')),
    item('sign-in', vscode.l10n.t('Sign in to another service'), () => runCommand('inferenceDesk.signIn')),
    item('output', vscode.l10n.t('Show an exchange'), () => runCommand('inferenceDesk.showExchange')),
  ];
}

function signedOutItems(): readonly PickItem<Choice>[] {
  return [
    item('sign-in', vscode.l10n.t('Sign in'), () => runCommand('inferenceDesk.signIn')),
    item('beaker', vscode.l10n.t('Try the demo service'), () => runCommand('inferenceDesk.demo.start')),
    item('arrow-swap', vscode.l10n.t('Switch profile'), () => runCommand('inferenceDesk.switchProfile')),
  ];
}

function focus(view: 'chat' | 'account'): Thenable<unknown> {
  return vscode.commands.executeCommand(`inferenceDesk.${view}.focus`);
}
