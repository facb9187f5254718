import * as vscode from 'vscode';
import { normaliseBaseUrl } from '../../core/profiles/baseUrl';
import { askText } from '../../platform/quickInput';
import type { Profile } from '../../core/profiles/profile';
import type { Profiles } from '../../services/account/profiles';
import type { Services } from '../../services/services';
import { chooseProfile } from './chooseProfile';
import { addressProblemWords, nameProblemWords } from './inputWords';
import { keepProfile } from './keepProfile';
import { askForKey } from './signInFlow';
import { showMessage } from '../../platform/notify';
import { foreign } from '../../core/text/foreignText';

export async function switchProfile({ profiles }: Services, asked?: unknown): Promise<void> {
  const profile = await chooseProfile(profiles, {
    asked,
    title: vscode.l10n.t('Switch profile'),
    placeholder: vscode.l10n.t('Which account should be used in this window?'),
    onlyOneIsClear: false,
  });
  if (profile) await profiles.setActive(profile.id);
}

export async function renameProfile({ profiles }: Services, asked?: unknown): Promise<void> {
  const profile = await chooseProfile(profiles, {
    asked,
    title: vscode.l10n.t('Rename profile'),
    placeholder: vscode.l10n.t('Which profile?'),
    onlyOneIsClear: true,
  });
  if (!profile) return;
  const answer = await askText({
    title: vscode.l10n.t('Rename profile'),
    prompt: vscode.l10n.t('What you want to call this account at {0}.', new URL(profile.baseUrl).host),
    canGoBack: false,
    value: profile.name,
    check: (text) => nameProblemWords(text, profile.id, profiles.list),
  });
  if (answer.kind === 'value') await profiles.save({ ...profile, name: answer.value.trim() });
}

/** Another origin requires entering the key again; until that succeeds, the profile is unchanged. */
export async function changeBaseUrl(services: Services, asked?: unknown): Promise<void> {
  const { profiles, connections } = services;
  const profile = await chooseProfile(profiles, {
    asked: asked ?? profiles.active?.id,
    title: vscode.l10n.t('Change address'),
    placeholder: vscode.l10n.t('Of which profile?'),
    onlyOneIsClear: true,
  });
  if (!profile) return;
  const answer = await askText({
    title: vscode.l10n.t('Address of {0}', foreign(profile.name)),
    prompt: vscode.l10n.t('With the version at its end. At another host the key has to be entered again.'),
    canGoBack: false,
    value: profile.baseUrl,
    check: (text) => {
      const result = normaliseBaseUrl(text);
      return result.ok ? undefined : addressProblemWords(result.problem);
    },
  });
  const address = answer.kind === 'value' ? normaliseBaseUrl(answer.value) : undefined;
  if (!address?.ok || address.baseUrl === profile.baseUrl) return;
  const changed = { id: profile.id, name: profile.name, baseUrl: address.baseUrl };
  if (address.origin !== profile.origin) {
    const signedIn = await askForKey(services, changed);
    if (signedIn) await keepProfile(services, signedIn);
    return;
  }
  await profiles.save(changed);
  await connections.forgetOffers(profile.id);
}

export async function removeProfile({ profiles }: Services, asked?: unknown): Promise<void> {
  const profile = await chooseProfile(profiles, {
    asked,
    title: vscode.l10n.t('Remove profile'),
    placeholder: vscode.l10n.t('Which profile?'),
    onlyOneIsClear: false,
  });
  if (!profile) return;
  const remove = vscode.l10n.t('Remove');
  const chosen = await showMessage(
    'warning',
    vscode.l10n.t('Remove the profile {0} and its key?', foreign(profile.name)),
    {
      modal: true,
      detail: vscode.l10n.t('The account itself and what it holds at the service stay as they are.'),
    },
    remove,
  );
  if (chosen === remove) await profiles.remove(profile.id);
}

export async function signOut({ profiles }: Services, asked?: unknown): Promise<void> {
  const profile = await chooseProfile(profiles, {
    asked: asked ?? profiles.active?.id,
    title: vscode.l10n.t('Sign out'),
    placeholder: vscode.l10n.t('Of which profile?'),
    onlyOneIsClear: true,
  });
  if (profile) await signOutOf(profiles, profile);
}

/** Asks first, because the key is stored nowhere else on this machine. */
export async function signOutOf(profiles: Profiles, { id, name, origin }: Profile): Promise<void> {
  const action = vscode.l10n.t('Sign Out');
  const chosen = await showMessage(
    'warning',
    vscode.l10n.t('Sign out of {0}?', foreign(name)),
    {
      modal: true,
      detail: vscode.l10n.t(
        'The API key for {0} is deleted from this machine; enter it again to sign in. Conversations, files and the account itself stay.',
        origin,
      ),
    },
    action,
  );
  if (chosen === action) await profiles.signOut(id);
}
