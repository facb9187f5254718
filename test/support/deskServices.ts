import * as vscode from 'vscode';
import type { Exported } from '../../src/extension';
import type { Services } from '../../src/services/services';

/** The services of the extension as it runs here. It hands them out in a test host only. */
export async function deskServices(): Promise<Services> {
  const extension = vscode.extensions.getExtension<Exported>('inference-desk.inference-desk');
  const services = (await extension?.activate())?.services;
  if (!services) throw new Error('The extension gave no services: is this a test host?');
  return services;
}

/** Removes every profile with its keys, as a new user begins. Without the status bar nothing asks the service by itself. */
export async function beginAnew({ profiles, settings }: Pick<Services, 'profiles' | 'settings'>): Promise<void> {
  if (settings.get('statusBar.show')) await settings.set('statusBar.show', false);
  for (const { id } of profiles.list) await profiles.remove(id);
}

/** Begins anew with one profile, which is active and has its key. Its name is its id with a capital. */
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

/** Resolves at the first event for which `isDone` holds, or at once when it holds already. */
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
