import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { runCommand } from '../../platform/contributions';
import { askPick } from '../../platform/quickInput';
import type { PickItem } from '../../platform/quickInput';
import type { CurrentAccount } from '../../services/account/account';

type Choice = () => Thenable<unknown>;

/** Shows the menu of the status bar item. */
export async function showMenu(isSignedIn: boolean, account: CurrentAccount): Promise<void> {
  const answer = await askPick({
    title: l10n.t('Inference Desk'),
    placeholder: l10n.t('Select an action'),
    canGoBack: false,
    items: isSignedIn ? signedInItems(account) : signedOutItems(),
  });
  if (answer.kind === 'value') await answer.value();
}

const item = (icon: string, label: string, value: Choice): PickItem<Choice> => ({
  label,
  iconPath: new vscode.ThemeIcon(icon),
  value,
});

function signedInItems(account: CurrentAccount): readonly PickItem<Choice>[] {
  const ifOffered = (endpoint: string, choice: PickItem<Choice>) => (account.lacks(endpoint) ? [] : [choice]);
  return [
    item('comment-discussion', l10n.t('Open Chat'), () => focus('chat')),
    ...ifOffered(
      'POST /images/generations',
      item('device-camera', l10n.t('Generate Images'), () => runCommand('inferenceDesk.images.open')),
    ),
    ...ifOffered(
      'POST /video/submit',
      item('device-camera-video', l10n.t('Generate Videos'), () => runCommand('inferenceDesk.videos.open')),
    ),
    item('library', l10n.t('Open Gallery'), () => runCommand('inferenceDesk.gallery.open')),
    item('account', l10n.t('Show Account'), () => focus('account')),
    item('arrow-swap', l10n.t('Switch Account'), () => runCommand('inferenceDesk.switchProfile')),
    item('key', l10n.t('Manage Key'), () => runCommand('inferenceDesk.manageKey')),
    item('sign-in', l10n.t('Sign In to Another Service…'), () => runCommand('inferenceDesk.signIn')),
    item('output', l10n.t('Show Recent Requests'), () => runCommand('inferenceDesk.showExchange')),
    reportItem(),
  ];
}

function signedOutItems(): readonly PickItem<Choice>[] {
  return [
    item('sign-in', l10n.t('Sign In'), () => runCommand('inferenceDesk.signIn')),
    item('beaker', l10n.t('Start Demo Service'), () => runCommand('inferenceDesk.demo.start')),
    item('arrow-swap', l10n.t('Switch Account'), () => runCommand('inferenceDesk.switchProfile')),
    reportItem(),
  ];
}

const reportItem = () => item('bug', l10n.t('Report Issue'), () => runCommand('inferenceDesk.reportProblem'));

function focus(view: 'chat' | 'account'): Thenable<unknown> {
  return vscode.commands.executeCommand(`inferenceDesk.${view}.focus`);
}
