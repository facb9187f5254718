import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { freeName } from '../../core/profiles/profile';
import { createJsonFile } from '../../core/storage/storedFile';
import type { Profile } from '../../services/account/account';
import type { Services } from '../../services/services';
import type { DemoAddress } from './demoService';

/** What the demo's folder records about its profile. */
interface Remembered {
  readonly id: string;
  /** Addresses of the demo service so far, the latest one last. */
  readonly baseUrls: readonly string[];
}

/** The id of every demo profile in earlier versions. An account that a person named "Demo" may have it too. */
const earlierId = 'demo';
const mostBaseUrls = 50;

/**
 * The demo's own profile: the one whose id and address are recorded in the demo's folder. Neither a name nor an id alone makes a profile
 * the demo's, and a profile whose address a person changes is theirs from then on.
 */
export class DemoProfile {
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
      const name = profile?.name ?? freeName(vscode.l10n.t('Demo'), profiles.list);
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
    if (last?.baseUrl !== profile.baseUrl) return undefined;
    const remembered = { id: profile.id, baseUrls: [profile.baseUrl] };
    await this.file.write(remembered);
    return remembered;
  }
}

function toRemembered(raw: unknown): Remembered | undefined {
  if (typeof raw !== 'object' || raw === null || !('id' in raw) || !('baseUrls' in raw)) return undefined;
  const { id, baseUrls } = raw;
  if (typeof id !== 'string' || !Array.isArray(baseUrls)) return undefined;
  return { id, baseUrls: baseUrls.filter((baseUrl) => typeof baseUrl === 'string') };
}
