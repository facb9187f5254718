import { join } from 'node:path';
import * as vscode from 'vscode';
import type { OnSetAside } from '../../core/files/setAside';
import type { Profile, ProfileProblem } from '../../core/profiles/profile';
import { parseProfiles } from '../../core/profiles/profile';
import { normaliseBaseUrl } from '../../core/profiles/baseUrl';
import { DisposableStore } from '../../platform/disposables';
import type { Disposable } from '../../platform/disposables';
import { createKeyStore } from './keyStore';
import type { Settings } from '../../platform/settings';

export type { Profile } from '../../core/profiles/profile';

export type ProfilesChange = 'list' | 'active' | 'key';

/** Profiles and their keys. The list lives in the user's settings, keys in the editor's secret storage. */
export interface Profiles extends Disposable {
  /** In the order of the setting; entries that cannot be used are left out. */
  readonly list: readonly Profile[];
  /** This window's choice, else the last one made anywhere, else the first of the list. */
  readonly active: Profile | undefined;
  /** The entries of the setting that were left out. */
  readonly problems: readonly ProfileProblem[];
  get(id: string): Profile | undefined;
  readonly onDidChange: vscode.Event<ProfilesChange>;

  /** The key that was entered for this profile at the origin it has now; never one entered for another origin. */
  key(profileId: string): Promise<string | undefined>;
  /** Makes the next `key` ask the secret storage again, e.g. because the service refused the one it got. */
  forgetCachedKey(profileId: string): void;
  /** Whether a key was stored for this profile and origin, but the secret storage lost it. */
  isKeyVanished(profileId: string): Promise<boolean>;
  /** Only for a key that passed `cleanKey`. Resolves to whether the secret storage gave it back. */
  storeKey(profileId: string, key: string): Promise<boolean>;
  /** Removes the key for every origin it was entered for. The profile stays. */
  signOut(profileId: string): Promise<void>;

  /** Adds, or replaces by id. Does not make it active. Throws when the address cannot be used. */
  save(profile: Omit<Profile, 'origin'>): Promise<Profile>;
  setActive(profileId: string): Promise<void>;
  /** Removes the profile and its keys. */
  remove(profileId: string): Promise<void>;
}

const activeName = 'activeProfile';

export function createProfiles(context: vscode.ExtensionContext, settings: Settings, onSetAside: OnSetAside): Profiles {
  return new StoredProfiles(context, settings, onSetAside);
}

/** Whether there is an active profile, and its key. */
export async function isSignedIn(profiles: Profiles): Promise<boolean> {
  return profiles.active !== undefined && (await profiles.key(profiles.active.id)) !== undefined;
}

class StoredProfiles implements Profiles {
  private readonly store = new DisposableStore();
  private readonly changed = this.store.add(new vscode.EventEmitter<ProfilesChange>());
  private readonly keys;
  private read;

  readonly onDidChange = this.changed.event;

  constructor(
    private readonly context: vscode.ExtensionContext,
    private readonly settings: Settings,
    onSetAside: OnSetAside,
  ) {
    const recordPath = join(context.globalStorageUri.fsPath, 'keys.json');
    this.keys = this.store.add(createKeyStore({ secrets: context.secrets, recordPath, now: Date.now, onSetAside }));
    this.read = parseProfiles(settings.get('profiles'));
    this.store.add(this.keys.onDidChange(() => this.changed.fire('key')));
    this.store.add(
      settings.onDidChange((name) => {
        if (name !== 'profiles') return;
        this.read = parseProfiles(settings.get('profiles'));
        this.changed.fire('list');
      }),
    );
  }

  get list(): readonly Profile[] {
    return this.read.profiles;
  }

  get problems(): readonly ProfileProblem[] {
    return this.read.problems;
  }

  /** The choice of a window is the workspace's; the last choice made anywhere is where other windows begin. */
  get active(): Profile | undefined {
    const { workspaceState, globalState } = this.context;
    return this.chosenIn(workspaceState) ?? this.chosenIn(globalState) ?? this.list[0];
  }

  get(id: string): Profile | undefined {
    return this.list.find((profile) => profile.id === id);
  }

  async key(profileId: string): Promise<string | undefined> {
    const profile = this.get(profileId);
    return profile && this.keys.get(profile.id, profile.origin);
  }

  forgetCachedKey(profileId: string): void {
    this.keys.forgetCached(profileId);
  }

  async isKeyVanished(profileId: string): Promise<boolean> {
    const profile = this.get(profileId);
    return profile !== undefined && this.keys.isVanished(profile.id, profile.origin);
  }

  async storeKey(profileId: string, key: string): Promise<boolean> {
    const profile = this.get(profileId);
    if (!profile) throw new Error(`There is no profile "${profileId}" to store a key for.`);
    return this.keys.store(profile.id, profile.origin, key);
  }

  async signOut(profileId: string): Promise<void> {
    await this.keys.removeAll(profileId);
  }

  async save({ id, name, baseUrl }: Omit<Profile, 'origin'>): Promise<Profile> {
    const address = normaliseBaseUrl(baseUrl);
    if (!address.ok) throw new Error(`The address of the profile "${name}" cannot be used: ${address.problem}.`);
    const entry = { id, name, baseUrl: address.baseUrl };
    // What could not be read stays in the setting: it is the person's to mend.
    const stored = this.settings.get('profiles');
    const at = usedEntry(stored, id);
    await this.write(at < 0 ? [...stored, entry] : stored.toSpliced(at, 1, entry));
    return { ...entry, origin: address.origin };
  }

  async setActive(profileId: string): Promise<void> {
    await this.context.workspaceState.update(activeName, profileId);
    await this.context.globalState.update(activeName, profileId);
    this.changed.fire('active');
  }

  async remove(profileId: string): Promise<void> {
    await this.keys.removeAll(profileId);
    const stored = this.settings.get('profiles');
    const at = usedEntry(stored, profileId);
    if (at >= 0) await this.write(stored.toSpliced(at, 1));
  }

  dispose(): void {
    this.store.dispose();
  }

  private chosenIn(memory: vscode.Memento): Profile | undefined {
    const id = memory.get<string>(activeName);
    return id === undefined ? undefined : this.get(id);
  }

  private async write(entries: readonly unknown[]): Promise<void> {
    await this.settings.set('profiles', entries);
    this.read = parseProfiles(this.settings.get('profiles'));
  }
}

/** Where the profile of that id stands in the stored list; entries that cannot be used may have the same id. */
function usedEntry(stored: readonly unknown[], id: string): number {
  return stored.findIndex((entry) => parseProfiles([entry]).profiles[0]?.id === id);
}
