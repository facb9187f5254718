import { join } from 'node:path';
import * as vscode from 'vscode';
import type { OnSetAside } from '../../core/storage/storedFile';
import type { Profile, ProfileProblem } from '../../core/profiles/profile';
import { parseProfiles } from '../../core/profiles/profile';
import { normaliseBaseUrl } from '../../core/profiles/baseUrl';
import { DisposableStore } from '../../platform/disposables';
import type { Disposable } from '../../platform/disposables';
import { createKeyStore } from './keyStore';
import type { Settings } from '../../platform/settings';

export type { Profile } from '../../core/profiles/profile';

export type ProfilesChange = 'list' | 'active' | 'key';

/** Profiles and their keys. The list is in the user's settings, the keys are in the editor's secret storage. */
export interface Profiles extends Disposable {
  /** In the order of the setting, without unusable entries. */
  readonly list: readonly Profile[];
  /** This window's choice, else the last one made in any window, else the first of the list. */
  readonly active: Profile | undefined;
  /** The unusable entries of the setting. */
  readonly problems: readonly ProfileProblem[];
  get(id: string): Profile | undefined;
  readonly onDidChange: vscode.Event<ProfilesChange>;

  /** Resolves with the key entered for this profile at its current origin; never one entered for another origin. */
  key(profileId: string): Promise<string | undefined>;
  /** Makes the next `key` read the secret storage again, e.g. because the service rejected the key. */
  forgetCachedKey(profileId: string): void;
  /** Resolves with whether a key was stored for this profile and origin, but the secret storage lost it. */
  isKeyVanished(profileId: string): Promise<boolean>;
  /** Only for a key that passed `cleanKey`. Resolves with whether it could be read back from the secret storage. */
  storeKey(profileId: string, key: string): Promise<boolean>;
  /** Removes the keys for all origins. The profile remains. */
  signOut(profileId: string): Promise<void>;

  /** Adds the profile, or replaces the one with its id. Does not make it active. Throws if the URL is not usable. */
  save(profile: Omit<Profile, 'origin'>): Promise<Profile>;
  setActive(profileId: string): Promise<void>;
  /** Removes the profile and its keys. */
  remove(profileId: string): Promise<void>;
}

const activeName = 'activeProfile';

export function createProfiles(context: vscode.ExtensionContext, settings: Settings, onSetAside: OnSetAside): Profiles {
  return new StoredProfiles(context, settings, onSetAside);
}

/** Resolves with whether there is an active profile with a key. */
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

  /** Each window's choice is stored in its workspace; other windows start with the last choice made in any window. */
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
    // Unreadable entries stay in the setting: they are the user's to fix.
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

/** Returns the index of the usable entry with that id in the stored list, or -1; unusable entries may have the same id. */
function usedEntry(stored: readonly unknown[], id: string): number {
  return stored.findIndex((entry) => parseProfiles([entry]).profiles[0]?.id === id);
}
