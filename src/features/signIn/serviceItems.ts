import * as vscode from 'vscode';
import { type KnownService, knownServices } from '../../core/profiles/knownServices';
import type { Profile } from '../../core/profiles/profile';
import type { PickItem } from '../../platform/quickInput';
import type { Profiles } from '../../services/account/account';

/** A service to sign in to. */
export type ServiceChoice =
  | { readonly kind: 'profile'; readonly profile: Profile }
  | { readonly kind: 'known'; readonly baseUrl: string }
  | { readonly kind: 'other' }
  | { readonly kind: 'demo' };

/** Lists first the profiles that only lack their key, then the services for a new profile. */
export async function serviceItems(profiles: Profiles): Promise<readonly PickItem<ServiceChoice>[]> {
  const signedOut = await signedOutItems(profiles);
  return [
    ...signedOut,
    ...(signedOut.length > 0 ? [separator(vscode.l10n.t('Another account'))] : []),
    ...knownItems(({ id }) => id === 'siliconFlow' || id === 'siliconFlowChina'),
    {
      label: vscode.l10n.t('The demo service'),
      iconPath: new vscode.ThemeIcon('beaker'),
      detail: vscode.l10n.t('Runs on this machine, needs no key, costs nothing. To look around.'),
      value: { kind: 'demo' },
    },
    separator(vscode.l10n.t('On the internet')),
    ...knownItems(({ id }) => id === 'openai' || id === 'anthropic' || id === 'openrouter'),
    separator(vscode.l10n.t('On this machine')),
    ...knownItems(({ baseUrl }) => baseUrl.startsWith('http:')),
    separator(vscode.l10n.t('Anywhere else')),
    {
      label: vscode.l10n.t('Another address…'),
      iconPath: new vscode.ThemeIcon('server'),
      detail: vscode.l10n.t('Any service with the interface of OpenAI or Anthropic.'),
      value: { kind: 'other' },
    },
  ];
}

const separator = (label: string): PickItem<ServiceChoice> => ({ label, kind: vscode.QuickPickItemKind.Separator });

function knownItems(isListed: (service: KnownService) => boolean): readonly PickItem<ServiceChoice>[] {
  return knownServices.filter(isListed).map((service) => ({
    label: labelOf(service),
    iconPath: new vscode.ThemeIcon(service.baseUrl.startsWith('http:') ? 'device-desktop' : 'globe'),
    description: new URL(service.baseUrl).host,
    detail: detailOf(service),
    value: { kind: 'known', baseUrl: service.baseUrl },
  }));
}

function labelOf({ id, name }: KnownService): string {
  if (id === 'siliconFlow') return vscode.l10n.t('SiliconFlow, international');
  return id === 'siliconFlowChina' ? vscode.l10n.t('SiliconFlow, China') : name;
}

function detailOf({ id }: KnownService): string {
  switch (id) {
    case 'siliconFlow':
      return vscode.l10n.t('For keys made at cloud.siliconflow.com.');
    case 'siliconFlowChina':
      return vscode.l10n.t('For keys made at cloud.siliconflow.cn. A key of one host does not work at the other.');
    case 'openai':
      return vscode.l10n.t('For keys made at {0}.', 'platform.openai.com');
    case 'anthropic':
      return vscode.l10n.t('For keys made at {0}.', 'console.anthropic.com');
    case 'openrouter':
      return vscode.l10n.t('For keys made at {0}.', 'openrouter.ai');
    case 'ollama':
    case 'demo':
      return vscode.l10n.t('Needs no key.');
    case 'lmStudio':
    case 'llamaCpp':
    case 'vllm':
      return vscode.l10n.t('Needs a key only if you set one.');
  }
}

async function signedOutItems(profiles: Profiles): Promise<readonly PickItem<ServiceChoice>[]> {
  const items: PickItem<ServiceChoice>[] = [];
  for (const profile of profiles.list) {
    if ((await profiles.key(profile.id)) !== undefined) continue;
    const vanished = await profiles.isKeyVanished(profile.id);
    items.push({
      label: profile.name,
      iconPath: new vscode.ThemeIcon('key'),
      description: new URL(profile.baseUrl).host,
      detail: vanished
        ? vscode.l10n.t("Its key is gone from the editor's secret storage. Enter it again.")
        : vscode.l10n.t('Signed out.'),
      value: { kind: 'profile', profile },
    });
  }
  return items;
}
