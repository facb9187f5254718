import { join } from 'node:path';
import * as vscode from 'vscode';
import { registerCommand, setContext } from '../../platform/contributions';
import { DisposableStore } from '../../platform/disposables';
import type { Feature, Services } from '../../services';
import { DemoProfile } from './demoProfile';
import { createDemoService } from './demoService';
import type { DemoAddress, DemoService } from './demoService';
import { showMessage, withProgress } from '../../platform/notify';

/** The whole service on this machine, for looking around without a key. Loaded when it is first started. */
export const demoFeature: Feature = (services) => {
  const store = new DisposableStore();
  const folder = join(services.context.globalStorageUri.fsPath, 'demo');
  const demo = store.add(
    createDemoService(async () => {
      const { attachOrStart } = await import('../../demo/attachOrStart');
      return attachOrStart({ dataDir: folder }, (message) => services.log.warn(message));
    }),
  );
  const own = new DemoProfile(services, folder);
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
      // Known before the start: the service may come up on another port than the profile tells.
      await own.find();
      const address = await startWithProgress(demo);
      const { id } = await own.use(address);
      // Tells all who found it stopped to ask it again.
      if (wasStopped) await services.profiles.storeKey(id, address.apiKey);
      await services.profiles.setActive(id);
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
      if (!(await own.is(profile))) return;
      if (isStopped) throw (await import('./stoppedError')).stoppedError();
      const address = await demo.ensureRunning();
      if (profile.baseUrl !== address.baseUrl) await own.use(address);
      await showRunning();
    }),
  );
  restoreKey(services, own, folder).catch((error: unknown) => services.log.warn(`Demo service: ${String(error)}`));
  return store;
};

function startWithProgress(demo: DemoService): Thenable<DemoAddress> {
  const location = { viewId: 'inferenceDesk.account' };
  return withProgress({ location }, () => demo.ensureRunning());
}

/** Where the editor keeps secrets only until it closes, the demo's is in its own folder; it protects nothing. */
async function restoreKey({ profiles }: Services, own: DemoProfile, folder: string): Promise<void> {
  const profile = await own.find();
  if (!profile || !(await profiles.isKeyVanished(profile.id))) return;
  const last = await (await import('../../demo/attachOrStart')).lastAddress(folder);
  if (last?.baseUrl === profile.baseUrl) await profiles.storeKey(profile.id, last.apiKey);
}

async function tellNotHere(): Promise<void> {
  await showMessage(
    'information',
    vscode.l10n.t('The demo service does not run in this window. If another window runs it, stop it there.'),
  );
}
