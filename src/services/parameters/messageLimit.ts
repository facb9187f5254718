import * as vscode from 'vscode';
import { rulesOf } from '../../core/profiles/vendorRules';
import type { Profile } from '../account/account';
import type { Services } from '../services';

/** The limits that accounts' services were seen to have, by account id. Each holds for the address that it was seen at. */
type Learned = Readonly<Record<string, { readonly baseUrl: string; readonly limit: number }>>;

const key = 'chat.learnedMessageLimits';

/**
 * Returns the maximum number of messages of one request with an account, or 0 for no limit. The default of the setting is the public
 * service's. Elsewhere, the setting applies only if a user has set it, and otherwise the limit learned from the service's rejections.
 */
export function messageLimitOf(services: Services, profile: Profile | undefined): number {
  if (isSet() || rulesOf(profile?.baseUrl).messageLimit !== undefined)
    return services.settings.get('chat.messageLimit');
  return learnedLimit(services, profile) ?? 0;
}

/**
 * Returns the maximum number of messages of a request by the service's own reference, or by its rejection of more, or `undefined` if none
 * is known.
 */
export function advisedMessageLimit(services: Services, profile: Profile | undefined): number | undefined {
  return rulesOf(profile?.baseUrl).messageLimit ?? learnedLimit(services, profile);
}

/** Remembers the limit that a service named in a refusal. Resolves with whether a request now has fewer messages because of it. */
export async function learnMessageLimit(
  services: Services,
  profile: Profile | undefined,
  limit: number,
): Promise<boolean> {
  if (!profile || rulesOf(profile.baseUrl).messageLimit !== undefined) return false;
  const before = messageLimitOf(services, profile);
  const { globalState } = services.context;
  const learned = { ...globalState.get<Learned>(key), [profile.id]: { baseUrl: profile.baseUrl, limit } };
  await globalState.update(key, learned);
  const now = messageLimitOf(services, profile);
  return now !== 0 && (before === 0 || now < before);
}

/** Resolves with how many accounts' limits were forgotten. */
export async function forgetMessageLimits({ context: { globalState } }: Services): Promise<number> {
  const count = Object.keys(globalState.get<Learned>(key, {})).length;
  if (count > 0) await globalState.update(key, undefined);
  return count;
}

function learnedLimit({ context }: Services, profile: Profile | undefined): number | undefined {
  const learned = profile && context.globalState.get<Learned>(key)?.[profile.id];
  return learned?.baseUrl === profile?.baseUrl ? learned?.limit : undefined;
}

function isSet(): boolean {
  const found = vscode.workspace.getConfiguration('inferenceDesk.chat').inspect('messageLimit');
  return [found?.globalValue, found?.workspaceValue, found?.workspaceFolderValue].some((one) => one !== undefined);
}
