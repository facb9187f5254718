import { join } from 'node:path';
import * as vscode from 'vscode';
import { l10n } from 'vscode';
import { setContext } from '../../platform/contributions';
import type { Disposable } from '../../platform/disposables';
import { showMessage, withProgress } from '../../platform/notify';
import type { Profile } from '../../services/account/account';
import type { Services } from '../../services/services';
import { DemoProfile } from './demoProfile';
import { createDemoService } from './demoService';
import { step } from '../../platform/errors/errorActions';
import { UserError } from '../../platform/errors/userError';

/** Starts and stops the demo service, and keeps its profile in sync with its address. */
export class DemoRuntime implements Disposable {
  private readonly folder;
  private readonly service;
  private readonly own;
  /**
   * Once stopped by the person, the service stays stopped until they start it; after a restart of the editor, first use starts it again.
   */
  private isStopped = false;
  private shown: boolean | undefined;

  constructor(private readonly services: Services) {
    this.folder = join(services.context.globalStorageUri.fsPath, 'demo');
    this.own = new DemoProfile(services, this.folder);
    this.service = createDemoService(async () => {
      const { attachOrStart } = await import('../../demo/attachOrStart');
      return attachOrStart({ dataDir: this.folder }, (message) => services.log.warn(message));
    });
  }

  async start(): Promise<void> {
    const { profiles, connections } = this.services;
    const wasStopped = this.isStopped;
    this.isStopped = false;
    // Find it before the start, because the service may come up on another port than the profile has.
    await this.own.find();
    const location = { viewId: 'inferenceDesk.account' };
    const address = await withProgress({ location }, () => this.service.ensureRunning());
    const { id } = await this.own.use(address);
    await profiles.setActive(id);
    if (wasStopped) connections.tellChange();
    await this.showRunning();
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    if (!(await this.service.stop())) {
      await showMessage(
        'information',
        vscode.l10n.t('The demo service does not run in this window. If another window runs it, stop it there.'),
      );
    }
    await this.showRunning();
    // Requests sent while it was stopping were reported as unreachable.
    this.services.connections.tellChange();
  }

  /** Starts the service if it is not running and the profile is the demo's. */
  async beforeUse(profile: Profile): Promise<void> {
    if (!(await this.own.is(profile))) return;
    if (this.isStopped) throw stoppedError();
    const address = await this.service.ensureRunning();
    if (profile.baseUrl !== address.baseUrl) await this.own.use(address);
    await this.showRunning();
  }

  /** If the editor only stores secrets until it closes, restores the key from the demo's own folder; the key protects nothing. */
  async restoreKey(): Promise<void> {
    const { profiles } = this.services;
    const profile = await this.own.find();
    if (!profile || !(await profiles.isKeyVanished(profile.id))) return;
    const last = await (await import('../../demo/attachOrStart')).lastAddress(this.folder);
    if (last?.baseUrl === profile.baseUrl) await profiles.storeKey(profile.id, last.apiKey);
  }

  dispose(): void {
    this.service.dispose();
  }

  private async showRunning(): Promise<void> {
    if (this.shown === this.service.isRunHere) return;
    this.shown = this.service.isRunHere;
    await setContext('inferenceDesk.demoRunning', this.shown);
  }
}

function stoppedError(): UserError {
  return new UserError(
    l10n.t('The demo service is stopped'),
    l10n.t('It was stopped in this window. Start it again to go on.'),
    [step('tryDemo')],
  );
}
