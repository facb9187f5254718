import * as vscode from 'vscode';
import type { Services } from '../../src/services';

/** The services of the extension as it runs here. It hands them out in a test host only. */
export async function deskServices(): Promise<Services> {
  const extension = vscode.extensions.getExtension<Services | undefined>('inference-desk.inference-desk');
  const services = await extension?.activate();
  if (!services) throw new Error('The extension gave no services: is this a test host?');
  return services;
}

/** Removes every profile with its keys, as a new user begins. Without the status bar nothing asks the service by itself. */
export async function beginAnew({ profiles, settings }: Pick<Services, 'profiles' | 'settings'>): Promise<void> {
  if (settings.get('statusBar.show')) await settings.set('statusBar.show', false);
  for (const { id } of profiles.list) await profiles.remove(id);
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
