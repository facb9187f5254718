import { join } from 'node:path';
import * as vscode from 'vscode';
import type { OnSetAside } from '../../core/storage/storedFile';
import type { Profile, ProfileProblem } from '../../core/profiles/profile';
import type { ProfileEntry, Profiles, ProfilesChange } from './account';
import { parseProfiles } from '../../core/profiles/profile';
import { isUnencrypted, normaliseBaseUrl } from '../../core/profiles/baseUrl';
import { DisposableStore } from '../../platform/disposables';
import type { Disposable } from '../../platform/disposables';
import type { Settings } from '../../platform/settings';
import { createJsonFile } from '../../core/storage/storedFile';

const activeName = 'activeProfile';

interface Sources {
  readonly context: vscode.ExtensionContext;
  readonly settings: Settings;
  readonly onSetAside: OnSetAside;
}

export class StoredProfiles implements Profiles {
  private readonly store = new DisposableStore();
  private readonly changed = this.store.add(new vscode.EventEmitter<ProfilesChange>());
  private readonly keys;
  private read;

  readonly onDidChange = this.changed.event;

  constructor(private readonly sources: Sources) {
    const { context, settings, onSetAside } = sources;
    const recordPath = join(context.globalStorageUri.fsPath, 'keys.json');
    this.keys = this.store.add(new KeyStore(context.secrets, recordPath, onSetAside));
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

  /** Each window's selection is stored in its workspace. Other windows start with the last selection in any window. */
  get active(): Profile | undefined {
    const { workspaceState, globalState } = this.sources.context;
    return this.chosenIn(workspaceState) ?? this.chosenIn(globalState) ?? this.list[0];
  }

  get(id: string): Profile | undefined {
    return this.list.find((profile) => profile.id === id);
  }

  async key(profileId: string): Promise<string | undefined> {
    const profile = this.get(profileId);
    if (profile?.keyless) return '';
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
    if (!profile) throw new Error(`There is no account "${profileId}" to store a key for.`);
    return this.keys.store(profile.id, profile.origin, key);
  }

  async signOut(profileId: string): Promise<void> {
    await this.keys.removeAll(profileId);
    const profile = this.get(profileId);
    if (!profile?.keyless) return;
    const { keyless: _keyless, ...rest } = profile;
    await this.save(rest);
    this.changed.fire('key');
  }

  async save({ id, name, baseUrl, keyless, allowHttp, keyHeader }: ProfileEntry): Promise<Profile> {
    const address = normaliseBaseUrl(baseUrl, { allowHttp: allowHttp ?? false });
    if (!address.ok) throw new Error(`The base URL of "${name}" can't be used: ${address.problem}.`);
    const entry = {
      id,
      name,
      baseUrl: address.baseUrl,
      ...(keyless && { keyless }),
      ...(isUnencrypted(address.baseUrl) && { allowHttp: true as const }),
      ...(keyHeader && { keyHeader }),
    };
    // Unreadable entries stay in the setting: they are the user's to fix.
    const stored = this.sources.settings.get('profiles');
    const at = usedEntry(stored, id);
    await this.write(at < 0 ? [...stored, entry] : stored.toSpliced(at, 1, entry));
    return { ...entry, origin: address.origin };
  }

  async setActive(profileId: string): Promise<void> {
    await this.sources.context.workspaceState.update(activeName, profileId);
    await this.sources.context.globalState.update(activeName, profileId);
    this.changed.fire('active');
  }

  async remove(profileId: string): Promise<void> {
    await this.keys.removeAll(profileId);
    const stored = this.sources.settings.get('profiles');
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
    await this.sources.settings.set('profiles', entries);
    this.read = parseProfiles(this.sources.settings.get('profiles'));
  }
}

/** Returns the index of the usable entry with that id in the stored list, or -1; unusable entries may have the same id. */
function usedEntry(stored: readonly unknown[], id: string): number {
  return stored.findIndex((entry) => parseProfiles([entry]).profiles[0]?.id === id);
}

/** How long a key is cached without reading the secret storage: changes by other windows are not always reported. */
const cacheMs = 60_000;

const prefix = 'inferenceDesk.key:';

/**
 * Keys in the editor's secret storage. A key's name contains its profile and the origin it was entered for, so it cannot be sent elsewhere.
 */
class KeyStore implements Disposable {
  private readonly owned = new DisposableStore();
  private readonly changed = this.owned.add(new vscode.EventEmitter<void>());
  private readonly cache = new Map<string, { readonly key: string | undefined; readonly readAt: number }>();
  /** Last known keys, to fire only for differences. */
  private readonly reported = new Map<string, string | undefined>();
  private readonly record;

