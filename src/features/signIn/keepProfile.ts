import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import type { Services } from '../../services/services';
import { foundWords } from './checkKey';
import type { SignedIn } from './signInFlow';
import { showMessage } from '../../platform/notify';
import { foreign } from '../../core/text/foreignText';

/** Saves a checked profile and its key, makes it active and shows what was found. Resolves without waiting for that message. */
export async function keepProfile(
  { profiles, connections, report }: Services,
  { draft, found }: SignedIn,
): Promise<void> {
  // Not derived from the name: a profile with the same name must not get the same keys.
  const id = draft.profileId ?? randomUUID();
  const before = profiles.get(id);
  const profile = await profiles.save({ id, name: draft.name, baseUrl: draft.baseUrl });
  // A key for an address the profile no longer has is useless.
  if (before && before.origin !== profile.origin) await profiles.signOut(id);
  const isKept = await profiles.storeKey(id, draft.key);
  await connections.forgetOffers(id);
  await profiles.setActive(id);
  tell(profile.name, { draft, found }, isKept).catch(report);
}

async function tell(name: string, { found }: SignedIn, isKept: boolean): Promise<void> {
  if (!isKept) {
    await showMessage(
      'warning',
      vscode.l10n.t(
        'The key works, but the editor could not keep it: it will be asked for again. On Linux this mostly means that no keyring such as gnome-keyring runs.',
      ),
    );
    return;
  }
  const openChat = vscode.l10n.t('Open Chat');
  const showModels = vscode.l10n.t('Show Models');
  const message = found
    ? vscode.l10n.t('Signed in to {0}: {1}', foreign(name), foundWords(found))
    : vscode.l10n.t('The key for {0} is kept, unchecked.', foreign(name));
  const chosen = await showMessage('information', message, openChat, showModels);
  if (chosen === openChat) await vscode.commands.executeCommand('inferenceDesk.chat.focus');
  if (chosen === showModels) await vscode.commands.executeCommand('inferenceDesk.models.focus');
}
