import { isDeepStrictEqual } from 'node:util';
import * as vscode from 'vscode';
import type { Exported } from '../../src/extension';
import type { SettingTypes } from '../../src/platform/contributions';
import type { Services } from '../../src/services/services';
import { until as untilSeen } from './until';

/** Returns the services of the running extension, which it exports only in a test host. */
export async function deskServices(): Promise<Services> {
  const extension = vscode.extensions.getExtension<Exported>('inference-desk.inference-desk');
  const services = await (await extension?.activate())?.services?.();
  if (!services) throw new Error('The extension gave no services: is this a test host?');
  return services;
}

/** Removes every profile with its keys, as for a new user. Without the status bar, no request is sent automatically. */
export async function beginAnew({ profiles, settings }: Pick<Services, 'profiles' | 'settings'>): Promise<void> {
  if (settings.get('statusBar.show')) await settings.set('statusBar.show', false);
  for (const { id } of profiles.list) await profiles.remove(id);
}

/** Starts over with one active profile with a key. Its name is its capitalized ID. */
export async function signInAnew(
  services: Pick<Services, 'profiles' | 'settings'>,
  id: string,
  { baseUrl, apiKey }: { readonly baseUrl: string; readonly apiKey: string },
): Promise<void> {
  const { profiles } = services;
  await beginAnew(services);
  await profiles.save({ id, name: id.charAt(0).toUpperCase() + id.slice(1), baseUrl });
  await profiles.setActive(id);
  await profiles.storeKey(id, apiKey);
}

/**
 * Signs in like `signInAnew`, unless that is already the state, in which case learned facts about the account are kept too. For each test
 * of a file that changes little of it, because a sign-in takes VS Code most of a second.
 */
export async function staySignedIn(
  services: Pick<Services, 'profiles' | 'settings'>,
  id: string,
  server: { readonly baseUrl: string; readonly apiKey: string },
): Promise<void> {
  const { profiles } = services;
  const [only, ...others] = profiles.list;
  const isThere = only?.id === id && only.baseUrl === server.baseUrl && others.length === 0;
  if (isThere && profiles.active?.id === id && (await profiles.key(id)) === server.apiKey) return;
  await signInAnew(services, id, server);
}

/** Writes only the settings that differ, because each write takes VS Code a fifth of a second. */
export async function ensureSettings(settings: Services['settings'], requested: Partial<SettingTypes>): Promise<void> {
  const ensure = async <Name extends keyof SettingTypes>(name: Name, value: SettingTypes[Name]): Promise<void> => {
    if (!isDeepStrictEqual(settings.get(name), value)) await settings.set(name, value);
  };
  for (const name of Object.keys(requested) as (keyof SettingTypes)[]) await ensure(name, requested[name]!);
}

/** Resolves at the first event for which `isDone` holds, or immediately if it already holds. */
export async function until<T>(event: vscode.Event<T>, isDone: () => boolean): Promise<void> {
  if (isDone()) return;
  await new Promise<void>((resolve) => {
    const listening = event(() => {
      if (!isDone()) return;
      listening.dispose();
      resolve();
    });
  });
}

/** Closes each picker and input box that opens until the promise settles, because one that isn't shown yet can't be closed. */
export async function leaveQuickOpen(left: PromiseLike<unknown>): Promise<void> {
  let hasEnded = false;
  const end = () => (hasEnded = true);
  void left.then(end, end);
  await untilSeen(async () => {
    if (!hasEnded) await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
    return hasEnded || undefined;
  }, 'the end of what was left');
}
