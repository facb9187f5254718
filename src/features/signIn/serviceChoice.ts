import * as vscode from 'vscode';
import { publicHosts } from '../../core/profiles/publicHosts';
import type { Profile } from '../../core/profiles/profile';
import type { PickItem } from '../../platform/quickInput';
import type { Profiles } from '../../services/account/account';

/** A service to sign in to. */
export type ServiceChoice =
  | { readonly kind: 'profile'; readonly profile: Profile }
  | { readonly kind: 'public'; readonly baseUrl: string }
  | { readonly kind: 'other' }
  | { readonly kind: 'demo' };

/** Lists first the profiles that only lack their key, then the services for a new profile. */
export async function serviceItems(profiles: Profiles): Promise<readonly PickItem<ServiceChoice>[]> {
  const keyless = await keylessItems(profiles);
  const { Separator } = vscode.QuickPickItemKind;
  return [
    ...keyless,
    ...(keyless.length > 0 ? [{ label: vscode.l10n.t('New profile'), kind: Separator }] : []),
    {
      label: vscode.l10n.t('SiliconFlow, international'),
      iconPath: new vscode.ThemeIcon('globe'),
      description: new URL(publicHosts.international).host,
      detail: vscode.l10n.t('For keys made at cloud.siliconflow.com.'),
      value: { kind: 'public', baseUrl: publicHosts.international },
    },
    {
      label: vscode.l10n.t('SiliconFlow, China'),
      iconPath: new vscode.ThemeIcon('globe'),
      description: new URL(publicHosts.china).host,
      detail: vscode.l10n.t('For keys made at cloud.siliconflow.cn. The two know nothing of each other.'),
      value: { kind: 'public', baseUrl: publicHosts.china },
    },
    {
      label: vscode.l10n.t('Another service'),
      iconPath: new vscode.ThemeIcon('server'),
      detail: vscode.l10n.t('Any service with the same interface, by its address.'),
      value: { kind: 'other' },
    },
    {
      label: vscode.l10n.t('The demo service'),
      iconPath: new vscode.ThemeIcon('beaker'),
      detail: vscode.l10n.t('Runs on this machine, needs no key, costs nothing. To look around.'),
      value: { kind: 'demo' },
    },
  ];
}

async function keylessItems(profiles: Profiles): Promise<readonly PickItem<ServiceChoice>[]> {
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
        : vscode.l10n.t('Has no key. Enter it.'),
      value: { kind: 'profile', profile },
    });
  }
  return items;
}