  /** Fires when a key was stored or removed, or turned out to be missing or different. */
  readonly onDidChange = this.changed.event;

  /** `recordPath`: of the record of profiles and origins that a key was stored for; it does not contain the keys. */
  constructor(
    private readonly secrets: vscode.SecretStorage,
    recordPath: string,
    onSetAside: OnSetAside,
  ) {
    this.record = createJsonFile(recordPath, toNames, onSetAside);
    this.owned.add(
      secrets.onDidChange(({ key: name }) => {
        if (!name.startsWith(prefix)) return;
        this.cache.delete(name);
        // The next reader of the key gets the storage's error.
        this.readAgain(name).catch(() => undefined);
      }),
    );
  }

  async get(profileId: string, origin: string): Promise<string | undefined> {
    const name = secretName(profileId, origin);
    const cached = this.cache.get(name);
    return cached && Date.now() - cached.readAt < cacheMs ? cached.key : this.readAgain(name);
  }

  /** Resolves with whether the key could be read back from the storage. */
  async store(profileId: string, origin: string, key: string): Promise<boolean> {
    const name = secretName(profileId, origin);
    await working(this.secrets.store(name, key));
    const readBack = (await this.readAgain(name)) === key;
    if (readBack) await this.record.write([...new Set([...((await this.record.read()) ?? []), name])]);
    return readBack;
  }

  /** Removes the keys for all origins. */
  async removeAll(profileId: string): Promise<void> {
    const { secrets } = this;
    const recorded = (await this.record.read()) ?? [];
    const names = [...new Set([...(await working(secrets.keys())), ...recorded])].filter(isOf(profileId));
    // The record comes first: if it came last and the editor closed in between, the key would count as vanished.
    await this.record.write(recorded.filter((name) => !names.includes(name)));
    for (const name of names) {
      await working(secrets.delete(name));
      this.cache.delete(name);
      await this.readAgain(name);
    }
  }

  forgetCached(profileId: string): void {
    for (const name of this.cache.keys()) if (isOf(profileId)(name)) this.cache.delete(name);
  }

  /** Whether a key was stored here and not removed by the user, but is missing from the storage. */
  async isVanished(profileId: string, origin: string): Promise<boolean> {
    const name = secretName(profileId, origin);
    return ((await this.record.read()) ?? []).includes(name) && (await this.readAgain(name)) === undefined;
  }

  dispose(): void {
    this.owned.dispose();
  }

  private async readAgain(name: string): Promise<string | undefined> {
    const key = await working(this.secrets.get(name));
    const differs = this.reported.has(name) && this.reported.get(name) !== key;
    this.cache.set(name, { key, readAt: Date.now() });
    this.reported.set(name, key);
    if (differs) this.changed.fire();
    return key;
  }
}

const secretName = (profileId: string, origin: string) => `${prefix}${profileId}@${origin}`;

const isOf = (profileId: string) => (name: string) => name.startsWith(`${prefix}${profileId}@`);

const toNames = (raw: unknown): readonly string[] | undefined =>
  Array.isArray(raw) && raw.every((name) => typeof name === 'string') ? raw : undefined;

/** Leaves out the storage's own error, because it might quote the value. */
async function working<T>(work: Thenable<T>): Promise<T> {
  try {
    return await work;
  } catch {
    throw (await import('../../platform/errors/storageError')).storageError();
  }
}
