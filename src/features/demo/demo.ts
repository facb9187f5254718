import { join } from 'node:path';
import * as vscode from 'vscode';
import { registerCommand, setContext } from '../../platform/contributions';
import { DisposableStore } from '../../platform/disposables';
import type { Feature, Services } from '../../services';
import { createDemoService } from './demoService';
import type { DemoAddress, DemoService } from './demoService';
import { showMessage, withProgress } from '../../platform/notify';

/** The demo has one profile at most; the name of its secret is made from this. */
const profileId = 'demo';

/** The whole service on this machine, for looking around without a key. Loaded when it is first started. */
export const demoFeature: Feature = (services) => {
  const store = new DisposableStore();
  const folder = join(services.context.globalStorageUri.fsPath, 'demo');
  const demo = store.add(
    createDemoService(async () => (await import('../../demo/attachOrStart')).attachOrStart({ dataDir: folder })),
  );
  // Once stopped by the person, it stays so until they start it; an editor that starts anew brings it back at first use.
  let isStopped = false;
  let shown: boolean | undefined;
  const showRunning = async () => {
    if (shown === demo.isRunHere) return;
    shown = demo.isRunHere;
    await setContext('inferenceDesk.demoRunning', shown);
  };

  store.add(
    registerCommand(services, 'inferenceDesk.demo.start', async () => {
      const wasStopped = isStopped;
      isStopped = false;
      const address = await startWithProgress(demo);
      await useAsProfile(services, address);
      // Tells all who found it stopped to ask it again.
      if (wasStopped) await services.profiles.storeKey(profileId, address.apiKey);
      await services.profiles.setActive(profileId);
      await showRunning();
    }),
  );
  store.add(
    registerCommand(services, 'inferenceDesk.demo.stop', async () => {
      isStopped = true;
      if (!(await demo.stop())) await tellNotHere();
      await showRunning();
    }),
  );
  store.add(
    services.connections.onBeforeUse(async (profile) => {
      if (profile.id !== profileId) return;
      if (isStopped) throw (await import('./stoppedError')).stoppedError();
      const address = await demo.ensureRunning();
      if (profile.baseUrl !== address.baseUrl) await useAsProfile(services, address);
      await showRunning();
    }),
  );
  restoreKey(services, folder).catch((error: unknown) => services.log.warn(`Demo service: ${String(error)}`));
  return store;
};

function startWithProgress(demo: DemoService): Thenable<DemoAddress> {
  const location = { viewId: 'inferenceDesk.account' };
  return withProgress({ location }, () => demo.ensureRunning());
}

/** Makes the demo's profile, or mends it: its port may have changed, its key been removed. */
async function useAsProfile({ profiles, connections }: Services, { baseUrl, apiKey }: DemoAddress): Promise<void> {
  const existing = profiles.get(profileId);
  if (existing?.baseUrl !== baseUrl) {
    await profiles.save({ id: profileId, name: existing?.name ?? vscode.l10n.t('Demo'), baseUrl });
    if (existing) await profiles.signOut(profileId);
    await connections.forgetOffers(profileId);
  }
  if ((await profiles.key(profileId)) !== apiKey) await profiles.storeKey(profileId, apiKey);
}

/** Where the editor keeps secrets only until it closes, the demo's is in its own folder; it protects nothing. */
async function restoreKey({ profiles }: Services, folder: string): Promise<void> {
  if (!profiles.get(profileId) || !(await profiles.isKeyVanished(profileId))) return;
  const last = await (await import('../../demo/attachOrStart')).lastAddress(folder);
  if (last && last.baseUrl === profiles.get(profileId)?.baseUrl) await profiles.storeKey(profileId, last.apiKey);
}

async function tellNotHere(): Promise<void> {
  await showMessage(
    'information',
    vscode.l10n.t('The demo service does not run in this window. If another window runs it, stop it there.'),
  );
}
