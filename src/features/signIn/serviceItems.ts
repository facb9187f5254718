import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { looksLikeKey } from '../../core/profiles/apiKey';
import { normaliseBaseUrl } from '../../core/profiles/baseUrl';
import { type KnownService, knownServices } from '../../core/profiles/knownServices';
import type { Profile } from '../../core/profiles/profile';
import { foreign } from '../../core/text/foreignText';
import { listText } from '../../protocol/formats';
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
  /** The services of `moreItems`. */
  | { readonly kind: 'more' }
  | { readonly kind: 'demo' };

/**
 * Lists first the servers found on this machine, then the profiles that only lack their key, then the services for a new profile, and last
 * the demo. In a Chinese window, the Chinese host comes before all of them. Few entries have a second line, so that the demo is in view.
 */
export async function serviceItems(
  profiles: Profiles,
  found: readonly LocalServer[],
): Promise<readonly PickItem<ServiceChoice>[]> {
  const signedOut = await signedOutItems(profiles);
  const isChinese = /^zh\b/i.test(vscode.env.language);
  const isAfterOthers = found.length + signedOut.length > 0;
  const more = moreItems(found).map(({ label }) => label);
  return [
    ...(isChinese ? knownItems(isChina) : []),
    ...(found.length > 0 ? [separator(l10n.t('Found on this machine')), ...found.map(foundItem)] : []),
    ...(found.length > 0 && signedOut.length > 0 ? [separator(l10n.t('Your accounts'))] : []),
    ...signedOut,
    ...(isAfterOthers ? [separator(l10n.t('Services'))] : []),
    ...knownItems((one) => !isLocal(one) && !(isChina(one) && isChinese)),
    ...(more.length > 0
      ? [
          {
            label: l10n.t('More services…'),
            iconPath: new vscode.ThemeIcon('ellipsis'),
            description: listText(more, vscode.env.language),
            value: { kind: 'more' } as const,
          },
        ]
      : []),
    {
      label: l10n.t('Other URL…'),
      iconPath: new vscode.ThemeIcon('server'),
      description: l10n.t('For services that support the OpenAI or Anthropic API.'),
      value: { kind: 'other' },
    },
    separator(l10n.t('Try without an account')),
    {
      label: l10n.t('Demo service'),
      iconPath: new vscode.ThemeIcon('beaker'),
      description: l10n.t('No account, no key, scripted answers'),
      value: { kind: 'demo' },
    },
  ];
}

/** Lists the servers that people run on their own machine, but for those that were found. */
export function moreItems(found: readonly LocalServer[]): readonly PickItem<ServiceChoice>[] {
  return knownItems((one) => isLocal(one) && !found.some(({ baseUrl }) => baseUrl === one.baseUrl));
}

const isLocal = ({ baseUrl }: KnownService) => baseUrl.startsWith('http:');
const isChina = ({ id }: KnownService) => id === 'siliconFlowChina';

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
    iconPath: new vscode.ThemeIcon(isLocal(service) ? 'device-desktop' : 'cloud'),
    description: new URL(service.baseUrl).host,
    ...detailOf(service),
    value: { kind: 'known', baseUrl: service.baseUrl },
  }));
}

function labelOf({ id, name }: KnownService): string {
  if (id === 'siliconFlow') return l10n.t('SiliconFlow, international');
  return id === 'siliconFlowChina' ? l10n.t('SiliconFlow, China') : name;
}

/** Only what the choice depends on: which of two keys, or whether there must be one. */
function detailOf({ id, key }: KnownService): { readonly detail?: string } {
  if (id === 'siliconFlow') return { detail: l10n.t('For keys created at {0}.', 'cloud.siliconflow.com') };
  if (id === 'siliconFlowChina') return { detail: l10n.t('For keys created at {0}.', 'cloud.siliconflow.cn') };
  if (key === 'none') return { detail: l10n.t('No key required.') };
  return key === 'optional' ? { detail: l10n.t('A key is required only if the server has one.') } : {};
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
