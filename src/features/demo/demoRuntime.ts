import * as l10n from '@vscode/l10n';
import { join } from 'node:path';
import { setContext } from '../../platform/contributions';
import type { Disposable } from '../../platform/disposables';
import { showMessage, withProgress } from '../../platform/notify';
import type { Profile } from '../../services/account/account';
import type { Services } from '../../services/services';
import { createDemoService, type DemoAddress } from './logic/demoService';
import { step } from '../../platform/errors/errorActions';
import { UserError } from '../../platform/errors/userError';
import { randomUUID } from 'node:crypto';
import { freeName } from '../../core/profiles/profile';
import { createJsonFile } from '../../core/storage/storedFile';

/** Starts and stops the demo service, and keeps its profile in sync with its address. */
export class DemoRuntime implements Disposable {
  private readonly folder;
  private readonly service;
  private readonly own;
  /** Once stopped by the user, the service stays stopped until they start it. After a restart of VS Code, first use starts it again. */
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
        l10n.t("The demo service isn't running in this window. Stop it in the window that started it."),
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

  /** If VS Code only stores secrets until it closes, restores the key from the demo's own folder. The key protects nothing. */
  async restoreKey(): Promise<void> {
    const { profiles } = this.services;
    const profile = await this.own.find();
    if (!profile || !(await profiles.isKeyVanished(profile.id))) return;
    const last = await (await import('../../demo/attachOrStart')).lastAddress(this.folder);
    if (last && isSameOrigin(last.baseUrl, profile.baseUrl)) await profiles.storeKey(profile.id, last.apiKey);
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
  return new UserError(l10n.t('The demo service has stopped'), l10n.t('Start the demo service to continue.'), [
    step('tryDemo'),
  ]);
}

/** The demo folder's record of its profile. */
interface Remembered {
  readonly id: string;
  /** Addresses of the demo service so far, the latest one last. */
  readonly baseUrls: readonly string[];
}

/** The id of every demo profile in earlier versions. An account that a user named "Demo" may have it too. */
const earlierId = 'demo';
const mostBaseUrls = 50;

/**
 * The demo's own profile: the one whose id and address are recorded in the demo's folder. Neither a name nor an id alone makes a profile
 * the demo's, and a profile whose address a user changes is theirs from then on.
 */
class DemoProfile {
  private readonly file;
  private last: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly services: Services,
    private readonly folder: string,
  ) {
    this.file = createJsonFile(join(folder, 'profile.json'), toRemembered);
  }

  async find(): Promise<Profile | undefined> {
    const remembered = await this.recall();
    const profile = remembered && this.services.profiles.get(remembered.id);
    return profile && remembered.baseUrls.includes(profile.baseUrl) ? profile : undefined;
  }

  async is(profile: Profile): Promise<boolean> {
    return (await this.find())?.id === profile.id;
  }

  /** Creates the profile, or repairs it: the port may have changed or the key been removed. Calls run one after the other. */
  use(address: DemoAddress): Promise<Profile> {
    const using = this.last.then(() => this.repair(address));
    this.last = using.catch(() => undefined);
    return using;
  }

  private async repair({ baseUrl, apiKey }: DemoAddress): Promise<Profile> {
    const { profiles, connections } = this.services;
    let profile = await this.find();
    if (profile?.baseUrl !== baseUrl) {
      const { id, baseUrls } = await this.idFor(profile);
      // Recorded first, so that a profile saved by a window that closes in between is still the demo's.
      const others = baseUrls.filter((other) => other !== baseUrl);
      await this.file.write({ id, baseUrls: [...others, baseUrl].slice(-mostBaseUrls) });
      const name = profile?.name ?? freeName(l10n.t('Demo'), profiles.list);
      profile = await profiles.save({ id, name, baseUrl });
      await connections.forgetOffers(id);
    }
    if ((await profiles.key(profile.id)) !== apiKey) await profiles.storeKey(profile.id, apiKey);
    return profile;
  }

  /** Restores a deleted profile under its id; if another account has that id by now, creates a new one. */
  private async idFor(profile: Profile | undefined): Promise<Remembered> {
    const remembered = await this.recall();
    const isTaken = !profile && remembered && this.services.profiles.get(remembered.id) !== undefined;
    return remembered && !isTaken ? remembered : { id: randomUUID(), baseUrls: [] };
  }

  private async recall(): Promise<Remembered | undefined> {
    return (await this.file.read()) ?? this.adoptEarlier();
  }

  /** Adopts a profile of an earlier version if it has the address at which this folder's service last ran. */
  private async adoptEarlier(): Promise<Remembered | undefined> {
    const profile = this.services.profiles.get(earlierId);
    if (!profile) return undefined;
    const last = await (await import('../../demo/attachOrStart')).lastAddress(this.folder);
    if (!last || !isSameOrigin(last.baseUrl, profile.baseUrl)) return undefined;
    const remembered = { id: profile.id, baseUrls: [profile.baseUrl] };
    await this.file.write(remembered);
    return remembered;
  }
}

/** Addresses of earlier versions had another path. */
function isSameOrigin(one: string, other: string): boolean {
  return URL.parse(one)?.origin === URL.parse(other)?.origin;
}

function toRemembered(raw: unknown): Remembered | undefined {
  if (typeof raw !== 'object' || raw === null || !('id' in raw) || !('baseUrls' in raw)) return undefined;
  const { id, baseUrls } = raw;
  if (typeof id !== 'string' || !Array.isArray(baseUrls)) return undefined;
  return { id, baseUrls: baseUrls.filter((baseUrl) => typeof baseUrl === 'string') };
}
