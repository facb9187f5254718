import * as vscode from 'vscode';
import { l10n } from 'vscode';
import { runCommand } from '../../platform/contributions';
import { isSignedIn } from '../../services/account/profiles';
import type { Profiles } from '../../services/account/profiles';
import { askPick } from '../../platform/quickInput';

/** Offers the demo service or sign-in if nobody is signed in. Resolves to whether somebody is signed in afterwards. */
export async function askSession(profiles: Profiles): Promise<boolean> {
  if (await isSignedIn(profiles)) return true;
  const asked = await askPick<'inferenceDesk.demo.start' | 'inferenceDesk.signIn'>({
    title: l10n.t('No service is signed in'),
    placeholder: l10n.t('This asks a service. Which one?'),
    canGoBack: false,
    items: [
      {
        label: l10n.t('Try the demo service'),
        iconPath: new vscode.ThemeIcon('beaker'),
        detail: l10n.t('Runs on this machine, needs no key, costs nothing. To look around.'),
        value: 'inferenceDesk.demo.start',
      },
      {
        label: l10n.t('Sign in'),
        iconPath: new vscode.ThemeIcon('sign-in'),
        detail: l10n.t('With the key of an account.'),
        value: 'inferenceDesk.signIn',
      },
    ],
  });
  if (asked.kind !== 'value') return false;
  await runCommand(asked.value);
  return isSignedIn(profiles);
}
