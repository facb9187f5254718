import * as vscode from 'vscode';
import { isApiError } from '../../core/api/errors';
import { lastCharacters } from '../../core/profiles/apiKey';
import type { Profile } from '../../core/profiles/profile';
import { diagnose } from '../../core/profiles/signInProblem';
import { askPick, showBusy } from '../../platform/quickInput';
import type { PickItem } from '../../platform/quickInput';
import type { Services } from '../../services/services';
import { checkKey, foundWords } from './checkKey';
import { chooseProfile } from './chooseProfile';
import { keepProfile } from './keepProfile';
import { signOutOf } from './profileCommands';
import { askForKey } from './signInFlow';
import { causeWords } from './signInMessages';
import { foreign } from '../../core/text/foreignText';

type Choice = 'test' | 'replace' | 'remove' | 'where';

/** Menu for everything about a key: check it, replace it, see where it is stored, delete it. */
export async function manageKey(services: Services, asked?: unknown): Promise<void> {
  const { profiles } = services;
  const profile = await chooseProfile(profiles, {
    asked: asked ?? profiles.active?.id,
    title: vscode.l10n.t('Manage key'),
    placeholder: vscode.l10n.t('Of which profile?'),
    onlyOneIsClear: true,
  });
  if (!profile) return;
  let outcome: string | undefined;
  for (;;) {
    const key = await profiles.key(profile.id);
    const answer = await askPick({
      title: vscode.l10n.t('Key of {0}', foreign(profile.name)),
      placeholder: outcome ?? vscode.l10n.t('What about it?'),
      canGoBack: false,
      items: key === undefined ? keylessItems() : keyItems(profile, key),
    });
    if (answer.kind !== 'value') return;
    switch (answer.value) {
      case 'test':
        outcome = key === undefined ? undefined : await test(services, profile, key);
        break;
      case 'where':
        break;
      case 'replace': {
        const signedIn = await askForKey(services, profile);
        if (signedIn) await keepProfile(services, signedIn);
        return;
      }
      case 'remove':
        await signOutOf(profiles, profile);
        return;
    }
  }
}

function keyItems(profile: Profile, key: string): readonly PickItem<Choice>[] {
  const last = lastCharacters(key);
  return [
    {
      label: vscode.l10n.t('Test it'),
      iconPath: new vscode.ThemeIcon('pulse'),
      detail: vscode.l10n.t('Asks {0} for its models, which costs nothing.', new URL(profile.baseUrl).host),
      value: 'test',
    },
    {
      label: vscode.l10n.t('Replace it'),
      iconPath: new vscode.ThemeIcon('key'),
      detail: vscode.l10n.t('The old one stays until the new one is checked.'),
      value: 'replace',
    },
    {
      label: vscode.l10n.t('Remove it'),
      iconPath: new vscode.ThemeIcon('trash'),
      detail: vscode.l10n.t('Signs out. The profile stays.'),
      value: 'remove',
    },
    {
      label: last === undefined ? vscode.l10n.t('Where it is') : vscode.l10n.t('Ends in {0}', last),
      iconPath: new vscode.ThemeIcon('lock'),
      detail: vscode.l10n.t("Kept in the editor's secret storage, only ever sent to {0}.", profile.origin),
      value: 'where',
    },
  ];
}

function keylessItems(): readonly PickItem<Choice>[] {
  return [
    {
      label: vscode.l10n.t('Enter a key'),
      iconPath: new vscode.ThemeIcon('key'),
      detail: vscode.l10n.t('This profile has none on this machine.'),
      value: 'replace',
    },
  ];
}

async function test(services: Services, { baseUrl }: Profile, apiKey: string): Promise<string | undefined> {
  const host = new URL(baseUrl).host;
  try {
    const answer = await showBusy(
      { title: vscode.l10n.t('Checking the key'), canGoBack: false },
      vscode.l10n.t('Asking {0} for its models…', host),
      (signal) => checkKey(services, { baseUrl, apiKey }, signal),
    );
    return answer.kind === 'value' ? vscode.l10n.t('It works: {0}', foundWords(answer.value)) : undefined;
  } catch (error) {
    if (!isApiError(error)) throw error;
    return causeWords(diagnose(error, baseUrl).cause, host);
  }
}
