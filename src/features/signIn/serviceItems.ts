import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { looksLikeKey } from '../../core/profiles/apiKey';
import { normaliseBaseUrl } from '../../core/profiles/baseUrl';
import { type KnownService, knownServices } from '../../core/profiles/knownServices';
import type { Profile } from '../../core/profiles/profile';
import { foreign } from '../../core/text/foreignText';
import type { PickItem } from '../../platform/quickInput';
import type { Profiles } from '../../services/account/account';
import type { LocalServer } from './logic/localServers';

/** A service to sign in to. */
export type ServiceChoice =
  | { readonly kind: 'profile'; readonly profile: Profile }
  | { readonly kind: 'known'; readonly baseUrl: string }
  /** A server that responded without a key. */
  | { readonly kind: 'found'; readonly server: LocalServer }
  | { readonly kind: 'url'; readonly url: string }
  | { readonly kind: 'other' }
  | { readonly kind: 'demo' };

/**
 * Lists first the servers found on this machine, then the profiles that only lack their key, then the services for a new profile. In a
 * Chinese window, the Chinese host comes before all of them.
 */
export async function serviceItems(
  profiles: Profiles,
  found: readonly LocalServer[],
): Promise<readonly PickItem<ServiceChoice>[]> {
  const signedOut = await signedOutItems(profiles);
  const isChinese = /^zh\b/i.test(vscode.env.language);
  const isAfterOthers = found.length + signedOut.length > 0;
  return [
    ...(isChinese ? knownItems(isChina) : []),
    ...(found.length > 0 ? [separator(l10n.t('Found on this machine')), ...found.map(foundItem)] : []),
    ...(found.length > 0 && signedOut.length > 0 ? [separator(l10n.t('Your accounts'))] : []),
    ...signedOut,
    ...(isAfterOthers ? [separator(l10n.t('Another account'))] : []),
    ...knownItems((one) => isInternational(one) || (isChina(one) && !isChinese)),
    {
      label: l10n.t('Demo service'),
      iconPath: new vscode.ThemeIcon('beaker'),
      detail: l10n.t('Free. Runs on this machine without a key.'),
      value: { kind: 'demo' },
    },
    separator(l10n.t('On the internet')),
    ...knownItems(({ id }) => id === 'openai' || id === 'anthropic' || id === 'openrouter'),
    separator(l10n.t('On this machine')),
    ...knownItems(({ baseUrl }) => baseUrl.startsWith('http:') && !found.some((one) => one.baseUrl === baseUrl)),
    separator(l10n.t('Other')),
    {
      label: l10n.t('Other URL…'),
      iconPath: new vscode.ThemeIcon('server'),
      detail: l10n.t('For services that support the OpenAI or Anthropic API.'),
      value: { kind: 'other' },
    },
  ];
}

const isChina = ({ id }: KnownService) => id === 'siliconFlowChina';
const isInternational = ({ id }: KnownService) => id === 'siliconFlow';

/** Returns the entry for a base URL that is typed into the list; `undefined` for other text. */
export function urlItem(typed: string): PickItem<ServiceChoice> | undefined {
  const isUrl = /^https?:\/\/\S/i.test(typed.trim()) || /^[\w.-]+(?:\.[a-z]{2,}|:\d+)(?:\/\S*)?$/i.test(typed.trim());
  if (!isUrl || looksLikeKey(typed) || !normaliseBaseUrl(typed, { allowHttp: true }).ok) return undefined;
  return {
    label: l10n.t('Use {0}', foreign(typed.trim(), 100)),
    iconPath: new vscode.ThemeIcon('link'),
    value: { kind: 'url', url: typed },
  };
}

function foundItem(server: LocalServer): PickItem<ServiceChoice> {
  return {
    label: server.name,
    iconPath: new vscode.ThemeIcon('device-desktop'),
    description: new URL(server.baseUrl).host,
    detail: modelsText(server.models?.map((id) => foreign(id, 60))),
    value: { kind: 'found', server },
  };
}

function modelsText(models: readonly string[] | undefined): string {
  const [first, second, ...others] = models ?? [];
  if (first === undefined) return l10n.t('Requires a key.');
  if (second === undefined) return l10n.t('{0}. No key required.', first);
  const count = others.length + 2;
  return l10n.t('{0} models, such as {1} and {2}. No key required.', count, first, second);
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
  if (id === 'siliconFlow') return l10n.t('SiliconFlow, international');
  return id === 'siliconFlowChina' ? l10n.t('SiliconFlow, China') : name;
}

function detailOf({ id }: KnownService): string {
  switch (id) {
    case 'siliconFlow':
      return l10n.t('For keys created at {0}.', 'cloud.siliconflow.com');
    case 'siliconFlowChina':
      return l10n.t('For keys created at {0}.', 'cloud.siliconflow.cn');
    case 'openai':
      return l10n.t('For keys created at {0}.', 'platform.openai.com');
    case 'anthropic':
      return l10n.t('For keys created at {0}.', 'console.anthropic.com');
    case 'openrouter':
      return l10n.t('For keys created at {0}.', 'openrouter.ai');
    case 'ollama':
    case 'demo':
      return l10n.t('No key required.');
    case 'lmStudio':
    case 'llamaCpp':
    case 'vllm':
      return l10n.t('A key is required only if the server has one.');
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
        ? l10n.t("The key is missing in VS Code's secret storage. Enter it again.")
        : l10n.t('Signed out.'),
      value: { kind: 'profile', profile },
    });
  }
  return items;
}
